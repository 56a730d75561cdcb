"""Deck lists: what is read, and that every fault names its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cards.decks import Deck, read_deck
from server.cards.loading import DeckFault, Unread
from server.command.decks import house_decks
from server.oracle.house import house_card

GOOD = "# Bears\n40 Forest\n4x Thornhide Cub\n\n// more\n16 plains\nSideboard:\n2 Levy of Moss\n"


def faults(text: str) -> tuple[tuple[int, str], ...]:
    with pytest.raises(DeckFault) as caught:
        read_deck(text, house_card)
    return caught.value.faults


def test_a_deck_is_read() -> None:
    deck = read_deck(GOOD, house_card)
    assert len(deck.cards) == 60
    assert deck.about == "Bears"
    assert [(line.count, line.card.name, line.line) for line in deck.main] == [
        (40, "Forest", 2),
        (4, "Thornhide Cub", 3),
        (16, "Plains", 6),
    ]
    assert [line.card.name for line in deck.sideboard] == ["Levy of Moss"]


@pytest.mark.rule("100.2a")
@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("60 Forest\nFour Forest", 2, "not a count"),
        ("60 Forest\n4", 2, "not a count"),
        ("60 Forest\n0 Plains", 2, "no count"),
        ("60 Forest\n99999 Plains", 2, "no count"),
        ("60 Forest\n4 Mirror of Nobody", 2, "no card named 'Mirror of Nobody'"),
        ("60 Forest\n-4 Plains", 2, "not a count"),
        ("60 Forest\n5 Thornhide Cub", 2, "more than 4"),
        ("60 Forest\n3 Thornhide Cub\nSideboard\n2 Thornhide Cub", 4, "more than 4"),
        ("59 Forest", 0, "at least 60"),
        ("", 0, "at least 60"),
        ("60 Forest\nSideboard\n16 Plains", 0, "at most 15"),
        ("900 Forest\n900 Plains", 0, "more than this table"),
        ("x" * 40_000, 0, "larger"),
    ],
)
def test_faults_name_their_line(text: str, line: int, says: str) -> None:
    found = faults(text)
    assert found[0][0] == line
    assert says in found[0][1]


def test_all_faults_are_found_at_once() -> None:
    assert [line for line, _ in faults("4 Nobody\nfoo\n5 Thornhide Cub")] == [1, 2, 3]


def test_an_unread_card_is_named_with_its_word() -> None:
    def lookup(name: str) -> Unread | None:
        return Unread(name, "Whenever")

    with pytest.raises(DeckFault, match="line 1: 'Strange' cannot be played yet: its text is not read at 'Whenever'"):
        read_deck("1 Strange", lookup)


@given(st.text(max_size=60) | st.lists(st.sampled_from(GOOD.split() + ["\n", "4 "]), max_size=30).map(" ".join))
def test_any_text_is_a_deck_or_refused(text: str) -> None:
    try:
        assert isinstance(read_deck(text, house_card), Deck)
    except DeckFault as fault:
        assert fault.faults


async def test_a_list_is_reported_with_its_figures_or_its_faults_by_line() -> None:
    decks = house_decks()
    report = await decks.check("60 Mountain\nSideboard\n4 Cinder Whelp\n")
    assert (report.cards, report.sideboard, report.faults) == (60, 4, [])
    faulty = await decks.check("56 Mountain\n4 No Such Card\n")
    assert [(fault.line, "No Such Card" in fault.text) for fault in faulty.faults] == [(2, True)]
