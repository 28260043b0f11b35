"""How many decisions a second `blot serve` gives, how long they take, and whether it loses any.

    python benchmarks/serving.py
    python benchmarks/serving.py --seconds 5 --tiers easy

A server in a process of its own holds a bot of each tier. Clients, each a table that asks again as soon as it is
answered, send what seats saw in deals that the bot played with itself. It prints a table and writes it to
benchmarks/serving.md.
"""

import argparse
import asyncio
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
from engine import machine

from agents.bot import load_bot
from agents.cores import cores
from blot_env import Game, load_rules
from train.export import export_shipped_bot

CLIENTS = (1, 8, 100)
"""Tables: one alone, as many as fill the threads, and more than may wait: those are told to come again."""
HEADS = "| tier | tables | decisions a second | median ms | p99 ms | told to come again | asked | answered |"


def questions(folder: Path, deals: int) -> list[dict[str, Any]]:
    """Return what seats saw in deals that a bot played with itself, each with a choice."""
    rules, bot = load_bot(folder)
    seen = []
    for board in range(deals):
        game = Game(rules, seed=1, board=board)
        while game.phase != "over":
            decision = game.decision()
            if decision.masks.sum() > 1:
                seen.append(game.message())
            game.take(int(bot.act(decision)[0]))
    return seen


@contextmanager
def server(folders: list[Path]) -> Iterator[str]:
    """Yield the address of a process that serves some bots."""
    command = [sys.executable, "-m", "train.cli", "serve", *map(str, folders), "--port", "0", "--rate", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        found = re.search(r" on (http://\S+),", process.stdout.readline())
        assert found, "the server has not started"
        yield found[1]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


async def load(
    url: str, messages: list[dict[str, Any]], tables: int, seconds: float
) -> tuple[Counter[str], list[float]]:
    """Let tables ask for some seconds; return how often what came of it, and the milliseconds of answers."""
    counts: Counter[str] = Counter()
    times: list[float] = []
    end = time.perf_counter() + seconds

    async def play(client: httpx2.AsyncClient, table: int) -> None:
        for message in cycle(messages[table % len(messages) :] + messages[: table % len(messages)]):
            if time.perf_counter() > end:
                return
            counts["asked"] += 1
            while True:
                start = time.perf_counter()
                answer = await client.post(url, json=message)
                if answer.status_code != 503:
                    break
                counts["again"] += 1
                await asyncio.sleep(float(answer.headers["Retry-After"]))
            answer.raise_for_status()
            counts["answered"] += 1
            times.append(1000 * (time.perf_counter() - start))

    limits = httpx2.Limits(max_connections=tables)
    async with httpx2.AsyncClient(limits=limits, timeout=120) as client:
        await asyncio.gather(*(play(client, table) for table in range(tables)))
    return counts, times


def rows(preset: str, tiers: list[str], seconds: float, deals: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield HEADS
    yield "|---" * (HEADS.count("|") - 1) + "|"
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch) / tier for tier in tiers]
        for folder in folders:
            export_shipped_bot(load_rules(preset), folder.name, folder)
        messages = {folder.name: questions(folder, deals) for folder in folders}
        with server(folders) as address:
            for tier in tiers:
                for tables in CLIENTS:
                    start = time.perf_counter()
                    counts, times = asyncio.run(load(f"{address}/bots/{tier}/decide", messages[tier], tables, seconds))
                    rate = counts["answered"] / (time.perf_counter() - start)
                    median, late = np.percentile(times, [50, 99])
                    yield (
                        f"| {tier} | {tables} | {rate:.0f} | {median:.1f} | {late:.1f} | {counts['again']} | "
                        f"{counts['asked']} | {counts['answered']} |"
                    )


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="bazar")
    parser.add_argument("--tiers", nargs="+", default=["easy", "hard"])
    parser.add_argument("--seconds", type=float, default=30, help="of each row")
    parser.add_argument("--deals", type=int, default=20, help="whose decisions are asked")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    lines = [
        f"# Bots over HTTP: {options.rules}",
        "",
        f"By `python benchmarks/serving.py --rules {options.rules} --seconds {options.seconds:g}`, on "
        f"{machine().replace('one core', f'{cores()} cores')}; server and clients share them. Each table asks again as "
        "soon as it is answered. Forced moves are left out. An answer's time is that of the request that was accepted; "
        "a table that was told to come again waited a second and did.",
        "",
    ]
    print("\n".join(lines))
    for row in rows(options.rules, options.tiers, options.seconds, options.deals):
        print(row, flush=True)
        lines.append(row)
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
