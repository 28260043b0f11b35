"""What the README in an exported folder says: what it is, how it decides, and how it is played."""

import json
from shlex import quote

from agents.manifest import MANIFEST
from agents.networks import POLICY, Manifest
from agents.tiers import Tier
from blot_env import RuleSet


def networks_card(manifest: Manifest) -> str:
    """Return the text for networks alone."""
    return f"""# Networks for {manifest.rules.name}

Made by blot {manifest.blot} from a checkpoint, with `blot export --policy CHECKPOINT --out DIR`. They are no player
yet: `blot export --policy CHECKPOINT --tier hard --out DIR` makes a bot.

{_contents(manifest)}"""


def bot_card(manifest: Manifest, tier: Tier) -> str:
    """Return the text for a bot."""
    game = game_options(manifest.rules)
    return f"""# A bot for {manifest.rules.name}, tier {tier.name}

It was exported by blot {manifest.blot} and plays without torch:

    pip install 'blot[bot]'
    blot play {game} --opponents bot:DIR    # play against it
    blot watch {game} bot:DIR    # watch it play a deal with itself
    blot tournament {game} random rules bot:DIR    # compare it
    blot bot DIR    # answers on standard input and output, one JSON message a line

where DIR is this folder. `blot bot` speaks the protocol of docs/bot-protocol.md.

- Rating: {manifest.rating}.
{_contents(manifest)}"""


def game_options(rules: RuleSet) -> str:
    """Return how a command is told which game to play, but for the target."""
    values = {key: value if isinstance(value, str) else json.dumps(value) for key, value in rules.changes.items()}
    return " ".join([f"--rules {rules.name}", *(f"--set {quote(f'rules.{key}={values[key]}')}" for key in values)])


def _contents(manifest: Manifest) -> str:
    """Return what the files are."""
    observation, actions = manifest.observation, manifest.actions
    told = [f"- `{MANIFEST}`: the rules, and the SHA-256 of the other files; a changed or cut file is refused."]
    if manifest.policy is not None:
        told.append(
            f"- `{POLICY}`: observations in (uint8, n × {observation.size}, layout {observation.version}), logits out\n"
            f"  (float32, n × {actions.size}, layout {actions.version}); illegal actions are masked outside of it.\n"
            f"  Made from the weights with SHA-256 {manifest.policy}."
        )
    return "\n".join(told) + "\n"
