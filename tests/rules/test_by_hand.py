"""Paragraphs that the server does not read: what is read of their cards works as ever; their controllers do the rest, act by act."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry
from server.cards.nouns import Zone
from server.oracle.acts import ActFault, read_act
from server.oracle.by_hand import read_partly
from server.rules import fingerprint
from server.rules.model import Act, ActQuestion, Illegal, player_ref
from server.rules.model import questions as q
from server.rules.turn import legal, snapshot
from server.rules.verbs import may_name
from tests.rules.play import FOREST, Game, creature, instant, noun


def card(name: str, types: str, text: str, **more: str) -> Card:
    """A card as a list prints it, read as far as it is."""
    found = read_partly(Entry(name, cost="{0}", types=types, text=text, **more))
    assert isinstance(found, Card)
    return found


VERSE = card("Verse of Wonder", "Sorcery", "Frolic with target creature until the moon hums.\nYou gain 2 life.")
LANTERN = card("Lantern of Moods", "Artifact", "{T}: Brighten target creature most gladly.\n{T}: Add {G}.")
BROOD = card("Brooding Kin", "Creature — Elf", "Flying\nWhenever the stars align, hum.", power="2", toughness="2")
PAEAN = card("Paean", "Sorcery", "Sing of what was.")


def say(game: Game, line: str, **things: int) -> None:
    """The asked player does an act; `things` stand for words in braces."""
    question = game.question
    assert isinstance(question, ActQuestion)
    ids = {word: f"#{game.now(thing)}" for word, thing in things.items()}
    said = read_act(line.format(**ids), "Card", {letter: i for i, letter in enumerate(game.letters)})
    named = (
        *((f"player{seat}", (player_ref(seat),)) for seat in said.seats),
        *((str(oid), (oid,)) for oid in said.objects),
    )
    game.submit(Act(said.do, line, named))


def begun() -> tuple[Game, int]:
    """A game in which a spell of A's without targets resolves, and a creature of B's in it."""
    game = Game("ABC")
    spell = game.put("A", PAEAN, "hand")
    bear = game.put("B", creature("Bear", 2, 2))
    game.begin()
    game.cast("A", spell)
    game.resolve()
    return game, bear


@pytest.mark.rule("608.2c")
def test_a_spell_by_hand_is_done_act_by_act_in_its_order_until_it_is_done() -> None:
    game = Game("AB")
    verse = game.put("A", VERSE, "hand")
    bear = game.put("B", creature("Bear", 2, 2))
    game.begin()
    game.cast("A", verse, bear)
    game.resolve()
    assert isinstance(game.question, ActQuestion) and "Frolic" in game.question.text
    assert game.life("A") == 20
    say(game, "put a +1/+1 counter on it")
    assert game.size(bear) == (3, 3)
    say(game, "draw a card")
    game.submit(Act())
    assert game.life("A") == 22
    assert game.zone(verse) == "graveyard"


@pytest.mark.rule("608.2b")
def test_its_targets_are_looked_at_again_as_it_resolves() -> None:
    game = Game("AB")
    verse = game.put("A", VERSE, "hand")
    bear = game.put("B", creature("Bear", 2, 2))
    slay = game.put("A", instant("Slay", forms.Destroy(what=noun("target creature")), cost="{0}"), "hand")
    game.begin()
    game.cast("A", verse, bear)
    game.cast("A", slay, bear)
    game.resolve()
    game.resolve()
    assert not isinstance(game.question, ActQuestion)
    assert game.life("A") == 20


@pytest.mark.rule("702.17a")
def test_what_has_shroud_cannot_be_the_target_of_a_paragraph_by_hand() -> None:
    game = Game("AB")
    verse = game.put("A", VERSE, "hand")
    game.put("B", creature("Ghost", 2, 2, "shroud"))
    game.begin()
    assert not game.can("A", verse)


def test_what_is_read_of_the_card_works_beside_what_is_not() -> None:
    game = Game("AB")
    lantern = game.put("A", LANTERN)
    bear = game.put("A", creature("Bear", 2, 2))
    game.begin()
    game.cast("A", lantern, bear, ability=1)
    assert game.object(lantern).tapped
    game.resolve()
    say(game, "it gets +2/+2 until end of turn")
    game.submit(Act())
    assert game.size(bear) == (4, 4)


@pytest.mark.rule("603.3a")
def test_a_trigger_by_hand_is_called_by_any_player_and_done_by_its_controller() -> None:
    game = Game("ABC")
    kin = game.put("B", BROOD)
    game.begin()
    calls = [a for a in game.question.actions if a.type == "call"]  # type: ignore[union-attr]
    assert [a.object for a in calls] == [game.now(kin)]
    game.submit(q.Take(game.question.actions.index(calls[0])))  # type: ignore[union-attr]
    assert len(game.state.stack) == 1
    game.resolve()
    assert isinstance(game.question, ActQuestion) and game.question.seat == 1
    say(game, "A loses 3 life")
    game.submit(Act())
    assert game.life("A") == 17
    assert not game.state.stack


def test_a_paragraph_is_called_so_often_in_a_turn_and_no_more() -> None:
    game = Game("AB")
    game.put("B", BROOD)
    game.begin()
    for _ in range(10):
        index = next(i for i, a in enumerate(game.question.actions) if a.type == "call")  # type: ignore[union-attr]
        game.submit(q.Take(index))
    assert not [a for a in game.question.actions if a.type == "call"]  # type: ignore[union-attr]


LINES = (
    "exile target creature",
    "create a 4/4 white Angel creature token with flying tapped and attacking",
    "B loses 3 life",
    "return it to my hand",
)


@pytest.mark.parametrize("line", LINES)
def test_each_line_of_the_issue_is_done(line: str) -> None:
    game = Game("AB")
    verse = game.put("A", card("Verse", "Sorcery", "Muse upon target creature."), "hand")
    bear = game.put("A", creature("Bear", 2, 2))
    game.begin()
    game.cast("A", verse, bear)
    game.resolve()
    say(game, line)
    game.submit(Act())
    done = {
        LINES[0]: game.zone(bear) == "exile",
        LINES[1]: any(o.token and o.definition.name == "Angel" for o in game.state.objects.values()),
        LINES[2]: game.life("B") == 17,
        LINES[3]: game.zone(bear) == "hand",
    }
    assert done[line]


def test_what_an_act_made_is_known_to_the_next() -> None:
    game, _ = begun()
    say(game, "create a 1/1 white Soldier creature token")
    say(game, "put a +1/+1 counter on it")
    game.submit(Act())
    token = next(o for o in game.state.objects.values() if o.token)
    assert dict(token.counters) == {"+1/+1": 1}


def test_an_act_may_speak_of_what_it_did_just_before() -> None:
    game, _ = begun()
    say(game, "look at the top two cards of my library. put one of them into my hand and the rest into my graveyard")
    game.answer(game.options()[0])
    game.submit(Act())
    assert len(game.state.players[0].hand) == 1
    assert len(game.state.players[0].graveyard) == 2  # the other one, and the spell


def test_a_target_that_nobody_announced_is_chosen_as_the_act_is_done() -> None:
    game, bear = begun()
    say(game, "create a 1/1 white Soldier creature token")
    say(game, "destroy target creature")
    assert game.asks[1] == "target"
    game.answer(bear)
    game.submit(Act())
    assert game.zone(bear) == "graveyard"


REFUSED = {
    "destroy #99999": "hidden",
    "destroy target planeswalker": "no_target",
    "destroy that creature": "nothing",
    "repeat this process": "too_much",
    "for each card in your library, create 50 1/1 white Soldier creature tokens": "too_much",
}


@pytest.mark.parametrize("line", REFUSED)
def test_an_act_that_cannot_be_done_is_refused_and_changes_nothing(line: str) -> None:
    game, _ = begun()
    before = fingerprint(game.state)
    with pytest.raises(Illegal) as refused:
        say(game, line)
    assert refused.value.code == REFUSED[line]
    assert fingerprint(game.state) == before


def test_another_players_hand_cannot_be_named() -> None:
    game, _ = begun()
    hidden = game.state.players[1].library[0]
    with pytest.raises(Illegal) as refused:
        say(game, f"exile #{hidden}")
    assert refused.value.code == "hidden"


@pytest.mark.rule("406.3", "707.5")
@pytest.mark.parametrize(("zone", "known", "may"), [("exile", 0, False), ("exile", 1, True), ("battlefield", 0, True)])
def test_a_card_that_lies_face_down_is_named_by_who_may_look_at_it(zone: Zone, known: int, may: bool) -> None:
    """What is refused to be said in other words tells which texts a card has: of one's own exiled card, too, that nobody may look at."""
    game, _ = begun()
    hidden = replace(game.object(game.put("A", creature("Mole", 2, 2), zone)), face_down=True, known=known)
    game.state = replace(game.state, objects={**game.state.objects, hidden.id: hidden}, memo={})
    assert may_name(game.state, 0, hidden.id) is may
    assert not may_name(game.state, 1, hidden.id)


@pytest.mark.parametrize(
    "line",
    [
        "for each creature card in B's hand, create 60 1/1 white Soldier creature tokens",
        "create a number of 1/1 white Soldier creature tokens equal to twenty times the number of land cards in B's hand",
        "exile target creature card in B's hand",
        "for each creature card in B's library, create 10 1/1 white Soldier creature tokens",
    ],
)
def test_what_an_act_is_refused_for_does_not_tell_which_cards_others_hold(line: str) -> None:
    """A refusal is told to nobody else: by it one could ask for every kind of card in turn."""
    said: list[str] = []
    for card in (creature("Bear", 2, 2), FOREST):
        game = Game("AB", library=0)
        spell = game.put("A", PAEAN, "hand")
        for zone in ("hand", "library"):
            for _ in range(11):
                game.put("B", card, zone)
        game.begin()
        game.cast("A", spell)
        game.resolve()
        try:
            say(game, line)
        except (Illegal, ActFault) as refused:
            said.append(str(refused))
    assert len(said) != 1 and len(set(said)) <= 1, said


def test_who_says_nothing_has_done_nothing() -> None:
    game, _ = begun()
    assert legal.default(game.question, game.state) == Act()
    for _ in range(20):
        say(game, "I gain 1 life")
    assert not isinstance(game.question, ActQuestion)
    assert game.life("A") == 40


def test_a_game_in_the_middle_of_an_act_is_written_and_read_again() -> None:
    game = Game("AB")
    verse = game.put("A", card("Verse", "Sorcery", "Muse upon what was."), "hand")
    wolf = game.put("B", creature("Wolf", 2, 2))
    game.put("B", creature("Bear", 2, 2))
    game.begin()
    game.cast("A", verse)
    game.resolve()
    say(game, "target creature gets -1/-1 until end of turn")
    assert game.asks[1] == "target"
    cards = tuple({o.definition.card.name: o.definition.card for o in game.state.objects.values()}.values())
    again = snapshot.read(snapshot.write(game.state, cards), cards)
    assert fingerprint(again) == fingerprint(game.state)
    game.state = again
    game.answer(wolf)
    game.submit(Act())
    assert game.size(wolf) == (1, 1)


def test_acts_and_tokens_of_a_turn_are_limited() -> None:
    game = Game("AB")
    spells = [game.put("A", PAEAN, "hand") for _ in range(6)]
    game.begin()
    for number, spell in enumerate(spells):
        game.cast("A", spell)
        game.resolve()
        if number == 5:
            break
        for _ in range(20):
            assert isinstance(game.question, ActQuestion)
            say(game, "create 3 1/1 white Soldier creature tokens" if number == 0 else "I gain 1 life")
    assert not isinstance(game.question, ActQuestion), "a hundred acts of a turn are enough"


def test_the_acts_of_a_turn_make_so_many_tokens() -> None:
    game, _ = begun()
    for _ in range(3):
        say(game, "create 90 1/1 white Soldier creature tokens")
    with pytest.raises(Illegal, match="tokens"):
        say(game, "create 40 1/1 white Soldier creature tokens")
    say(game, "create 30 1/1 white Soldier creature tokens")
