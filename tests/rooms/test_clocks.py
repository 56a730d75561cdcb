"""Clocks as data: what is left, what is charged, and that every question is answered in the end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocol.options import DAY_MS, BankClock, ChessClock, DecisionClock, RoomOptions
from server.rooms.clocks import LEAST_AWAY_MS, Banks, Clock, Terms, full, terms_of

CHESS = terms_of(RoomOptions(clock=ChessClock(ms=60_000, increment_ms=2_000)))
BANK = terms_of(RoomOptions(clock=BankClock(ms=30_000, grace_ms=5_000)))
NONE = terms_of(RoomOptions())


def asked(now: int = 0, *, away: bool = False) -> Clock:
    return Clock().asked(1, 0, now, away=away)


def test_a_decision_clock_is_the_old_option() -> None:
    assert terms_of(RoomOptions(answer_ms=5_000)) == terms_of(RoomOptions(clock=DecisionClock(ms=5_000)))
    terms = terms_of(RoomOptions(answer_ms=5_000))
    assert asked().left(terms, full(terms), 1_200) == 3_800
    assert asked().left(terms, full(terms), 9_000) == 0


def test_without_a_clock_an_answer_may_take_a_day() -> None:
    assert asked().left(NONE, full(NONE), 0) == DAY_MS


def test_a_chess_clock_is_charged_and_each_own_answer_adds_to_it() -> None:
    banks = full(CHESS).charged(CHESS, 10_000, 0, "seat")
    assert banks.bank == 52_000
    assert asked().left(CHESS, banks, 2_000) == 50_000
    assert banks.charged(CHESS, 60_000, 0, "clock").bank == 0, "what the clock answers adds nothing"


def test_a_bank_is_charged_only_beyond_the_grace() -> None:
    banks = full(BANK)
    assert banks.charged(BANK, 4_000, 0, "seat").bank == 30_000
    assert banks.charged(BANK, 9_000, 0, "seat").bank == 26_000
    assert asked().left(BANK, banks, 0) == 35_000


def test_being_away_has_a_clock_of_its_own_while_which_the_other_stands() -> None:
    clock = asked().presence(1_000, away=True)
    banks = full(BANK)
    assert clock.by(BANK) == "away" and clock.left(BANK, banks, 1_000) == 300_000
    back = clock.presence(21_000, away=False)
    assert back.by(BANK) == "bank" and back.left(BANK, banks, 21_000) == 34_000
    assert back.times(22_000) == (2_000, 20_000)
    assert banks.charged(BANK, 2_000, 20_000, "seat").away == 280_000


def test_who_is_away_too_long_still_has_the_time_of_a_reconnect() -> None:
    assert asked(away=True).left(CHESS, Banks(away=0), 0) == LEAST_AWAY_MS


def test_coming_and_going_gains_no_time() -> None:
    clock = asked(away=True)
    for now in range(1_000, 10_000, 1_000):
        clock = clock.presence(now, away=False).presence(now + 1, away=True)
    assert clock.left(CHESS, Banks(), 12_000) == 0


def test_a_pause_stops_every_clock_and_a_question_asked_meanwhile_waits() -> None:
    clock = asked().stop(1_000, stopped=True)
    banks = full(CHESS)
    assert clock.left(CHESS, banks, 99_000) is None
    clock = clock.asked(2, 1, 99_000, away=False)
    assert clock.left(CHESS, banks, 200_000) is None
    assert clock.stop(300_000, stopped=False).left(CHESS, banks, 301_000) == 59_000


def test_longer_clocks_are_longer_in_every_part() -> None:
    slow = full(BANK).lengthened(3)
    assert asked().left(BANK, slow, 0) == 3 * 35_000 and slow.away == 900_000
    assert slow.charged(BANK, 15_000, 0, "seat").bank == 90_000
    assert slow.lengthened(1) == full(BANK)


def test_misses_count_in_a_row() -> None:
    missed = full(CHESS).charged(CHESS, 0, 0, "clock").charged(CHESS, 0, 0, "room").charged(CHESS, 0, 0, "clock")
    assert missed.missed == 2
    assert missed.charged(CHESS, 0, 0, "seat").missed == 0


def test_the_table_sees_in_what_the_clock_gave_no_pass_by_hand_or_by_the_room() -> None:
    missed = full(CHESS).charged(CHESS, 0, 0, "clock")
    by_hand = missed.charged(CHESS, 0, 0, "seat", passes=True)
    assert by_hand.told == missed.charged(CHESS, 0, 0, "room").told == 1
    assert by_hand.missed == 0, "it is there, and its next miss is its first"
    assert by_hand.charged(CHESS, 0, 0, "clock").told == 2
    assert by_hand.charged(CHESS, 0, 0, "seat").told == 0


@given(
    terms=st.sampled_from([NONE, CHESS, BANK, terms_of(RoomOptions(answer_ms=1_000, away_ms=0))]),
    moves=st.lists(st.tuples(st.integers(0, 10**7), st.sampled_from(["away", "back", "stop", "run"]))),
    times=st.integers(1, 10),
)
def test_whatever_people_do_a_clock_that_runs_comes_to_zero(
    terms: Terms, moves: list[tuple[int, str]], times: int
) -> None:
    banks = full(terms).lengthened(times)
    clock, now = asked(), 0
    for wait, what in moves:
        now += wait
        match what:
            case "away" | "back":
                clock = clock.presence(now, away=what == "away")
            case _:
                clock = clock.stop(now, stopped=what == "stop")
    clock = clock.stop(now, stopped=False)
    left = clock.left(terms, banks, now)
    assert left is not None and left <= times * (DAY_MS + terms.away)
    assert clock.left(terms, banks, now + left) == 0
