"""A match at the terminal: what the player sees, is asked, and is told.

blot play --rules duel
blot play --continue
"""

from collections.abc import Callable
from shlex import quote

import numpy as np

from blot_env.cards import card_name
from blot_env.narration import Narrator
from blot_env.speech import choices, question, side_name, standing_bid
from blot_env.state import AUCTION, DISCARD, HIDDEN
from train.drawing import Screen
from train.match import Match
from train.show import show_score
from train.typed import notation


class Table:
    """Seats somebody at a match.

    Args:
        ask: shows a prompt and returns what is typed.
    """

    def __init__(self, match: Match, screen: Screen, ask: Callable[[str], str]) -> None:
        self._match, self._screen, self._ask = match, screen, ask
        self._game, self._seat = match.game, match.seat
        self._narrator = Narrator(match.rules, match.seat)

    def play(self) -> None:
        """Play the match to its end, or until the player leaves.

        Raises:
            OSError: the match cannot be saved.
        """
        self._greet()
        while True:
            while self._game.phase != "over":
                action = self._choose() if self._game.seat == self._seat else self._match.choose()
                if action is None:
                    self._match.save()
                    self._screen.say(f"Saved; blot play --continue --save {quote(str(self._match.file))} goes on")
                    return
                self._take(action)
            self._screen.say("")
            show_score(self._game, self._screen)
            if self._game.winner is not None:
                return
            self._match.next_deal()
            self._greet()

    def _greet(self) -> None:
        """Say what deal begins, or goes on."""
        game, rules = self._game, self._match.rules
        seats = f"you sit at seat {self._seat}"
        if (partner := rules.partner(self._seat)) is not None:
            seats += f", your partner at seat {partner}"
        dealer = "you deal" if game.dealer == self._seat else f"seat {game.dealer} deals"
        self._screen.say("", f"Deal {len(self._match.deals)} of {rules.name}: {seats}, {dealer}", style="bold")

    def _take(self, action: str) -> None:
        before, number = self._game.state.public.copy(), self._match.rules.actions.parse(action, self._game.phase)
        hidden = before.phase == DISCARD and before.seat != self._seat
        self._match.play(action)
        self._screen.say(*self._narrator.tell(before, self._game.state.public, HIDDEN if hidden else number))

    def _choose(self) -> str | None:
        """Return the player's action, None to leave."""
        self._show()
        while True:
            typed = self._ask(f"{question(self._match.rules, self._game.state.public)} (? helps)> ").strip()
            if typed.lower() in ("q", "quit"):
                return None
            if typed == "?":
                self._help()
                continue
            asked = typed.lower().startswith("why ")
            action = notation(self._match.rules, self._game.phase, typed[4:] if asked else typed)
            why_not = self._game.why_not(action)
            if not asked and why_not is None:
                return action
            self._screen.say(why_not or f"You may: {action} is legal")

    def _help(self) -> None:
        rules, legal = self._match.rules, np.flatnonzero(self._game.mask())
        found = choices(rules, self._game.state.public, legal)
        self._screen.table("You may", ["type", "which does"], found)
        contra = "c for contra, " * rules.contra
        self._screen.say(
            "",
            f"Write an action as it stands here, or shorter: p for pass, {contra}ah for the ace of hearts.",
            "why AH tells why something may not be done; q saves the match and leaves.",
        )

    def _show(self) -> None:
        """Show what the player sees of the table."""
        screen, rules, public = self._screen, self._match.rules, self._game.state.public
        scores = [f"{self._side(side)}: {score}" for side, score in enumerate(self._game.scores)]
        screen.say("", f"Match     {', '.join(scores)}, to {rules.target}")
        if public.turned >= 0 and public.phase == AUCTION:
            screen.say(f"Turned    {card_name(public.turned)}")
        if public.bidder >= 0:
            screen.say(f"Contract  {standing_bid(rules, public)}{', so far' if public.phase == AUCTION else ''}")
        if public.leader >= 0:
            tricks = [f"{self._side(side)}: {public.tricks[side]}" for side in range(rules.sides)]
            screen.say(f"Tricks    {', '.join(tricks)}")
        if public.trick_size:
            turns = [(int(public.leader) + turn) % rules.players for turn in range(int(public.trick_size))]
            cards = [f"{self._narrator.name(seat)} {card_name(public.trick[seat])}" for seat in turns]
            screen.say(f"Trick     {', '.join(cards)}")
        hand = int(self._game.state.hands[self._seat])
        down = int(self._game.state.down[self._seat]).bit_count()
        face_down = f"   and {down} face down" if down else ""
        screen.console.print("Hand     ", screen.hand(hand), face_down)

    def _side(self, side: int) -> str:
        rules = self._match.rules
        if side != rules.side(self._seat):
            return side_name(rules, side)
        return "your side" if rules.teams else "you"
