"""The result of a deal and of a match (rules, sections 5, 7 and 8)."""

import numpy as np
from numpy.typing import NDArray

from blot_env.actions import NAME
from blot_env.auction import bid_action, marked_bid
from blot_env.compile import kernel
from blot_env.rules_record import BY_MORE, BY_ROUNDED, CAPOT_CALL, CAPOT_MARK, NUMBERED
from blot_env.seats import allied
from blot_env.stock import undealt


@kernel
def rounded(rules: np.record, points: int) -> int:
    """Return raw points as match points, rounded as the rules say."""
    return (points + rules.unit - rules.round_up_at) // rules.unit


@kernel
def contract_of(rules: np.record, public: np.record) -> int:
    """Return the action that made the standing bid, -1 when there is none."""
    if public.bidder < 0:
        return -1
    if rules.auction != NUMBERED:
        return int(NAME + public.strain)
    if public.capot and rules.capot == CAPOT_CALL:
        return int(rules.capots + public.strain)
    if public.capot and rules.capot == CAPOT_MARK:
        return marked_bid(rules, public.number, public.strain)
    return bid_action(rules, public.number, public.strain)


@kernel
def score(rules: np.record, state: np.record) -> None:
    """Fill in the result of a deal that is over."""
    public, result = state.public, state.result
    result.contract = contract_of(rules, public)
    result.number = public.number
    result.strain = public.strain
    result.bidder = public.bidder
    result.capot = public.capot
    result.contra = public.contra
    result.made = -1
    result.match_winner = -1
    for side in range(4):
        _take_stock(rules, state, side)
        result.points[side] = 0
    if public.belot >= 0:
        result.match_winner = rules.side[public.belot]
    elif public.bidder >= 0:
        namers = rules.side[public.bidder]
        result.made = 1 if is_made(rules, state, namers) else 0
        if result.made:
            _pay_made(rules, state, namers)
        else:
            _pay_failed(rules, state, namers)
        result.match_winner = _match_winner(rules, public, result, namers)


@kernel
def _take_stock(rules: np.record, state: np.record, side: int) -> None:
    """Write what a side has taken."""
    public, result = state.public, state.result
    tricks = public.tricks[side]
    is_namer = public.bidder >= 0 and side == rules.side[public.bidder]
    cards, combinations, blot, bonus = public.card_points[side], public.combinations[side], public.blot[side], 0
    if tricks == rules.hand_size:
        if rules.all_tricks_set:
            cards = rules.all_tricks_set
        if is_namer or not rules.all_tricks_for_bidders:
            bonus = rules.all_tricks
    if rules.trick_needed and not tricks:
        combinations, blot = 0, 0
    if rules.blot_compared and blot and not _scores_combinations(rules, state, side):
        blot = 0
    result.tricks[side] = tricks
    result.card_points[side] = cards
    result.combinations[side] = combinations
    result.blot[side] = blot
    result.raw[side] = cards + combinations + blot + bonus


@kernel
def _scores_combinations(rules: np.record, state: np.record, side: int) -> bool:
    """Return whether a side's combinations were the ones to score."""
    return bool(state.scorer >= 0 and allied(rules, state.public, state.scorer, side))  # seat `side` is of that side


@kernel
def points_of(rules: np.record, strain: int, cards: int) -> int:
    """Return the points of a set of cards."""
    points = 0
    for card in range(32):
        if cards >> card & 1:
            points += rules.points[strain, card]
    return points


@kernel
def is_made(rules: np.record, state: np.record, namers: int) -> bool:
    """Return whether the bidders, or those who named trump, made their contract."""
    result = state.result
    tricks = result.tricks[namers]
    own = counted(rules, result, namers) + discarded_points(rules, state)
    if rules.tars_kapout and tricks == 0:
        return False
    if result.capot:
        enough = not rules.capot_needs_points or own >= 10 * result.number
        return bool(tricks == rules.hand_size and enough)
    if rules.made_by == BY_MORE:
        for side in range(rules.sides):
            if side != namers:
                own -= counted(rules, result, side)
        return bool(own > 0)
    if rules.made_by == BY_ROUNDED:
        return bool(rounded(rules, own) >= result.number)
    return bool(own >= 10 * result.number)


@kernel
def counted(rules: np.record, result: np.record, side: int) -> int:
    """Return the points of a side that count for the contract."""
    if rules.all_tricks_counts:
        return int(result.raw[side])
    return int(result.card_points[side] + result.combinations[side] + result.blot[side])


@kernel
def kept_blot(rules: np.record, result: np.record, side: int) -> int:
    """Return the blot that a side keeps when another takes the rest of the deal."""
    return int(result.blot[side]) if rules.holder_keeps_blot else 0


@kernel
def _pay_made(rules: np.record, state: np.record, namers: int) -> None:
    """Pay the match points of a contract that was made."""
    result = state.result
    factor = rules.multiplier[result.strain, result.contra]
    times = 1 if rules.adds_bid else factor
    extra = undealt_points(rules, state) + discarded_points(rules, state)
    for side in range(rules.sides):
        if side != namers:
            if result.contra and rules.contra_takes_all:
                kept = kept_blot(rules, result, side)
                extra += result.raw[side] - kept
                result.points[side] = times * rounded(rules, kept)
            else:
                result.points[side] = times * rounded(rules, result.raw[side])
    bid = factor * result.number if rules.adds_bid else 0
    result.points[namers] = times * rounded(rules, result.raw[namers] + extra) + bid


@kernel
def _pay_failed(rules: np.record, state: np.record, namers: int) -> None:
    """Pay the match points of a contract that failed."""
    result = state.result
    factor = rules.multiplier[result.strain, result.contra]
    times = 1 if rules.adds_bid else factor
    kept = kept_blot(rules, result, namers)
    result.points[namers] = times * rounded(rules, kept)
    for side in range(rules.sides):
        if side != namers:
            if not rules.failed_to_opponents:
                points = rounded(rules, result.raw[side])
            elif rules.failed_cards[0]:
                all_tricks = result.tricks[side] == rules.hand_size
                points = rules.failed_cards[1 if all_tricks else 0]
                points += rounded(rules, result.combinations[side] + result.blot[side])
            else:
                lost = result.raw[namers] - kept + discarded_points(rules, state)
                points = rounded(rules, result.raw[side] + lost + undealt_points(rules, state))
            result.points[side] = times * points + (factor * result.number if rules.adds_bid else 0)


@kernel
def undealt_points(rules: np.record, state: np.record) -> int:
    """Return the points of the undealt cards, where they count."""
    return points_of(rules, state.public.strain, undealt(rules, state)) if rules.undealt_to_winner else 0


@kernel
def discarded_points(rules: np.record, state: np.record) -> int:
    """Return the points of the namer's discards, where it gets them."""
    return points_of(rules, state.public.strain, state.aside) if rules.discards_to_namer else 0


@kernel
def _match_winner(rules: np.record, public: np.record, result: np.record, namers: int) -> int:
    """Return the side that wins the match with this deal, -1 while it goes on."""
    if rules.tars_kapout_wins and result.tricks[namers] == 0:
        return int(1 - namers)
    if rules.capot_contra_wins and result.capot and result.contra and result.made:
        return int(namers)
    leader, best, tied = -1, -1, False
    for side in range(rules.sides):
        total = public.scores[side] + result.points[side]
        if leader < 0 or total > best:
            leader, best, tied = side, total, False
        elif total == best:
            tied = True
    failed = leader == namers and not result.made and rules.leader_cannot_win_by_failing
    return -1 if best < public.target or tied or failed else leader


@kernel
def pay_winner(rules: np.record, winner: int, reward: NDArray[np.float32]) -> None:
    """Write to `reward`, by seat, 1 for the side that won the match; the others share -1, side by side."""
    for seat in range(rules.players):
        reward[seat] = 1 if rules.side[seat] == winner else -1 / (rules.sides - 1)


@kernel
def pay(rules: np.record, points: NDArray[np.int64], reward: NDArray[np.float32]) -> None:
    """Write to `reward`, by seat, own points minus the mean of the other sides' (`points` are by side)."""
    total = 0
    for side in range(rules.sides):
        total += points[side]
    for seat in range(rules.players):
        own = points[rules.side[seat]]
        reward[seat] = own - (total - own) / (rules.sides - 1)
