"""What a seat can know of a deal, and other deals that look to it exactly the same.

Two deals look alike to a seat when the same things are said and played, the same seats are asked the same questions,
and the same combinations are announced and shown; all of it by the reference, which keeps nothing but the cards.
"""

import random
from typing import Any

from tests.reference import Reference
from tests.reference.cards import DECK, suit_of
from tests.reference.deal import Record
from tests.reference.tricks import legal_cards

Cards = set[str]


def public_facts(record: Record) -> list[Any] | None:
    """Who was asked what, and what each seat has announced and shown; None if some action is illegal."""
    deal, asked = Reference(record), []
    for action in record["actions"]:
        asked.append((deal.seat, deal.phase))
        try:
            deal.play(action)
        except ValueError:
            return None
    seats = range(deal.rules.players) if has_begun(deal) else ()
    return [asked, deal.seat, deal.phase, [(deal.announced(seat), deal.shown(seat)) for seat in seats]]


def has_begun(deal: Reference) -> bool:
    """Whether the play has, announcing included."""
    return hasattr(deal, "announcing")


def taken_up(deal: Reference) -> bool:
    """Whether everybody has taken up what lay face down, and drawn."""
    return deal.phase not in ("auction", "swap")


# Places of the pack: the hands in the order dealt, then the stock


def holders(deal: Reference) -> list[int | None]:
    """For each place the seat that gets its card sooner or later, as far as that is settled."""
    rules = deal.rules
    found: list[int | None] = [seat for seat in range(rules.players) for _ in deal.dealt[seat]]
    stock: list[int | None] = [None] * len(deal.dealt_stock)
    if taken_up(deal) and rules.stock == "drawn":
        drawn = rules.hand_size - rules.visible - rules.face_down
        for turn in range(rules.players):
            stock[turn * drawn : (turn + 1) * drawn] = [(deal.namer + turn) % rules.players] * drawn
    if taken_up(deal) and rules.stock == "namer":
        stock = [deal.namer] * len(stock)
    return found + stock


def seen_places(deal: Reference, seat: int) -> set[int]:
    """The places whose cards a seat has seen: its own, once it has taken them up, and the turned one."""
    rules = deal.rules
    dealt = rules.visible + rules.face_down
    seen = {place for place, holder in enumerate(holders(deal)) if holder == seat}
    if not taken_up(deal):
        seen -= set(range(seat * dealt + rules.visible, (seat + 1) * dealt))
    return seen | ({rules.players * dealt} if rules.auction == "turned" else set())


def another_world(deal: Reference, seat: int, rng: random.Random, exchanges: int = 12) -> Record:
    """The record of a deal with other hidden cards, such that `seat` cannot tell the difference.

    Cards that it has not seen change places, one exchange at a time, and another namer's discards are chosen again,
    wherever all that is public stays as it is.
    """
    record = deal.record() | {"result": None}
    facts = public_facts(record)
    seen = seen_places(deal, seat)
    places = [place for place in range(len(holders(deal))) if place not in seen]
    played = {card for trick in [*deal.tricks, deal.trick] for _, card in trick}
    belongs = holders(deal)
    for _ in range(exchanges if places else 0):
        cards = _cards_of(record)
        one, two = rng.choice(places), rng.choice(places)
        if belongs[one] != belongs[two] and {cards[one], cards[two]} & played:
            continue
        cards[one], cards[two] = cards[two], cards[one]
        other = _with_cards(record, cards, deal)
        if deal.rules.stock == "namer" and deal.phase != "auction" and seat != deal.namer:
            other = _with_other_discards(other, deal, played, rng)
        if other != record and public_facts(other) == facts:
            record = other
    return record


def _cards_of(record: Record) -> list[str]:
    return " ".join([*record["hands"], record["stock"]]).split()


def _with_cards(record: Record, cards: list[str], deal: Reference) -> Record:
    rules = deal.rules
    dealt = rules.visible + rules.face_down
    hands = [" ".join(cards[dealt * seat : dealt * (seat + 1)]) for seat in range(rules.players)]
    return record | {"hands": hands, "stock": " ".join(cards[dealt * rules.players :])}


def _with_other_discards(record: Record, deal: Reference, played: Cards, rng: random.Random) -> Record:
    """The record with discards that its cards allow."""
    actions = list(record["actions"])
    first = next(place for place, action in enumerate(actions, start=1) if action.startswith("name"))
    held = [card for card in (record["hands"][deal.namer] + " " + record["stock"]).split() if card not in played]
    discarded = actions[first : first + len(deal.discarded)]
    if not set(discarded) <= set(held) or rng.random() < 0.5:
        actions[first : first + len(deal.discarded)] = rng.sample(held, len(deal.discarded))
    return record | {"actions": actions}


# What follows from the table


def asked_to_swap(deal: Reference) -> int | None:
    """The seat that was asked whether to swap: it sees the seven of the turned suit, which is trump."""
    rules = deal.rules
    if deal.phase == "auction" or not rules.swap_seven or suit_of(deal.dealt_stock[0]) != deal.strain:
        return None
    seven = "7" + deal.strain
    return next((seat for seat, hand in enumerate(deal.dealt) if seven in hand[: rules.visible]), None)


def known_to_all(deal: Reference) -> tuple[list[Cards], Cards]:
    """The cards that everybody knows each seat to have, and those that everybody knows to be out of the game.

    A turned card is out until somebody takes it; who is asked to swap has the seven of its suit, or then the card.
    """
    known: list[Cards] = [set() for _ in range(deal.rules.players)]
    if deal.rules.auction != "turned":
        return known, set()
    turned = deal.dealt_stock[0]
    if deal.phase != "auction" and deal.rules.stock == "drawn":
        known[deal.namer].add(turned)
        return known, set()
    asked = asked_to_swap(deal)
    if asked is None:
        return known, {turned}
    seven = "7" + deal.strain
    held, out = (turned, seven) if "swap" in deal.actions else (seven, turned)
    known[asked].add(held)
    return known, {out}


def excluded(deal: Reference) -> list[Cards]:
    """Cards that each seat cannot hold, or could not when it played what it played.

    Holding one it could not have played its card, or another is known to have it.
    """
    rules = deal.rules
    known, asked = known_to_all(deal)[0], asked_to_swap(deal)
    if asked is not None:
        known[asked].add("7" + deal.strain)
    found = [set().union(*known) - own for own in known]
    for trick in [*deal.tricks, deal.trick]:
        for place, (seat, card) in enumerate(trick):
            for missing in set(DECK) - {card}:
                two = [card, missing]
                if card not in legal_cards(two, trick[:place], deal.strain, rules.partner(seat), rules):
                    found[seat].add(missing)
    return found
