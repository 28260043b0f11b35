"""Export of networks and bots: folders that play without torch.

    blot export --tier hard --rules bazar --out bots/hard           a bot of the networks that ship
    blot export --policy runs/mine --tier hard --out bots/mine      a bot of one's own
    blot export --policy runs/mine --out networks                   networks alone

`agents.networks` and `agents.bot` say what is in the folders. Only what begins with a checkpoint needs torch; a bot of
the networks that ship is a copy of them with a tier's knobs, and where none ship the knobs are all it has.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from agents.bot import BotAgent
from agents.contract_values import VALUES
from agents.manifest import MANIFEST, file_digest, of_game
from agents.match_odds import MATCH_ODDS
from agents.networks import (
    POLICY,
    BotError,
    Manifest,
    checked_files,
    open_networks,
    read_manifest,
    seal_of,
    shipped_folder,
)
from agents.resources import find
from agents.tiers import Tier, load_tier
from blot_env import RuleSet
from train.model_card import bot_card, networks_card
from train.ratings import Measured, measured

README = "README.md"


class ExportError(ValueError):
    """A folder that cannot be written as asked."""


def export_networks(policy: str | Path, out: Path, values: str | Path | None = None) -> list[Path]:
    """Write the networks of a checkpoint and return the files.

    Args:
        policy: the folder of a checkpoint or of a run, the user's own or one that ships.
        out: the folder; one that holds a bot or networks is replaced, anything else has to be moved away first.
        values: the folder of a training of contract values; by default those in the policy's folder, if there are any.

    Raises:
        CheckpointError, ContractValuesError: the policy or the values cannot be used.
        ExportError: `out` holds something else.
    """
    with _draft(out, policy, values) as draft:
        rules, made_from = _converted(policy, values, draft)
        _seal(draft, rules, networks_card, **made_from)
        open_networks(draft, rules)
    return sorted(out.iterdir())


def export_bot(policy: str | Path, tier: str | Path, out: Path, values: str | Path | None = None) -> list[Path]:
    """Write a bot of a checkpoint's networks and return its files.

    Args:
        policy, out, values: as `export_networks` takes them.
        tier: by name, or a TOML file.

    Raises:
        TierError: there is no such tier, or its file is wrong.
        CheckpointError, ContractValuesError, ExportError: as `export_networks` says.
    """
    load_tier(tier)  # before anything takes time
    with _draft(out, policy, values) as draft:
        rules, made_from = _converted(policy, values, draft)
        _write_bot(draft, load_tier(tier, rules), rules, made_from)
    return sorted(out.iterdir())


def export_shipped_bot(rules: RuleSet, tier: str | Path, out: Path) -> list[Path]:
    """Write a bot of the networks that ship for a game, or of a tier's knobs alone where none do, and return its files.

    Args:
        rules: the game.
        tier, out: as `export_bot` takes them.

    Raises:
        TierError: there is no such tier, or its file is wrong.
        BotError, RatingsError: what ships is damaged.
        ExportError: `out` holds something else.
    """
    knobs = load_tier(tier, rules)
    with _draft(out) as draft:
        _write_bot(draft, knobs, rules, _copied(rules, draft), measured(rules, knobs))
    return sorted(out.iterdir())


def _write_bot(
    draft: Path, knobs: Tier, rules: RuleSet, made_from: dict[str, Any], found: Measured | None = None
) -> None:
    """Make a bot of the networks in a folder."""
    said = {"tier": knobs.model_dump(mode="json"), "rating": found.elo if found else None}
    _seal(draft, rules, partial(bot_card, tier=knobs, found=found), **made_from, **said)
    BotAgent(rules, draft)  # what cannot be loaded is not handed out


def _converted(policy: str | Path, values: str | Path | None, draft: Path) -> tuple[RuleSet, dict[str, Any]]:
    """Write a checkpoint's networks; return the game, and what the manifest says of them."""
    from train.contract_values.export import has_values
    from train.onnx_files import write_contract_values, write_policy

    rules, digest = write_policy(policy, draft / POLICY)
    trained = values or (policy if has_values(policy) else None)
    if trained is None:
        return rules, {"policy": digest, "values": None}
    made_from = {"policy": digest, "values": write_contract_values(trained, rules, draft / VALUES)}
    odds = find(trained) / MATCH_ODDS
    if odds.exists():
        (draft / MATCH_ODDS).write_bytes(odds.read_bytes())
    return rules, made_from


def _copied(rules: RuleSet, draft: Path) -> dict[str, Any]:
    """Copy the networks that ship, if any do; return what the manifest says of them."""
    folder = shipped_folder(rules)
    if folder is None:
        return {"policy": None, "values": None}
    manifest = read_manifest(folder)
    for name, content in checked_files(folder, manifest, rules).items():
        if name != README:
            (draft / name).write_bytes(content)
    return {"policy": manifest.policy, "values": manifest.values}


def _seal(draft: Path, rules: RuleSet, card: Callable[[Manifest], str], **said: Any) -> None:
    """Write the model card, and the manifest with the digests of all files."""
    manifest = Manifest.model_construct(**of_game(rules), **said, files={})
    (draft / README).write_text(card(manifest), encoding="utf-8")
    digests = {path.name: file_digest(path.read_bytes()) for path in sorted(draft.iterdir())}
    manifest = Manifest(**of_game(rules), **said, files=digests)
    manifest = manifest.model_copy(update={"seal": seal_of(json.loads(manifest.model_dump_json()))})
    (draft / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")


@contextmanager
def _draft(out: Path, *sources: str | Path | None) -> Iterator[Path]:
    """Yield a folder that takes the place of `out` once it has been filled without an error."""
    try:
        place = out.resolve()  # of a link, what it leads to
    except RuntimeError:
        raise ExportError(f"{out}: a link that leads to itself; name another folder or remove it") from None
    if place.exists() and not _may_be_replaced(place):
        raise ExportError(f"{out}: holds something that is no bot; name another folder or empty it")
    if any(source is not None and _is_within(source, place) for source in sources):
        raise ExportError(f"{out}: holds the policy itself; name another folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.") as scratch:
        draft = Path(scratch) / "bot"
        draft.mkdir()
        yield draft
        if place.exists():
            place.rename(Path(scratch) / "old")
        draft.rename(place)


def _is_within(source: str | Path, place: Path) -> bool:
    try:
        return find(source).resolve().is_relative_to(place)
    except (FileNotFoundError, RuntimeError):  # told when it is to be read
        return False


def _may_be_replaced(place: Path) -> bool:
    """Return whether it is a folder with nothing in it but the files of a bot or of networks."""
    if not place.is_dir() or any(path.is_dir() for path in place.iterdir()):
        return False
    held = {path.name for path in place.iterdir()}
    try:
        return not held or held <= {MANIFEST, *read_manifest(place).files}
    except BotError:
        return False
