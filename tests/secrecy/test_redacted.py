"""A game as a seat may know it: nothing else stands in it, and out of it games are dealt that look the same to the seat.

That two games between which a seat may know no difference have equal redacted states is part of the byte law (`twins`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from server.bench.decks import house_decks
from server.knowledge.dealt import Belief, NoDeal, determinize
from server.knowledge.redacted import HIDDEN_ZONES, Redacted, redact, unknown
from server.rules.model import Object, State, changed, commander_number, define, with_rare
from server.rules.model import questions as q
from server.rules.turn import legal
from tests.secrecy.changes import RULES, Decks, Plan, setup_of
from tests.secrecy.facts import facts, may_see
from tests.secrecy.kinds import asking_cards, every_kind, telling


def named(decks: Decks) -> Decks:
    """The decks with a name for each copy."""
    return tuple(tuple(replace(c, name=f"Zq{s}x{n}y") for n, c in enumerate(deck)) for s, deck in enumerate(decks))


def moments(decks: Decks, seed: int, count: int) -> Iterator[tuple[State, int]]:
    """Moments of a game of drawn answers, each with a seat: mostly who is asked."""
    chance = random.Random(f"moments {seed}")
    state, _ = RULES.start(setup_of(Plan(seed, decks, 0, "hand", owner=0)))
    for _ in range(count):
        if state.pending is None:
            return
        if chance.random() < 0.4:
            yield state, state.pending.seat if chance.random() < 0.7 else chance.randrange(len(decks))
        state, _ = RULES.submit(state, state.pending.seat, legal.sample(state.pending, state, chance))


def drawn_decks(seed: int) -> Decks:
    seats = 2 + seed % 3
    return (house_decks if seed % 2 else every_kind)(seats, seed)


def beliefs(decks: Decks) -> list[Belief]:
    return [Belief(tuple(map(define, deck))) for deck in decks]


def known_of(state: State, seat: int) -> object:
    """What a seat may know, but for how often chance was drawn on: a dealt game begins anew with that."""
    first, *rest = facts(state, seat)
    return first[:-1], rest


@pytest.mark.parametrize("seed", range(6))
def test_no_card_stands_in_it_that_the_seat_may_not_know(seed: int) -> None:
    for state, seat in moments(named(drawn_decks(seed)), seed, 120):
        said = repr(redact(state, seat))
        asked = state.pending
        shown = set[int]()
        if isinstance(asked, q.ChooseQuestion | q.OrderQuestion | q.DivideQuestion) and asked.seat == seat:
            shown = {option.ref for option in asked.options}
        for thing in state.objects.values():
            if not may_see(thing, seat) and thing.id not in shown and not thing.token:
                assert f"{thing.definition.name!r}" not in said, (seat, thing)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_dealt_from_it_is_the_same_to_the_seat(seed: int) -> None:
    decks = drawn_decks(seed)
    chance = random.Random(seed)
    met: Counter[bool] = Counter()
    for state, seat in moments(decks, seed, 150):
        known = redact(state, seat)
        try:
            dealt = determinize(known, beliefs(decks), chance)
        except NoDeal:
            met[False] += 1
            continue
        met[True] += 1
        assert known_of(dealt, seat) == known_of(state, seat)
        assert not any(thing.definition is unknown() for thing in dealt.objects.values())
    assert met[True] > 20 * met[False] and met[True] > 20


@pytest.mark.rule("715.4")
@pytest.mark.parametrize("seed", [0, 2, 3])
def test_a_game_within_a_game_is_dealt_with_the_one_that_waits(seed: int) -> None:
    """Both are as the seat knows them, and no card is in both."""
    decks = telling(2, seed)
    chance = random.Random(seed)
    within = 0
    for state, seat in moments(decks, seed, 400):
        if state.main is None:
            continue
        within += 1
        try:
            dealt = determinize(redact(state, seat), beliefs(decks), chance)
        except NoDeal:
            continue
        assert dealt.main is not None
        assert known_of(dealt, seat) == known_of(state, seat) and known_of(dealt.main, seat) == known_of(
            state.main, seat
        )
        for owner, deck in enumerate(decks):
            both = (*dealt.objects.values(), *dealt.main.objects.values())
            cards = (_card(thing) for thing in both if thing.owner == owner and not thing.token and thing.entry is None)
            assert not Counter(name for name in cards if name in NAMES) - Counter(card.name for card in deck)
    assert within > 20


NAMES = frozenset(card.name for card in asking_cards())


def test_every_card_of_a_deck_is_dealt_once() -> None:
    decks = house_decks(3, 4)
    for state, seat in moments(decks, 4, 200):
        dealt = determinize(redact(state, seat), beliefs(decks), random.Random(1))
        for owner, deck in enumerate(decks):
            cards = [thing for thing in dealt.objects.values() if thing.owner == owner and not thing.token]
            names = Counter(_card(thing) for thing in cards if thing.definition.card.types)
            assert names == Counter(card.name for card in deck)


def _card(thing: Object) -> str:
    printed = thing.printed or thing.definition
    return (printed.whole or printed).name


def test_nothing_of_chance_stands_in_it() -> None:
    for state, seat in moments(house_decks(2, 1), 1, 30):
        known = redact(state, seat).state
        assert (known.options.seed, known.chance, known.questions, known.fixed_chance) == ("", 0, 0, ())


def test_two_deals_differ_where_the_seat_knows_nothing() -> None:
    decks = house_decks(2, 3)
    state, seat = next(moments(decks, 3, 50))
    known = redact(state, seat)
    dealt = [determinize(known, beliefs(decks), random.Random(seed)) for seed in (1, 2, 1)]
    hands = [tuple(one.objects[i].definition.name for i in one.players[1 - seat].hand) for one in dealt]
    assert hands[0] != hands[1] and hands[0] == hands[2]


def _with_hidden(state: State, seat: int, change: dict[int, Object]) -> Redacted:
    return redact(replace(state, objects={**state.objects, **change}, memo={}), seat)


def test_what_another_knows_of_ones_cards_is_not_in_it() -> None:
    state, seat = next(moments(house_decks(2, 5), 5, 50))
    card = state.objects[state.players[seat].hand[0]]
    other = _with_hidden(state, seat, {card.id: replace(card, known=card.known | 1 << (1 - seat))})
    assert other == redact(state, seat)


def test_a_card_of_anothers_hand_that_was_shown_is_in_it_without_when_it_was_drawn() -> None:
    state, seat = next(moments(house_decks(2, 5), 5, 50))
    hand = state.players[1 - seat].hand
    seen = [
        _with_hidden(
            state, seat, {i: replace(state.objects[i], definition=state.objects[hand[0]].definition, known=1 << seat)}
        )
        for i in hand[:2]
    ]
    hidden = [i for i in seen[0].state.players[1 - seat].hand if seen[0].state.objects[i].definition is unknown()]
    assert len(hidden) == len(hand) - 1
    assert seen[0].state.objects == seen[1].state.objects


def test_a_card_seen_on_top_of_a_library_lies_there_in_every_deal() -> None:
    decks = house_decks(2, 6)
    state, seat = next(moments(decks, 6, 50))
    top = state.objects[state.players[seat].library[-1]]
    known = _with_hidden(state, seat, {top.id: replace(top, known=1 << seat)})
    for seed in range(5):
        dealt = determinize(known, beliefs(decks), random.Random(seed))
        assert dealt.objects[dealt.players[seat].library[-1]].definition is top.definition


def test_hidden_cards_have_ids_by_what_is_known_of_them() -> None:
    """Where a card lies in a library, or what number it was dealt with, its id does not tell."""
    state, seat = next(moments(house_decks(2, 7), 7, 50))
    players = tuple(replace(player, library=tuple(reversed(player.library))) for player in state.players)
    assert redact(replace(state, players=players, memo={}), seat) == redact(state, seat)
    known = redact(state, seat).state
    ids = [thing.id for thing in known.objects.values() if thing.zone in HIDDEN_ZONES and thing.owner != seat]
    assert min(ids) >= state.next_id


def test_a_commander_that_nobody_sees_is_dealt_with_its_number_once() -> None:
    decks = house_decks(2, 8)
    leader = define(decks[0][0])
    state, _ = RULES.start(setup_of(Plan(8, decks, 0, "hand", owner=0)))
    owner = state.players[0]
    number = owner.library[0]
    lost = changed(state.objects[number], definition=leader, commander=1)
    state = replace(state, objects={**state.objects, number: lost}, memo={})
    known = redact(state, 1)
    assert not any(thing.commander for thing in known.state.objects.values())
    belief = [Belief(tuple(map(define, decks[0][1:])), (leader,)), *beliefs(decks)[1:]]
    for seed in range(5):
        dealt = determinize(known, belief, random.Random(seed))
        led = [thing for thing in dealt.objects.values() if thing.commander]
        assert [(thing.commander, thing.owner, thing.definition, thing.zone in HIDDEN_ZONES) for thing in led] == [
            (1, 0, leader, True)
        ]


def test_who_else_knows_a_card_of_another_is_not_in_it() -> None:
    state, seat = next(moments(house_decks(3, 5), 5, 50))
    owner, third = (other for other in range(3) if other != seat)
    card = state.objects[state.players[owner].hand[0]]
    mine = _with_hidden(state, seat, {card.id: replace(card, known=1 << seat)})
    assert mine == _with_hidden(state, seat, {card.id: replace(card, known=1 << seat | 1 << third)})


def test_a_card_known_to_lie_somewhere_in_a_library_lies_elsewhere_in_other_deals() -> None:
    decks = house_decks(2, 6)
    state, seat = next(moments(decks, 6, 50))
    card = state.objects[state.players[seat].library[0]]
    known = _with_hidden(state, seat, {card.id: replace(card, known=1 << seat)})
    (number,) = [n for n in known.state.players[seat].library if known.state.objects[n].definition is not unknown()]
    deals = [determinize(known, beliefs(decks), random.Random(seed)) for seed in range(6)]
    assert len({dealt.players[seat].library.index(number) for dealt in deals}) > 2


@pytest.mark.rule("810.5")
def test_in_which_order_a_mate_has_drawn_is_not_in_it() -> None:
    """Which cards they are, a mate sees; two of them change places in the hand of seat 1, which is drawn before anybody is asked."""
    decks = house_decks(4, 2)
    state, _ = RULES.start(setup_of(Plan(2, decks, 0, "hand", owner=0, options={"variant": "two_headed_giant"})))
    hand = [state.objects[i] for i in state.players[1].hand]
    one = hand[0]
    other = next(thing for thing in hand if thing.definition is not one.definition)
    turned = {one.id: replace(one, definition=other.definition), other.id: replace(other, definition=one.definition)}
    assert all(thing.known == 0b0011 for thing in (one, other))
    assert _with_hidden(state, 0, turned) == redact(state, 0)
    assert _with_hidden(state, 1, turned) != redact(state, 1)


@pytest.mark.rule("903.3")
def test_that_a_card_which_lies_face_down_is_a_commander_is_not_in_it() -> None:
    """It came from its owner's hand: another sees that a card is there, and a deal may have the commander elsewhere."""
    decks = house_decks(2, 9)
    state, _ = RULES.start(setup_of(Plan(9, decks, 0, "hand", owner=0)))
    leader, other = state.players[0].hand[:2]
    number = commander_number(0, 0, 2)
    hidden = [
        _face_down(
            replace(state, objects={**state.objects, leader: with_rare(state.objects[leader], commander=number)}), n
        )
        for n in (leader, other)
    ]
    mine, theirs = (redact(one, 0) for one in hidden), [redact(one, 1) for one in hidden]
    assert [number in {thing.commander for thing in one.state.objects.values()} for one in mine] == [True, True]
    assert all(thing.commander == 0 for one in theirs for thing in one.state.objects.values())
    believed = [replace(beliefs(decks)[0], commanders=(state.objects[leader].definition,)), beliefs(decks)[1]]
    dealt = determinize(theirs[0], believed, random.Random(1))
    assert [thing.definition for thing in dealt.objects.values() if thing.commander] == [
        state.objects[leader].definition
    ]


def _face_down(state: State, number: int) -> State:
    """That card of the first seat's hand in exile, face down, where its owner may look at it."""
    thing = state.objects[number]
    gone = replace(thing, zone="exile", face_down=True, known=1)
    owner = state.players[0]
    player = replace(owner, hand=tuple(i for i in owner.hand if i != number))
    return replace(
        state,
        objects={**state.objects, number: gone},
        players=(player, *state.players[1:]),
        exile=(*state.exile, number),
        memo={},
    )
