"""How text about cards stands on a terminal: suits as symbols, the red ones in red, or plain for logs."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from blot_env.cards import RANKS, SUITS, cards_of

SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
_CARDS = re.compile(r"\b(\d{1,2}|[TJQKA]|capot)([CDHS])(?=\b|capot)")


class Screen:
    """Where games are shown.

    Args:
        plain: suits as letters, nothing in colour. So it is anyway where the output cannot show the symbols.
    """

    def __init__(self, plain: bool = False) -> None:
        colours: Literal["auto"] | None = None if plain else "auto"
        self.console = Console(markup=False, highlight=False, emoji=False, color_system=colours)
        self.plain = plain or not _can_write("".join(SYMBOLS.values()), self.console.encoding)

    def draw(self, text: str, style: str = "") -> Text:
        """Return a text with its cards and bids drawn."""
        drawn, end = Text(style=style), 0
        for match in () if self.plain else _CARDS.finditer(text):
            rank, suit = match.groups()
            drawn.append(text[end : match.start()] + ("10" if rank == "T" else rank))
            drawn.append(SYMBOLS[suit], "red" if suit in "DH" else "")
            end = match.end()
        return drawn.append(text[end:])

    def say(self, *lines: str, style: str = "") -> None:
        """Print some lines."""
        for line in lines:
            self.console.print(self.draw(line, style), soft_wrap=True)

    def table(self, title: str, headings: Sequence[str | Text], rows: Iterable[Sequence[str | Text]]) -> None:
        """Print a table after an empty line and its title."""
        table = Table(box=None, pad_edge=False)
        for heading in headings:
            table.add_column(self._cell(heading), overflow="fold")
        for row in rows:
            table.add_row(*map(self._cell, row))
        self.say("", title, style="italic")
        self.console.print(table)

    def suit(self, suit: int) -> Text:
        """Return the symbol of a suit."""
        return Text(SUITS[suit] if self.plain else SYMBOLS[SUITS[suit]], "red" if SUITS[suit] in "DH" else "")

    def ranks(self, suit: int, cards: int) -> str:
        """Return the ranks of a suit's cards in a set, highest first: `A K 10`."""
        ranks = [RANKS[card % 8] for card in reversed(cards_of(cards)) if card // 8 == suit]
        return " ".join(ranks if self.plain else ["10" if rank == "T" else rank for rank in ranks]) or "-"

    def hand(self, cards: int) -> Text:
        """Return a hand on one line, suit by suit."""
        parts = [Text(" ").join([self.suit(suit), Text(self.ranks(suit, cards))]) for suit in range(4)]
        return Text("   ").join(parts)

    def _cell(self, cell: str | Text) -> Text:
        return cell if isinstance(cell, Text) else self.draw(cell)


def _can_write(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True
