"""Export of a policy as a bot.

    blot export --policy checkpoints/bazar --tier hard --out bots/hard

The bot is a folder that plays through onnxruntime, without torch; `agents.bot` says what is in it.
"""

import json
import logging
import tempfile
import warnings
from pathlib import Path
from shlex import quote

import torch

from agents.bot import NETWORK, BotAgent, BotError, Manifest
from agents.bot import read_manifest as read_bot
from agents.checkpoint import load_checkpoint, read_manifest
from agents.manifest import MANIFEST, file_digest, of_game
from agents.network import PolicyNetwork
from agents.tier import load_tier
from blot_env import RuleSet

README = "README.md"


class ExportError(ValueError):
    """A bot that cannot be written as asked."""


def export_bot(policy: str | Path, tier: str | Path, out: Path) -> list[Path]:
    """Write a bot's folder and return its files.

    Args:
        policy: a checkpoint, the user's own or one that ships.
        tier: a tier by name, or a TOML file.
        out: the folder; one that holds a bot is replaced, anything else has to be moved away first.

    Raises:
        CheckpointError, TierError: the policy or the tier cannot be read.
        ExportError: `out` holds something else, or the policy's weights are no numbers.
    """
    place = out.resolve()  # of a link, what it leads to
    if place.exists() and not _may_be_replaced(place):
        raise ExportError(f"{out}: holds something that is no bot; name another folder or empty it")
    folder, trained = read_manifest(policy)
    if folder.resolve().is_relative_to(place):
        raise ExportError(f"{out}: holds the policy itself; name another folder")
    rules = trained.rules
    network, _ = load_checkpoint(policy, rules)
    if not all(weights.isfinite().all() for weights in network.parameters()):
        raise ExportError(f"{policy}: some of its weights are no numbers; export an earlier checkpoint")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.") as scratch:
        draft = Path(scratch) / "bot"
        draft.mkdir()
        _write_network(network, rules, draft / NETWORK)
        manifest = Manifest(**of_game(rules), policy=trained.sha256, tier=load_tier(tier), files={})
        (draft / README).write_text(_readme(manifest), encoding="utf-8")
        digests = {path.name: file_digest(path.read_bytes()) for path in sorted(draft.iterdir())}
        manifest = manifest.model_copy(update={"files": digests})
        (draft / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
        BotAgent(rules, draft)  # what cannot be loaded is not handed out
        if place.exists():
            place.rename(Path(scratch) / "old")
        draft.rename(place)
    return sorted(out.iterdir())


def _may_be_replaced(place: Path) -> bool:
    """Return whether it is a folder with nothing in it but a bot."""
    if not place.is_dir():
        return False
    held = {path.name for path in place.iterdir()}
    try:
        return not held or held <= {MANIFEST, *read_bot(place).files}
    except BotError:
        return False


def _write_network(network: PolicyNetwork, rules: RuleSet, path: Path) -> None:
    """Write the flat logits, (n, columns) uint8 -> (n, actions) float32, as one file."""
    observations = torch.zeros(2, rules.observation.size, dtype=torch.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about torch's own insides
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        torch.onnx.export(
            network.eval(),
            (observations,),
            path,
            input_names=["observation"],
            output_names=["logits"],
            dynamic_shapes=({0: torch.export.Dim("n")},),
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def _options(rules: RuleSet) -> str:
    """Return how a command is told which game to play, but for the target."""
    values = {key: value if isinstance(value, str) else json.dumps(value) for key, value in rules.changes.items()}
    return " ".join([f"--rules {rules.name}", *(f"--set {quote(f'rules.{key}={values[key]}')}" for key in values)])


def _readme(manifest: Manifest) -> str:
    tier, observation, actions = manifest.tier, manifest.observation, manifest.actions
    if tier.temperature == 0:
        manner = "always the likeliest legal action, of equally likely ones the one with the lowest number"
    else:
        manner = (
            f"draws among the legal actions that give up at most {tier.cap:g} nats of log-probability "
            f"against the likeliest one, at temperature {tier.temperature:g}"
        )
    game = _options(manifest.rules)
    return f"""# A bot for {manifest.rules.name}, tier {tier.name}

It was exported by blot {manifest.blot} and plays without torch:

    pip install 'blot[bot]'
    blot play {game} --opponents bot:DIR    # play against it
    blot watch {game} bot:DIR    # watch it play a deal with itself
    blot tournament {game} random rules bot:DIR    # compare it
    blot bot DIR    # answers on standard input and output, one JSON message a line

where DIR is this folder. `blot bot` speaks the protocol of docs/bot-protocol.md: what a seat sees goes in, the action
comes out.

- Policy: the weights with SHA-256 {manifest.policy}.
- Tier {tier.name}: {manner}.
- Rating: {manifest.rating}.
- `{NETWORK}`: observations in (uint8, n × {observation.size}, layout {observation.version}), logits out
  (float32, n × {actions.size}, layout {actions.version}); illegal actions are masked outside of it.
- `{MANIFEST}`: the rules, and the SHA-256 of the other files; a changed or cut file is refused.
"""
