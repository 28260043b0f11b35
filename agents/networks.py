"""Networks without torch: what a policy, and where they were trained its contract values, are once exported.

    manifest.json  for which game, made from which weights, the SHA-256 of the other files, and a seal of all that
    policy.onnx    observation, uint8 (n, size) -> logits, float32 (n, actions); the mask is applied outside
    values.onnx    contract values, where they were trained (`agents.contract_values`)
    match-odds.json    chances to win the match, by which they judge (`agents.match_odds`)
    README.md      for whoever finds the folder

Such a folder ships for a game as `checkpoints/GAME/networks`; that of a bot has a tier's knobs besides. A folder that
was changed, cut short, or made for other rules or layouts than the ones installed is refused.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from agents.contract_values import VALUES, ContractValues
from agents.graph import Graph, GraphError
from agents.manifest import MANIFEST, MAX_MANIFEST, GameManifest, Sha256, explain, file_digest
from agents.match_odds import MATCH_ODDS, MatchOdds, MatchOddsError
from agents.probabilities import probabilities_of
from agents.resources import find
from blot_env import Decisions, RuleSet
from blot_env.files import read_regular

POLICY = "policy.onnx"

FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]*$")]


class BotError(ValueError):
    """Networks, or a bot, that cannot be used as they are; the message says which file is wrong and why."""


class Rating(BaseModel):
    """How strong a bot was found to be among the tiers of its game: Elo points, with a 95 % interval."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rating: int
    low: int
    high: int
    matches: int


class Manifest(GameManifest):
    """What `manifest.json` holds."""

    format: Literal["blot-bot/2"] = "blot-bot/2"
    policy: Sha256 | None  # of the weights that the policy was made from; None: knobs alone
    values: Sha256 | None = None  # of the weights that the contract values were made from
    tier: dict[str, Any] | None = None  # a bot's knobs (agents.tiers)
    rating: Rating | None = None
    files: dict[FileName, Sha256]  # all but the manifest
    seal: Sha256 | None = None  # of all the rest (`seal_of`); None while it is being written

    @model_validator(mode="after")
    def _has_what_it_names(self) -> "Manifest":
        for key, file in (("policy", POLICY), ("values", VALUES)):
            if (getattr(self, key) is not None) != (file in self.files):
                raise ValueError(f"files: {file} and the SHA-256 of its weights, {key}, belong together")
        return self


class Networks:
    """What an exported policy makes of decisions; a row's outcome depends on nothing but the row.

    Attributes:
        values: the contract values, None where there are none.
        digests: of the files that decide what they give, by name.
    """

    def __init__(self, rules: RuleSet, folder: Path, contents: dict[str, bytes]) -> None:
        """Load them.

        Args:
            rules: the game.
            folder: where they stand, for messages.
            contents: of its files.

        Raises:
            BotError: a file is no network of this game, or there is no policy.
        """
        if POLICY not in contents:
            raise BotError(f"{folder / MANIFEST}: files: names no {POLICY}: this is a bot without networks")
        takes, gives = ("observation", rules.observation.size), ("logits", rules.actions.size)
        try:
            self._policy = Graph(contents[POLICY], folder / POLICY, takes, gives)
            self.values = _contract_values(rules, folder, contents)
        except (GraphError, MatchOddsError) as error:
            raise BotError(str(error)) from None
        self.digests = {POLICY: file_digest(contents[POLICY]), **(self.values.digests if self.values else {})}

    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return unnormalised log-probabilities, shape (n, actions), illegal actions included."""
        return self._policy(observations)

    def probabilities(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return how likely the policy makes each action, shape (n, actions), 0 for illegal ones."""
        return probabilities_of(self.logits(decisions.observations), decisions.masks)


def _contract_values(rules: RuleSet, folder: Path, contents: dict[str, bytes]) -> ContractValues | None:
    if VALUES not in contents:
        return None
    known = MATCH_ODDS in contents
    odds = MatchOdds.read(contents[MATCH_ODDS], rules, folder / MATCH_ODDS) if known else None
    return ContractValues(rules, contents[VALUES], folder / VALUES, odds)


def open_networks(folder: Path, rules: RuleSet) -> Networks:
    """Load the networks of a folder for a game, whatever its target.

    Raises:
        BotError: something is missing, damaged or does not fit.
    """
    manifest = read_manifest(folder)
    return Networks(rules, folder, checked_files(folder, manifest, rules))


def shipped_networks(rules: RuleSet) -> Networks | None:
    """Return the networks that ship for a game, None where none were trained for these very rules.

    Raises:
        BotError: they are damaged.
    """
    folder = shipped_folder(rules)
    return None if folder is None else open_networks(folder, rules)


def shipped_folder(rules: RuleSet) -> Path | None:
    """Return the folder of the networks that ship for a game, None where none were trained for these very rules.

    Raises:
        BotError: its manifest is damaged.
    """
    try:
        folder = find(f"checkpoints/{rules.name}/networks")
    except FileNotFoundError:
        return None
    return None if read_manifest(folder).misfit(rules) else folder


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of networks or of a bot.

    Raises:
        BotError: there is none, or it is not valid.
    """
    path = folder / MANIFEST
    try:
        content = read_regular(path, MAX_MANIFEST)
        manifest = Manifest.model_validate_json(content)
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}; name a folder that `blot export` wrote") from None
    except ValidationError as error:
        if (folder / "policy.safetensors").exists():
            raise BotError(
                f"{folder}: this is a checkpoint: policy:{folder} plays it, blot export makes it a bot"
            ) from None
        raise BotError(f"{path}: {explain(error)}; export it again") from None
    if manifest.seal != seal_of(json.loads(content)):
        raise BotError(f"{path}: changed since it was written: its seal is not that of the rest; export it again")
    return manifest


def seal_of(fields: dict[str, Any]) -> str:
    """Return the SHA-256 by which a manifest, as JSON has its fields, is known to be as it was written."""
    rest = {key: value for key, value in fields.items() if key != "seal"}
    return file_digest(json.dumps(rest, sort_keys=True).encode())


def checked_files(folder: Path, manifest: Manifest, rules: RuleSet) -> dict[str, bytes]:
    """Return the contents of all files that a manifest names, which fit the game and are as they were written.

    Raises:
        BotError: one is missing or damaged, or they were made for another game.
    """
    if misfit := manifest.misfit(rules):
        raise BotError(f"{folder}: {misfit}")
    return {name: _checked(folder / name, digest) for name, digest in manifest.files.items()}


def _checked(path: Path, digest: str) -> bytes:
    try:
        content = read_regular(path)
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}; copy the whole folder, or export it again") from None
    if file_digest(content) != digest:
        raise BotError(f"{path}: its SHA-256 is not the one in {MANIFEST}: changed or cut short; export it again")
    return content
