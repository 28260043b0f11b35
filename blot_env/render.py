"""A table as text, all hands open, as an onlooker who walks around it sees it."""

import gymnasium

from blot_env.actions import PASS
from blot_env.cards import RANKS, SUIT, SUITS, card_name, cards_text
from blot_env.explanation import scoring_lines
from blot_env.game import Game
from blot_env.speech import standing_bid
from blot_env.state import AUCTION, HIDDEN

MODES = ("ansi", "human")
"""How an environment shows its table: `ansi`, as text from `render()`; `human`, printed after every step."""


def check_mode(mode: str | None) -> None:
    """Raise ValueError for a render mode that the environments do not have."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode is None, 'ansi' or 'human', not {mode!r}")


def show(game: Game, mode: str | None) -> str | None:
    """Return the table as text (mode `ansi`) or print it (`human`); without a mode, warn."""
    if mode is None:
        gymnasium.logger.warn("render() does nothing: make the environment with render_mode='ansi' or 'human'")
        return None
    if mode == "ansi":
        return table_text(game)
    print(table_text(game), end="\n\n")
    return None


def table_text(game: Game) -> str:
    """Return the table of a game: match, what was said, contract, what was taken, the tricks, the hands, the result.

    >>> hands = ["AS 8S 7S KS AH KH TH 9D", "TS AC KC QC TC AD TD 7D"]
    >>> hands += ["JS 9C 8C 7C JD 8D 9H 7H", "QS 9S JC KD QD QH JH 8H"]
    >>> game = Game.from_record({"rules": "bazar", "target": 151, "scores": [0, 0], "dealer": 3, "hands": hands})
    >>> for action in "9S pass 10S pass pass pass pass KS TS JS QS 7C".split():
    ...     game.play(action)
    >>> print(table_text(game))
    bazar to 151, match points 0 : 0, seat 3 deals
    Said      0 9S, 1 pass, 2 10S, 3 pass, 0 pass, 1 pass, 2 pass
    Contract  10S by seat 2
    Taken     tricks 1 : 0, card points 37 : 0, combinations 0 : 20, blot 0 : 0
    Trick 1   0 KS, 1 TS, 2 JS, 3 QS
    Trick 2   2 7C
      seat 0  C -         D 9         H AKT       S A87
      seat 1  C AKQT      D AT7       H -         S -
      seat 2  C 98        D J8        H 97        S -
    > seat 3  C J         D KQ        H QJ8       S 9
    """
    rules, state, public = game.rules, game.state, game.state.public
    names = ("tricks", "card_points", "combinations", "blot")
    taken = ", ".join(f"{name.replace('_', ' ')} {_by_side(game, name)}" for name in names)
    actions = list(zip(public.actors[: public.length], public.history[: public.length], strict=True))
    said = [f"{seat} {rules.actions.text(int(action))}" for seat, action in actions if action >= PASS]
    cards = [f"{seat} {card_name(action)}" for seat, action in actions if HIDDEN < action < PASS]
    lines = [f"{rules.name} to {rules.target}, match points {_by_side(game, 'scores')}, seat {game.dealer} deals"]
    if public.turned >= 0:
        lines.append(f"Turned    {card_name(public.turned)}")
    lines += [f"Said      {', '.join(said) or '-'}", f"Contract  {_contract(game)}"]
    if state.aside:
        lines.append(f"Discards  {cards_text(state.discards[: int(state.aside).bit_count()])}")
    lines.append(f"Taken     {taken}")
    tricks = [cards[start : start + rules.players] for start in range(0, len(cards), rules.players)]
    for number, trick in list(enumerate(tricks, 1))[-2:]:
        lines.append(f"Trick {number:<3} {', '.join(trick)}")
    if game.phase == "over":
        return "\n".join([*lines, *(f"Result    {line}" for line in scoring_lines(game))])
    for seat in range(rules.players):
        suits = [_suit(int(state.hands[seat]), suit) for suit in range(4)]
        down = int(state.down[seat]).bit_count()
        turn = ">" if seat == game.seat else " "
        lines.append(f"{turn} seat {seat}  {'  '.join(suits)}{f'  {down} face down' if down else ''}".rstrip())
    return "\n".join(lines)


def _suit(hand: int, suit: int) -> str:
    byte = hand >> 8 * suit & SUIT
    ranks = "".join(RANKS[rank] for rank in reversed(range(8)) if byte >> rank & 1)
    return f"{SUITS[suit]} {ranks or '-':8}"


def _by_side(game: Game, name: str) -> str:
    return " : ".join(str(int(value)) for value in game.state.public[name][: game.rules.sides])


def _contract(game: Game) -> str:
    public = game.state.public
    if public.bidder < 0:
        return "nobody has bid"
    return standing_bid(game.rules, public) + (", so far" if public.phase == AUCTION else "")
