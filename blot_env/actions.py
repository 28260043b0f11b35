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
    last   capot bids: one a strain, or, where capot is a mark, one for each bid that may have it

The first 42 are shared by all rule sets. Notation is read by phase: `9S` is a bid in the auction, a card afterwards.
"""

import re

from blot_env.cards import STRAINS, SUITS, card_name, parse_card

PASS, CONTRA, RECONTRA, NAME, SWAP, ANNOUNCE, SHOW, BIDS = 32, 33, 34, 35, 39, 40, 41, 42
ACTIONS_VERSION = 1

_WORDS = {"pass": PASS, "contra": CONTRA, "recontra": RECONTRA, "swap": SWAP, "announce": ANNOUNCE, "show": SHOW}
_WORDS |= {f"name{suit}": NAME + i for i, suit in enumerate(SUITS)}
_TEXTS = {action: word for word, action in _WORDS.items()}
_BID = re.compile(r"([1-9][0-9]{0,2})(C|D|H|S|NT|AT)(capot)?")


class ActionLayout:
    """Actions of one rule set: `size` of the space, `capots` (the first capot bid), to and from notation.

    Args:
        strains: in which numbers are bid; none where nothing is bid.
        capot: `call`, `mark`, or another kind that has no actions of its own (see `RuleSet`).
        capot_min: the lowest number that may have the mark.
    """

    version = ACTIONS_VERSION

    def __init__(
        self,
        strains: tuple[str, ...] = (),
        min_number: int = 1,
        max_number: int = 0,
        capot: str = "none",
        capot_min: int = 0,
    ) -> None:
        self.strains, self.min_number, self.max_number = strains, min_number, max_number
        self.capot, self.capot_min = capot, capot_min
        self.capots = BIDS + (max_number - min_number + 1) * len(strains)
        self.size = self.capots + len(strains) * {"call": 1, "mark": max_number - capot_min + 1}.get(capot, 0)

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
        if action < self.capots:
            number, strain = divmod(action - BIDS, len(self.strains))
            return f"{self.min_number + number}{self.strains[strain]}"
        number, strain = divmod(action - self.capots, len(self.strains))
        if self.capot == "mark":
            return f"{self.capot_min + number}{self.strains[strain]}capot"
        return f"capot{self.strains[strain]}"

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
        if self.capot == "call" and text.startswith("capot") and text[5:] in self.strains:
            return self.capots + self.strains.index(text[5:])
        match = _BID.fullmatch(text)
        if match is None or not self.strains or (match[3] and self.capot != "mark"):
            raise ValueError(f"{text!r:.60} is no call: write {self._calls}")
        number, strain = int(match[1]), STRAINS.index(match[2])
        bid = self.bid(number, strain)
        if not match[3]:
            return bid
        if number < self.capot_min:
            raise ValueError(f"a capot's number lies between {self.capot_min} and {self.max_number}, not {number}")
        return self.capots + (number - self.capot_min) * len(self.strains) + strain

    @property
    def _calls(self) -> str:
        """What may be written in the auction."""
        if not self.strains:
            return "pass or a suit such as nameH"
        capot = {"call": ", or capotH", "mark": ", or 12Hcapot"}.get(self.capot, "")
        return f"pass, contra, recontra, a bid such as 9S or 12{self.strains[-1]}{capot}"
