"""Random deals whose auctions, play and scores reach every branch of the rules, in the reference and the engine.

    python -m tests.fuzz 100000 --seed 3

plays so many deals, stops at the first difference with the record that shows it, and prints how often each branch
of the rules occurred. `--agent random` lets an agent play them instead of the players below.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import agents
import blot_env
from tests import branches
from tests.branches import Branches
from tests.reference import Bazar
from tests.reference.cards import DECK, PLAIN_ORDER, RANKS, STRAINS, SUITS, TRUMP_ORDER, rank_of, strength, suit_of
from tests.reference.deal import Record
from tests.reference.tricks import winner_of

TARGETS = (151, 301)


# Boards


def random_board(rng: random.Random) -> Record:
    """A board without actions: cards, dealer, target and scores."""
    target = rng.choice(TARGETS)
    return {
        "rules": "bazar",
        "target": target,
        "scores": _scores(rng, target),
        "dealer": rng.randrange(4),
        "hands": [" ".join(hand) for hand in rng.choice([_even, _even, _suits, _ranks, _strong])(rng)],
        "stock": "",
        "actions": [],
        "result": None,
    }


def _scores(rng: random.Random, target: int) -> list[int]:
    """Mostly anywhere or near the target; sometimes beyond it, as after a tie."""
    style = rng.random()
    if style < 0.45:
        return [rng.randrange(target), rng.randrange(target)]
    if style < 0.9:
        return [target - rng.randint(1, 40), target - rng.randint(1, 40)]
    return [target + rng.randrange(20)] * 2


def _even(rng: random.Random) -> list[list[str]]:
    cards = rng.sample(DECK, 32)
    return [cards[8 * seat : 8 * seat + 8] for seat in range(4)]


def _swapped(rng: random.Random, cards: list[str], swaps: int) -> list[list[str]]:
    """Hands of eight cards in a row, in random order, after some swaps."""
    cards = list(cards)
    for _ in range(swaps):
        i, j = rng.randrange(32), rng.randrange(32)
        cards[i], cards[j] = cards[j], cards[i]
    hands = [cards[8 * seat : 8 * seat + 8] for seat in range(4)]
    rng.shuffle(hands)
    return hands


def _suits(rng: random.Random) -> list[list[str]]:
    """Long suits and runs; the pack begins anywhere, so that runs of all lengths occur."""
    start = rng.randrange(8)
    return _swapped(rng, DECK[start:] + DECK[:start], rng.randrange(12))


def _ranks(rng: random.Random) -> list[list[str]]:
    """Fours."""
    ranks = rng.sample(RANKS, 8)
    return _swapped(rng, [rank + suit for rank in ranks for suit in SUITS], rng.randrange(8))


def _strong(rng: random.Random) -> list[list[str]]:
    """The best cards, for some strain, at one side, or nearly so."""
    strain = rng.choice(STRAINS[:5])
    noise = rng.choice([0, 1, 4])
    worth = {card: strength(card, strain) + 8 * (suit_of(card) == strain) + rng.uniform(0, noise) for card in DECK}
    cards = sorted(DECK, key=lambda card: worth[card])
    weak, strong = rng.sample(cards[:16], 16), rng.sample(cards[16:], 16)
    sides = [(weak[:8], weak[8:]), (strong[:8], strong[8:])]
    rng.shuffle(sides)
    return [sides[0][0], sides[1][0], sides[0][1], sides[1][1]]


# Players


@dataclass
class Style:
    """How often the players of a deal choose each kind of call."""

    silent: float  # passes
    low: float
    jump: float
    contra: float
    capot: float


STYLES = [
    Style(silent=20, low=1, jump=0.2, contra=1, capot=0.1),
    Style(silent=8, low=4, jump=0.5, contra=0.5, capot=0.1),
    Style(silent=3, low=6, jump=0.5, contra=0.5, capot=0.05),
    Style(silent=4, low=1, jump=3, contra=0.5, capot=0.2),
    Style(silent=2, low=1, jump=1, contra=4, capot=1),
]


class Players:
    """The four players of one deal: a style of calling, and of playing cards."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.style = rng.choice(STYLES)
        self.sharp = rng.random() < 0.6  # takes tricks with its highest cards

    def choose(self, deal: Bazar) -> str:
        return self._call(deal) if deal.phase == "auction" else self._card(deal)

    def _call(self, deal: Bazar) -> str:
        rng, style, legal = self.rng, self.style, deal.legal_actions()
        if "recontra" in legal:
            return rng.choice(["pass", "pass", "recontra"])
        weights = {"pass": style.silent}
        numbers = [int(call.removesuffix("C")) for call in legal if call[0].isdigit() and call[-1] == "C"]
        if numbers:
            weights |= {"low": style.low, "jump": style.jump}
        if "capotC" in legal:
            weights["capot"] = style.capot
        if "contra" in legal:
            weights["contra"] = style.contra
        kind = rng.choices(list(weights), list(weights.values()))[0]
        if kind == "low":
            return f"{numbers[0]}{self._strain(deal)}"
        if kind == "jump":
            farthest = 80 if rng.random() < 0.15 else numbers[0] + 9
            return f"{rng.choice([n for n in numbers if n <= farthest])}{self._strain(deal)}"
        return f"capot{self._strain(deal)}" if kind == "capot" else kind

    def _strain(self, deal: Bazar) -> str:
        """Mostly the strain in which the hand is best."""
        hand = deal.hands[deal.seat]

        def worth(strain: str) -> float:
            if strain == "NT":
                return sum(PLAIN_ORDER.index(rank_of(card)) for card in hand) / 1.25
            return sum(8 + TRUMP_ORDER.index(rank_of(card)) for card in hand if suit_of(card) == strain)

        return max(STRAINS[:5], key=worth) if self.rng.random() < 0.75 else self.rng.choice(STRAINS[:5])

    def _card(self, deal: Bazar) -> str:
        legal, strain = deal.legal_actions(), deal.strain
        if not self.sharp:
            return self.rng.choice(legal)

        def height(card: str) -> int:
            return strength(card, strain) + 8 * (suit_of(card) == strain)

        highest, lowest = max(legal, key=height), min(legal, key=height)
        takes = winner_of([*deal.trick, (deal.seat, highest)], strain) == deal.seat
        return highest if takes else lowest


class AgentPlayers:
    """An agent at all four seats of one deal; it sees what the engine makes of the deal."""

    def __init__(self, spec: str, board: Record, seed: int) -> None:
        self.game = blot_env.Game.from_record(board)
        self.agent = agents.make(spec, self.game.rules)
        self.seed = seed

    def choose(self, deal: Bazar) -> str:
        action = int(self.agent.act(self.game.decision(seed=self.seed))[0])
        self.game.take(action)
        return self.game.rules.actions.text(action)


# The two side by side


def play_reference(board: Record, rng: random.Random, choose: Callable[[Bazar], str]) -> Branches:
    """A whole deal of the reference, and the branches that it reached.

    Now and then it is played again from scores at which it ends in a tie.
    """
    played = _follow(Bazar(board), choose)
    result = played.deal.result
    if rng.random() < 0.03 and result and result["contract"]:
        total = board["target"] + max(result["points"])
        scores = [total - points for points in result["points"]]
        actions = iter(played.deal.actions)
        played = _follow(Bazar(board | {"scores": scores}), lambda deal: next(actions))
    return played


def _follow(deal: Bazar, choose: Callable[[Bazar], str]) -> Branches:
    met = Branches(deal)
    while deal.phase != "over":
        action = choose(deal)
        met.before(action)
        deal.play(action)
    met.after()
    return met


def compare(record: Record) -> None:
    """Replay a finished record of the reference in both; AssertionError where the engine differs."""
    deal = Bazar(record)
    game = blot_env.Game.from_record(record)
    for action in record["actions"]:
        assert (game.seat, game.phase) == (deal.seat, deal.phase), len(deal.actions)
        assert sorted(game.legal_actions()) == sorted(deal.legal_actions()), len(deal.actions)
        deal.play(action)
        game.play(action)
        if len(deal.tricks) < 2 and deal.phase == "play":
            _compare_announcements(deal, game)
    assert game.phase == "over"
    assert game.legal_actions() == []
    assert game.result == record["result"]
    assert game.record() == record


def _compare_announcements(deal: Bazar, game: blot_env.Game) -> None:
    """What the seat to act has come to know of the combinations is the same."""
    message = game.message()
    spoken = [bool(deal.tricks) or any(seat == player for player, _ in deal.trick) for seat in range(4)]
    announced = [None if classes is None else sorted(classes) for classes in message["announced"]]
    assert announced == [deal.announced(seat) if spoken[seat] else None for seat in range(4)]
    shown = None if message["shown"] is None else [set(cards.split()) for cards in message["shown"]]
    assert shown == ([deal.shown(seat) for seat in range(4)] if deal.tricks else None)


def fuzz(deals: int, seed: int, agent: str | None = None) -> Counter[str]:
    """Compare so many deals, of an agent if one is named; how many of them reached each branch of the rules."""
    reached: Counter[str] = Counter()
    for number in range(deals):
        rng = random.Random(f"{seed} {number}")
        board = random_board(rng)
        players = AgentPlayers(agent, board, rng.getrandbits(62)) if agent else Players(rng)
        played = play_reference(board, rng, players.choose)
        record = played.deal.record()
        try:
            compare(record)
        except Exception as error:
            error.add_note(f"deal {number} of seed {seed}: {json.dumps(record)}")
            raise
        reached.update(played.reached)
    return reached


def report(reached: Counter[str], deals: int) -> str:
    """A table of all branches: how many deals reached each."""
    return "\n".join([f"{deals} deals", *(f"{reached[name]:8}  {name}" for name in branches.ALL)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--agent", help="a spec such as random:uniform")
    options = parser.parse_args()
    print(report(fuzz(options.deals, options.seed, options.agent), options.deals))


if __name__ == "__main__":
    main()
