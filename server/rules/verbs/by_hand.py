"""A text that the server does not read resolves: its controller does what it says, one act after the other, until it is done.

An act is a program with the card as its source. What the text targets was chosen as it was announced (601.2c) and is what the targets
of acts are, as far as they fit; other targets are chosen as the act is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec
from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.loading import faults
from server.rules.casting import choose_targets
from server.rules.characteristics import amount, select
from server.rules.functioning import candidates, has_targets
from server.rules.model import (
    Act,
    ActQuestion,
    BoundRefs,
    Counted,
    Defect,
    Definition,
    Illegal,
    Label,
    Next,
    Ref,
    Rule,
    RunFrame,
    Scope,
    State,
    events,
    player_ref,
    targets_of,
    this_turn,
    walk,
)
from server.rules.replacements import copiable
from server.rules.verbs.next_instruction import Asking, goes_on

MOST_ACTS = 20
"""Acts of one resolution."""
MOST_ACTS_OF_TURN = 100
"""Acts of one player in a turn; then paragraphs by hand do nothing more."""
MOST_VERBS = 12
MOST_TOKENS = 100
"""Tokens that one act makes."""
MOST_TOKENS_OF_TURN = 300
"""Tokens that the acts of one player make in a turn."""
MOST_TIMES = 1000
"""The largest number in an act."""
LOOPS = (forms.Again, forms.ByHand)
HIDDEN = frozenset(("hand", "library"))
PUBLIC = frozenset(("battlefield", "stack", "graveyard", "exile", "command"))


def _by_hand(state: State, frame: RunFrame, verb: forms.ByHand) -> Asking:
    done = frame.memory[0] if frame.memory else 0
    seat, source = frame.scope.controller, frame.scope.source
    in_turn = this_turn(state, Counted.ACTS, player_ref(seat))
    left = min(MOST_ACTS - done, MOST_ACTS_OF_TURN - in_turn)
    if left <= 0:
        return goes_on(frame)
    act = yield ActQuestion(seat, "by hand", source, text=verb.text, left=left)
    if not isinstance(act, Act):
        raise Defect(f"{act!r} is no act")
    if not act.do:
        return goes_on(frame)
    scope = _told(frame.scope, act)
    entry = replace(scope.entry, program=act.do, targets=()) if scope.entry is not None else None
    if entry is not None:
        chosen: list[tuple[Ref, ...]] = []
        for noun in targets_of(act.do):
            ready = _announced(state, noun, scope, chosen)
            picked = ready or (yield from choose_targets(state, seat, noun, entry, scope, chosen))
            chosen.append(picked or ())
        entry = replace(entry, targets=tuple(chosen))
    run = RunFrame(program=act.do, scope=replace(scope, entry=entry), tells="all")
    told = events.Acted(subject=player_ref(seat), by=source, said=act.said)
    tokens = this_turn(state, Counted.TOKENS_BY_HAND, player_ref(seat)) + _tokens_said(state, act, scope)
    history = {**state.history, (Counted.ACTS, player_ref(seat)): in_turn + 1}
    if tokens:
        history[Counted.TOKENS_BY_HAND, player_ref(seat)] = tokens
    return Next(replace(frame, memory=(done + 1,)), batch=(told,), push=(run,), fields={"history": history})


def _targets(scope: Scope) -> tuple[Ref, ...]:
    return tuple(ref for slot in scope.entry.targets for ref in slot if ref) if scope.entry is not None else ()


def _told(scope: Scope, act: Act) -> Scope:
    """The scope of an act: "it" is what the text targets until something else was spoken of, and names are what they name."""
    targets = _targets(scope)
    if targets and not scope.has(BoundRefs.IT):
        scope = scope.bind(BoundRefs.IT, tuple(r for r in targets if r > 0) or targets)
    people = tuple(ref for ref in targets if ref < 0)
    if people and not scope.has(BoundRefs.PLAYER):
        scope = scope.bind(BoundRefs.PLAYER, people)
    for name, refs in act.named:
        scope = scope.bind(Label(name), refs)
    return scope


def _announced(state: State, noun: nouns.Noun, scope: Scope, chosen: list[tuple[Ref, ...]]) -> tuple[Ref, ...]:
    """The targets of the text that fill this slot of an act: those that fit it and fill no other."""
    taken = {ref for slot in chosen for ref in slot}
    fitting = candidates(state, noun, scope)
    found = tuple(ref for ref in _targets(scope) if ref in fitting and ref not in taken)
    reading = noun.reading
    most = reading.most if isinstance(reading, nouns.Target) and reading.most >= 0 else len(found)
    return found[: max(most, 1)]


def done_by_hand(state: State) -> bool:
    """Whether a text that is not read is being followed: its controller may still have acts to do."""
    return any(
        isinstance(frame, RunFrame)
        and frame.place < len(frame.program)
        and isinstance(frame.program[frame.place], forms.ByHand)
        for frame in state.agenda
    )


# --- what may be done ---------------------------------------------------------------------------------------------------------


def check_act(state: State, question: ActQuestion, act: Act) -> None:
    """Raises Illegal, with the reason, for an act that cannot be done. Nobody else is told, so the reason says nothing of hidden cards."""
    if not act.do:
        return
    frame = state.agenda[-1]
    if not isinstance(frame, RunFrame):
        raise Defect("an act is asked for by no instruction")
    for name, refs in act.named:
        if not name or any(not may_name(state, question.whose, ref) for ref in refs):
            raise Illegal("hidden", "Only what all see, and cards in your own hand, can be named.")
    if any(_looks_into(noun.reading) for noun in targets_of(act.do)):
        raise Illegal("hidden", "No card in a hand or library can be a target.", Rule.TARGETS_ILLEGAL)
    parts = walk(act.do)
    if len(act.do) > MOST_VERBS or any(isinstance(part, LOOPS) for part in parts):
        raise Illegal("too_much", "An act is a few instructions, and repeats nothing.")
    bound = tuple(forms.Bind(as_name=name, what=nouns.Noun("you")) for name, _ in act.named)
    card = forms.Card(name="act", types="Sorcery", abilities=(forms.SpellAbility(do=(*bound, *act.do)),))
    fault = next(faults(card), None)
    if fault is not None:
        raise Illegal("not_sound", f"The act is not sound: {fault.why}.")
    if any(_large(part) for part in parts):
        raise Illegal("too_much", f"No number in an act is over {MOST_TIMES}.")
    scope = _told(frame.scope, act)
    tokens = _tokens_said(state, act, scope)
    if tokens > MOST_TOKENS:
        raise Illegal("too_much", f"An act makes at most {MOST_TOKENS} tokens.")
    if tokens and tokens + this_turn(state, Counted.TOKENS_BY_HAND, player_ref(question.whose)) > MOST_TOKENS_OF_TURN:
        raise Illegal("too_much", f"The acts of a turn make at most {MOST_TOKENS_OF_TURN} tokens.")
    # What comes after may speak of what the first one does.
    if _names_nothing(state, act.do[0], scope):
        raise Illegal("nothing", "It speaks of nothing that is there.")
    if not has_targets(state, act.do, replace(scope, entry=None)):
        raise Illegal("no_target", "There is no such target.", Rule.TARGETS_ILLEGAL)


def may_name(state: State, seat: int, ref: Ref) -> bool:
    """Whether a player may speak of that: all see it, or it is that player's own hand, or lies face down and that player may look at it
    (707.5, 406.3).
    """
    if ref < 0:
        return -ref <= len(state.players)
    found = state.objects.get(ref)
    if found is None:
        return False
    if found.zone == "hand":
        return found.owner == seat
    if found.face_down and not found.known >> seat & 1:
        return found.zone in ("battlefield", "stack") and found.controller == seat
    return found.zone in PUBLIC


def copied_token(state: State, ref: Ref) -> Definition | None:
    """What a token that is a copy of that would be (706.2)."""
    return copiable(state, ref, state.edition.turns_once)


def _large(part: object) -> bool:
    fields = getattr(part, "__struct_fields__", ())
    return any(isinstance(value, int) and abs(value) > MOST_TIMES for value in (getattr(part, name) for name in fields))


def _tokens_said(state: State, act: Act, scope: Scope) -> int:
    """How many tokens an act makes, hidden cards being of any kind."""
    return _tokens(state, tuple(cast(forms.Verb, _of_any_card(verb)) for verb in act.do), scope)


def _tokens(state: State, program: forms.Tree, scope: Scope) -> int:
    """How many tokens a program makes, as far as that is known before it is followed."""
    total = 0
    for verb in program:
        if isinstance(verb, forms.CreateToken):
            total += max(0, amount(state, verb.count, scope)) * max(1, len(select(state, verb.who, scope)))
        elif isinstance(verb, forms.ForEach):
            times = len(select(state, verb.of, scope)) if verb.of is not None else amount(state, verb.times, scope)
            total += times * _tokens(state, verb.then, scope)
        else:
            total += sum(_tokens(state, program, scope) for program in _programs(verb))
    return total


def _looks_into(reading: object) -> bool:
    """Whether a reading is about cards in hands or libraries."""
    return any(isinstance(part, nouns.Things) and part.zone in HIDDEN for part in walk(reading))


def _of_any_card(node: object) -> object:
    """An instruction as far as it can be said how much it does without looking at hidden cards: of a kind in a hand is any card in it."""
    if isinstance(node, nouns.Noun):
        return (
            nouns.Noun(f"any {node.text}", cast(nouns.Reading, _of_any_card(node.reading)))
            if _looks_into(node.reading)
            else node
        )
    if isinstance(node, tuple):
        return tuple(_of_any_card(part) for part in cast("tuple[object, ...]", node))
    if not isinstance(node, msgspec.Struct):
        return node
    if isinstance(node, nouns.Things) and node.zone in HIDDEN and node.objects is not None:
        parts = node.objects.parts if isinstance(node.objects, nouns.All) else (node.objects,)
        return replace(node, objects=nouns.All(tuple(part for part in parts if isinstance(part, nouns.OwnedBy))))
    return replace(node, **{name: _of_any_card(getattr(node, name)) for name in node.__struct_fields__})


def _programs(verb: forms.Verb) -> Iterator[forms.Tree]:
    """The programs in an instruction: its branches."""
    for name in verb.__struct_fields__:
        value: object = getattr(verb, name)
        if isinstance(value, tuple) and value and isinstance(value[0], forms.VerbForm):
            yield cast(forms.Tree, value)


def _names_nothing(state: State, verb: forms.Verb, scope: Scope) -> bool:
    """Whether an instruction is about what was spoken of ("it", a name), and there is no such thing."""
    for name in ("what", "who", "to"):
        noun = getattr(verb, name, None)
        if isinstance(noun, nouns.Noun) and isinstance(noun.reading, nouns.It | nouns.Named):
            found = select(state, noun, scope)
            # "it" is the card itself where nothing else was spoken of; "that creature" never is.
            return not found or noun.text.startswith("th") and found == (scope.source,)
    return False


HAND_VERBS = {forms.ByHand: _by_hand}
