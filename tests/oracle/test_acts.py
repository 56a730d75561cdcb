"""What players type as an act is read as instructions, or refused with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from server.cards import forms
from server.oracle.acts import ActFault, Said, read_act, read_token
from server.oracle.engine import Printer

TABLE = {"Anna": 0, "Ben": 1}


def said(line: str, which: int = 0) -> Said:
    return read_act(line, "Odd Verse", TABLE, which)


READ: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "exile target creature": (forms.Move, {"what": "target creature", "to": "exile"}),
    "Ben loses 3 life": (forms.LoseLife, {"who": "$player1", "amount": 3}),
    "return it to my hand": (forms.Move, {"what": "it", "to": "hand"}),
    "I draw two cards": (forms.Draw, {"count": 2, "who": "you"}),
    "discard a card": (forms.Discard, {"count": 1}),
    "Ben mills three cards": (forms.Mill, {"count": 3}),
    "reveal the top card of my library": (forms.Look, {"reveal": True}),
    "look at the top three cards of my library": (forms.Look, {"reveal": False}),
    "shuffle my library": (forms.Shuffle, {}),
    "tap #104 and #105": (forms.Tap, {"what": "$104 and $105"}),
    "put two +1/+1 counters on #104": (forms.PutCounters, {"count": 2, "what": "$104"}),
    "remove a +1/+1 counter from #104": (forms.RemoveCounters, {}),
    "Anna gains 4 life": (forms.GainLife, {"amount": 4, "who": "$player0"}),
    "deal 3 damage to Ben": (forms.Damage, {"amount": 3, "to": "$player1", "source": "{this}"}),
    "destroy all creatures Ben controls": (forms.Destroy, {"what": "all creatures $player1 controls"}),
    "Ben sacrifices a creature": (forms.Sacrifice, {"who": "$player1"}),
    "create a token that's a copy of #104": (forms.CreateToken, {"copy_of": "$104"}),
    "gain control of #104 until end of turn": (forms.Effect, {"what": "$104"}),
    "attach it to #105": (forms.Attach, {"to": "$105"}),
    "#104 gets +2/+2 until end of turn": (forms.Effect, {"what": "$104"}),
    "#104 gains flying until end of turn": (forms.Effect, {"what": "$104"}),
    "add {G}{G}": (forms.AddMana, {"mana": "{G}{G}"}),
    "flip a coin": (forms.FlipCoin, {}),
    "roll a die": (forms.RollDie, {"sides": 6}),
    "take an extra turn after this one": (forms.ExtraTurn, {}),
    "tap #104005": (forms.Tap, {"what": "$104005"}),
    "counter #33": (forms.CounterSpell, {"what": "$33"}),
}


@pytest.mark.parametrize("line", READ)
def test_a_line_is_an_instruction(line: str) -> None:
    kind, fields = READ[line]
    (verb,) = said(line).do
    assert type(verb) is kind
    for name, wanted in fields.items():
        found = getattr(verb, name)
        assert getattr(found, "text", found) == wanted


@pytest.mark.parametrize(
    ("line", "seats"),
    [
        ("anna gains 4 life", (0,)),
        ("BEN loses 2 life", (1,)),
        ("Draw two cards", ()),
        ("Target player draws a card", ()),
        ("Draw draws a card, then Target discards a card", (2, 3)),
    ],
)
def test_names_are_found_in_any_case_and_keep_no_word_of_the_rules(line: str, seats: tuple[int, ...]) -> None:
    assert sorted(read_act(line, "Odd Verse", {**TABLE, "Draw": 2, "Target": 3}).seats) == list(seats)


def test_a_token_is_made_as_people_say_it() -> None:
    (verb,) = said("create a 4/4 white Angel creature token with flying tapped and attacking").do
    assert isinstance(verb, forms.CreateToken) and verb.tapped and verb.attacking
    assert verb.token is not None and verb.token.keywords == ("flying",)


def test_names_of_players_and_objects_are_told_with_what_was_said() -> None:
    found = said("Ben sacrifices #7, then Anna draws a card")
    assert found.seats == (0, 1)
    assert found.objects == (7,)


def test_a_name_may_be_a_large_number() -> None:
    for line, seat in (("Max1990 draws a card", 0), ("max1990 draws a card", 0), ("2000 loses 3 life", 1)):
        assert read_act(line, "Odd Verse", {"Max1990": 0, "2000": 1}).seats == (seat,)
    with pytest.raises(ActFault, match="at most 999"):
        read_act("Max1990 loses 2000 life", "Odd Verse", {"Max1990": 0, "Ben": 1})


def test_a_card_is_called_by_its_own_name() -> None:
    (verb,) = said("exile Odd Verse").do
    assert isinstance(verb, forms.Move) and verb.what.text == "{this}"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "1 to 300"),
        ("draw " * 80, "1 to 300"),
        ("frolic with Ben", "not read at 'frolic'"),
        ("create ten thousand 1/1 white Soldier creature tokens", "not read"),
        ("draw 5000 cards", "at most 999"),
        ("destroy $rest", "no $"),
        ("destroy " + " and ".join(f"#{i}" for i in range(21)), "at most 20"),
    ],
)
def test_a_line_that_is_no_act_is_refused_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(ActFault) as refused:
        said(line)
    assert why in refused.value.why


@pytest.mark.parametrize(
    "line",
    [
        "a 2/2 red Elf creature token with flying",
        "2/2 red Elf creature with flying",
        "2/2 red Elf creature tokens with flying.",
    ],
)
def test_a_token_is_named_as_cards_name_one_or_shorter(line: str) -> None:
    token = read_token(line)
    assert (token.types, token.power, token.keywords) == ("Creature — Elf", "2", ("flying",))


@pytest.mark.parametrize("line", ["hum", "draw a card", "", "a Treasure token, then draw a card", "#104", "x" * 301])
def test_what_is_no_token_is_refused(line: str) -> None:
    with pytest.raises(ActFault, match="token"):
        read_token(line)


def test_conditions_in_one_another_are_printed_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    by_rule, steps = Printer.by_rule, 0

    def counted(*given: Any) -> Any:
        nonlocal steps
        steps += 1
        assert steps < 50_000
        return by_rule(*given)

    monkeypatch.setattr(Printer, "by_rule", counted)
    assert said("if you control a creature, " * 10 + "draw a card").do
