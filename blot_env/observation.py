"""The columns of an observation, by name.

Every column is 0 or 1. Seats are relative: seat `r` of a block is `(own + r) % players`, sides likewise, own first. The
kernel that writes the columns is `blot_env.observing.observe`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

OBSERVATION_VERSION = 1
"""Bumped with every change of the layout or of a column's meaning: weights belong to one version."""


@dataclass(frozen=True)
class Block:
    """Some neighbouring columns: a name, how many, and what they mean."""

    name: str
    width: int
    meaning: str


class ObservationLayout:
    """Named slices over the columns of an observation: `layout["hand"] == slice(0, 32)`."""

    version = OBSERVATION_VERSION

    def __init__(self, blocks: list[Block]) -> None:
        self.blocks = blocks
        self.size = sum(block.width for block in blocks)
        starts = [sum(block.width for block in blocks[:place]) for place in range(len(blocks))]
        self._slices = {
            block.name: slice(start, start + block.width) for block, start in zip(blocks, starts, strict=True)
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the blocks, in order."""
        return tuple(self._slices)

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)


def observation_layout(players: int, sides: int, called: int, hidden: bool, by_choice: bool) -> ObservationLayout:
    """Return the layout of what a seat observes.

    Args:
        players: how many seats.
        sides: how many sides.
        called: in how many strains numbers are called; 0 where bids have no number.
        hidden: whether cards lie face down, aside or in a stock.
        by_choice: whether combinations are shown by choice.
    """
    numbers = [
        Block(
            "calls",
            8 * (called + 1) * players,
            "by seat, in binary, lowest bit first: the highest number called in each strain, and its first number",
        ),
    ]
    number = [
        Block("number", 32, "of the standing bid: >= 8 … 31, 36 41 46 51 56 61 71 81"),
        Block("number_bits", 8, "the same number in binary, lowest bit first"),
    ]
    hiding = [
        Block("turned", 32, "the card that was turned up"),
        Block("aside", 32, "cards that this seat knows to be out of the game"),
        Block("known", 32 * players, "cards that everyone knows the seat to hold or to have held, by seat"),
        Block("more", 8, "by seat from the own: announced a third terz (4), a second hundred (4)"),
    ]
    claims = [Block("claims", 8, "by seat from the own: has shown its combinations (4), was asked and has not (4)")]
    levels = "for each strain the highest number called (>= 8 9 10 11 12 14 16 20); " if called else ""
    return ObservationLayout(
        [
            Block("hand", 32, "own cards held now"),
            Block("unseen", 32, "cards that some other seat may hold"),
            Block("masters", 32, "the highest card of each suit that has not been played (in the play)"),
            Block("played", 32 * players, "cards played, by seat"),
            Block("trick", 32 * (players - 1), "cards on the table, by seat from 1"),
            Block("could", 32 * (players - 1), "cards that the seat may hold as far as its plays tell, by seat from 1"),
            Block("shown", 32 * players, "combination cards shown and not yet played, by seat"),
            Block("voids", 16, "suits of which the seat can hold no card: 4 bits a seat"),
            Block("no_higher_trump", 8 * (players - 1), "trumps (weakest first) it has shown not to hold, from seat 1"),
            Block(
                "seats",
                8 * (called + 3) * players,
                f"by seat: {levels}first call "
                "(pass C D H S NT AT, capot); status (passed once, twice, thrice, contra, recontra, bidder, dealer, "
                "holds the trick); announced (terz, 2, fifty, 2, hundred, four, 2, has spoken)",
            ),
            *(numbers if called else []),
            Block("strain", 8, "of the standing bid: C D H S NT AT, capot, none"),
            *(number if called else []),
            Block(
                "moment",
                16,
                "phase (7), contra, recontra, last word, recontra asked, own side bid, own turn, "
                "partner holds the trick, last to play, leading",
            ),
            Block("scores", 24 * sides, "match points missing to the target, by side: > 0 5 10 … (see MISSING)"),
            Block("progress", 32 * sides, "by side: card points >= 10 … 160; tricks >= 1 … 8; combinations and blot"),
            Block("need", 16, "raw points that the bidders still miss: > 0 10 … 150"),
            Block(
                "own",
                16,
                "own combinations >= 20 40 50 70 100 120 150 200; king and queen held of C D H S; "
                "eldest, dealer, holds a trump, trump was led",
            ),
            *(hiding if hidden else []),
            *(claims if by_choice else []),
        ]
    )


def oracle_layout(players: int, sides: int, called: int, hidden: bool, by_choice: bool) -> ObservationLayout:
    """Return the layout of what a critic may see in training: the observation, the other hands and hidden cards."""
    blocks = [*observation_layout(players, sides, called, hidden, by_choice)]
    blocks.append(Block("hands", 32 * (players - 1), "the cards that the other seats hold, from seat 1"))
    if hidden:
        blocks.append(Block("down", 32 * players, "own cards that lie face down, by seat"))
    return ObservationLayout(blocks)
