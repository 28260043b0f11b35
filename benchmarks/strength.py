"""How strong the players are, from the tournaments that are kept in benchmarks/tournaments.

    rm -r benchmarks/tournaments/duel      # then the same of bazar
    blot tournament configs/tournaments/duel.toml --out benchmarks/tournaments/duel
    python benchmarks/strength.py

And what each stage of the pipelines brought, from their results.json, which is kept as benchmarks/stages/PRESET.json.
Prints a table for each, and writes them to benchmarks/strength.md.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEPT, STAGES = Path(__file__).parent / "tournaments", Path(__file__).parent / "stages"
HEAD = """# How strong the players are

Gauntlets: each agent meets the rule-based player on the duplicate boards of `standard@1`, until a sequential test has
settled which of two margins is the likelier, one a little in favour of either. *Points* are match points a board minus
those of `rules`, with the bootstrap's 95 % interval; a meeting ends where its test does, which flatters whoever leads a
little, and the interval that allows for that is *at all looks*. *Auction* and *cards* are what the agent loses to
itself where its calls alone, or its cards alone, are those of `rules`. *Given away* are card points a deal that double
dummy would have kept, as bidder and as defender. Times are of one decision that is asked alone.
"""


STAGES_HEAD = """# What the stages of training brought

`blot train configs/PRESET/pipeline.toml`: the policy after each stage against the one that the stage began with, on
duplicate boards, and by its auction alone or its cards alone, the rest of the play being that of the policy before it;
and against other agents. Match points a board with the bootstrap's 95 % interval. Likeliest actions, no search.
"""


def section(folder: Path) -> Iterator[str]:
    """Yield the lines about one tournament."""
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    hero = results["meetings"][0]["entrants"][0]
    met = {meeting["entrants"][1]: meeting for meeting in results["meetings"]}
    boards = sum(meeting["boards"] for meeting in results["meetings"])
    low, high = results["meetings"][0]["sprt"]["margins"]
    yield f"## `{results['rules']}`"
    yield ""
    yield f"`blot tournament configs/tournaments/{folder.name}.toml`: {boards:,} boards settled whether a margin is"
    yield f"rather {low:+g} or {high:+g}. Board by board: [report.html](tournaments/{folder.name}/report.html)."
    yield ""
    rows = [_row(entrant, met[entrant["name"]]) for entrant in results["entrants"] if entrant["name"] != hero]
    yield from _table(rows)


def _row(entrant: dict[str, Any], meeting: dict[str, Any]) -> dict[str, str]:
    test, parts, regret, time = meeting["sprt"], meeting["parts"], entrant["regret"], entrant["time"]
    right = entrant["contracts"]["rates"]["contras_right"]
    return {
        "agent": f"`{entrant['spec']}`",
        "points": _estimate(meeting["points"], -1),
        "at all looks": f"{-test['high']:+.1f} … {-test['low']:+.1f}",
        "boards": f"{meeting['boards']:,}",
        "auction": _estimate(parts["auction"], -1),
        "cards": _estimate(parts["cards"], -1),
        "contracts made": f"{100 * entrant['contracts']['rates']['made']:.0f} %",
        "contras right": f"{100 * right:.0f} %" if right is not None else "–",
        "given away": f"{regret['bidder_deal']['mean']:.1f} / {regret['defender_deal']['mean']:.1f}",
        "a decision": f"{1000 * time['median']:.3g} ms",
        "99 % within": f"{1000 * time['p99']:.3g} ms",
    }


def _estimate(estimate: dict[str, Any], sign: int) -> str:
    low, high = sorted((sign * estimate["low"], sign * estimate["high"]))
    return f"{sign * estimate['mean']:+.2f} ({low:+.1f} … {high:+.1f})"


def _table(rows: list[dict[str, str]]) -> Iterator[str]:
    yield f"| {' | '.join(rows[0])} |"
    yield f"|{' --- |' * len(rows[0])}"
    for row in rows:
        yield f"| {' | '.join(row.values())} |"


def stages(path: Path) -> Iterator[str]:
    """Yield the lines about the stages of one pipeline."""
    yield f"## Stages of `{path.stem}`"
    yield ""
    yield "| stage | against | points | 95 % | boards | kept |"
    yield "|---|---|---:|---:|---:|---|"
    for stage, found in json.loads(path.read_text(encoding="utf-8"))["stages"].items():
        before = Path(found["init"] or "").name
        names = {"before": before, "auction": f"{before}, by the auction", "cards": f"{before}, by the cards"}
        kept = "yes" if found["kept"] else "no"
        for what, points in found["measured"].items():
            against = names.get(what, f"`{what.removeprefix('against ')}`")
            interval = f"{points['low']:+.2f} … {points['high']:+.2f}"
            yield f"| {stage} | {against} | {points['mean']:+.2f} | {interval} | {points['n']:,} | {kept} |"


def main() -> None:
    folders = sorted(path.parent for path in KEPT.glob("*/results.json"))
    played = ["\n".join([*section(folder), ""]) for folder in folders]
    trained = ["\n".join([*stages(path), ""]) for path in sorted(STAGES.glob("*.json"))]
    text = "\n".join([HEAD, *played, STAGES_HEAD, *trained])
    print(text)
    (KEPT.parent / "strength.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
