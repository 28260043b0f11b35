"""A recorded deal with all cards seen: what each card is worth where it stands, or the whole deal in every strain.

blot solve docs/rules/bazar.json --after 20
blot solve docs/rules/bazar.json --step
blot solve docs/rules/bazar.json --deal
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from agents.search.payoff import settle
from agents.search.solver import NO_CARD, NO_TRICK, every_contract, play_best, solve_cards_of, solve_states
from agents.search.solver.double_dummy import willing_answer
from blot_env import Game, RuleSet
from blot_env.cards import card_name
from blot_env.record_files import load_record
from blot_env.speech import STRAIN_NAMES, side_name, standing_bid
from blot_env.state import ANNOUNCING, OVER, STATE
from train.drawing import Screen
from train.replay import walk
from train.show import show_board, show_score


class SolveError(ValueError):
    """A point of a deal at which there is nothing to solve."""


def solve_file(
    path: Path,
    line: int | None,
    screen: Screen,
    *,
    whole: bool = False,
    after: int | None = None,
    ask: Callable[[], str] | None = None,
) -> None:
    """Show what the cards of a record in a file are worth.

    Args:
        line: in a file of records, one a line.
        whole: show what each side takes of the deal in each strain, instead of what each card is worth.
        after: stop after so many of its actions.
        ask: waits for the reader before each action, who ends with `q`; None shows where the record stands.

    Raises:
        RecordError: the file holds no right record.
        SolveError: there is nothing to solve there.
        NotSolvable: the solver does not take it.
        OSError: the file cannot be read.
    """
    game = load_record(path, line)
    record = game.record()
    actions = record["actions"]
    if whole:
        rows = _strain_rows(game)
        sides = [side_name(game.rules, side) for side in range(game.rules.sides)]
        show_board(Game.from_record(record), screen)
        eldest = (game.dealer + 1) % game.rules.players
        draws = game.rules.stock == "drawn" and game.phase not in ("play", "over")
        hands = ", each with what it draws if it bids" if draws else ""
        screen.table(f"Card points as bidder, seat {eldest} leading{hands}", ["", *sides], rows)
        return
    if after is not None and after > len(actions):
        raise SolveError(f"--after {after}: the record has {len(actions)} actions")
    game = Game.from_record(record)
    for text in actions[: after if after is not None else 0 if ask else None]:
        game.play(text)
    if ask is None:
        _check(game)
        show_board(Game.from_record(record), screen)
        show_cards(game, screen)
        return

    def look() -> None:
        if _is_in_play(game):
            show_cards(game, screen)

    show_board(Game.from_record(record), screen)
    if walk(game, actions[after or 0 :], screen, ask, look):
        look()
        screen.say("")
        show_score(game, screen)


def _is_in_play(game: Game) -> bool:
    return bool(ANNOUNCING <= game.state.public.phase < OVER)


def _check(game: Game) -> None:
    """Raise `SolveError` unless cards are being played."""
    count = len(game.actions)
    place = f"after {count} action{'' if count == 1 else 's'}"
    if game.phase == "over":
        raise SolveError(
            f"{place} the deal is over: --after N stops before, --step walks through it, --deal solves the whole deal"
        )
    if not _is_in_play(game):
        way = "--after N stops later" if game.phase == "discard" else "--deal solves the whole deal"
        raise SolveError(f"{place} no card can be played yet ({game.phase}): {way}")


def show_cards(game: Game, screen: Screen) -> None:
    """Print the hands and what each card that may be played brings both sides, the best first and marked.

    Match points are those that the deal brings with best play, if everyone announces and shows what there is; in a game
    of three those of the two others are added up.
    """
    rules, public = game.rules, game.state.public
    namers, seats = rules.side(int(public.bidder)), range(rules.players)
    table = [f"{card_name(public.trick[seat])} by seat {seat}" for seat in seats if public.trick[seat] >= 0]
    screen.say("", f"Trick {public.trick_number + 1}, contract {standing_bid(rules, public)}", style="bold")
    hands = [
        [f"seat {seat}{'*' if seat == game.seat else ''}", *(screen.ranks(suit, int(hand)) for suit in range(4))]
        for seat, hand in zip(seats, game.state.hands, strict=False)
    ]
    screen.table("Hands (* to play)", ["", *map(screen.suit, range(4))], hands)
    if table:
        screen.say("", f"On the table {', '.join(table)}")
    values = solve_cards_of(rules, game.states, threads=1)[0]
    sign = 1 if rules.side(game.seat) == namers else -1
    cards = sorted(np.flatnonzero(values != NO_CARD).tolist(), key=lambda card: -sign * values[card])
    ends = play_best(rules, np.concatenate([_after(game, card).states for card in cards]))
    rows = [
        [f"{card_name(card)}{'*' if values[card] == values[cards[0]] else ''}", *_outcome(rules, end["result"])]
        for card, end in zip(cards, ends, strict=True)
    ]
    others = " and ".join(side_name(rules, side) for side in range(rules.sides) if side != namers)
    heads = ["card", f"{side_name(rules, namers)}, bidding", others, "points", "contract", "wins the match"]
    screen.table("Worth of the cards (* best)", heads, rows)


def _after(game: Game, card: int) -> Game:
    """Return the game after a card of the seat to act, which says yes first to what it is asked."""
    after = game.copy()
    while after.phase != "play":
        after.take(willing_answer(game.rules.record, after.state))
    after.take(card)
    return after


def _outcome(rules: RuleSet, result: np.record) -> list[str]:
    """Return both sides' points, their match points, what becomes of the contract, and who wins the match with it."""
    namers = rules.side(int(result["bidder"]))
    counted, every = result["raw"] - result["combinations"] - result["blot"], int(result["tricks"][namers])
    own = f"{counted[namers]}{_all_or_nothing(every == rules.hand_size, every == 0)}"
    written, winner = result["points"][: rules.sides], int(result["match_winner"])
    return [
        own,
        str(counted[: rules.sides].sum() - counted[namers]),
        f"{written[namers]} : {written.sum() - written[namers]}",
        "made" if result["made"] else "failed",
        "" if winner < 0 else side_name(rules, winner),
    ]


def _all_or_nothing(every: bool, none: bool) -> str:
    return ", all tricks" if every else ", no trick" if none else ""


def _strain_rows(game: Game) -> list[list[str]]:
    """Return for each strain its name and what each side takes of the whole deal as bidder."""
    rules = game.rules
    boards, scratch = every_contract(rules, game.state), np.zeros(1, STATE)
    values = solve_states(rules, boards.ravel()).reshape(boards.shape)
    rows = []
    for strain, name in enumerate(rules.strains):
        wholes = [settle(rules.record, board, scratch) for board in boards[strain]]
        worth = [
            f"{max(value, 0)}{_all_or_nothing(value > whole, value == NO_TRICK)}"
            for value, whole in zip(values[strain], wholes, strict=True)
        ]
        rows.append([STRAIN_NAMES[name], *worth])
    return rows
