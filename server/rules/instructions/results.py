"""What an instruction came to, bound for those that follow (608.2c).

`bind_results` binds "it" (what the instruction spoke of), "amount" (how much), "did" (whether anything happened), and the names
that it was told to give.
"""

from __future__ import annotations

from typing import cast

from server.cards import forms, nouns
from server.cards.forms import BURIED, BURIES, done_word
from server.rules.characteristics import (
    characteristics,
    select,
)
from server.rules.instructions.next_instruction import done_instead
from server.rules.model import (
    Ref,
    RunFrame,
    Scope,
    State,
    events,
    lookup,
    player_ref,
)


def bind_results(state: State, frame: RunFrame, verb: forms.Verb) -> Scope:
    """The scope with what an instruction came to."""
    instead, scope = done_instead(frame.scope, done_word(verb))
    results = state.results
    done = [e for e in results if isinstance(e, events.Event)]
    arrived = tuple(i for e in done if isinstance(e, events.Move) and e.became for i in (e.became, *e.others))
    arrived = tuple(dict.fromkeys((*instead, *arrived)))
    left = tuple(e.subject for e in done if isinstance(e, events.Move) and e.subject)
    numbers = [r for r in results if isinstance(r, int)]
    total = sum(numbers) if numbers else sum(e.amount for e in done) or len(arrived)
    if isinstance(verb, forms.Damage | forms.AtOnce):
        total = sum(e.amount for e in done if isinstance(e, events.Damage))
    elif isinstance(verb, forms.GainLife | forms.LoseLife):
        total = sum(e.amount for e in done if isinstance(e, events.GainLife | events.LoseLife))
    elif isinstance(verb, forms.Move | forms.Destroy | forms.Sacrifice | forms.Discard | forms.Draw | forms.Mill):
        total = len(arrived)
    elif isinstance(verb, forms.Exchange) and verb.what == "life":
        me = player_ref(scope.controller)
        total = sum(e.amount for e in done if isinstance(e, events.LoseLife) and e.subject == me)
    if isinstance(verb, forms.Damage | forms.AtOnce | forms.Fight):
        scope = _with_excess(state, scope, done)
    scope = _with_done(scope, verb, done, state, instead)
    scope = scope.bind("amount", total).bind("did", int(bool(done)))
    memory = cast("dict[str, tuple[Ref, ...]]", dict(frame.memory))
    if isinstance(verb, forms.Pick):  # "you may choose a card from it. If you do, ..."
        scope = scope.bind("did", int(bool(memory.get("it"))))
    entered = isinstance(verb, forms.Move) and verb.to == "battlefield"
    if "it" in memory and not (entered and arrived):
        scope = scope.bind("it", _followed(state, memory["it"], done))
    elif arrived or isinstance(verb, forms.Search | forms.CreateToken):  # with nothing found or made it is nothing
        scope = scope.bind("it", arrived)
    if isinstance(verb, forms.CreateToken):
        scope = scope.bind("token", arrived)
    if left or arrived:
        known = scope.bound("follow") or ()
        scope = scope.bind("follow", (*known, *left, *arrived))
    top = isinstance(verb, forms.Move) and isinstance(verb.what.reading, nouns.Top)
    found = isinstance(verb, forms.Search) and verb.to == "found"
    if top or found or isinstance(verb, forms.Look | forms.Mill | forms.RevealHand):
        seen = scope.refs("it") or () if "it" in memory and not top else arrived
        scope = scope.bind("looked", seen).bind("rest", seen)
        if top and seen:
            scope = scope.bind("it", seen)  # a card of a library is followed by no id
    name = getattr(verb, "as_name", "")
    if name and arrived:
        scope = scope.bind(name, arrived)
    elif name and "it" in memory:
        scope = scope.bind(name, memory["it"])
    who = getattr(verb, "who", None)
    if "player" in memory:
        scope = scope.bind("player", memory["player"])
    elif (
        who is not None
        and not isinstance(who.reading, nouns.You)
        and len(acting := select(state, who, frame.scope)) == 1
    ):
        scope = scope.bind("player", acting)
    return scope


def _with_done(
    scope: Scope, verb: forms.Verb, done: list[events.Event], state: State, instead: tuple[Ref, ...]
) -> Scope:
    """The scope told of what the instruction was done to, as texts speak of it ("each creature destroyed this way"); what
    several instructions destroyed is all of it."""
    if isinstance(verb, BURIES):
        buried = (e.became for e in done if isinstance(e, events.Move) and e.to == "graveyard" and e.became)
        scope = scope.bind(BURIED, tuple(dict.fromkeys((*(scope.refs(BURIED) or ()), *buried))))
    word = done_word(verb)
    things = tuple(_known(state, e) for e in done if isinstance(e, DONE_EVENTS) and e.subject > 0) if word else ()
    if not word:
        return scope
    return scope.bind(word, tuple(dict.fromkeys((*(scope.refs(word) or ()), *instead, *things))))


def _followed(state: State, refs: tuple[Ref, ...], done: list[events.Event]) -> tuple[Ref, ...]:
    """The objects spoken of; what is remembered by no id, as a card of a library, is what it became (400.7)."""
    if all(r < 0 or r in state.objects or r in state.last for r in refs):
        return refs
    became = {e.subject: e.became for e in done if isinstance(e, events.Move) and e.became}
    return tuple(r if r in state.objects or r in state.last else became.get(r, r) for r in refs)


def _known(state: State, event: events.Event) -> Ref:
    """The object as it was, if that is remembered, or what it became."""
    moved = isinstance(event, events.Move) and event.subject not in state.last and event.subject not in state.objects
    return event.became if moved and isinstance(event, events.Move) and event.became else event.subject


DONE_EVENTS = events.Move | events.Tap | events.Untap


def _with_excess(state: State, scope: Scope, done: list[events.Event]) -> Scope:
    """The scope told of the creatures dealt excess damage (current 120.4a), and how much in all."""
    refs: list[Ref] = []
    total = 0
    for ref in dict.fromkeys(e.object for e in done if isinstance(e, events.Damage) and e.object > 0):
        found = lookup.permanent(state, ref)
        if found is None or "creature" not in characteristics(state, ref).types:
            continue
        dealt = sum(e.amount for e in done if isinstance(e, events.Damage) and e.object == ref)
        lethal = max(0, (characteristics(state, ref).toughness or 0) - (found.damage - dealt))
        excess = dealt - (min(1, lethal) if found.deathtouched else lethal)
        if excess > 0:
            refs.append(ref)
            total += excess
    return scope.bind("excess", tuple(refs)).bind("excess damage", total)
