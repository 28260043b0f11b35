"""The result of a deal and of a match (rules, section 5)."""

import numpy as np
from numpy.typing import NDArray

from blot_env.actions import BIDS
from blot_env.compile import kernel


@kernel
def rounded(rules: np.record, points: int) -> int:
    """Return points in tens, rounded as the rules say."""
    return (points + 10 - rules.round_at) // 10


@kernel
def contract_of(rules: np.record, public: np.record) -> int:
    """Return the action that made the standing bid, -1 when there is none."""
    if not public.number:
        return -1
    if public.capot:
        return int(rules.capots + public.strain)
    return int(BIDS + (public.number - rules.min_number) * rules.strains + public.strain)


@kernel
def score(rules: np.record, public: np.record, result: np.record) -> None:
    """Fill in the result of a deal that is over. All that counts lies open by then."""
    result.contract = contract_of(rules, public)
    result.number = public.number
    result.strain = public.strain
    result.bidder = public.bidder
    result.capot = public.capot
    result.contra = public.contra
    result.made = -1
    result.match_winner = -1
    for side in range(4):
        result.tricks[side] = public.tricks[side]
        result.card_points[side] = public.card_points[side]
        result.combinations[side] = public.combinations[side]
        result.blot[side] = public.blot[side]
        result.raw[side] = public.card_points[side] + public.combinations[side] + public.blot[side]
        result.points[side] = 0
        if public.tricks[side] == rules.hand_size:
            result.raw[side] += rules.all_tricks
    if public.number:
        bidders = rules.side[public.bidder]
        _match_points(rules, result, bidders, 1 - bidders)
        _end_match(rules, public, result, bidders, 1 - bidders)


@kernel
def is_made(rules: np.record, result: np.record, bidders: int) -> bool:
    """Return whether the bidders made their contract."""
    tricks = result.tricks[bidders]
    if result.capot:
        return bool(tricks == rules.hand_size)
    if rules.tars_kapout and tricks == 0:
        return False
    counted = result.raw[bidders]
    if tricks == rules.hand_size and not rules.all_tricks_counts:
        counted -= rules.all_tricks
    return bool(counted >= 10 * result.number)


@kernel
def _match_points(rules: np.record, result: np.record, bidders: int, defenders: int) -> None:
    whole = result.raw[bidders] + result.raw[defenders]
    worth = rules.multiplier[result.strain, result.contra] * result.number if rules.adds_bid else 0
    if is_made(rules, result, bidders):
        result.made = 1
        if result.contra and rules.contra_takes_all:
            result.points[bidders] = rounded(rules, whole) + worth
        else:
            result.points[bidders] = rounded(rules, result.raw[bidders]) + worth
            result.points[defenders] = rounded(rules, result.raw[defenders])
    else:
        result.made = 0
        kept = result.blot[bidders] if rules.holder_keeps_blot else 0
        result.points[bidders] = rounded(rules, kept)
        result.points[defenders] = rounded(rules, whole - kept) + worth


@kernel
def _end_match(rules: np.record, public: np.record, result: np.record, bidders: int, defenders: int) -> None:
    if rules.tars_kapout and result.tricks[bidders] == 0:
        result.match_winner = defenders
        return
    if rules.capot_contra_wins and result.capot and result.contra and result.made == 1:
        result.match_winner = bidders
        return
    own = public.scores[bidders] + result.points[bidders]
    other = public.scores[defenders] + result.points[defenders]
    if max(own, other) >= public.target and own != other:
        result.match_winner = bidders if own > other else defenders


@kernel
def pay(rules: np.record, points: NDArray[np.int64], reward: NDArray[np.float32]) -> None:
    """Write to `reward`, by seat, own points minus the mean of the other sides' (`points` are by side)."""
    total = 0
    for side in range(rules.sides):
        total += points[side]
    for seat in range(rules.players):
        own = points[rules.side[seat]]
        reward[seat] = own - (total - own) / (rules.sides - 1)
