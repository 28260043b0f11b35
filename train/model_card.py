"""What the README in an exported folder says: what it is, how it decides, how strong it was found to be, its limits."""

import json
from collections.abc import Iterator
from shlex import quote

from agents.contract_values import VALUES
from agents.manifest import MANIFEST
from agents.match_odds import MATCH_ODDS
from agents.networks import POLICY, Manifest
from agents.tiers import Tier
from blot_env import RuleSet
from train.ratings import Measured


def networks_card(manifest: Manifest) -> str:
    """Return the text for networks alone."""
    return f"""# Networks for {manifest.rules.name}

Made by blot {manifest.blot} from a checkpoint, with `blot export --policy CHECKPOINT --out DIR`. They are no player
yet: `blot export --policy CHECKPOINT --tier hard --out DIR` makes a bot.

{_contents(manifest)}"""


def bot_card(manifest: Manifest, tier: Tier, found: Measured | None) -> str:
    """Return the text for a bot.

    Args:
        manifest: the bot's, but for its files.
        tier: its knobs.
        found: what the gate found of the tier on these networks; None where it was not played.
    """
    game = game_options(manifest.rules)
    return f"""# A bot for {manifest.rules.name}, tier {tier.name}

It was exported by blot {manifest.blot} and plays without torch. Where DIR is this folder:

    pip install '.[bot]'    # in a clone of blot, or of its wheel: 'blot-{manifest.blot}-py3-none-any.whl[bot]'
    blot play {game} --opponents bot:DIR    # play against it
    blot watch {game} bot:DIR    # watch it play a deal with itself
    blot tournament {game} random rules bot:DIR    # compare it; wants the extra [tournament] instead of [bot]
    blot bot DIR    # answers on standard input and output, one JSON message a line (docs/bot-protocol.md)

## How it decides

{_list(_manner(tier, manifest))}
## How strong it is

{_strength(found)}
## What it is weak at

{_list(_weaknesses(tier, manifest))}
## What is in the folder

{_contents(manifest)}"""


def game_options(rules: RuleSet) -> str:
    """Return how a command is told which game to play, but for the target."""
    values = {key: value if isinstance(value, str) else json.dumps(value) for key, value in rules.changes.items()}
    return " ".join([f"--rules {rules.name}", *(f"--set {quote(f'rules.{key}={values[key]}')}" for key in values)])


def _list(sentences: Iterator[str]) -> str:
    return "".join(f"- {sentence}.\n" for sentence in sentences)


def _judge(wanted: str, manifest: Manifest) -> str:
    """Return who judges, given what there is."""
    if wanted == "network" and manifest.policy is not None:
        return "the trained policy network"
    if wanted == "values" and manifest.values is not None:
        return "trained contract values, which say what each contract is likely to bring"
    return "the rule-based player"


def _manner(tier: Tier, manifest: Manifest) -> Iterator[str]:
    """Yield how it decides."""
    yield f"Calls are judged by {_judge(tier.calls, manifest)}"
    opinion = _judge("rules" if tier.cards == "rules" else "network", manifest)
    if tier.cards != "search":
        yield f"Cards are judged by {opinion}"
    else:
        deals, them = _count(tier.worlds, "deal"), "it" if tier.worlds == 1 else "them"
        yield (
            f"For each card it imagines {deals} in accord with what it remembers, solves {them} with all cards seen, "
            "and takes what brings its side most match points on average"
        )
        if tier.opening == 0:
            yield f"For a card of the first trick it imagines nothing: {opinion} judges it"
        elif tier.opening:
            first = _count(tier.opening, "deal")
            yield f"For a card of the first trick, where a deal takes longest, it imagines {first}"
        if tier.weights != "none":
            drawn = _count(tier.candidates, "deal")
            yield (
                f"It draws {drawn} for each one that it solves, and weighs them by how well they explain what the "
                f"others called and played, as {_judge(tier.weights, manifest)} would have"
            )
        if tier.trust:
            yield f"The opinion of {opinion} counts as {_count(tier.trust, 'deal')} besides"
        if tier.doubt:
            errors = _count(tier.doubt, "standard error")
            yield f"It goes against that opinion where the deals speak for it by {errors}"
    for when, most in (("After the auction", tier.sense), ("In the auction, contras apart,", tier.call_sense)):
        if most is not None:
            yield (
                f"{when} it does nothing that gives up more than {_points(most, manifest)} as the rule-based player "
                "judges it"
            )
    if tier.regard:
        reader = "a partner" if manifest.rules.sides < manifest.rules.players else "another player"
        yield (
            f"A match point that a card gives up by that judgement takes {tier.regard:g} off its value, so that of "
            f"cards that look alike it plays the one that {reader} understands"
        )
    if tier.temperature and tier.cap:
        yield (
            f"It draws among actions that give up at most {_points(tier.cap, manifest)} by its own judgement, one that "
            f"gives up {_points(tier.temperature, manifest)} being 2.7 times less likely than the best"
        )
    if tier.ms is not None:
        yield f"It begins no further deal once {tier.ms:g} ms have passed, so its actions may differ from time to time"
    else:
        yield "The same seed and situation give the same action"


def _count(number: float, what: str) -> str:
    return f"one {what}" if number == 1 else f"{number:g} {what}s"


def _points(amount: float, manifest: Manifest) -> str:
    """Return an amount of a knob as match points of the game, which are tens where these are raw points."""
    return _count(amount * 10 / int(manifest.rules.record.unit), "match point")


def _weaknesses(tier: Tier, manifest: Manifest) -> Iterator[str]:
    """Yield what it cannot do."""
    rules = manifest.rules
    wanted = {tier.calls, tier.weights, "network" if tier.cards != "rules" else "rules"}
    if "network" in wanted and manifest.policy is None:
        yield "No network was trained for this game, so the rule-based player judges in its place"
    if tier.calls == "values" and manifest.values is None:
        yield "No contract values are in this folder, so the rule-based player bids in their place"
    if tier.calls == "network" and manifest.policy is not None:
        yield (
            "Its calls are those of a network that learnt by play with its own kind: whoever bids otherwise may be "
            "misread by it, and misread it; near the end of a match it may raise, pass or leave out a contra as if the "
            "score did not matter"
        )
    if tier.memory < rules.hand_size:
        tricks = "the last trick" if tier.memory == 1 else f"the last {tier.memory} tricks"
        yield f"It remembers {tricks if tier.memory else 'no trick'} card by card; older cards may turn up again for it"
    if not tier.voids:
        yield "It does not notice who is out of a suit"
    if not tier.trumps:
        yield "It does not notice who lacks the higher trumps"
    if rules.contra and not tier.contra:
        yield "It never contras"
    if tier.weights == "none" and tier.cards == "search":
        yield "It reads neither the auction nor the others' play: all deals that it imagines count alike"
    elif tier.cards == "search":
        yield (
            "It takes the others to call and play as its model does: who signals or bluffs by a scheme of their own is "
            "misread"
        )
        partner = ", or not lead the partner's suit," if rules.sides < rules.players else ""
        yield (
            f"Its leads follow the deals that it solved and no custom: it may lead a ten{partner} where other players "
            "would not"
        )
    if tier.opening == 0:
        yield "The first trick it plays without looking at a deal"
    elif tier.opening is not None and tier.opening < tier.worlds:
        yield "The first trick it plays by fewer deals than the others, so there it is least sure"
    if tier.cards == "search":
        yield (
            "In a deal that it imagines everybody sees all cards, so it plays neither to find out nor to hide anything"
        )
    if 0 < tier.worlds < 5:
        yield f"With {_count(tier.worlds, 'deal')} imagined, what it plays depends on what it happens to imagine"
    if tier.temperature and tier.cap:
        yield f"It knowingly gives up as much as {_points(tier.cap, manifest)} with an action"
    yield "It does not adapt to who sits at the table"


def _strength(found: Measured | None) -> str:
    """Return rating, comparisons and time."""
    if found is None:
        return "It was not measured.\n"
    lines = [
        f"Rating {found.rating:+d} (95 % {found.low:+d} … {found.high:+d}), Elo points about the mean of the four "
        f"tiers, from {found.matches:,} matches.",
        *_time(found),
        "",
        "| comparison | matches | won | 95 % |",
        "|---|---:|---:|---:|",
    ]
    for rung in found.gate:
        names, won = " over ".join(name.removeprefix("tier:") for name in rung.agents), rung.won
        share = "–" if won.mean is None else f"{won.mean:.1%}"
        lines.append(f"| {names} | {won.n:,} | {share} | {won.low:.1%} … {won.high:.1%} |")
    return "\n".join(lines) + "\n"


def _time(found: Measured) -> Iterator[str]:
    mean, p99 = found.time.mean, found.time.p99
    if mean is not None and p99 is not None:
        yield f"A decision takes {1000 * mean:.3g} ms on average and 99 % within {1000 * p99:.3g} ms, on one core."


def _contents(manifest: Manifest) -> str:
    """Return what the files are."""
    observation, actions = manifest.observation, manifest.actions
    told = [f"- `{MANIFEST}`: rules, knobs, the SHA-256 of the other files, and a seal; what was changed is refused."]
    if manifest.policy is not None:
        told.append(
            f"- `{POLICY}`: observations in (uint8, n × {observation.size}, layout {observation.version}), logits out\n"
            f"  (float32, n × {actions.size}, layout {actions.version}); illegal actions are masked outside of it.\n"
            f"  Made from the weights with SHA-256 {manifest.policy}."
        )
    if manifest.values is not None:
        told.append(
            f"- `{VALUES}`: contract values, from the same observations.\n"
            f"  Made from the weights with SHA-256 {manifest.values}.\n"
            f"  Where chances to win the match are known, by which they judge, these stand in `{MATCH_ODDS}`."
        )
    return "\n".join(told) + "\n"
