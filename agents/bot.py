"""An exported bot: a folder that plays through onnxruntime, without torch.

    manifest.json  what the bot is and the SHA-256 of the other files
    policy.onnx    observation, uint8 (n, size) -> logits, float32 (n, actions); the mask is applied outside
    README.md      for whoever finds the folder

Loading refuses a folder that was changed, cut short, or made for other rules or layouts than the ones installed.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import StringConstraints, ValidationError

from agents.manifest import MANIFEST, GameManifest, Sha256, explain, file_digest
from agents.tier import Tier
from blot_env import Decisions, RuleSet

NETWORK = "policy.onnx"

FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]*$")]


class BotError(ValueError):
    """A bot that cannot be used as it is; the message says which file is wrong and why."""


class Manifest(GameManifest):
    """What `manifest.json` holds."""

    format: Literal["blot-bot/1"] = "blot-bot/1"
    policy: Sha256  # of the weights that it was made from
    tier: Tier
    rating: Literal["unrated"] = "unrated"
    files: dict[FileName, Sha256]  # all but the manifest


class BotAgent:
    """The player in a bot's folder."""

    def __init__(self, rules: RuleSet, folder: Path) -> None:
        """Load a bot, checking that it is whole and fits what is installed.

        Args:
            rules: the game that it is to play: the bot's own, though the target may differ.
            folder: what `blot export` wrote.

        Raises:
            BotError: something is missing, damaged or does not fit.
        """
        self.name = f"bot:{folder}"
        self.manifest = manifest = read_manifest(folder)
        if misfit := manifest.misfit(rules):
            raise BotError(f"{folder}: {misfit}")
        contents = {name: _checked(folder / name, digest) for name, digest in manifest.files.items()}
        if NETWORK not in contents:
            raise BotError(f"{folder / MANIFEST}: files: names no {NETWORK}; export the bot again")
        self._session = _session(folder / NETWORK, contents[NETWORK], manifest)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action a decision, chosen as the bot's tier says."""
        (logits,) = self._session.run(["logits"], {"observation": decisions.observations})
        return self.manifest.tier.choose(logits, decisions.masks, decisions.seeds)


def load_bot(folder: Path) -> tuple[RuleSet, BotAgent]:
    """Load a bot as a player of its own rules, and those rules.

    Raises:
        BotError: as `BotAgent` says.
    """
    rules = read_manifest(folder).rules
    return rules, BotAgent(rules, folder)


def read_manifest(folder: Path) -> Manifest:
    """Read a bot's manifest.

    Raises:
        BotError: there is none, or it is not valid.
    """
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}; name a folder that `blot export` wrote") from None
    except ValidationError as error:
        raise BotError(f"{path}: {explain(error)}; export the bot again") from None


def _checked(path: Path, digest: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}; copy the whole folder, or export the bot again") from None
    if file_digest(content) != digest:
        raise BotError(f"{path}: its SHA-256 is not the one in {MANIFEST}: changed or cut short; export the bot again")
    return content


def _session(path: Path, content: bytes, manifest: Manifest) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise BotError("a bot plays through onnxruntime, which is missing: pip install 'blot[bot]'") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what goes wrong is raised
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own kinds share no base class
        raise BotError(f"{path}: onnxruntime cannot load it: {str(error).splitlines()[0]}") from None
    shapes = {node.name: node.shape[1:] for node in (*session.get_inputs(), *session.get_outputs())}
    if shapes != {"observation": [manifest.observation.size], "logits": [manifest.actions.size]}:
        raise BotError(f"{path}: takes and gives {shapes}, which is not what {MANIFEST} promises; export the bot again")
    return session
