"""Whether the statistics of tournaments keep what they promise, on margins of real play.

    python benchmarks/intervals.py [--repetitions N]

Margins of duplicate boards, `rules` against `random`, are drawn again and again about means that are known: how often
intervals cover them, how often the sequential test errs and how many boards it takes. Then boards that are not
duplicated: how much of their variance the luck of the cards was. It prints three tables and writes them to
benchmarks/intervals.md; everything is seeded.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import agents
from blot_env import load_rules
from train.duplicate import play_duplicate
from train.tournament.config import GateConfig, SprtConfig
from train.tournament.entrants import entrants_of
from train.tournament.estimates import Estimate, bootstrap
from train.tournament.gate import judge
from train.tournament.luck import without_luck, worth_of_boards
from train.tournament.margins import forfeit_of, margins
from train.tournament.seating import seatings
from train.tournament.sprt import Sprt, Verdict
from train.tournament.tables import play_boards

BOARDS = 3_000  # that margins are drawn from
SIZES = (8, 16, 64, 256, 1024)
SINGLE = {"bazar": 800, "duel": 2_000, "bela3": 2_000}  # boards that are not duplicated
CHUNK = 64
MATCHES = 400  # of a rung of a gate


def drawn_from(preset: str) -> NDArray[np.float64]:
    """Return margins of real boards, less their mean."""
    rules = load_rules(preset)
    found = play_duplicate(rules, agents.make("rules", rules), agents.make("random", rules), BOARDS, seed=5).margins
    return found - found.mean()


def covers(found: Estimate | Verdict, truth: float) -> bool:
    """Return whether an interval holds the truth."""
    return found.low is not None and found.high is not None and found.low <= truth <= found.high


def coverage_rows(preset: str, repetitions: int) -> Iterable[str]:
    """Yield a row: how often the bootstrap interval covers the mean, by the number of boards."""
    boards, rng = drawn_from(preset), np.random.default_rng(1)
    shares = (np.mean([covers(bootstrap(rng.choice(boards, size)), 0) for _ in range(repetitions)]) for size in SIZES)
    yield f"| `{preset}` | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |"


def sequential_rows(preset: str, repetitions: int) -> Iterable[str]:
    """Yield a row for each truth: what the test of 0 against a tenth of an SD says, and after how many boards."""
    boards, rng = drawn_from(preset), np.random.default_rng(2)
    upper = boards.std() / 10
    test = Sprt(SprtConfig(margins=(0.0, upper)), spread=16)
    fixed = (2 * ndtri(0.95) * 10) ** 2
    for name, truth in (("the lower", 0.0), ("between", upper / 2), ("the upper", upper), ("twice that", 2 * upper)):
        verdicts, plain, beyond = [], [], []
        for _ in range(repetitions):
            values = truth + rng.choice(boards, int(6 * fixed))
            for seen in range(CHUNK, len(values), CHUNK):
                verdict = test.look(values[:seen])
                if verdict.settled:
                    break
            verdicts.append(verdict)
            found = bootstrap(values[: verdict.n])
            plain.append(covers(found, truth))
            beyond.append((found.mean - truth) * (1 if verdict.ratio > 0 else -1) / boards.std())
        said = [f"{100 * np.mean([each.settled == way for each in verdicts]):.1f} %" for way in ("lower", "upper")]
        taken = np.mean([each.n for each in verdicts])
        always = np.mean([covers(each, truth) for each in verdicts])
        yield (
            f"| `{preset}`, {name} | {' | '.join(said)} | {taken:,.0f} | {taken / fixed:.2f} "
            f"| {np.mean(beyond):+.3f} | {100 * np.mean(plain):.1f} % | {100 * always:.1f} % |"
        )


def gate_rows(repetitions: int) -> Iterable[str]:
    """Yield a row for each true share of matches won: what a gate of 60 and 55 % says of it, and after how many."""
    rng, drawn = np.random.default_rng(3), 0.35  # of duplicate matches each side wins one table
    gate = GateConfig(shares=(0.6,), lows=(0.55,), mean_ms=(1, 1), p99_ms=(1, 1))
    for truth in (0.5, 0.55, 0.575, 0.6, 0.625, 0.65, 0.7):
        found = []
        for _ in range(repetitions):
            values = rng.choice([0, 0.5, 1], MATCHES, p=[1 - truth - drawn / 2, drawn, truth - drawn / 2])
            looks = (judge(gate, 0, values[:seen]) for seen in range(gate.matches, MATCHES + 1, 4))
            found.append(next((rung for rung in looks if rung.outcome != "open"), judge(gate, 0, values)))
        outcomes = [np.mean([rung.outcome == way for rung in found]) for way in ("passed", "failed", "open")]
        missed = np.mean([not rung.low <= truth <= rung.high for rung in found])
        beyond = np.mean([(rung.share or 0) - truth for rung in found])
        cells = " | ".join(f"{100 * share:.1f} %" for share in outcomes)
        taken = np.mean([rung.n for rung in found])
        yield f"| {truth:.1%} | {cells} | {taken:,.0f} | {100 * beyond:+.1f} % | {100 * missed:.1f} % |"


def luck_rows(preset: str, boards: int) -> Iterable[str]:
    """Yield a row for each opponent of `rules`: the SD of a board with the luck of the cards and without."""
    rules, seating = load_rules(preset), seatings(load_rules(preset).sides, 2)
    worth = worth_of_boards(rules, 9, range(boards))
    for other in ("rules", "random"):
        made = {spec: agents.make(spec, rules) for spec in ("rules", other)}
        played = play_boards(rules, made, entrants_of(rules, ("rules", other)), range(boards), 9, duplicate=False)
        before = margins(rules, played, seating, 2, forfeit_of(rules))
        after = without_luck(before, 9, played.boards, worth, seating)
        removed = 1 - after[:, 0].var() / before[:, 0].var()
        cells = (f"{values[:, 0].mean():+.2f} | {values[:, 0].std():.2f}" for values in (before, after))
        yield f"| `{preset}`, `rules` against `{other}` | {boards:,} | {' | '.join(cells)} | {100 * removed:.0f} % |"


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300)
    repetitions = parser.parse_args().repetitions
    presets = ("bazar", "duel")
    lines = [
        "# Intervals, sequential tests and luck",
        "",
        f"`python benchmarks/intervals.py`, {repetitions:,} repetitions.",
        "",
        "How often the 95 % interval of a mean covers it, by the number of boards:",
        "",
        f"| margins of | {' | '.join(map(str, SIZES))} |",
        f"|---|{'---:|' * len(SIZES)}",
        *(row for preset in presets for row in coverage_rows(preset, repetitions)),
        "",
        "Sequential tests of 0 against a tenth of the standard deviation, both errors 5 %, looking after each 64 "
        "boards; beside the boards, their part of the 1,082 of a test of fixed size; then, of where it stops, how far "
        "the mean lies beyond the truth, towards what is accepted, in standard deviations of a board, and intervals:",
        "",
        "| the truth is | lower accepted | upper accepted | boards | part | mean beyond | bootstrap covers "
        "| the test's covers |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *(row for preset in presets for row in sequential_rows(preset, repetitions)),
        "",
        f"A gate that asks for 60 % and an interval above 55 %, of {MATCHES} matches at most, looking after each four; "
        "then the share less the truth where it ends, in the mean, and how often the interval there misses the truth:",
        "",
        "| the truth is | passed | failed | open | matches | share less truth | interval misses |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *gate_rows(repetitions),
        "",
        "Boards that are not duplicated, as played and with the luck of the cards taken out:",
        "",
        "| | boards | points | SD | points without luck | SD | variance removed |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *(row for preset, boards in SINGLE.items() for row in luck_rows(preset, boards)),
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    (Path(__file__).parent / "intervals.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
