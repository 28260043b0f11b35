"""A deal on paper: hands, auction, tricks, what happened beside the cards, and the scoring line by line."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from blot_env import Game, RuleSet
from blot_env.cards import SUITS
from blot_env.explanation import combination_lines, scoring_lines
from blot_env.narration import Narrator
from blot_env.rules_text import house_rules
from blot_env.speech import done, suit_name
from blot_env.state import ANNOUNCING, AUCTION, PLAY
from train.drawing import Screen


def show_deal(record: Mapping[str, Any], screen: Screen, names: Sequence[str] = ()) -> None:
    """Print the deal of a record.

    Args:
        names: of the players, by seat.

    Raises:
        RecordError: the board is wrong.
        IllegalAction: an action is.
    """
    game = Game.from_record(record)
    show_board(game, screen, names)
    narrator = Narrator(game.rules)
    auction, tricks = _Rows(game.rules), _Rows(game.rules)
    beside: list[str] = []
    for text in record["actions"]:
        before = game.state.public.copy()
        seat, trick = int(before.seat), int(before.trick_number)
        game.play(text)
        after = game.state.public
        place = f"Trick {trick + 1}: " if before.phase >= ANNOUNCING else ""
        if before.phase == AUCTION:
            if auction.came_round(seat):
                auction.begin()
            auction.write(seat, suit_name(SUITS.index(text[4])) if text.startswith("name") else text)
        elif before.phase == PLAY:
            if not before.trick_size:
                tricks.begin()
            tricks.write(seat, text if before.trick_size else f">{text}")
        elif text not in ("announce", "show"):  # what it is stands among the asides
            beside.append(place + done(game.rules, before, game.rules.actions.parse(text, "play"), f"Seat {seat}"))
        if after.trick_number > trick:
            tricks.write(int(after.leader), "*")
            tricks.rows[-1].append(str(int((after.card_points - before.card_points).sum())))
        beside += [place + aside for aside in narrator.asides(before, after)]
    seats = [f"seat {seat}" for seat in range(game.rules.players)]
    screen.table("Auction", seats, auction.rows)
    if beside:
        screen.say("", "Beside the cards", *beside)
    if tricks.rows:
        screen.table("Tricks (> leads, * takes)", [*seats, "points"], tricks.rows)
    show_score(game, screen)


def show_board(game: Game, screen: Screen, names: Sequence[str] = ()) -> None:
    """Print what is dealt: match points, dealer, hands with what lies face down, the turned card and the stock."""
    rules, record = game.rules, game.record()
    house = house_rules(rules)
    scores = " : ".join(map(str, record["scores"]))
    title = f"{rules.name}{f' with {house}' if house else ''} to {rules.target}"
    screen.say(f"{title}, match points {scores}, dealt by seat {game.dealer}", style="bold")
    rows = []
    for seat, cards in enumerate(record["hands"]):
        ranks = [screen.ranks(suit, int(game.state.hands[seat])) for suit in range(4)]
        down = " ".join(cards.split()[rules.visible :])
        rows.append([str(seat), *names[seat : seat + 1], *ranks, down])
    heads: list[str | Text] = [
        "seat",
        *["player"] * bool(names),
        *map(screen.suit, range(4)),
        "face down" * bool(rules.face_down),
    ]
    screen.table("Hands", heads, rows)
    if stock := record["stock"].split():
        if rules.auction == "turned":
            screen.say("", f"Turned {stock.pop(0)}")
        screen.say("", f"Stock {' '.join(stock)}")


def show_score(game: Game, screen: Screen) -> None:
    """Print the combinations of a deal and how it is scored."""
    if combinations := combination_lines(game):
        screen.say("", "Combinations", *combinations)
    screen.say("", "Scoring", *(scoring_lines(game) or ["The deal is not over"]))


class _Rows:
    """Rows of a table with a column a seat."""

    def __init__(self, rules: RuleSet) -> None:
        self.rows: list[list[str]] = []
        self._players = rules.players

    def begin(self) -> None:
        """Begin a row."""
        self.rows.append([""] * self._players)

    def came_round(self, seat: int) -> bool:
        """Return whether a seat has had its turn in the last row."""
        return not self.rows or any(self.rows[-1][seat:])

    def write(self, seat: int, text: str) -> None:
        """Write in a seat's column of the last row."""
        self.rows[-1][seat] += text
