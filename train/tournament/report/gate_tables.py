"""The gate of a ladder as a file, as Markdown and on the terminal: what is required, and what was found.

gate.json   the figures, one object
gate.md     the same as tables
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from train.tournament.config import GateConfig
from train.tournament.report.terminal import new_table

JSON, MARKDOWN = "gate.json", "gate.md"
RUNGS = "comparison", "matches", "won", "95 %", "required", "", "points a deal", "95 %"
AGENTS = "agent", "rating", "95 %", "mean", "99 %", "allowed", ""
_NARROW = 7  # columns of the rungs that a terminal has room for


def gate_figures(
    summary: dict[str, Any], gate: GateConfig, times: Sequence[dict[str, Any]], digests: Sequence[str | None]
) -> dict[str, Any]:
    """Return what `gate.json` holds: rungs and agents from the lowest up, and what came of it all.

    It is passed where each rung is and every agent decides in time and without a fault, failed where one of them fails,
    or else open.

    Args:
        summary: what `results.json` holds.
        gate: what is required.
        times: by agent of the settings, as `train.tournament.decision_times.time_decisions` returns them.
        digests: by agent, of the networks and knobs that it plays by (`agents.digest`).
    """
    rungs = [_rung(*each) for each in zip(summary["meetings"], summary["gate"], strict=True)]
    by_rating = {entrant["name"]: entrant for entrant in summary["entrants"]}
    names = [rungs[0]["agents"][1], *(rung["agents"][0] for rung in rungs)]
    found = zip(names, digests, times, gate.mean_ms, gate.p99_ms, strict=True)
    agents = [_agent(by_rating[name], digest, time, mean, p99) for name, digest, time, mean, p99 in found]
    outcomes = {each["outcome"] for each in (*rungs, *agents)}
    return {
        **{key: summary[key] for key in ("blot", "rules", "fields", "target", "seed") if key in summary},
        "outcome": next((outcome for outcome in ("failed", "open") if outcome in outcomes), "passed"),
        "comparisons": rungs,
        "agents": agents,
    }


def write_gate(figures: dict[str, Any], folder: Path) -> list[Path]:
    """Write both files into a folder, and return their paths.

    Raises:
        OSError: they cannot be written.
    """
    texts = {
        JSON: json.dumps(figures, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        MARKDOWN: "\n".join(markdown(figures)) + "\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def markdown(figures: dict[str, Any]) -> list[str]:
    """Return the lines of a section about one game."""
    lines = [f"## `{figures['rules']}`: {figures['outcome']}", ""]
    for headings, rows in ((RUNGS, rung_rows(figures)), (AGENTS, agent_rows(figures))):
        lines += [f"| {' | '.join(headings)} |", f"|---|{'---:|' * (len(headings) - 1)}"]
        lines += [f"| {' | '.join(row)} |" for row in rows]
        lines.append("")
    return lines[:-1]


def print_gate(figures: dict[str, Any], console: Console) -> None:
    """Print both tables, and what came of it."""
    rungs = new_table("The gate: matches, each against the one below", *RUNGS[:_NARROW])
    rungs.caption = "required: at least the first, the interval above the second; 95 %: at all looks at once"
    agents = new_table("Ratings, and the time of a decision on one core", *AGENTS)
    agents.caption = "mean, and 99 % within: of all decisions with two or more legal actions"
    for table, rows in ((rungs, rung_rows(figures)), (agents, agent_rows(figures))):
        for row in rows:
            table.add_row(*row[: len(table.columns)])
        console.print(table)
    console.print(f"The gate: {figures['outcome']}.", soft_wrap=True)


def rung_rows(figures: dict[str, Any]) -> list[list[str]]:
    """Return a row of cells a comparison, under `RUNGS`."""
    return [
        [
            " over ".join(rung["agents"]),
            f"{rung['won']['n']:,}",
            _percent(rung["won"]["mean"]),
            f"{_percent(rung['won']['low'])} … {_percent(rung['won']['high'])}",
            f"{100 * rung['required']['share']:g} / {100 * rung['required']['low']:g} %",
            rung["outcome"],
            *_points(rung["points_a_deal"]),
        ]
        for rung in figures["comparisons"]
    ]


def agent_rows(figures: dict[str, Any]) -> list[list[str]]:
    """Return a row of cells an agent, under `AGENTS`."""
    return [
        [
            agent["name"],
            _signed(agent["rating"]["elo"], 0),
            f"{_signed(agent['rating']['low'], 0)} … {_signed(agent['rating']['high'], 0)}",
            _ms(agent["time"]["mean"]),
            _ms(agent["time"]["p99"]),
            f"{agent['allowed']['mean_ms']:g}, {agent['allowed']['p99_ms']:g} ms",
            agent["outcome"],
        ]
        for agent in figures["agents"]
    ]


def _rung(meeting: dict[str, Any], rung: dict[str, Any]) -> dict[str, Any]:
    return {
        "agents": meeting["entrants"],
        "won": {"mean": rung["share"], **{key: rung[key] for key in ("low", "high", "n")}},
        "required": {"share": rung["required"], "low": rung["above"]},
        "points_a_deal": meeting["points_a_deal"],
        "points_a_match": meeting["points"],
        "outcome": rung["outcome"],
    }


def _agent(
    entrant: dict[str, Any], digest: str | None, time: dict[str, Any], mean_ms: float, p99_ms: float
) -> dict[str, Any]:
    timed, faulty = time["n"] > 0, time["faults"] > 0
    in_time = timed and 1000 * time["mean"] <= mean_ms and 1000 * time["p99"] <= p99_ms
    return {
        "name": entrant["name"],
        "spec": entrant["spec"],
        "digest": digest,
        "rating": entrant["rating"],
        "time": time,
        "allowed": {"mean_ms": mean_ms, "p99_ms": p99_ms},
        "outcome": "failed" if faulty or (timed and not in_time) else "passed" if timed else "open",
    }


def _points(estimate: dict[str, Any] | None) -> tuple[str, str]:
    if estimate is None or estimate["low"] is None:
        return "–", "–"
    return _signed(estimate["mean"], 2), f"{_signed(estimate['low'], 2)} … {_signed(estimate['high'], 2)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _ms(seconds: float | None) -> str:
    return "–" if seconds is None else f"{1000 * seconds:.3g} ms"
