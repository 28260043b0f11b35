"""Whole matches as a player would note them down, deal by deal; `tests/data/matches` has one of each preset.

    python -m tests.matches duel --target 51 --seed 7 > tests/data/matches/duel.md

writes another one, played by the rule-based player.
"""

import argparse
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import agents
from blot_env import RULESETS, Game, load_rules

FOLDER = Path(__file__).parent / "data" / "matches"
LABELS = {"auction": "Calls", "swap": "Seven", "discard": "Discards"}
POINTS = {
    "Tricks": "tricks",
    "Cards": "card_points",
    "Runs and fours": "combinations",
    "Blot": "blot",
    "Raw points": "raw",
    "Match points": "points",
}

Record = dict[str, Any]


def match_text(deals: list[Game]) -> str:
    """A match: the game as each of its deals was over."""
    rules = deals[0].rules
    title = f"# {rules.name} to {rules.target}\n"
    return "\n".join([title, *(deal_text(game, number) for number, game in enumerate(deals, start=1))])


def deal_text(game: Game, number: int) -> str:
    """A deal that is over, from its cards to the score."""
    record = game.record()
    lines = [f"## Deal {number}: {_by_side(record['scores'])}, seat {record['dealer']} deals", ""]
    lines += [f"    Seat {seat}    {hand}" for seat, hand in enumerate(record["hands"])]
    lines += [f"    Stock     {record['stock']}"] * bool(record["stock"])
    return "\n".join([*lines, "", *_course(record), "", *_result(game), ""])


def _by_side(points: list[int]) -> str:
    return " : ".join(map(str, points))


def _course(record: Record) -> Iterator[str]:
    """What was said and done, and trick by trick what was played; each action after its seat."""
    game, steps, winners = Game.from_record(record), [], {}
    for action in record["actions"]:
        label = LABELS.get(game.phase, f"Trick {game.state.public.trick_number + 1}")
        steps.append((label, f"{game.seat} {action}"))
        game.play(action)
        winners[label] = f"   seat {game.state.public.leader}" if label.startswith("Trick") else ""
    for label, group in groupby(steps, key=lambda step: step[0]):
        yield f"    {label:9} {'  '.join(step for _, step in group)}{winners[label]}"


def _result(game: Game) -> Iterator[str]:
    result = game.result
    assert result
    if result["contract"] is None:
        yield "    Nobody bids: the cards are dealt again"
        return
    outcome = {True: "made", False: "failed", None: "not played: a belot"}[result["made"]]
    contra = ["", ", contra", ", recontra"][result["contra"]]
    yield f"    {result['contract']} by seat {result['bidder']}{contra}: {outcome}"
    for name, key in POINTS.items():
        yield f"    {name:15} {_by_side(result[key])}"
        if key == "raw" and game.rules.undealt_to == "winner":
            yield f"    {'Undealt cards':15} {162 - sum(result['card_points'])}"
    yield f"    {'Score':15} {_by_side(game.scores)}"
    if game.winner is not None:
        yield f"    Side {game.winner} wins the match"


def read_match(text: str) -> list[tuple[Record, list[int]]]:
    """Of each deal its record without the result, and the seats that acted."""
    title = re.match(r"# (\S+) to (\d+)\n", text)
    assert title
    deals = []
    for deal in text.split("\n## ")[1:]:
        heading = re.match(r"Deal \d+: ([-\d : ]+), seat (\d) deals\n", deal)
        assert heading
        lines = re.findall(r"^    (Seat \d|Stock|Calls|Seven|Discards|Trick \d+) +(.*)$", deal, re.MULTILINE)
        steps = [step for label, line in lines if _is_course(label) for step in re.findall(r"\b(\d) (\S+)", line)]
        record = {
            "rules": title[1],
            "target": int(title[2]),
            "scores": [int(points) for points in heading[1].split(" : ")],
            "dealer": int(heading[2]),
            "hands": [cards for label, cards in lines if label.startswith("Seat")],
            "stock": next((cards for label, cards in lines if label == "Stock"), ""),
            "actions": [action for _, action in steps],
        }
        deals.append((record, [int(seat) for seat, _ in steps]))
    return deals


def _is_course(label: str) -> bool:
    return label in LABELS.values() or label.startswith("Trick")


def played(preset: str, target: int, seed: int) -> list[Game]:
    """A match of the rule-based player against itself."""
    game = Game(load_rules(preset, target=target), seed=seed)
    agent = agents.make("rules", game.rules)
    deals = []
    while True:
        while game.phase != "over":
            game.take(int(agent.act(game.decision(seed=seed))[0]))
        deals.append(game.copy())
        if game.winner is not None:
            return deals
        game.next_deal()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=RULESETS)
    parser.add_argument("--target", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(match_text(played(options.preset, options.target, options.seed)), end="")


if __name__ == "__main__":
    main()
