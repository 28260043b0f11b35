"""A tournament on paper: tables for the terminal, JSON and CSV files.

    results.json  everything, one object
    results.csv   one row a pair
    deals.csv     one row a deal; `blot watch FIRST SECOND --seed SEED --board BOARD` shows its first table again

The files hold nothing that changes from run to run, so the same seed writes the same bytes; the time a decision takes
stands on the terminal only.
"""

import csv
import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from train.duplicate import Tally
from train.tournament.old import Estimate, Tournament

_SUMMARY, _PAIRS, _DEALS = "results.json", "results.csv", "deals.csv"


def prepare_folder(folder: Path) -> None:
    """Make the folder of the files, and try whether they can be written: better before an hour's play than after.

    Raises:
        OSError: they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in (folder / _SUMMARY, folder / _PAIRS, folder / _DEALS):
        new = not path.exists()
        path.open("a").close()
        if new:
            path.unlink()


def print_tournament(tournament: Tournament, console: Console) -> None:
    """Print the ranking, what came of each agent's contracts, and every pair."""
    names, rules = tournament.names, tournament.rules
    title = f"{rules.name}: {tournament.boards} duplicate boards a pair, seed {tournament.seed}"
    if rules.changes:
        title += f", {', '.join(f'{field} = {json.dumps(value)}' for field, value in rules.changes.items())}"
    ranking = _table(title, "agent", "match points a board", "95 %", "µs a decision")
    shown = {"bid": "bid", "made": "made"}  # a rate, and what people call it
    shown |= {"number": "number"} if rules.numbered else {}
    shown |= {"under_contra": "contra'd", "contras": "contras", "contras_right": "right"} if rules.contra else {}
    contracts = _table("Contracts", "agent", *shown.values())
    for agent in tournament.ranking():
        tally = tournament.tally(agent)
        rates = tally.rates()
        time = 1e6 * tally.seconds / tally.decisions if tally.decisions else None
        ranking.add_row(names[agent], *_interval(tournament.points(agent)), _number(time))
        cells = (_number(rates[rate]) if rate == "number" else _percent(rates[rate]) for rate in shown)
        contracts.add_row(names[agent], *cells)
    ranking.caption = "match points a board: own minus the others', a mean over its tables and over the opponents"
    contracts.caption = "bid: contracts of this agent, of all deals; the next columns: of these"
    if rules.contra:
        contracts.caption += "; contras: of the others' contracts; right: of these contras"
    pairs = _table(
        "Match points a board, first minus second", "first", "second", "points", "95 %", "won", "drawn", "lost"
    )
    pairs.columns[1].justify = "left"
    for pair in tournament.pairs:
        score = map(str, _score(pair.result.margins))
        pairs.add_row(names[pair.first], names[pair.second], *_interval(pair.points), *score)
    pairs.caption = "won, drawn, lost: boards of the first"
    for table in (ranking, contracts, pairs):
        console.print(table)


def write_tournament(tournament: Tournament, folder: Path) -> list[Path]:
    """Write the three files into a folder, made if need be, and return their paths.

    Raises:
        OSError: they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    data = tournament_data(tournament)
    summary = folder / _SUMMARY
    summary.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return [
        summary,
        _write_csv(folder / _PAIRS, [_flat(pair) for pair in data["pairs"]]),
        _write_csv(folder / _DEALS, _deals(tournament)),
    ]


def tournament_data(tournament: Tournament) -> dict[str, Any]:
    """Return what `results.json` holds."""
    return {
        "blot": version("blot"),
        "rules": tournament.rules.name,
        **({"fields": tournament.rules.changes} if tournament.rules.changes else {}),
        "target": tournament.rules.target,
        "boards": tournament.boards,
        "seed": tournament.seed,
        "agents": [
            {
                "name": tournament.names[agent],
                "spec": tournament.specs[agent],
                **_points(tournament.points(agent)),
                "contracts": _contracts(tournament.tally(agent)),
            }
            for agent in tournament.ranking()
        ],
        "pairs": [
            {
                "first": tournament.names[pair.first],
                "second": tournament.names[pair.second],
                **_points(pair.points),
                **dict(zip(("won", "drawn", "lost"), _score(pair.result.margins), strict=True)),
                "first_contracts": _contracts(pair.result.first),
                "second_contracts": _contracts(pair.result.second),
            }
            for pair in tournament.pairs
        ],
    }


def _points(estimate: Estimate) -> dict[str, Any]:
    interval = None
    if estimate.margin is not None:
        interval = [estimate.mean - estimate.margin, estimate.mean + estimate.margin]
    return {"points": estimate.mean, "interval": interval, "sd": estimate.sd}


def _contracts(tally: Tally) -> dict[str, Any]:
    counts = {name: count for name, count in asdict(tally).items() if name != "seconds"}
    return {**counts, "rates": tally.rates()}


def _score(margins: Any) -> tuple[int, int, int]:
    return int((margins > 0).sum()), int((margins == 0).sum()), int((margins < 0).sum())


def _deals(tournament: Tournament) -> list[dict[str, Any]]:
    """Return one row a deal; points are those of each agent's sides, on average."""
    rules = tournament.rules
    rows = []
    for pair in tournament.pairs:
        result = pair.result
        for board, tables, margin in zip(result.boards, result.results, result.margins, strict=True):
            for table, (deal, own) in enumerate(zip(tables, result.seating, strict=True)):
                contract = int(deal["contract"])
                played = contract >= 0
                points = deal["points"][: rules.sides]
                rows.append(
                    {
                        "first": tournament.names[pair.first],
                        "second": tournament.names[pair.second],
                        "board": int(board),
                        "table": table,
                        "first_sides": " ".join(str(side) for side in range(rules.sides) if own[side]),
                        "contract": rules.actions.text(contract) if played else "",
                        "bidder": int(deal["bidder"]) if played else "",
                        "contra": int(deal["contra"]),
                        "made": int(deal["made"]) if played else "",
                        "first_points": float(points[own].mean()),
                        "second_points": float(points[~own].mean()),
                        "board_margin": float(margin),
                    }
                )
    return rows


def _flat(nested: dict[str, Any]) -> dict[str, Any]:
    """Return nested objects as columns with dotted names, an interval as two columns."""
    row: dict[str, Any] = {}
    for key, value in nested.items():
        if key == "interval":
            row["low"], row["high"] = value or (None, None)
        elif isinstance(value, dict):
            row |= {f"{key}.{inner}": item for inner, item in _flat(value).items()}
        else:
            row[key] = value
    return row


def _write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def _table(title: str, name: str, *headings: str) -> Table:
    table = Table(title=title)
    table.add_column(name, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", overflow="fold")
    return table


def _interval(estimate: Estimate) -> tuple[str, str]:
    return f"{estimate.mean:+.2f}", "–" if estimate.margin is None else f"± {estimate.margin:.2f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
