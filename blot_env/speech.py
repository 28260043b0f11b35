"""What is called, played and written, in the words of players; cards and bids stay in notation."""

from collections.abc import Iterable

import numpy as np

from blot_env.actions import ANNOUNCE, BIDS, CONTRA, NAME, PASS, RECONTRA, SHOW, SWAP
from blot_env.auction import bid_number, first_round, legal_words
from blot_env.cards import RANKS, SUITS, card_name
from blot_env.rules import RuleSet
from blot_env.scoring import contract_of
from blot_env.state import ANNOUNCING, AUCTION, DISCARD, HIDDEN, LAST_WORD, OVER, PLAY, RECONTRA_ASKED, SHOWING
from blot_env.state import SWAP as SWAPPING

STRAIN_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "no trump", "AT": "all trump"}
RANK_NAMES = dict(zip(RANKS, "seven eight nine ten jack queen king ace".split(), strict=True))


ASKED = {
    SWAPPING: "Swap the seven or pass",
    DISCARD: "Discard a card",
    ANNOUNCING: "Announce or pass",
    SHOWING: "Show or pass",
    PLAY: "Play a card",
    OVER: "The deal is over",
}
"""What is wanted in the phases after the auction."""


def suit_name(suit: int) -> str:
    """Return `clubs`, `diamonds`, `hearts` or `spades`."""
    return STRAIN_NAMES[SUITS[suit]]


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a sentence lists them: `one, two and three`."""
    *others, final = words
    return f"{', '.join(others)} {last} {final}" if others else final


def side_name(rules: RuleSet, side: int) -> str:
    """Return the seats of a side: `seats 0 and 2`, `seat 1`."""
    seats = [str(seat) for seat in range(rules.players) if rules.side(seat) == side]
    return f"seat{'s' if len(seats) > 1 else ''} {listed(seats)}"


def contract_name(rules: RuleSet, public: np.record) -> str:
    """Return the standing bid as players say it: `11H`, `capotH (counts 25)`, `hearts`."""
    if not rules.numbered:
        return suit_name(int(public.strain))
    counts = f" (counts {public.number})" if public.capot and rules.capot == "call" else ""
    return rules.actions.text(int(contract_of(rules.record, public))) + counts


def standing_bid(rules: RuleSet, public: np.record) -> str:
    """Return the standing bid with its bidder and who doubled it: `9S by seat 3, contra by seat 0`."""
    contra = ("", f", contra by seat {public.contra_by}", f", recontra by seat {public.recontra_by}")[public.contra]
    return f"{contract_name(rules, public)} by seat {public.bidder}{contra}"


def question(rules: RuleSet, public: np.record) -> str:
    """Return what the seat to act is asked: `Name a suit or pass`, `Discard a card, 2 to go`."""
    if public.phase == DISCARD:
        gone = int((public.history[: public.length] == HIDDEN).sum())
        return f"{ASKED[DISCARD]}, {rules.stock_size - gone} to go"
    if public.phase != AUCTION:
        return ASKED[int(public.phase)]
    if public.asking == LAST_WORD:
        return f"The last word: raise {contract_name(rules, public)} or pass to keep it"
    if public.asking == RECONTRA_ASKED:
        return "Recontra or pass"
    wanted = "Bid" if rules.numbered else "Name a suit"
    if not rules.numbered and first_round(rules.record, public):
        wanted = f"Take {suit_name(public.turned >> 3)} as trump"
    return f"{wanted} or pass" if legal_words(rules.record, public) >> PASS & 1 else wanted


def doing(rules: RuleSet, public: np.record, action: int) -> tuple[str, str]:
    """Return what the seat to act does with an action, as a verb and its object: `("play", "the jack of hearts")`."""
    if action < PASS:
        return "discard" if public.phase == DISCARD else "play", card_name(action)
    if action == PASS:
        return _passing(public)
    if action in (CONTRA, RECONTRA):
        return "say", rules.actions.text(action)
    if action < SWAP:
        return "take" if first_round(rules.record, public) else "name", f"{suit_name(action - NAME)} as trump"
    if action == SWAP:
        return "swap", f"{card_name(public.turned & 24)} for {card_name(public.turned)}"
    if action in (ANNOUNCE, SHOW):
        return ("announce", "a combination") if action == ANNOUNCE else ("show", "the combinations")
    return "bid", rules.actions.text(action)


def _passing(public: np.record) -> tuple[str, str]:
    if public.phase == AUCTION:
        return ("keep", "the bid") if public.asking == LAST_WORD else ("pass", "")
    return {
        SWAPPING: ("keep", card_name(public.turned & 24)), ANNOUNCING: ("stay", "silent"), SHOWING: ("show", "nothing"),
    }[int(public.phase)]  # fmt: skip


def done(rules: RuleSet, public: np.record, action: int, who: str) -> str:
    """Return a sentence that tells an action of the seat to act, called `who`: `Seat 2 plays JH`."""
    verb, what = doing(rules, public, action)
    if who != "You":
        verb += "es" if verb.endswith("s") else "s"
    return f"{who} {verb} {what}".rstrip()


def choices(rules: RuleSet, public: np.record, actions: Iterable[int]) -> list[tuple[str, str]]:
    """Return legal actions as they are written and what each does; bids are put together.

    >>> from blot_env import Game
    >>> game = Game("bazar", seed=7)
    >>> for text, meaning in choices(game.rules, game.state.public, game.mask().nonzero()[0]):
    ...     print(f"{text:10} {meaning}")
    pass       Pass
    8C … 80NT  Bid a number of 8 to 80 in clubs, diamonds, hearts, spades or no trump
    capotC …   Promise all the tricks in clubs, diamonds, hearts, spades or no trump
    """
    legal = [int(action) for action in actions]
    found = [(rules.actions.text(action), _choice(rules, public, action)) for action in legal if action < BIDS]
    plain = [action for action in legal if BIDS <= action < rules.actions.capots]
    capots = [action for action in legal if action >= rules.actions.capots]
    strains = listed((STRAIN_NAMES[strain] for strain in rules.strains), "or")
    for bids, capot in ((plain, ""), (capots, ", and promise all the tricks")):
        if bids and not (capot and rules.capot == "call"):
            low, high = (int(bid_number(rules.record, bid)) for bid in (bids[0], bids[-1]))
            number = f"a number of {low} to {high}" if high > low else str(low)
            ends = f"{rules.actions.text(bids[0])} … {rules.actions.text(bids[-1])}"
            found.append((ends, f"Bid {number} in {strains}{capot}"))
        elif bids:
            found.append((f"{rules.actions.text(bids[0])} …", f"Promise all the tricks in {strains}"))
    return found


def _choice(rules: RuleSet, public: np.record, action: int) -> str:
    verb, what = doing(rules, public, action)
    if action < PASS:
        what = f"the {RANK_NAMES[RANKS[action % 8]]} of {suit_name(action // 8)}"
    return f"{verb.capitalize()} {what}".rstrip()
