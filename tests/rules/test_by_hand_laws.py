"""Whatever a table does by hand, of all kinds and at every question: it is done or refused, and the game stays sound."""

from __future__ import annotations

import random

import pytest

from server.bench.by_hand import ACTS, play
from server.bench.invariants import deck_counts, sound, structure
from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.acts import ActFault, read_act
from server.oracle.by_hand import read_partly
from server.rules import fingerprint
from server.rules.model import Act, ActQuestion, Illegal, Options, PriorityQuestion, State, Take, player_ref
from server.rules.turn import (
    Corrected,
    Correction,
    MakeTokens,
    MoveTo,
    Remove,
    Seat,
    SetCounters,
    SetDamage,
    SetLife,
    SetTapped,
    SetTurn,
    Skipped,
    amending,
    concede,
    legal,
    start,
    submit,
)
from server.rules.turn import structure as structure_of_turns
from tests.rules.play import creature

LINES = (
    "draw two cards", "discard a card", "B discards a card", "mill three cards", "reveal the top card of my library", "scry 2",
    "shuffle my library", "destroy {}", "exile {}", "tap {}", "untap {}", "sacrifice {}", "return {} to its owner's hand",
    "put {} on the bottom of its owner's library", "put a +1/+1 counter on {}", "gain control of {} until end of turn", "B loses 3 life",
    "A gains 2 life", "deal 2 damage to {}", "deal 3 damage to B", "create a 2/2 green Wolf creature token",
    "create a token that's a copy of {}",
    "{} gets +2/+2 until end of turn", "{} gains flying until end of turn", "add {{G}}{{G}}", "flip a coin", "roll a die",
    "take an extra turn after this one", "destroy target creature", "counter {}", "each player draws a card", "destroy all creatures",
    "exile it", "it gains haste until end of turn", "repeat this process", "create 99 1/1 white Soldier creature tokens", "hum {}",
    "search my library for a creature card, put it onto the battlefield, then shuffle", "attach it to {}", "B sacrifices a creature",
)  # fmt: skip
TOKEN = creature("Snake", 1, 1)
NAMES = {"A": 0, "B": 1, "C": 2}


def _card(name: str, types: str, text: str, **more: str) -> Card:
    found = read_partly(Entry(name, cost="{0}", types=types, text=text, **more))
    assert isinstance(found, Card)
    return found


DECK = (
    *(creature("Bear", 2, 2, cost="{0}"),) * 10,
    *(_card("Verse", "Sorcery", "Muse upon target creature."),) * 8,
    *(_card("Ode", "Instant", "Muse upon what was."),) * 8,
    *(_card("Kin", "Creature — Elf", "Flying\nWhenever the stars align, hum.", power="1", toughness="1"),) * 8,
    *(_card("Lamp", "Artifact", "{T}: Hum at target player."),) * 6,
)


def _act(state: State, chance: random.Random) -> Act:
    """A line about whatever there is, seen or not."""
    thing = chance.choice(list(state.objects))
    said = read_act(chance.choice(LINES).format(f"#{thing}"), "Card", NAMES)
    seats = tuple((f"player{seat}", (player_ref(seat),)) for seat in said.seats)
    return Act(said.do, "", (*seats, *((str(oid), (oid,)) for oid in said.objects)))


def _correction(state: State, chance: random.Random) -> Correction:
    thing = chance.choice(list(state.objects))
    return chance.choice((
        SetLife(chance.randrange(3), chance.randrange(1, 40)),
        SetCounters(chance.choice((thing, -1 - chance.randrange(3))), "+1/+1", chance.randrange(4)),
        SetDamage(thing, chance.randrange(4)),
        SetTapped(thing, chance.random() < 0.5),
        MoveTo(thing, chance.choice(("battlefield", "graveyard", "exile", "hand", "library", "command"))),
        MakeTokens(chance.randrange(3), chance.randrange(1, 4), card=chance.choice((None, TOKEN)), object=thing),
        Remove(chance.choice((thing, *state.stack, *state.battlefield))),
        SetTurn(chance.randrange(-1, 3), chance.choice(("", *structure_of_turns.ALL_STEPS))),
    ))  # fmt: skip


def _turn(state: State, chance: random.Random, tried: dict[str, int]) -> State:
    """One thing that somebody does."""
    question = state.pending
    assert question is not None
    before = fingerprint(state)
    try:
        if isinstance(question, ActQuestion) and chance.random() < 0.8:
            kind, (after, _) = "act", submit(state, question.seat, _act(state, chance))
        elif chance.random() < 0.1:
            one = _correction(state, chance)
            kind, (after, _) = (
                str(one.__struct_config__.tag),
                amending.amend(state, chance.randrange(3), Corrected((one,))),
            )
        elif chance.random() < 0.02:
            kind, (after, _) = "skip", amending.amend(state, 0, Skipped())
        elif chance.random() < 0.004:
            kind, (after, _) = "concede", concede(state, chance.randrange(3))
        else:
            answer = legal.sample(question, state, chance)
            kind = "answer"
            if isinstance(question, PriorityQuestion) and isinstance(answer, Take):
                kind = question.actions[answer.index].type
            after, _ = submit(state, question.seat, answer)
    except (Illegal, ActFault):
        tried["refused"] = tried.get("refused", 0) + 1
        assert fingerprint(state) == before
        return state
    tried[kind] = tried.get(kind, 0) + 1
    return after


@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_done_by_hand_the_game_stays_sound(seed: int) -> None:
    chance = random.Random(seed)
    seats = tuple(Seat(name, DECK) for name in "ABC")
    state, _ = start(Options(edition="current", seed=str(seed), mulligans=False, life=100), seats)
    counts = deck_counts((DECK,) * 3)
    tried: dict[str, int] = {}
    for _ in range(250):
        if state.result is not None:
            break
        state = _turn(state, chance, tried)
        assert [*structure(state, counts), *sound(state)] == []
    assert tried.get("act", 0) > 3 and tried.get("refused", 0) > 3


def test_a_game_with_much_done_by_hand_is_sound_restarts_and_replays() -> None:
    played = play([(DECK, ())] * 4, 1, acts=len(ACTS))
    assert played.broken == []
    assert sum(played.acts.values()) >= 20 and played.rewordings >= 2 and sum(played.corrections.values()) >= 5
    assert played.refused and played.restarts and "nothing" not in played.acts
