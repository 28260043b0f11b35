"""Export of networks and bots: folders that play without torch.

    blot export --tier hard --rules bazar --out bots/hard           a bot of the networks that ship
    blot export --policy runs/mine --tier hard --out bots/mine      a bot of one's own
    blot export --policy runs/mine --out networks                   networks alone

`agents.networks` and `agents.bot` say what is in the folders. Only what begins with a checkpoint needs torch; a bot of
the networks that ship is a copy of them with a tier's knobs, and where none ship the knobs are all it has.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.bot import BotAgent
from agents.manifest import MANIFEST, file_digest, of_game
from agents.networks import POLICY, BotError, Manifest, checked_files, open_networks, read_manifest, shipped_folder
from agents.resources import find
from agents.tiers import load_tier
from blot_env import RuleSet
from train.model_card import bot_card, networks_card

README = "README.md"


class ExportError(ValueError):
    """A folder that cannot be written as asked."""


def export_networks(policy: str | Path, out: Path) -> list[Path]:
    """Write the networks of a checkpoint and return the files.

    Args:
        policy: the folder of a checkpoint or of a run, the user's own or one that ships.
        out: the folder; one that holds a bot or networks is replaced, anything else has to be moved away first.

    Raises:
        CheckpointError, WeightsError: the policy cannot be used.
        ExportError: `out` holds something else.
    """
    with _draft(out, policy) as draft:
        rules, manifest = _converted(policy, draft)
        _seal(draft, manifest, networks_card(manifest))
        open_networks(draft, rules)  # what cannot be loaded is not handed out
    return sorted(out.iterdir())


def export_bot(policy: str | Path | None, tier: str | Path, out: Path, rules: RuleSet | None = None) -> list[Path]:
    """Write a bot's folder and return its files.

    Args:
        policy: as `export_networks` takes it; None for the networks that ship for `rules`.
        tier: a tier by name, or a TOML file.
        out: as `export_networks` takes it.
        rules: the game, where no policy says it.

    Raises:
        CheckpointError, WeightsError, TierError: the policy or the tier cannot be used.
        BotError: the networks that ship are damaged.
        ExportError: `out` holds something else, or both a policy and rules are given, or neither.
    """
    if (policy is None) == (rules is None):
        raise ExportError("a bot is made from a policy, which has its rules, or for the rules of networks that ship")
    knobs = load_tier(tier)
    with _draft(out, policy) as draft:
        game, manifest = _converted(policy, draft) if policy is not None else _copied(rules, draft)
        manifest = manifest.model_copy(update={"tier": knobs.model_dump(mode="json")})
        _seal(draft, manifest, bot_card(manifest, knobs))
        BotAgent(game, draft)
    return sorted(out.iterdir())


def _converted(policy: str | Path, draft: Path) -> tuple[RuleSet, Manifest]:
    """Write a checkpoint's networks; the manifest's list of files is empty as yet."""
    from train.onnx_files import write_policy

    rules, digest = write_policy(policy, draft / POLICY)
    return rules, Manifest(**of_game(rules), policy=digest, files={})


def _copied(rules: RuleSet | None, draft: Path) -> tuple[RuleSet, Manifest]:
    """Copy the networks that ship, if any do."""
    assert rules is not None
    folder = shipped_folder(rules)
    if folder is None:
        return rules, Manifest(**of_game(rules), policy=None, files={})
    manifest = read_manifest(folder)
    for name, content in checked_files(folder, manifest, rules).items():
        if name != README:
            (draft / name).write_bytes(content)
    return rules, Manifest(**of_game(rules), policy=manifest.policy, files={})


def _seal(draft: Path, manifest: Manifest, card: str) -> None:
    """Write the model card, and the manifest with the digests of all files."""
    (draft / README).write_text(card, encoding="utf-8")
    digests = {path.name: file_digest(path.read_bytes()) for path in sorted(draft.iterdir())}
    manifest = manifest.model_copy(update={"files": digests})
    (draft / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")


@contextmanager
def _draft(out: Path, policy: str | Path | None) -> Iterator[Path]:
    """Yield a folder that takes the place of `out` once it has been filled without an error."""
    place = out.resolve()  # of a link, what it leads to
    if place.exists() and not _may_be_replaced(place):
        raise ExportError(f"{out}: holds something that is no bot; name another folder or empty it")
    if policy is not None and _is_within(policy, place):
        raise ExportError(f"{out}: holds the policy itself; name another folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.") as scratch:
        draft = Path(scratch) / "bot"
        draft.mkdir()
        yield draft
        if place.exists():
            place.rename(Path(scratch) / "old")
        draft.rename(place)


def _is_within(policy: str | Path, place: Path) -> bool:
    try:
        return find(policy).resolve().is_relative_to(place)
    except FileNotFoundError:  # told when it is to be read
        return False


def _may_be_replaced(place: Path) -> bool:
    """Return whether it is a folder with nothing in it but a bot or networks."""
    if not place.is_dir():
        return False
    held = {path.name for path in place.iterdir()}
    try:
        return not held or held <= {MANIFEST, *read_manifest(place).files}
    except BotError:
        return False
