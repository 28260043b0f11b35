"""What may be played, trick by trick (rules, section 2)."""

from blot_env import Game
from tests.tables import legal, play, table

# Seat 0 is eldest and leads; a contract of seat 0 is four calls after its bid: three passes and the last word.
HEARTS = "8H pass pass pass pass"
NO_TRUMP = "8NT pass pass pass pass"


def position(*hands: str, contract: str, cards: str) -> Game:
    """The position after some cards."""
    return play(table(*hands), f"{contract} {cards}")


def test_eldest_may_lead_anything():
    game = position("7C 8D 9H TS JC QD KH AS", "", "", "", contract=HEARTS, cards="")
    assert game.seat == 0
    assert legal(game) == {"7C", "8D", "9H", "TS", "JC", "QD", "KH", "AS"}


def test_follow_a_plain_suit_without_having_to_beat():
    game = position("KC", "7C AC 9H JH 7D 8D 7S 8S", "", "", contract=HEARTS, cards="KC")
    assert legal(game) == {"7C", "AC"}


def test_trump_led_must_be_beaten():
    # Trump order J 9 A T K Q 8 7: over the ace only nine and jack.
    game = position("AH", "9H JH TH 7H 7D 8D 7S 8S", "", "", contract=HEARTS, cards="AH")
    assert legal(game) == {"9H", "JH"}


def test_trump_led_that_cannot_be_beaten_is_followed():
    game = position("9H", "AH TH 7H 7C 7D 8D 7S 8S", "", "", contract=HEARTS, cards="9H")
    assert legal(game) == {"AH", "TH", "7H"}


def test_the_highest_trump_counts_not_the_one_led():
    game = position("7H", "TH 7C 8C 9C 7D 8D 9D 7S", "8H KH AH JC JD JS QC QD", "", contract=HEARTS, cards="7H TH")
    assert legal(game) == {"AH"}


def test_the_partners_trump_must_be_beaten_too():
    game = position("QH", "7C 8C 9C TC 7D 8D 9D TD", "8H KH AH JC JD JS QC QD", "", contract=HEARTS, cards="QH TD")
    assert legal(game) == {"KH", "AH"}


def test_void_of_the_trump_led():
    hand = "7C 8C 9C TC 7D 8D 9D TD"
    game = position("QH", hand, "", "", contract=HEARTS, cards="QH")
    assert legal(game) == set(hand.split())


def test_void_must_trump():
    # Seat 1 has no clubs, the trick no trump yet: any trump, low or high.
    game = position("7C", "7H JH 7D 8D 9D 7S 8S 9S", "", "", contract=HEARTS, cards="7C")
    assert legal(game) == {"7H", "JH"}


def test_void_must_overtrump_an_opponent():
    # Seat 1 trumped with the king; of the trumps of seat 2 only the ten and the nine beat it.
    hands = ("7C", "KH 7D 8D 9D 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", "8C 9C")
    game = position(*hands, contract=HEARTS, cards="7C KH")
    assert legal(game) == {"TH", "9H"}


def test_void_need_not_undertrump():
    # No trump of seat 2 beats the jack: any card at all.
    hand = "QH TH 9H JD QD KD QS KS"
    game = position("7C", "JH 7D 8D 9D 7S 8S 9S JS", hand, "8C 9C", contract=HEARTS, cards="7C JH")
    assert legal(game) == set(hand.split())


def test_void_is_free_while_the_partner_holds_the_trick():
    # Seat 0's ace is best after seat 1's club; seat 2 has no clubs.
    hand = "QH TH 9H JD QD KD QS KS"
    game = position("AC", "7C 8C 9D TD 7S 8S 9S JS", hand, "", contract=HEARTS, cards="AC 7C")
    assert legal(game) == set(hand.split())


def test_void_is_free_while_the_partners_trump_holds_the_trick():
    # Seat 1 trumped, seat 2 follows, and seat 3 has no clubs either: its partner holds the trick.
    hand = "8H TH 9H JD QD KD QS KS"
    game = position("7C", "7H 7D 8D 9D 7S 8S 9S JS", "AC KC", hand, contract=HEARTS, cards="7C 7H AC")
    assert legal(game) == set(hand.split())


def test_void_must_trump_when_the_opponents_hold_the_trick():
    # Seat 0's king is beaten by the ace of seat 1: seat 2 must trump.
    game = position("KC", "AC 8C 9D TD 7S 8S 9S JS", "QH TH JD QD KD QS KS AS", "", contract=HEARTS, cards="KC AC")
    assert legal(game) == {"QH", "TH"}


def test_void_without_trumps():
    hand = "7D 8D 9D TD 7S 8S 9S TS"
    game = position("KC", hand, "", "", contract=HEARTS, cards="KC")
    assert legal(game) == set(hand.split())


def test_no_trump_follows_and_beats_nothing():
    game = position("KC", "7C AC 9H JH 7D 8D 7S 8S", "", "", contract=NO_TRUMP, cards="KC")
    assert legal(game) == {"7C", "AC"}


def test_no_trump_void():
    hand = "9H JH 7D 8D 9D 7S 8S 9S"
    game = position("KC", hand, "", "", contract=NO_TRUMP, cards="KC")
    assert legal(game) == set(hand.split())


# Who takes the trick: its winner leads to the next one


def test_the_highest_card_of_the_suit_led_takes_the_trick():
    # Plain order A T K Q J 9 8 7; the ace of another suit takes nothing.
    hands = ("KC", "TC", "AD 7D 8D 9D 7S 8S 9S JS", "9C")
    assert position(*hands, contract=NO_TRUMP, cards="KC TC AD 9C").seat == 1


def test_the_highest_trump_takes_the_trick():
    # Seat 1 must trump the ace of its opponents, and seat 3 may throw anything away, its partner holding the trick.
    hands = ("AC", "7H 7D 8D 9D 7S 8S 9S JS", "KC", "JD QD KD AD QS KS AS TS")
    assert position(*hands, contract=HEARTS, cards="AC 7H KC AD").seat == 1


def test_the_nine_of_trump_beats_the_ace():
    # Hearts led: ace, void, nine (must beat), jack (must beat). At seat 2's nine the partner must not play lower.
    hands = ("AH", "7C 8C 9C TC 7D 8D 9D TD", "9H 8H", "JH 7H")
    game = position(*hands, contract=HEARTS, cards="AH 7C")
    assert legal(game) == {"9H"}
    play(game, "9H")
    assert legal(game) == {"JH"}
    assert play(game, "JH").seat == 3


# The other games


def bela(*hands: str, cards: str, preset: str = "bela4") -> Game:
    return play(table(*hands, preset=preset, belot=False), f"nameH {cards}")


def test_bela_must_trump_though_the_partner_holds_the_trick():
    game = bela("AC", "7C 8C 9D TD 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", cards="AC 7C")
    assert legal(game) == {"QH", "TH", "9H"}


def test_bela_need_not_beat_a_plain_suit():
    assert legal(bela("KC", "7C AC 9H JH 7D 8D 7S 8S", cards="KC")) == {"7C", "AC"}


def test_bela_must_overtrump_the_partner_too():
    # Seat 1 trumped the ace of clubs with the king, seat 2 follows, and seat 3 has the ten and two lower trumps.
    hands = ("AC", "KH 7D 8D 9D 7S 8S 9S JS", "7C", "TH QH 8H AD TD KD AS TS")
    assert legal(bela(*hands, cards="AC KH 7C")) == {"TH"}


def test_bela_must_undertrump():
    # Seat 1 trumped with the jack; of seat 2's trumps none beats it.
    game = bela("7C", "JH 7D 8D 9D 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", "8C 9C", cards="7C JH")
    assert legal(game) == {"QH", "TH", "9H"}


def test_bela_must_overtrump_if_it_can():
    game = bela("7C", "KH 7D 8D 9D 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", "8C 9C", cards="7C KH")
    assert legal(game) == {"TH", "9H"}


def test_bela_void_without_trumps():
    hand = "7D 8D 9D TD 7S 8S 9S TS"
    assert legal(bela("KC", hand, cards="KC")) == set(hand.split())


def test_who_plays_alone_has_no_partner():
    fields = {"preset": "bela3", "must_trump": "unless_partner_wins", "stock_cards": "7S 8S"}
    game = play(table("AC TC", "7C", "QH TH 9H 7D 8D 9D TD JD QD KD", **fields), "nameH 7S 8S AC 7C")
    assert legal(game) == {"QH", "TH", "9H"}


def test_the_duel_must_trump():
    # Clubs are trump. Seat 0 draws the turned nine of spades, TD and TS, seat 1 QC JS QS.
    game = table("9C JC AD JH QH", "TC 9H TH KC AS", preset="duel", stock_cards="9S TD TS QC JS QS")
    play(game, "pass pass nameC AD")
    assert legal(game) == {"TC", "KC", "QC"}  # void in diamonds
    play(game, "QC AS")
    assert legal(game) == {"9S", "TS"}


AT = "8AT pass pass pass"


def all_trump(*hands: str, cards: str) -> Game:
    return play(table(*hands, preset="bazar-alltrump"), f"{AT} {cards}")


def test_all_trump_follows_and_beats_in_every_suit():
    # J 9 A T K Q 8 7 in each: over the ace only nine and jack.
    assert legal(all_trump("AC", "7C JC 9C TC 7D 8D 7S 8S", cards="AC")) == {"JC", "9C"}
    assert legal(all_trump("9C", "7C AC TC 7D 8D 7S 8S 9S", cards="9C")) == {"7C", "AC", "TC"}


def test_all_trump_void_is_free_and_takes_nothing():
    hand = "JD 9D JH 9H JS 9S 7D 7H"
    game = all_trump("7C", hand, "8C", "TC AC KC QC 8D 8H 8S 7S", cards="7C")
    assert legal(game) == set(hand.split())
    play(game, "JD 8C")
    assert legal(game) == {"TC", "AC", "KC", "QC"}  # over the eight of the suit led, not over the jack
    assert play(game, "QC").seat == 3


def test_all_trump_the_nine_takes_the_ace():
    game = all_trump("AC", "9C", "7C 8C TC KC QC 7D 8D 9D", "JC", cards="AC 9C")
    assert legal(game) == {"7C", "8C", "TC", "KC", "QC"}
    assert play(game, "7C JC").seat == 3
