"""The flat action space of a rule set and the notation of its actions.

    0-31   cards, to play or to discard
    32     pass (also keep, decline, stay silent, withhold)
    33     contra
    34     recontra
    35-38  name the suit C D H S
    39     swap
    40     announce
    41     show
    42-    bids, number by number and within a number strain by strain
    last   one capot bid a strain

The first 42 are shared by all rule sets. Notation is read by phase: `9S` is a bid in the auction, a card afterwards.
"""

import re

from blot_env.cards import STRAINS, SUITS, card_name, parse_card

PASS, CONTRA, RECONTRA, NAME, SWAP, ANNOUNCE, SHOW, BIDS = 32, 33, 34, 35, 39, 40, 41, 42
ACTIONS_VERSION = 1

_WORDS = {"pass": PASS, "contra": CONTRA, "recontra": RECONTRA, "swap": SWAP, "announce": ANNOUNCE, "show": SHOW}
_WORDS |= {f"name{suit}": NAME + i for i, suit in enumerate(SUITS)}
_TEXTS = {action: word for word, action in _WORDS.items()}
_BID = re.compile(r"([1-9][0-9]{0,2})(C|D|H|S|NT|AT)")


class ActionLayout:
    """Actions of one rule set: `size` of the space, `capots` (the first capot bid), to and from notation."""

    version = ACTIONS_VERSION

    def __init__(self, strains: tuple[str, ...], min_number: int, max_number: int) -> None:
        self.strains, self.min_number, self.max_number = strains, min_number, max_number
        self.capots = BIDS + (self.max_number - self.min_number + 1) * len(self.strains)
        self.size = self.capots + len(self.strains)

    def bid(self, number: int, strain: int) -> int:
        """Return the action that bids a number in a strain (0 to 5 for C D H S NT AT).

        Raises:
            ValueError: no such bid in these rules.
        """
        if not self.min_number <= number <= self.max_number:
            raise ValueError(f"a bid's number lies between {self.min_number} and {self.max_number}, not {number}")
        if not 0 <= strain < len(self.strains):
            raise ValueError(f"{STRAINS[strain]} is not played; the strains are {' '.join(self.strains)}")
        return BIDS + (number - self.min_number) * len(self.strains) + strain

    def text(self, action: int) -> str:
        """Return the notation of an action.

        Raises:
            ValueError: the number is no action of these rules.
        """
        if not 0 <= action < self.size:
            raise ValueError(f"{action} is no action: actions are numbered 0 to {self.size - 1}")
        if action < PASS:
            return card_name(action)
        if action < BIDS:
            return _TEXTS[action]
        if action >= self.capots:
            return "capot" + self.strains[action - self.capots]
        number, strain = divmod(action - BIDS, len(self.strains))
        return f"{self.min_number + number}{self.strains[strain]}"

    def name(self, action: int) -> str:
        """Return a name that no other action has: `text`, with `bid ` before a bid."""
        return ("bid " if action >= BIDS else "") + self.text(action)

    def parse(self, text: str, phase: str) -> int:
        """Return the action that a text means in a phase (`auction`, `play` …).

        Raises:
            ValueError: the text means nothing there; the message says what would be right.
        """
        if text in _WORDS:
            return _WORDS[text]
        if phase != "auction":
            return parse_card(text)
        if text.startswith("capot") and text[5:] in self.strains:
            return self.capots + self.strains.index(text[5:])
        if match := _BID.fullmatch(text):
            return self.bid(int(match[1]), STRAINS.index(match[2]))
        raise ValueError(f"{text!r} is no call: write pass, contra, recontra, a bid such as 9S or 12NT, or capotH")
