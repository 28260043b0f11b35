"""Random deals whose auctions, play and scores reach every branch of the rules, in the reference and the engine.

    python -m tests.fuzz 100000 --rules duel --seed 3

plays so many deals of a preset (by default of each one), a part of them under house rules, stops at the first
difference with the record that shows it, and prints how often each branch of the rules occurred. `--agent random` lets
an agent play them instead of the players below.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
import blot_env
from tests.branches import Branches, branches_of
from tests.reference import PRESETS, Reference, Rules
from tests.reference.auction import numbered_calls
from tests.reference.cards import SUITS, strength, suit_of
from tests.reference.deal import Record
from tests.reference.tricks import winner_of

Fields = dict[str, Any]

NUMBERED: list[Fields] = [
    {"last_word": True},
    {"last_word": False},
    {"last_word": True, "contra": False, "recontra": False},
    {"reenter": False},
    {"contra": True, "recontra": False},
    {"contra": True, "recontra": True, "recontra_by": "bidder"},
    {"contra": True, "recontra": True, "recontra_by": "side"},
    {"capot": "none"},
    {"capot": "call", "capot_min": 20, "max_number": 30},
    {"capot": "mark", "capot_min": 10, "max_number": 30},
    {"capot": "from_25", "capot_min": 12, "capot_needs_points": True},
    {"capot_needs_points": True, "all_tricks_counts": True},
    {"jump_bids": False},
    {"made_by": "rounded"},
    {"all_tricks_for": "bidders"},
    {"all_tricks_for": "either", "all_tricks_counts": False},
    {"contra_takes_all": True},
    {"contra_takes_all": False},
    {"failed_blot": "holder"},
    {"failed_blot": "opponents"},
    {"failed_cards": [16, 25]},
    {"adds_bid": False},
    {"adds_bid": True},
    {"all_tricks_set": 250, "all_tricks": 0},
    {"tars_kapout": True, "tars_kapout_wins": True},
    {"tars_kapout": True, "tars_kapout_wins": False},
    {"tars_kapout": False, "tars_kapout_wins": False},
    {"capot_contra_wins": False},
    {"leader_cannot_win_by_failing": True},
    {"strains": ["C", "D", "H", "S"]},
    {"strains": ["C", "D", "H", "S", "NT", "AT"]},
    {"strains": ["C", "D", "H", "S", "NT", "AT"], "blot_at": False},
    {"points_at": [0, 0, 9, 5, 14, 2, 3, 6], "strains": ["C", "D", "H", "S", "NT", "AT"]},
]
FOUR_PLAYERS: list[Fields] = [
    {"must_trump": "always"},
    {"must_trump": "unless_partner_wins"},
    {"announce": "by_choice"},
    {"announce": "by_choice", "late_claims": False},
    {"announce": "by_choice", "bluff": True},
    {"announce": "automatic"},
]
NAMED: list[Fields] = [
    {"forced_dealer": False},
    {"undealt_to": "nobody"},
    {"all_tricks_counts": False},
    {"trick_needed": False},
    {"trick_needed": True},
]
ALL_GAMES: list[Fields] = [
    {"must_beat": "all"},
    {"cannot_overtrump": "undertrump"},
    {"cannot_overtrump": "free"},
    {"combination_order": "points"},
    {"combination_order": "kind"},
    {"run_order": "class"},
    {"run_order": "length"},
    {"four_tie": "rank"},
    {"four_tie": "eldest"},
    {"trump_run_is_better": False},
    {"blot_compared": True},
    {"belot": True},
    {"trick_needed": True},
    {"rounding": "half_up"},
    {"rounding": "half_down"},
    {"fours": [0, 0, 140, 0, 200, 0, 0, 100], "fours_nt": [0] * 8, "worthless_fours": True},
    {"runs": [10, 40, 90], "blot": 40, "last_trick": 20},
    {"all_tricks": 100},
]
OWN: dict[str, list[Fields]] = {
    "bazar-alltrump": [{"jump_bids": True}, {"jump_bids": True, "max_number": 40}],
    "bela4": [{"auction": "eldest", "forced_dealer": False}, {"face_down": 0, "visible": 8}],
    "bela3": [
        {"auction": "named", "forced_dealer": True},
        {"auction": "named", "forced_dealer": False},
        {"discards": "namer"},
        {"failed_to": "nobody", "must_beat": "all"},
    ],
    "bela2": [{"swap_seven": False}, {"undealt_to": "winner"}],
}


def variants(preset: str) -> list[Fields]:
    """House rules to play a preset under: fields that differ from it."""
    rules = PRESETS[preset]
    family = NUMBERED if rules.auction == "numbered" else NAMED
    found = ALL_GAMES + family + FOUR_PLAYERS * rules.teams + OWN.get(preset, [])
    if rules.announce == "by_choice":
        found = [fields for fields in found if "blot_compared" not in fields]
    changed = [{f: value for f, value in fields.items() if _plain(getattr(rules, f)) != value} for fields in found]
    return [fields for fields in changed if fields]


def several(preset: str, rng: random.Random) -> Fields:
    """Some house rules at once, as far as they go together."""
    fields: Fields = {}
    for found in rng.sample(variants(preset), 4):
        try:
            blot_env.load_rules(preset, **fields | found)
        except blot_env.RulesError:
            continue
        fields |= found
    return fields


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


# Boards


def random_board(rng: random.Random, preset: str = "bazar", fields: Fields | None = None) -> Record:
    """A board without actions: cards, dealer, target and scores."""
    rules = PRESETS[preset]
    target = rng.choice(list(rules.targets))
    dealt, players = rules.visible + rules.face_down, rules.players
    cards = rng.choice(BOARDS)(rng, rules)
    hands = [cards[dealt * seat : dealt * (seat + 1)] for seat in range(players)]
    for hand in hands:
        rng.shuffle(hand)  # what is seen first
    return {
        "rules": preset,
        **({"fields": fields} if fields else {}),
        "target": target,
        "scores": _scores(rng, target, rules.sides),
        "dealer": rng.randrange(players),
        "hands": [" ".join(hand) for hand in hands],
        "stock": " ".join(cards[dealt * players :]),
        "actions": [],
        "result": None,
    }


def _scores(rng: random.Random, target: int, sides: int) -> list[int]:
    """Mostly anywhere or near the target; sometimes beyond it, as after a tie."""
    style, near = rng.random(), max(40, target // 6)
    if style < 0.4:
        return [rng.randrange(target) for _ in range(sides)]
    if style < 0.85:
        return [target - rng.randint(1, near) for _ in range(sides)]
    return [target + rng.randrange(20)] * 2 + [rng.randrange(target)] * (sides - 2)


def _pack(rules: Rules) -> list[str]:
    return [rank + suit for suit in SUITS for rank in rules.ranks]


def _even(rng: random.Random, rules: Rules) -> list[str]:
    cards = _pack(rules)
    rng.shuffle(cards)
    return cards


def _swapped(rng: random.Random, cards: list[str], swaps: int) -> list[str]:
    """The pack from any of its cards on, after some swaps."""
    start = rng.randrange(len(cards))
    cards = cards[start:] + cards[:start]
    for _ in range(swaps):
        i, j = rng.randrange(len(cards)), rng.randrange(len(cards))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _suits(rng: random.Random, rules: Rules) -> list[str]:
    """Long suits and runs, of all lengths."""
    suits = rng.sample(SUITS, 4)
    return _swapped(rng, [rank + suit for suit in suits for rank in rules.ranks], rng.randrange(12))


def _ranks(rng: random.Random, rules: Rules) -> list[str]:
    """Fours."""
    ranks = rng.sample(rules.ranks, len(rules.ranks))
    return _swapped(rng, [rank + suit for rank in ranks for suit in SUITS], rng.randrange(8))


def _combined(rng: random.Random, rules: Rules) -> list[str]:
    """A run or a four in each hand, often the same in two of them; the rest is random."""
    left = _even(rng, rules)
    dealt = rules.visible + rules.face_down
    hands = []
    length, top = rng.randint(3, min(8, dealt)), rng.randrange(2)
    for _ in range(rules.players):
        if rng.random() < 0.3:
            length, top = rng.randint(3, min(8, dealt)), rng.randrange(4)
        ranks = rules.ranks[: len(rules.ranks) - top][-length:]
        suit, rank = rng.choice(SUITS), rng.choice(rules.ranks)
        wanted = [r + suit for r in ranks] if rng.random() < 0.6 else [rank + s for s in SUITS]
        hands.append([card for card in wanted if card in left])
        left = [card for card in left if card not in wanted]
    for hand in hands:
        hand += [left.pop() for _ in range(dealt - len(hand))]
    return [card for hand in hands for card in hand] + left


def _strong(rng: random.Random, rules: Rules) -> list[str]:
    """The best cards, for some strain, at one side, or nearly so."""
    strain = rng.choice([*rules.strains, rules.strains[-1]])
    noise = rng.choice([0, 1, 4])
    rank = rng.choice([height, height, strength])
    worth = {card: rank(card, strain) + rng.uniform(0, noise) for card in _pack(rules)}
    cards = sorted(worth, key=lambda card: worth[card], reverse=True)
    dealt = rules.visible + rules.face_down
    lucky, seats = rng.randrange(rules.sides), range(rules.players)
    strong = [seat for seat in seats if seat % rules.sides == lucky]
    best, rest = cards[: dealt * len(strong)], cards[dealt * len(strong) :]
    for part in (best, rest):
        if rng.random() < 0.7:  # otherwise each hand has its own ranks, and fours
            rng.shuffle(part)
    hands = [best if seat in strong else rest for seat in seats]
    return [hand.pop() for hand in hands for _ in range(dealt)] + rest


BOARDS = [_even, _even, _suits, _ranks, _combined, _combined, _strong, _strong, _strong]


def height(card: str, strain: str) -> int:
    """How high a card stands in its deal: by strength, trumps above the others."""
    return strength(card, strain) + 8 * (suit_of(card) == strain)


# Players


@dataclass
class Style:
    """How often the players of a deal choose each kind of call, and say yes when they are asked."""

    silent: float  # passes
    low: float
    jump: float
    contra: float
    capot: float
    yes: float = 0.8


STYLES = [
    Style(silent=20, low=1, jump=0.2, contra=1, capot=0.1),
    Style(silent=8, low=4, jump=0.5, contra=0.5, capot=0.1, yes=0.5),
    Style(silent=3, low=6, jump=0.5, contra=0.5, capot=0.05),
    Style(silent=4, low=1, jump=3, contra=0.5, capot=0.2, yes=0.3),
    Style(silent=2, low=1, jump=1, contra=4, capot=1),
]


class Players:
    """The players of one deal: a style of calling, and of playing cards."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.style = rng.choice(STYLES)
        self.sharp = rng.random() < 0.6  # takes tricks with its highest cards
        self.seeing = rng.random() < 0.4  # bids on what its side holds
        self.foolish = rng.random() < 0.25  # and then on what the others hold

    def choose(self, deal: Reference) -> str:
        rules = deal.rules
        if deal.phase == "auction":
            return self._bid(deal) if rules.auction == "numbered" else self._name(deal)
        if deal.phase == "discard":
            return self._discard(deal)
        if deal.phase == "play":
            return self._card(deal)
        return self.rng.choices(["pass", deal.legal_actions()[-1]], [1 - self.style.yes, self.style.yes])[0]

    def _bid(self, deal: Reference) -> str:
        rng, style, legal = self.rng, self.style, deal.legal_actions()
        if "recontra" in legal:
            return "recontra" if rng.random() < (0.5 if self.seeing else 0.3) else "pass"
        strain, possible = self._strain(deal), set(legal)
        numbered = numbered_calls(deal.rules.min_number, deal.rules.max_number, strain)
        bids = [call for call in numbered if call in possible]
        plain = [call for call in bids if not deal.auction.is_capot(call)]
        marked = [call + "capot" for call in numbered]
        capots = [call for call in [f"capot{strain}", *bids[len(plain) :], *marked] if call in possible]
        weights = {"pass": style.silent}
        if plain:
            weights |= {"low": style.low, "jump": style.jump}
        if capots:
            weights["capot"] = style.capot * (3 if deal.auction.bid and deal.auction.bid.capot else 1)
        if "contra" in legal:
            weights["contra"] = style.contra
        if self.seeing:
            self._judge(deal, strain, weights)
        kind = rng.choices(list(weights), list(weights.values()))[0]
        if kind == "low":
            return plain[0]
        if kind == "jump":
            return rng.choice(plain if rng.random() < 0.15 else plain[:9])
        if kind == "capot":
            return rng.choice(capots[:4] if rng.random() < 0.8 else capots)
        return kind

    def _strain(self, deal: Reference) -> str:
        """Mostly the strain in which the hand is best."""
        hand, strains = deal.hands[deal.seat], deal.rules.strains
        if self.seeing and deal.rules.auction == "numbered":
            return max(strains, key=lambda strain: self._margin(deal, strain) * (-1 if self.foolish else 1))

        def worth(strain: str) -> float:
            if strain in ("NT", "AT"):
                return sum(strength(card, strain) for card in hand) / 1.25
            return sum(8 + strength(card, strain) for card in hand if suit_of(card) == strain)

        return max(strains, key=worth) if self.rng.random() < 0.75 else self.rng.choice(list(strains))

    def _margin(self, deal: Reference, strain: str) -> int:
        """How much higher the cards of the side to call stand than the others'."""
        by_seat = [sum(height(card, strain) for card in hand) for hand in deal.hands]
        return sum(worth if (seat - deal.seat) % 2 == 0 else -worth for seat, worth in enumerate(by_seat))

    def _judge(self, deal: Reference, strain: str, weights: dict[str, float]) -> None:
        """Call on what the side holds in its best strain, or, if foolish, low in its worst."""
        margin, capot = self._margin(deal, strain), deal.auction.bid and deal.auction.bid.capot
        if self.foolish:
            wishes = {"low": 4.0 * (margin < 0), "jump": 0.0, "capot": 0.0}
            weights |= {kind: wishes[kind] for kind in wishes if kind in weights}
        elif margin > 60 and "capot" in weights and not capot:
            weights["capot"] = 2 * sum(weights.values())
        elif margin < 0 and "contra" in weights:
            weights["contra"] = weights["pass"]

    def _name(self, deal: Reference) -> str:
        rng, legal = self.rng, deal.legal_actions()
        best = f"name{rng.choice(deal.rules.strains) if self.foolish else self._strain(deal)}"
        if "pass" in legal and rng.random() < (0.3 if best in legal else 0.7):
            return "pass"
        names = [call for call in legal if call != "pass"]
        return best if best in names else rng.choice(names)

    def _discard(self, deal: Reference) -> str:
        hand = deal.legal_actions()
        return min(hand, key=lambda card: height(card, deal.strain)) if self.sharp else self.rng.choice(hand)

    def _card(self, deal: Reference) -> str:
        legal, strain = deal.legal_actions(), deal.strain
        if not self.sharp:
            return self.rng.choice(legal)
        highest, lowest = (pick(legal, key=lambda card: height(card, strain)) for pick in (max, min))
        takes = winner_of([*deal.trick, (deal.seat, highest)], strain) == deal.seat
        return highest if takes else lowest


class AgentPlayers:
    """An agent at all seats of one deal; it sees what the engine makes of the deal."""

    def __init__(self, spec: str, board: Record, seed: int) -> None:
        self.game = blot_env.Game.from_record(board)
        self.agent = agents.make(spec, self.game.rules)
        self.seed = seed

    def choose(self, deal: Reference) -> str:
        action = int(self.agent.act(self.game.decision(seed=self.seed))[0])
        self.game.take(action)
        return self.game.rules.actions.text(action)


# The two side by side


def play_reference(board: Record, rng: random.Random, choose: Callable[[Reference], str]) -> Branches:
    """A whole deal of the reference, and the branches that it reached.

    Now and then it is played again from scores at which it ends in a tie, or a little beside one, or with a bid that
    its side only just makes or misses.
    """
    played = _follow(Reference(board), choose)
    result = played.deal.result
    if not result or result["made"] is None:
        return played
    style, actions = rng.random(), played.deal.actions
    if style < 0.06:
        total = board["target"] + max(result["points"])
        board = board | {"scores": [total - points + rng.choice([0, 0, 1]) for points in result["points"]]}
    elif style < 0.4 and result["number"] and not played.deal.contract.capot:
        actions = _just(played.deal)
    else:
        return played
    again = iter(actions)
    return _follow(Reference(board), lambda deal: next(again))


def _just(played: Reference) -> list[str]:
    """The actions of a numbered deal with another number, if it can be bid, that just makes or just misses."""
    tally, actions, rules = played.tally(), played.actions, played.rules
    number = (tally.raw[tally.bidders] + 5) // 10
    call, contract = f"{number}{played.strain}", actions.index(played.contract.call)
    if played.auction.is_capot(call):
        return actions
    steps = rules.reenter and not rules.jump_bids and number <= rules.max_number
    bids = numbered_calls(rules.min_number, number, played.strain)
    if steps and bids:  # the seats bid their way up to it
        passes = (played.namer - played.eldest - len(bids) + 1) % 4
        return ["pass"] * passes + bids + actions[contract + 1 :]
    deal = Reference(played.record())
    for action in actions[:contract]:
        deal.play(action)
    return [*actions[:contract], call, *actions[contract + 1 :]] if call in deal.legal_actions() else actions


def _follow(deal: Reference, choose: Callable[[Reference], str]) -> Branches:
    met = Branches(deal)
    while deal.phase != "over":
        action = choose(deal)
        met.before(action)
        deal.play(action)
    met.after()
    return met


def matters(record: Record) -> bool:
    """Whether the house rules of a finished record took the deal another way than the preset's own."""
    house, usual = Reference(record), Reference(record | {"fields": {}})
    for action in record["actions"]:
        if (house.seat, house.phase) != (usual.seat, usual.phase):
            return True
        if sorted(house.legal_actions()) != sorted(usual.legal_actions()):
            return True
        house.play(action)
        usual.play(action)
    return house.result != usual.result


def compare(record: Record) -> None:
    """Replay a finished record of the reference in both; AssertionError where the engine differs."""
    deal = Reference(record)
    game = blot_env.Game.from_record(record)
    texts = [game.rules.actions.text(action) for action in range(game.rules.actions.size)]
    for action in record["actions"]:
        assert (game.seat, game.phase) == (deal.seat, deal.phase), len(deal.actions)
        legal = [texts[number] for number in np.flatnonzero(game.mask())]
        assert sorted(legal) == sorted(deal.legal_actions()), len(deal.actions)
        deal.play(action)
        game.play(action)
        if not deal.tricks or not (deal.trick or deal.tricks[1:]) or action in ("pass", "show"):
            _compare_announcements(deal, game)
    assert game.phase == "over"
    assert game.legal_actions() == []
    assert game.result == record["result"]
    assert game.record() == record


def _compare_announcements(deal: Reference, game: blot_env.Game) -> None:
    """What the seat to act has come to know of the combinations is the same."""
    if deal.phase not in ("announce", "show", "play"):
        return
    message, seats = game.message(), range(deal.rules.players)
    announced = [None if classes is None else sorted(classes) for classes in message["announced"]]
    assert announced == [deal.announced(seat) if deal.has_spoken(seat) else None for seat in seats]
    shown = None if message["shown"] is None else [set(cards.split()) for cards in message["shown"]]
    assert shown == ([deal.shown(seat) for seat in seats] if deal.tricks else None)


def fuzz(preset: str, deals: int, seed: int, agent: str | None = None) -> Counter[str]:
    """Compare so many deals of a preset, of an agent if one is named; how many of them reached each branch.

    Every fourth deal is played under a house rule, or several; if it mattered, that is what the deal is counted for.
    """
    reached: Counter[str] = Counter()
    house_rules = variants(preset)
    for number in range(deals):
        rng = random.Random(f"{seed} {number}")
        one, more = number % 8 == 3, number % 8 == 7
        fields = house_rules[number // 8 % len(house_rules)] if one else several(preset, rng) if more else {}
        board = random_board(rng, preset, fields)
        players = AgentPlayers(agent, board, rng.getrandbits(62)) if agent else Players(rng)
        played = play_reference(board, rng, players.choose)
        record = played.deal.record()
        try:
            compare(record)
        except Exception as error:
            error.add_note(f"deal {number} of {preset}, seed {seed}: {json.dumps(record)}")
            raise
        if not fields:
            reached.update(played.reached)
        elif matters(record):
            reached[house_rule(fields) if one else SEVERAL] += 1
    return reached


SEVERAL = "several house rules"


def house_rule(fields: Fields) -> str:
    return "house rule: " + ", ".join(f"{field} = {json.dumps(value)}" for field, value in fields.items())


def report(preset: str, deals: int, reached: Counter[str]) -> str:
    """A table of all branches and house rules: how many deals reached each."""
    names = branches_of(PRESETS[preset]) + [house_rule(fields) for fields in variants(preset)] + [SEVERAL]
    return "\n".join([f"{preset}: {deals} deals", *(f"{reached[name]:8}  {name}" for name in names)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals", type=int, help="so many of each preset")
    parser.add_argument("--rules", choices=list(PRESETS), help="one preset; by default each of them in turn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--agent", help="a spec such as random:uniform")
    options = parser.parse_args()
    for preset in [options.rules] if options.rules else PRESETS:
        print(report(preset, options.deals, fuzz(preset, options.deals, options.seed, options.agent)), flush=True)


if __name__ == "__main__":
    main()
