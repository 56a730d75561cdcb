"""The library as its users meet it: a game that is answered, taken back, forked, looked at and written down."""

from __future__ import annotations

import doctest
import importlib
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import apnap
from protocol import questions as q
from server.rules import Options
from server.rules.model import EDITIONS
from server.rules.turn.variants import Variant
from tests.rules.play import BEAR, FOREST, creature

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
MODULES = ("apnap", "apnap.cards", "apnap.game", "apnap.known", "apnap.legal", "apnap.records", "apnap.search")


def table(seats: int, seed: int, variant: Variant = "free_for_all") -> apnap.Game:
    names = apnap.house_decks()
    decks = [apnap.house_deck(names[(seed + seat) % 8]) for seat in range(seats)]
    return apnap.Game.new(decks, seed=str(seed), variant=variant)


def attacking(creatures: int, seats: int) -> apnap.Game:
    """Hasty creatures on the battlefield of who attacks."""
    hare = creature("Hare", 1, 1, "haste")
    decks = [[hare] * 30 + [FOREST] * 30 for _ in range(seats)]
    game = apnap.Game.new(decks, seed="3", first=0)
    out = 0
    while not isinstance(asked := game.question, q.AttackersQuestion) or len(asked.attackers) < creatures:
        if isinstance(asked, q.PriorityQuestion) and out < creatures:
            cast = [i for i, action in enumerate(asked.actions) if action.type in ("cast", "play_land")]
            out += bool(cast and asked.actions[cast[0]].type == "cast")
            game.push(q.PriorityAnswer(index=cast[0] if cast else 0))
        else:
            game.push(game.legal.default)
    return game


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_its_modules_hold(module: str) -> None:
    tests = doctest.testmod(importlib.import_module(module))
    assert tests.failed == 0


def test_the_examples_of_its_page_hold() -> None:
    tests = doctest.testfile(str(PAGE), module_relative=False)
    assert tests.failed == 0 and tests.attempted > 20


def test_it_needs_no_loop_and_no_socket() -> None:
    program = "import sys, apnap; apnap.Game.new([[apnap.house_card('Forest')] * 60] * 2).view(0); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "server.rules" in loaded
    assert not {"trio", "websockets", "sqlite3", "server.rooms", "server.storage", "asyncio"} & set(loaded)


@pytest.mark.parametrize(("seats", "variant"), [(2, "free_for_all"), (4, "two_headed_giant"), (6, "emperor")])
def test_a_random_game_goes_back_to_where_it_was_and_forward_to_the_same(seats: int, variant: Variant) -> None:
    game, chance = table(seats, seats, variant=variant), random.Random(seats)
    prints = [game.fingerprint]
    for _ in range(150):
        answer = game.legal.sample(chance)
        assert answer in game.legal
        game.push(answer)
        prints.append(game.fingerprint)
    beside = game.fork()
    given = []
    for print_ in reversed(prints[:-1]):
        given.append(beside.pop())
        assert beside.fingerprint == print_
    with pytest.raises(IndexError):
        beside.pop()
    for answer in reversed(given):
        assert answer is not None
        beside.push(answer)
    assert beside.fingerprint == game.fingerprint == prints[-1], "the game that was forked has stayed where it was"
    assert apnap.Game.from_json(game.to_json()).fingerprint == prints[-1]


def test_all_listed_answers_are_taken_and_no_two_are_the_same() -> None:
    """Of every kind of question that comes."""
    kinds: set[type] = set()
    for seed in range(3):
        game, chance = table(3, seed), random.Random(seed)
        for number in range(500):
            question = game.question
            if question is None:
                break
            if type(question) not in kinds or number % 9 == 0:
                listed = list(islice(game.legal, 12))
                assert listed[0] == game.legal.default == question.default
                assert len(set(map(repr, listed))) == len(listed)
                for answer in listed:
                    game.fork().push(answer)
                kinds.add(type(question))
            game.push(game.legal.sample(chance))
    assert kinds >= {q.PriorityQuestion, q.ChooseQuestion, q.ConfirmQuestion, q.AttackersQuestion, q.BlockersQuestion}


@pytest.mark.rule("802.2")
def test_two_creatures_and_three_players_make_sixteen_attacks() -> None:
    game = attacking(2, 4)
    assert len(list(game.legal)) == 4**2, "each attacks one of three players or none"


def test_what_is_not_legal_changes_nothing() -> None:
    game = attacking(1, 2)
    before = game.fingerprint
    for answer, code in (
        (q.AttackersAnswer(attacks=((7, 0),)), "no_such_option"),
        (q.ConfirmAnswer(yes=True), "wrong_kind"),
        (q.BlockersAnswer(blocks=((0, "me"),)), "invalid"),
    ):
        assert answer not in game.legal
        with pytest.raises(apnap.Illegal) as refused:
            game.push(answer)
        assert refused.value.code == code and game.fingerprint == before


def test_a_seat_sees_its_own_hand_and_is_told_what_happened() -> None:
    game = apnap.Game.new([[BEAR] * 60, [FOREST] * 60], ("Ann", "Ben"), seed="5", first=0)
    ann, ben, nobody = game.view(0), game.view(1), game.view(None)
    assert [game.face(ann.objects[card].face or "").name for card in ann.players["0"].hand] == [BEAR.name] * 7
    assert not ben.players["0"].hand and not nobody.players["1"].hand and ben.players["0"].hand_count == 7
    while "event.draw" not in (others := [event.key for event in game.events(0)]):
        game.push(game.legal.default)
    told = [event.key for event in game.events(1)]
    assert "event.draw_known" in told and "event.draw_known" not in others, "Ben, who is second, sees what he draws"
    assert len(told) == len(others)


def test_who_concedes_loses_and_it_can_be_taken_back() -> None:
    game = apnap.Game.new([[FOREST] * 60] * 3)
    game.concede(1)
    game.concede(2)
    assert game.result is not None and game.result.winners == (0,)
    assert game.question is None and game.seat is None
    with pytest.raises(ValueError, match="over"):
        _ = game.legal
    with pytest.raises(ValueError, match="over"):
        game.push(q.ConfirmAnswer(yes=True))
    again = apnap.Game.from_json(game.to_json())
    assert again.result == game.result
    assert again.pop() is None and again.result is None and again.seat is not None


@pytest.mark.parametrize("first", [-1, 2])
def test_no_game_is_begun_by_who_does_not_sit_there(first: int) -> None:
    with pytest.raises(ValueError, match=f"no seat {first}"):
        apnap.Game.new([[FOREST] * 60] * 2, first=first)


@pytest.mark.rule("805.1")
@pytest.mark.parametrize(("edition", "number"), [("2009", "806.3"), ("2011", "805.1"), ("current", "805.1")])
@pytest.mark.parametrize("teams", [(0, 1, 1, 0), (0, 1, 0, 1)])
def test_no_game_is_begun_of_players_who_share_turns_and_do_not_sit_side_by_side(
    teams: tuple[int, ...], edition: str, number: str
) -> None:
    decks = [apnap.house_deck(name) for name in apnap.house_decks()[:4]]
    with pytest.raises(apnap.Illegal, match="sit side by side") as refused:
        apnap.Game.new(decks, edition=edition, options=Options(teams=teams, shared=True, life=30))
    assert EDITIONS[edition].number(refused.value.rule) == number
    assert apnap.Game.new(decks, options=Options(teams=(4, 4, 2, 2), shared=True, life=30)).question is not None


def test_no_game_is_begun_of_a_variant_that_there_is_not() -> None:
    other: Any = "grand melee"
    with pytest.raises(ValueError, match="no variant 'grand melee'"):
        apnap.Game.new([[FOREST] * 60] * 2, variant=other)


def test_an_answer_of_who_was_not_asked_is_none() -> None:
    game = apnap.Game.new([[FOREST] * 60] * 2, first=0)
    game.push(game.legal.default)
    text = game.to_json()
    broken = text.replace('"answers":[[0,', '"answers":[[1,')
    assert broken != text
    with pytest.raises(apnap.RecordFault, match="seat 1 is not asked"):
        apnap.Game.from_json(broken)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text[:100], "truncated"),
        (lambda text: text.replace('"apnap":1', '"apnap":2'), "form 2"),
        (lambda text: text.replace('"deck":[0', '"deck":[9'), "no card 9"),
        (lambda text: text.replace("Basic Land", "Basic Nonsense"), "Nonsense"),
        (lambda text: text.replace('"answers":[]', '"answers":[[1,{"kind":"number","number":3}]]'), "kind"),
        (lambda text: text.replace('"edition":"2011"', '"edition":"1993"'), "edition"),
        (lambda text: text.replace('"hand_size":7', '"hand_size":1000000000'), "1000000000 cards"),
        (lambda text: text.replace('"first":-1', '"first":2'), "seat 2"),
        (lambda text: text.replace('"teams":[]', '"teams":[0]'), "teams"),
        (lambda text: "\ud800" + text, "surrogates"),
    ],
)
def test_what_is_no_record_is_refused(change: Callable[[str], str], why: str) -> None:
    text = apnap.Game.new([[FOREST] * 60] * 2).to_json()
    broken = change(text)
    assert broken != text
    with pytest.raises(apnap.RecordFault, match=why):
        apnap.Game.from_json(broken)


@pytest.mark.rule("903.7")
def test_decks_with_commanders_make_a_game_of_commander() -> None:
    led = [name for name in apnap.house_decks() if apnap.house_deck(name).commander]
    game = apnap.Game.new([apnap.house_deck(led[0])] * 2)
    assert game.view(None).players["0"].life == 40


def test_cards_are_found_by_name_in_lists_and_in_the_house(tmp_path: Path) -> None:
    path = tmp_path / "cards.jsonl"
    path.write_text(
        '{"name":"Odd Bear","cost":"{G}","types":"Creature — Bear","power":"2","toughness":"2","text":""}\n'
        '{"name":"Odder Bear","cost":"{G}","types":"Creature — Bear","power":"2","toughness":"2","text":"Frolic widely."}\n'
    )
    cards = apnap.CardLibrary(path)
    assert len(cards) == 2 and cards["odd bear"].power == "2" and cards["Forest"].name == "Forest"
    with pytest.raises(apnap.UnreadCard) as unread:
        _ = cards["Odder Bear"]
    assert unread.value.word.lower() == "frolic"
    for wanted in (cards.__getitem__, apnap.house_card, apnap.house_deck):
        with pytest.raises(KeyError):
            wanted("Nobody's Card")
    deck = apnap.read_deck("30 Forest\n4 Odd Bear\n26 Plains", cards)
    assert len(deck.cards) == 60
    with pytest.raises(apnap.DeckFault):
        apnap.read_deck("60 Odd Bear", cards)
