"""Play a match between bots, you and chance. A host that knows no rules: those are `blot referee`'s.

    python match.py me bots/hard bots/hard bots/hard --seed 7
    python match.py random http://127.0.0.1:8000/bots/hard --rules duel

One player a seat: `me`, who is asked; `random`; the folder of an exported bot, which is started; or the address of one
that `blot serve` holds. Nothing but Python's own library, so copy what you need (docs/hosts.md).
"""

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import time
import urllib.error
import urllib.request

BLOT = shlex.split(os.environ.get("BLOT", "blot"))  # the command, where it is not on the path


class Process:
    """A blot command that answers each line of JSON with one."""

    def __init__(self, *arguments: str) -> None:
        self.name = " ".join(arguments)
        self._process = subprocess.Popen(
            [*BLOT, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def read(self) -> dict:
        line = self._process.stdout.readline()
        if not line:  # it has said why on standard error
            raise SystemExit(f"{self.name}: it has ended")
        return json.loads(line)

    def ask(self, message: dict) -> dict:
        try:
            print(json.dumps(message), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise SystemExit(f"{self.name}: it has ended") from None
        return self.read()


# A player takes a turn as the referee describes it, and returns an action.


def started_bot(folder: str):
    """A bot in a process of its own, asked by lines: docs/bot-protocol.md."""
    bot = Process("bot", folder)

    def choose(turn: dict) -> str:
        answer = bot.ask(turn["message"])
        if "error" in answer:
            raise SystemExit(f"{folder}: {answer['error']}")
        return answer["action"]

    return choose


def served_bot(url: str):
    """A bot that is asked over HTTP: docs/serving.md."""

    def choose(turn: dict) -> str:
        body = json.dumps(turn["message"]).encode()
        request = urllib.request.Request(f"{url}/decide", body, {"Content-Type": "application/json"})
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)["action"]
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):  # it is our mistake, and asking again would not help
                    raise SystemExit(f"{url}: {error.read().decode()}") from None
                time.sleep(float(error.headers["Retry-After"]))  # it is busy, and says until when
            except OSError as error:
                raise SystemExit(f"{url}: {error}") from None

    return choose


def me(turn: dict) -> str:
    """Whoever sits at the keyboard; an action that the referee refuses is asked for again."""
    print(f"you hold {turn['message']['hand']}, and may: {' '.join(turn['actions'][:40])}")
    try:
        return input(f"{turn['phase']}> ").strip()
    except EOFError:
        sys.exit("you have left")


def player(text: str, rng: random.Random):
    if text == "me":
        return me
    if text == "random":
        return lambda turn: rng.choice(turn["actions"])
    return served_bot(text.rstrip("/")) if text.startswith(("http://", "https://")) else started_bot(text)


def show(event: dict) -> None:
    """Print what a seat is told."""
    if event["type"] == "deal":
        print(f"deal: seat {event['dealer']} deals, you get {event['hand']}")
    elif event["type"] == "action":
        print(f"seat {event['seat']}: {event['action']}", *event.get("announced", ()))
    elif event["type"] == "result":
        print(f"result: {event['result']['points']}, so {event['scores']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", help="one a seat: me, random, a bot's folder or its address")
    parser.add_argument("--rules", default="bazar")
    parser.add_argument("--target", help="points that win the match")
    parser.add_argument("--seed", default="0")
    options = parser.parse_args()

    target = ["--target", options.target] if options.target else []
    referee = Process("referee", "--rules", options.rules, "--seed", options.seed, *target)
    state = referee.read()
    if len(options.players) != len(state["events"]):
        raise SystemExit(f"{options.rules} has {len(state['events'])} seats: name a player for each")
    players = [player(text, random.Random(options.seed)) for text in options.players]
    own = options.players.index("me") if "me" in options.players else 0  # through whose eyes we look

    while state["turn"]:
        for event in state["events"][own]:
            show(event)
        seat = state["turn"]["seat"]
        answer = referee.ask({"seat": seat, "action": players[seat](state["turn"])})
        if "error" not in answer:
            state = answer
        elif players[seat] is me:
            print(answer["error"])
            state["events"][own] = []  # nothing has happened
        else:
            raise SystemExit(f"seat {seat}: {answer['error']}")
    for event in state["events"][own]:
        show(event)
    print(f"side {state['winner']} wins, {' to '.join(map(str, state['scores']))}")


if __name__ == "__main__":
    main()
