"""What the gate of the tiers found, from the tournaments that `make gate` has played.

    make gate                              # bazar and the duel
    make gate RULES=hayblot MINUTES=20     # another game, by the clock
    python benchmarks/gate.py              # what was played already

Of each tournament in runs/gate it keeps gate.json and the picture of the ratings, in benchmarks/gate/PRESET; writes
the ratings to checkpoints/PRESET/ratings.json, from where they come onto the card of an exported tier; and makes
benchmarks/gate.md of all that is kept. One by house rules or to another target is left out, and said so. The exit code
is 1 where one of the gates was not passed.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from blot_env import load_rules
from train.tournament.report.gate_tables import JSON, markdown

ROOT = Path(__file__).parent.parent
PLAYED, KEPT, RATED = "runs/gate", "benchmarks/gate", "checkpoints"
HEAD = """# The gate of the tiers

`make gate`: whole duplicate matches, each tier against the one below it, on fresh boards. *Won* is the share of the
matches, a match being played at two tables with the sides exchanged, and its interval holds at all looks at once.
*Required* is the share, and what the interval's lower end has to lie above. *Points a deal* are match points of the
upper tier minus those of the lower. Times are of a decision on one core, processor time, over all decisions with two
or more legal actions in deals of a tier with itself. What each means: [docs/tiers.md](../docs/tiers.md).
"""


def collect(root: Path) -> list[dict[str, Any]]:
    """Keep what was played below a folder, and return the figures of all games that are kept."""
    for found in sorted(root.glob(f"{PLAYED}/*/{JSON}")):
        figures = json.loads(found.read_text(encoding="utf-8"))
        rules = figures["rules"]
        if "fields" in figures or figures["target"] != load_rules(rules).target:
            print(f"{found.parent}: left out: {rules} by house rules, or to another target", file=sys.stderr)
            continue
        folder, rated = root / KEPT / rules, root / RATED / rules
        for made in (folder, rated):
            made.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found, folder / JSON)
        shutil.copyfile(found.parent / "standings.svg", folder / "ratings.svg")
        (rated / "ratings.json").write_text(json.dumps(ratings(figures), indent=2) + "\n", encoding="utf-8")
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted((root / KEPT).glob(f"*/{JSON}"))]


def ratings(figures: dict[str, Any]) -> dict[str, Any]:
    """Return by tier what it was, its rating with interval, its matches, its comparisons, the time of a decision."""
    return {
        agent["spec"].removeprefix("tier:"): {
            "digest": agent["digest"],
            "rating": round(agent["rating"]["elo"]),
            "low": round(agent["rating"]["low"]),
            "high": round(agent["rating"]["high"]),
            "matches": agent["rating"]["n"],
            "gate": [rung for rung in figures["comparisons"] if agent["name"] in rung["agents"]],
            "time": agent["time"],
        }
        for agent in figures["agents"]
    }


def main(root: Path = ROOT) -> int:
    """Collect, print and write; return the exit code."""
    found = collect(root)
    text = "\n".join([HEAD, *("\n".join([*_section(figures), ""]) for figures in found)])
    print(text)
    (root / "benchmarks" / "gate.md").write_text(text, encoding="utf-8")
    return int(any(figures["outcome"] != "passed" for figures in found))


def _section(figures: dict[str, Any]) -> list[str]:
    rules = figures["rules"]
    return [*markdown(figures), "", f"![Ratings of the tiers in {rules}](gate/{rules}/ratings.svg)"]


if __name__ == "__main__":
    sys.exit(main())
