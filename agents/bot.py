"""An exported bot: a folder that plays through onnxruntime, without torch.

    manifest.json  what the bot is and the SHA-256 of the other files
    policy.onnx    observation, uint8 (n, size) -> logits, float32 (n, actions); the mask is applied outside
    README.md      for whoever finds the folder

Loading refuses a folder that was changed, cut short, or made for other rules or layouts than the ones installed.
"""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from agents.tier import Tier
from blot_env import Decisions, RulesError, RuleSet, load_rules

MANIFEST = "manifest.json"
NETWORK = "policy.onnx"

FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]*$")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class BotError(ValueError):
    """A bot that cannot be used as it is; the message says which file is wrong and why."""


class Layout(BaseModel):
    """Version and size of the observations or the actions that the network was trained on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int
    size: int


class Manifest(BaseModel):
    """What `manifest.json` holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["blot-bot/1"] = "blot-bot/1"
    blot: str  # version of blot that exported it
    policy: str  # the checkpoint that it was made from
    rules: dict[str, Any]  # every field of the rule set
    observation: Layout
    actions: Layout
    tier: Tier
    rating: Literal["unrated"] = "unrated"
    files: dict[FileName, Sha256]  # all but the manifest

    def rule_set(self) -> RuleSet:
        """Return the rules that the bot plays.

        Raises:
            BotError: this version of blot knows no such rules.
        """
        fields = dict(self.rules)
        try:
            return load_rules(str(fields.pop("name", "")), **fields)
        except RulesError as error:
            raise BotError(f"{MANIFEST}: {error}; export the bot again") from None


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
        _check_rules(folder, manifest.rule_set(), rules)
        _check_layout(folder, "observation", manifest.observation, rules.observation.version, rules.observation.size)
        _check_layout(folder, "action", manifest.actions, rules.actions.version, rules.actions.size)
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
    rules = read_manifest(folder).rule_set()
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
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise BotError(f"{path}: {key + ': ' if key else ''}{first['msg']}; export the bot again") from None


def file_digest(content: bytes) -> str:
    """Return the SHA-256 that stands in a manifest."""
    return hashlib.sha256(content).hexdigest()


def _check_rules(folder: Path, own: RuleSet, wanted: RuleSet) -> None:
    mine, asked = own.model_dump(exclude={"target"}), wanted.model_dump(exclude={"target"})
    for field, value in mine.items():
        if asked[field] != value:
            raise BotError(f"{folder}: plays rules with {field} = {json.dumps(value)}, not {json.dumps(asked[field])}")


def _check_layout(folder: Path, what: str, of_bot: Layout, version: int, size: int) -> None:
    if (of_bot.version, of_bot.size) != (version, size):
        raise BotError(
            f"{folder}: made for {what} layout {of_bot.version} of size {of_bot.size}, but this blot has "
            f"layout {version} of size {size}; export the bot again from a policy of this layout"
        )


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
