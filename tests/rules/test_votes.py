"""Votes (current 701.38), as printed texts have them: openly in turn order, in secret, for words, things and players."""

from __future__ import annotations

from typing import Any

import pytest

from server.cards.forms import Card
from server.cards.loading import Entry, Unread
from server.knowledge.redacted import redact
from server.oracle.reading import read_card
from server.rules.model import votes
from tests.rules.play import Game, creature

FOR_WORDS = (
    "Starting with you, each player votes for feast or famine. You gain 3 life for each feast vote. "
    "For each famine vote, each opponent loses 1 life."
)
FOR_THINGS = (
    "Starting with you, each player votes for a nonland permanent you don't control. "
    "Exile each permanent with the most votes or tied for most votes."
)
FOR_PLAYERS = (
    "Each player secretly votes for a player, then those votes are revealed. Each player draws a card for each vote "
    "they received. Each player who received no votes loses 2 life."
)
ASIDE = "Whenever players finish voting, each opponent who voted for a choice you didn't vote for loses 2 life."


def _read(text: str, types: str = "Sorcery", name: str = "Old Moot", **more: Any) -> Card:
    found = read_card(Entry(name, "{0}", types, text, **more))
    assert isinstance(found, Card), found
    return found


def _permanent(text: str) -> Card:
    return _read(text, "Enchantment", "Old Chamber")


def _moot(text: str, seats: str = "ABC", chambers: tuple[tuple[str, str], ...] = (), **options: Any) -> Game:
    """A has cast it, and all have passed: somebody is asked for a vote."""
    game = Game(seats, edition="current", **options)
    for letter in seats:
        game.put(letter, creature(f"Ox of {letter}", 2, 3))
    for owner, said in chambers:
        game.put(owner, _permanent(said))
    moot = game.put("A", _read(text), "hand")
    game.begin()
    game.cast("A", moot)
    game.resolve()
    return game


def _whispered() -> Game:
    """A's vote for words, in a turn in which C chooses how each player votes."""
    game = Game("ABC", edition="current")
    hold = game.put("C", _read("You choose how each player votes this turn.", "Instant", "Old Whisper"), "hand")
    moot = game.put("A", _read(FOR_WORDS), "hand")
    game.begin()
    game.cast("A", moot)
    game.cast("C", hold)
    game.resolve()
    game.resolve()
    return game


def _told(game: Game) -> list[tuple[int | str, int | str]]:
    return [(game.who(e.subject), e.value or game.who(e.object)) for e in game.happened(votes.Votes)]


@pytest.mark.rule("current 701.38a")
def test_all_vote_in_turn_order_and_each_knows_the_votes_before() -> None:
    game = _moot(FOR_WORDS)
    for letter, word in (("A", "feast"), ("B", "famine"), ("C", "famine")):
        assert game.asks == (letter, "vote") and game.options() == ["feast", "famine"]
        before = _told(game)
        game.answer(word)
        assert _told(game) == [*before, (letter, word)]
    assert (game.life("A"), game.life("B"), game.life("C")) == (23, 18, 18)


@pytest.mark.rule("current 701.38b")
def test_things_are_voted_for_and_those_that_tie_for_most_go() -> None:
    game = _moot(FOR_THINGS, "ABCDE")
    ox = dict(zip("ABCDE", game.state.battlefield, strict=True))
    assert game.options() == [ox["B"], ox["C"], ox["D"], ox["E"]]
    for chosen in "BDBDC":
        game.answer(ox[chosen])
    assert set(game.state.battlefield) == {ox["A"], ox["C"], ox["E"]}


@pytest.mark.rule("current 701.38a")
def test_a_secret_vote_is_told_once_all_have_voted() -> None:
    game = _moot(FOR_PLAYERS)
    game.answer("C")
    game.answer("A")
    assert not _told(game)
    # C, who votes last, knows that the others have voted and not for whom.
    assert redact(game.state, 2).answered == (None, None)
    game.answer("A")
    assert _told(game) == [("A", "C"), ("B", "A"), ("C", "A")]
    assert [len(p.hand) for p in game.state.players] == [2, 0, 1]
    assert game.life("B") == 18 and game.life("A") == game.life("C") == 20


@pytest.mark.rule("current 701.38d")
def test_who_votes_again_does_so_at_once_and_may_leave_it() -> None:
    free = "While voting, you may vote an additional time."
    must = "While voting, you get an additional vote."
    game = _moot(FOR_WORDS, chambers=(("B", free), ("C", must)))
    game.answer("feast")
    assert game.asks[0] == "B"
    game.answer("famine")
    assert game.asks[0] == "B"
    game.answer([])
    game.answer("famine")
    with pytest.raises(Exception, match="1"):
        game.answer([])
    game.answer("feast")
    assert [who for who, _ in _told(game)] == ["A", "B", "C", "C"]
    assert game.life("A") == 26 and game.life("B") == 18


@pytest.mark.rule("current 701.38c")
def test_who_votes_for_another_choice_is_spoken_of_by_what_triggers() -> None:
    game = _moot(FOR_WORDS.replace("each opponent loses 1 life", "draw a card"), chambers=(("B", ASIDE),))
    for word in ("feast", "famine", "famine"):
        game.answer(word)
    game.resolve_all()
    assert (game.life("A"), game.life("B"), game.life("C")) == (21, 20, 20)


@pytest.mark.rule("current 701.38a")
def test_another_may_choose_how_all_vote() -> None:
    game = _whispered()
    for _ in range(3):
        assert game.asks == ("C", "vote")
        game.answer("famine")
    assert [who for who, _ in _told(game)] == ["A", "B", "C"] and game.life("C") == 17


@pytest.mark.rule("current 701.38a")
def test_of_two_who_choose_how_all_vote_the_later_one_does() -> None:
    game = Game("ABC", edition="current")
    whisper = _read("You choose how each player votes this turn.", "Instant", "Old Whisper")
    holds = {letter: game.put(letter, whisper, "hand") for letter in "BC"}
    moot = game.put("A", _read(FOR_WORDS), "hand")
    game.begin()
    game.cast("A", moot)
    for letter in "BC":
        game.cast(letter, holds[letter])
        game.resolve()
    game.resolve()
    assert game.asks == ("C", "vote")


@pytest.mark.rule("current 800.4g")
def test_who_has_left_chooses_no_votes_any_more() -> None:
    game = _whispered()
    assert game.asks == ("C", "vote")
    game.answer("famine")
    game.concede("C")
    assert game.asks == ("B", "vote")
    game.answer("feast")
    assert _told(game) == [("A", "famine"), ("B", "feast")]


@pytest.mark.rule("current 701.38a")
def test_in_a_secret_vote_no_vote_becomes_that_of_another_as_somebody_leaves() -> None:
    game = _moot(FOR_PLAYERS, "ABCD")
    game.answer("C")
    game.answer("D")
    game.concede("B")
    assert game.asks == ("A", "vote") and not _told(game), (
        "all that was secret is asked anew: whom one votes for may have left"
    )
    for letter in "DAA":
        game.answer(letter)
    assert _told(game) == [("A", "D"), ("C", "A"), ("D", "A")]


@pytest.mark.rule("current 800.4a")
def test_who_leaves_before_voting_does_not_vote() -> None:
    game = _moot(FOR_WORDS)
    game.answer("feast")
    game.concede("B")
    assert game.asks == ("C", "vote")
    game.answer("feast")
    assert game.life("A") == 26


@pytest.mark.rule("current 801.10")
def test_who_is_out_of_range_does_not_vote() -> None:
    game = _moot(FOR_WORDS, "ABCD", range_of_influence=1)
    for _ in "ABD":
        game.answer("feast")
    assert [who for who, _ in _told(game)] == ["A", "B", "D"]


@pytest.mark.rule("current 701.38b")
def test_for_each_thing_voted_for_that_many_are_its_votes() -> None:
    text = (
        "Each player secretly votes for a creature you don't control, then those votes are revealed. For each creature "
        "with one or more votes, put that many stun counters on it, then tap it."
    )
    game = _moot(text)
    _, b, c = game.state.battlefield
    for ox in (b, c, b):
        game.answer(ox)
    assert (game.counters(b, "stun"), game.counters(c, "stun")) == (2, 1)


@pytest.mark.rule("120.2")
def test_each_draws_for_what_that_player_controls() -> None:
    game = Game("ABC", edition="current")
    for letter, number in (("A", 1), ("B", 3)):
        game.put(letter, creature("Ox", 2, 3), number=number)
    harvest = game.put("A", _read("Each player draws a card for each creature they control."), "hand")
    game.begin()
    game.cast("A", harvest)
    game.resolve()
    assert [len(p.hand) for p in game.state.players] == [1, 3, 0]


def test_a_vote_that_depends_on_who_votes_is_not_read() -> None:
    text = "Each player secretly votes for another player, then those votes are revealed. You gain 1 life."
    assert isinstance(read_card(Entry("Old Moot", "{0}", "Sorcery", text)), Unread)


@pytest.mark.rule("current 701.38b")
def test_with_no_vote_for_a_thing_nothing_has_the_most() -> None:
    text = (
        "Each player secretly votes for up to one creature, then those votes are revealed. If no creature got votes, "
        "each player draws a card. Otherwise, destroy each creature with the most votes or tied for most votes."
    )
    game = _moot(text)
    for _ in "ABC":
        game.answer([])
    assert len(game.state.battlefield) == 3 and [len(p.hand) for p in game.state.players] == [1, 1, 1]


@pytest.mark.rule("current 801.5a")
def test_nobody_votes_for_who_or_what_is_out_of_the_own_range() -> None:
    """What A's spell can reach is theirs and B's and E's; B reaches E no more than E reaches B."""
    game = _moot(FOR_PLAYERS, "ABCDE", range_of_influence=1)
    offered = {}
    for letter in "ABE":
        offered[letter] = game.options()
        game.answer(letter)
    assert offered == {"A": ["A", "B", "E"], "B": ["A", "B"], "E": ["A", "E"]}
    game = _moot(
        FOR_THINGS.replace("a nonland permanent", "up to one nonland permanent"), "ABCDE", range_of_influence=1
    )
    ox = dict(zip("ABCDE", game.state.battlefield, strict=True))
    assert game.options() == [ox["B"], ox["E"]]
    game.answer([])
    assert game.asks[0] == "B" and game.options() == [ox["B"]]


@pytest.mark.rule("current 801.5a")
def test_who_chooses_how_all_vote_reaches_no_further_than_that() -> None:
    game = Game("ABCDE", edition="current", range_of_influence=1)
    hold = game.put("B", _read("You choose how each player votes this turn.", "Instant", "Old Whisper"), "hand")
    moot = game.put("A", _read(FOR_PLAYERS), "hand")
    game.begin()
    game.cast("A", moot)
    game.cast("B", hold)
    game.resolve()
    game.resolve()
    assert game.asks == ("B", "vote") and game.options() == ["A", "B"]


@pytest.mark.rule("current 701.38a")
def test_the_controller_votes_first_whosever_turn_it_is() -> None:
    game = Game("ABC", edition="current")
    moot = game.put("B", _read(FOR_WORDS, "Instant"), "hand")
    game.begin()
    game.pass_to("B")
    game.cast("B", moot)
    game.resolve()
    for _ in "ABC":
        game.answer("feast")
    assert [who for who, _ in _told(game)] == ["B", "C", "A"]
