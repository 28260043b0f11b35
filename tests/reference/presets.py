"""The rule sets as fields (rules, sections 2 to 8 and 10): `bazar` in full, the others by what differs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

Numbers = Sequence[int]


@dataclass(frozen=True)
class Rules:
    players: int = 4
    teams: bool = True
    ranks: str = "789TJQKA"
    hand_size: int = 8  # cards that each plays
    visible: int = 8  # cards that each sees in the auction
    face_down: int = 0
    stock: str = "none"  # or out: not played; drawn: by all, namer first; namer: who discards as many
    targets: Numbers = (151, 301)

    # The auction
    auction: str = "numbered"  # or turned, named, eldest
    strains: Sequence[str] = ("C", "D", "H", "S", "NT")
    min_number: int = 8
    max_number: int = 80
    jump_bids: bool = True
    reenter: bool = True
    last_word: bool = True
    contra: bool = True
    recontra: bool = True
    recontra_by: str = "side"  # or bidder
    capot: str = "call"  # or mark, from_25, none
    capot_min: int = 25
    capot_needs_points: bool = False
    forced_dealer: bool = False
    redeal: str = "same"  # or next
    swap_seven: bool = False
    discards: str = "out"  # or namer

    # What may be played
    must_beat: str = "trump"  # or all
    must_trump: str = "unless_partner_wins"  # or always
    cannot_overtrump: str = "free"  # or undertrump

    # Card points, by rank 7 8 9 T J Q K A
    points_trump: Numbers = (0, 0, 14, 10, 20, 3, 4, 11)
    points_plain: Numbers = (0, 0, 0, 10, 2, 3, 4, 11)
    points_nt: Numbers = (0, 0, 0, 10, 2, 3, 4, 19)
    points_at: Numbers = (0, 0, 14, 10, 20, 3, 4, 11)
    last_trick: int = 10

    # Combinations
    runs: Numbers = (20, 50, 100)  # of three, four, five or more
    fours: Numbers = (0, 0, 140, 100, 200, 100, 100, 110)
    fours_nt: Numbers = (0, 0, 0, 100, 200, 100, 100, 190)
    worthless_fours: bool = False
    combination_order: str = "kind"  # or points
    run_order: str = "length"  # or class
    four_tie: str = "eldest"  # or rank
    trump_run_is_better: bool = True
    trick_needed: bool = False
    announce: str = "automatic"  # or by_choice
    bluff: bool = False
    late_claims: bool = True
    blot: int = 20
    blot_at: bool = True
    blot_compared: bool = False
    belot: bool = False

    # Scoring
    made_by: str = "raw"  # or rounded, more
    all_tricks: int = 90
    all_tricks_for: str = "either"  # or bidders
    all_tricks_counts: bool = False
    all_tricks_set: int = 0
    multiplier: Numbers = (1, 2, 4)  # plain, contra, recontra
    multiplier_nt: Numbers = (2, 3, 5)
    adds_bid: bool = True
    contra_takes_all: bool = True
    failed_to: str = "opponents"  # or nobody
    failed_cards: Numbers = ()  # match points for the cards of a failed contract, and for all tricks
    failed_blot: str = "opponents"  # or holder
    undealt_to: str = "nobody"  # or winner
    rounding: str = "half_down"  # or half_up, none

    # The end of the match
    tars_kapout: bool = True
    tars_kapout_wins: bool = True
    capot_contra_wins: bool = True
    leader_cannot_win_by_failing: bool = False

    @property
    def sides(self) -> int:
        """Teams, or players alone; seat s belongs to side s % sides."""
        return 2 if self.teams else self.players

    def partner(self, seat: int) -> int | None:
        return (seat + 2) % 4 if self.teams else None


BAZAR = Rules()

BAZAR_ALLTRUMP = replace(
    BAZAR,
    targets=(101,),
    strains=("C", "D", "H", "S", "NT", "AT"),
    max_number=24,
    jump_bids=False,
    last_word=False,
    contra=False,
    recontra=False,
    redeal="next",
    fours_nt=(100, 100, 100, 100, 100, 100, 100, 190),
    made_by="rounded",
    all_tricks_counts=True,
    multiplier=(1, 1, 1),
    multiplier_nt=(1, 1, 1),
    adds_bid=False,
    tars_kapout=False,
    tars_kapout_wins=False,
    capot_contra_wins=False,
)

HAYBLOT = replace(
    BAZAR,
    last_word=False,
    recontra=False,
    capot="from_25",
    capot_needs_points=True,
    fours_nt=BAZAR.fours,
    all_tricks=0,
    all_tricks_counts=True,
    all_tricks_set=250,
    multiplier=(1, 2, 2),
    multiplier_nt=(1, 2, 2),
    adds_bid=False,
    contra_takes_all=False,
    failed_blot="holder",
    tars_kapout=False,
    tars_kapout_wins=False,
    capot_contra_wins=False,
)

BAZAR_CLASSIC = replace(
    BAZAR,
    targets=(101, 151, 201, 301),
    last_word=False,
    capot="mark",
    capot_min=8,
    capot_needs_points=True,
    redeal="next",
    fours_nt=(0, 0, 0, 100, 100, 100, 100, 190),
    run_order="class",
    four_tie="rank",
    announce="by_choice",
    all_tricks_for="bidders",
    all_tricks_counts=True,
    failed_blot="holder",
    leader_cannot_win_by_failing=True,
)

BLOTSTAR = replace(
    BAZAR_CLASSIC,
    targets=(301,),
    recontra_by="bidder",
    capot_min=25,
    redeal="same",
    four_tie="eldest",
    trump_run_is_better=False,
    announce="automatic",
    contra_takes_all=False,
    failed_cards=(16, 25),
    failed_blot="opponents",
    tars_kapout_wins=False,
    capot_contra_wins=False,
)

_NAMED = replace(  # what all games share that name a suit only
    BAZAR,
    strains=("C", "D", "H", "S"),
    last_word=False,
    contra=False,
    recontra=False,
    capot="none",
    forced_dealer=True,
    made_by="more",
    multiplier=(1, 1, 1),
    multiplier_nt=(1, 1, 1),
    adds_bid=False,
    contra_takes_all=False,
    tars_kapout=False,
    tars_kapout_wins=False,
    capot_contra_wins=False,
)

DUEL = replace(
    _NAMED,
    players=2,
    teams=False,
    ranks="9TJQKA",
    visible=5,
    stock="drawn",
    auction="turned",
    fours=(0,) * 8,
    fours_nt=(0,) * 8,
    undealt_to="winner",
)

BELA4 = replace(
    _NAMED,
    targets=(1001,),
    visible=6,
    face_down=2,
    auction="named",
    must_trump="always",
    cannot_overtrump="undertrump",
    fours=(0, 0, 150, 100, 200, 100, 100, 100),
    fours_nt=(0, 0, 150, 100, 200, 100, 100, 100),
    combination_order="points",
    trick_needed=True,
    belot=True,
    all_tricks_counts=True,
    rounding="none",
)
BELA3 = replace(
    BELA4,
    targets=(701,),
    players=3,
    teams=False,
    hand_size=10,
    face_down=4,
    stock="namer",
    auction="eldest",
    forced_dealer=False,
    failed_to="nobody",
)
BELA2 = replace(
    BELA4,
    targets=(501,),
    players=2,
    teams=False,
    hand_size=10,
    face_down=4,
    stock="out",
    auction="turned",
    swap_seven=True,
)

PRESETS: dict[str, Rules] = {
    "bazar": BAZAR,
    "duel": DUEL,
    "bazar-alltrump": BAZAR_ALLTRUMP,
    "hayblot": HAYBLOT,
    "bazar-classic": BAZAR_CLASSIC,
    "bela4": BELA4,
    "bela3": BELA3,
    "bela2": BELA2,
    "blotstar": BLOTSTAR,
}
