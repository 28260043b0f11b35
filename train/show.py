"""One deal, played by agents and printed.

    blot play rules random --seed 7

What is printed: hands, auction, tricks, result.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

import agents
from agents import Agent
from blot_env import Game, RuleSet
from blot_env.cards import RANKS, SUITS, cards_of
from blot_env.state import AUCTION, OVER


class SeatingError(ValueError):
    """Agents that cannot be seated at a table."""


def print_deal(rules: RuleSet, specs: Sequence[str], seed: int, board: int, console: Console) -> None:
    """Let agents play one board and print it.

    Args:
        rules: the game.
        specs: one agent for all seats, one a side, or one a seat.
        seed: with `board` it fixes the cards and, with seat and decision, the agents' randomness, as in a tournament.
        board: number of the board.
        console: where to print.

    Raises:
        SeatingError: so many agents cannot be seated.
        SpecError: an agent cannot be made.
    """
    players = _seated(rules, specs)
    game = Game(rules, seed=seed, board=board)
    console.print(f"{rules.name}, board {board} of seed {seed}, dealt by seat {game.dealer}", style="bold")
    console.print(_hands(game, players))
    auction, tricks = _by_seat("Auction", rules), _by_seat("Tricks (› leads, * takes)", rules)
    public = game.state.public
    row = [""] * rules.players
    while public.phase != OVER:
        seat, calling, trick_number = game.seat, public.phase == AUCTION, public.trick_number
        text = rules.actions.text(int(players[seat].act(game.decision(seed=seed))[0]))
        if calling and any(row[seat:]):  # the turn has come round
            auction.add_row(*row)
            row = [""] * rules.players
        row[seat] = text if calling or any(row) else f"›{text}"
        game.play(text)
        if calling and public.phase != AUCTION:
            auction.add_row(*row)
            row = [""] * rules.players
        elif public.trick_number > trick_number:
            row[public.leader] += "*"  # it leads to the next
            tricks.add_row(*row)
            row = [""] * rules.players
    for part in (auction, *([tricks] if tricks.row_count else []), _contract(game), _result(game)):
        console.print()
        console.print(part)


def _seated(rules: RuleSet, specs: Sequence[str]) -> list[Agent]:
    """Return the agent of each seat."""
    if len(specs) not in {1, rules.sides, rules.players}:
        raise SeatingError(
            f"{len(specs)} agents cannot be seated in {rules.name}: name one for all, {rules.sides} by side, "
            f"or {rules.players} by seat"
        )
    made = [agents.make(spec, rules) for spec in specs]
    return [made[seat % len(made)] for seat in range(rules.players)]  # sides take turns around the table


def _hands(game: Game, players: Sequence[Agent]) -> Table:
    table = _table("Hands", "seat", "agent", *SUITS)
    for seat, agent in enumerate(players):
        cards = cards_of(game.state.hands[seat])
        suits = [[RANKS[card % 8] for card in reversed(cards) if card // 8 == suit] for suit in range(len(SUITS))]
        table.add_row(str(seat), agent.name, *map(" ".join, suits))
    return table


def _contract(game: Game) -> str:
    """Return what was to be made and whether it was, in a sentence."""
    result = game.result
    assert result is not None
    if result["contract"] is None:
        return "Nobody bid: the cards are dealt again."
    level = ("", ", contra", ", recontra")[result["contra"]]
    outcome = "made" if result["made"] else "failed"
    won = "" if game.winner is None else f"; side {game.winner} wins the match"
    return f"{result['contract']} by seat {result['bidder']}{level}: {outcome}{won}."


def _result(game: Game) -> Table:
    result, rules = game.result, game.rules
    assert result is not None
    columns = ("tricks", "card_points", "combinations", "blot", "raw", "points")
    table = _table("Result", "side", "seats", *(column.replace("_", " ") for column in columns))
    for side in range(rules.sides):
        seats = " ".join(str(seat) for seat in range(rules.players) if rules.side(seat) == side)
        table.add_row(str(side), seats, *(str(result[column][side]) for column in columns))
    return table


def _by_seat(title: str, rules: RuleSet) -> Table:
    return _table(title, *(f"seat {seat}" for seat in range(rules.players)))


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
