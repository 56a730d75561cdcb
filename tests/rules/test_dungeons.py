"""Dungeons that a player brings (current 309): from print to the game, through snapshots, decks and matches."""

from __future__ import annotations

import pytest

from protocol.view import read
from server import rules
from server.cards.decks.decks import DeckFault, Known, read_deck
from server.cards.forms import Card, SpellAbility
from server.cards.loading import Entry, Unread
from server.knowledge.faces import face_by_hash
from server.knowledge.redacted import redact, write
from server.knowledge.views import Views
from server.oracle.reading import printed, read_card
from server.rooms.game import RULES
from server.rules.characteristics import dungeon_of, room_of
from server.rules.happenings import restarted, venturing
from server.rules.model import State, events, player_ref
from server.rules.turn import legal, setup, snapshot
from server.rules.turn.game import deal

TEXT = """Lych Gate — Each player loses 1 life. (Leads to: Nave, Vault)
Nave — Put a +1/+1 counter on target creature. (Leads to: Bell Tower)
Vault — Create a Treasure token. (Leads to: Bell Tower)
Bell Tower — Draw a card."""
LEDGER = 'You can\'t enter this dungeon unless you "venture into Undercity."\n'


def _read(text: str, types: str = "Dungeon", name: str = "Old Minster") -> Card:
    card = read_card(Entry(name, "", types, text))
    assert isinstance(card, Card), card
    return card


@pytest.mark.rule("current 309.4")
def test_a_dungeon_is_read_from_print_with_its_rooms_and_arrows() -> None:
    rooms = _read(TEXT).rooms
    assert [(room.name, room.leads_to) for room in rooms] == [
        ("Lych Gate", ("Nave", "Vault")),
        ("Nave", ("Bell Tower",)),
        ("Vault", ("Bell Tower",)),
        ("Bell Tower", ()),
    ]
    assert rooms[3].do == read_draw()


@pytest.mark.rule("current 309.4")
@pytest.mark.parametrize(("text", "types"), [(TEXT, "Dungeon"), (LEDGER + TEXT, "Dungeon — Undercity")])
def test_a_dungeon_prints_the_rooms_that_it_was_read_from(text: str, types: str) -> None:
    assert printed(_read(text, types)) == text


def read_draw() -> object:
    card = read_card(Entry("Brief Study", "{U}", "Sorcery", "Draw a card."))
    assert isinstance(card, Card)
    (spell,) = card.abilities
    assert isinstance(spell, SpellAbility)
    return spell.do


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Draw a card.", "Draw a card if it rains."),  # a room that is not read
        ("Leads to: Nave, Vault", "Leads to: Nave, Attic"),  # an arrow to nowhere
        (" (Leads to: Bell Tower)\nVault", "\nVault"),  # a second bottommost room
        ("Vault — Create", "Nave — Create"),  # two of a name
        ("Lych Gate —", "Lych Gate:"),  # no room at all
    ],
)
def test_a_dungeon_with_a_room_that_is_none_is_not_read(old: str, new: str) -> None:
    assert old in TEXT
    assert isinstance(read_card(Entry("Old Minster", "", "Dungeon", TEXT.replace(old, new, 1))), Unread)


TAKES = "At the beginning of your upkeep, you take the initiative."
ROPE = "At the beginning of your upkeep, venture into the dungeon."
FOREST = Card(name="Forest", types="Basic Land — Forest")


def _card(name: str, text: str) -> Card:
    card = read_card(Entry(name, "{0}", "Artifact", text))
    assert isinstance(card, Card), card
    return card


def _table(*dungeons: Card, text: str = ROPE) -> tuple[State, tuple[Card, ...]]:
    """A game in which the first seat ventures at each upkeep, and its cards."""
    options = rules.Options(edition="current", seed="minster", mulligans=False)
    deck = (FOREST,) * 20
    rope = _card("Rope", text)
    state = deal(options, (rules.Seat("A", deck, dungeons=dungeons), rules.Seat("B", deck)), 0)
    state, _ = setup.begin(setup.enter(state, 0, rope)[0])
    return state, (FOREST, rope, *dungeons)


def _until(state: State, turn: int) -> State:
    """Every question answered by its default until that turn's draw step."""
    while not (state.turn.number == turn and state.turn.step == "draw"):
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, legal.default(state.pending, state))
    return state


def _name(state: State) -> str:
    found = dungeon_of(state, 0)
    return "" if found is None else f"{found.definition.name}: {room_of(found)}"


@pytest.mark.rule("current 309.2a", "current 701.49a")
def test_who_brings_a_dungeon_ventures_into_that() -> None:
    minster = _read(TEXT)
    assert _name(_until(_table(minster)[0], 1)) == "Old Minster: Lych Gate"
    assert _name(_until(_table()[0], 1)) == "Keep of the Last Watch: Broken Gate"


@pytest.mark.rule("current 701.49d")
def test_a_dungeon_that_is_entered_by_its_type_alone_is_not_entered_otherwise() -> None:
    below = _read(LEDGER + TEXT, "Dungeon — Undercity", "Drains")
    assert _name(_until(_table(below)[0], 1)) == "Keep of the Last Watch: Broken Gate"
    state, _ = _table(below, text=TAKES)
    assert _name(_until(state, 1)) == "Drains: Lych Gate"


def test_a_dungeon_of_another_type_than_it_names_is_not_read() -> None:
    assert isinstance(read_card(Entry("Drains", "", "Dungeon", LEDGER + TEXT)), Unread)


def test_a_game_with_a_dungeon_goes_on_from_its_snapshot() -> None:
    state, cards = _table(_read(TEXT))
    state = _until(state, 1)
    again = snapshot.read(snapshot.write(state, cards), cards)
    assert rules.fingerprint(again) == rules.fingerprint(state)
    assert _name(_until(again, 3)) == _name(_until(state, 3)) == "Old Minster: Nave"


@pytest.mark.rule("current 309.6", "current 309.7", "current 701.49c")
def test_the_last_room_is_left_only_when_its_ability_has_left_the_stack() -> None:
    state = _until(_table(_read(TEXT))[0], 3)
    while not (_name(state).endswith("Bell Tower") and state.stack):
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, legal.default(state.pending, state))
    assert state.players[0].completed == ()
    with pytest.raises(StopIteration) as came_to:  # who ventures from there leaves it at once (current 701.49c)
        next(venturing(state, 0, ""))
    assert [type(event) for event in came_to.value.value] == [events.KeywordAction, events.Ceases, events.Move]
    while state.stack:
        assert _name(state) == "Old Minster: Bell Tower"
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, legal.default(state.pending, state))
    assert (_name(state), state.players[0].completed) == ("", ("Old Minster",))


@pytest.mark.rule("current 309.2")
def test_a_dungeon_is_outside_again_in_a_game_that_begins_anew() -> None:
    state = restarted(_until(_table(_read(TEXT))[0], 1), events.Restarts(subject=player_ref(0)))
    assert dungeon_of(state, 0) is None
    assert "Old Minster" not in {one.definition.name for one in state.objects.values()}
    assert [one.name for one in state.players[0].dungeons] == ["Old Minster"]


def test_all_see_the_dungeon_its_rooms_the_room_and_who_has_the_initiative() -> None:
    state, _ = _table(_read(LEDGER + TEXT, "Dungeon — Undercity", "Drains"), text=TAKES)
    views = Views(RULES)
    views.update(_until(state, 1))
    for viewer in (0, 1, None):
        view = read(views.tree(viewer))
        there = [view.objects[key] for key in view.command]
        assert [(one.kind, one.title, one.controller) for one in there] == [
            ("emblem", "initiative", 0),
            ("dungeon", "", 0),
        ]
        dungeon = there[1]
        assert dungeon.notes == {"room": "Lych Gate"}
        assert isinstance(dungeon.face, str)
        face = face_by_hash(dungeon.face)
        assert [(room.name, room.leads_to) for room in face.rooms][:2] == [
            ("Lych Gate", ["Nave", "Vault"]),
            ("Nave", ["Bell Tower"]),
        ]


@pytest.mark.rule("current 724.3")
def test_a_commander_called_like_a_designation_is_none() -> None:
    leader = Card(name="The Monarch", types="Legendary Creature — Human", cost="{5}", power="2", toughness="2")
    deck = (FOREST,) * 20
    seats = (rules.Seat("A", deck), rules.Seat("B", deck, commander=(leader,)))
    state = deal(rules.Options(edition="current", seed="minster", mulligans=False), seats, 0)
    crown = _card("Crown", "At the beginning of your upkeep, you become the monarch.")
    state, _ = setup.begin(setup.enter(state, 0, crown)[0])
    state = _until(state, 1)
    assert [(found.token, found.controller) for found in (state.objects[i] for i in state.command)] == [
        (False, 1),
        (True, 0),
    ]


@pytest.mark.rule("current 309.2")
def test_in_a_list_it_stands_outside_of_the_deck_and_counts_there_no_card() -> None:
    minster = _read(TEXT)
    others = {f"Bear {n}": Card(name=f"Bear {n}", types="Creature — Bear", power="2", toughness="2") for n in range(15)}
    library = Known({"Forest": FOREST, "Old Minster": minster, **others}.get)
    bears = "".join(f"1 {name}\n" for name in others)
    deck = read_deck(f"Deck\n60 Forest\n\nSideboard\n{bears}1 Old Minster\n", library)
    assert len(deck.outside) == 16 and minster in deck.outside
    with pytest.raises(DeckFault, match="dungeon"):
        read_deck("Deck\n60 Forest\n1 Old Minster\n", library)


@pytest.mark.rule("current 309.2")
@pytest.mark.parametrize("beside", ["", "1 Old Warden\n"])
def test_a_dungeon_beside_a_deck_leads_none(beside: str) -> None:
    minster = _read(TEXT)
    warden = Card(name="Old Warden", types="Legendary Creature — Human", cost="{G}", power="2", toughness="2")
    elk = Card(name="Elk", types="Creature — Elk", cost="{G}", power="2", toughness="2")
    library = Known({"Forest": FOREST, "Old Minster": minster, "Old Warden": warden, "Elk": elk}.get)
    first = "" if beside else "1 Old Warden\n\n"
    deck = read_deck(f"{first}98 Forest\n1 Elk\n\nSideboard\n{beside}1 Old Minster\n", library, format_="commander")
    assert deck.commander == (warden,) and deck.outside == (minster,)


@pytest.mark.rule("current 309.2")
def test_which_dungeons_another_has_outside_the_game_is_not_known() -> None:
    state, _ = _table(_read(TEXT))
    own, others = (redact(state, seat).state for seat in (0, 1))
    assert [len(one.players[0].dungeons) for one in (own, others)] == [1, 0]
    assert b"Lych Gate" not in write(redact(state, 1))
    assert b"Lych Gate" in write(redact(_until(state, 1), 1)), "once it is in the command zone everybody sees it"
