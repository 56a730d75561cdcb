"""Resolving (608): targets are checked again, instructions followed in order, the card put where it belongs."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.forms import done_word
from server.cards.grammar import PERMANENT_WORDS
from server.rules.casting import MUTATE
from server.rules.characteristics import active_of_team, characteristics, holds
from server.rules.characteristics import refs as refs_of
from server.rules.functioning import aimed, enchant_candidates, speaks_of_defending, still_legal, with_said_x
from server.rules.instructions.handlers import HANDLERS
from server.rules.instructions.results import bind_results
from server.rules.instructions.together import of_each
from server.rules.model import (
    BoundNumber,
    BoundRefs,
    BoundWord,
    Definition,
    Entry,
    Frame,
    Label,
    Next,
    Object,
    Ref,
    ResolveFrame,
    RunFrame,
    Scope,
    State,
    ask,
    events,
    instead_of,
    is_bestowed,
    lookup,
    targets_of,
)
from server.rules.verbs import Asking, attacked_by, done_instead, goes_on, told

PERMANENT_TYPES = frozenset(("artifact", "creature", "enchantment", "land", "planeswalker", "battle"))


def step(state: State, frame: ResolveFrame) -> Next | Asking:
    """One position of a resolution."""
    found = state.objects.get(frame.object)
    if found is None or found.zone != "stack" or found.entry is None:
        return Next()
    if frame.at == "finish":
        return _finish(found)
    entry = found.entry
    scope = scope_of(found, entry)
    if entry.kind == "triggered":
        ability = entry.ability
        assert isinstance(ability, forms.TriggeredAbility)
        # 603.4: an intervening "if" is checked again.
        if ability.condition is not None and not holds(state, ability.condition, scope):
            return Next(batch=(events.Ceases(subject=found.id, cause="condition"),))
        scope = _asked_about(state, ability.condition, scope)
    if entry.way == MUTATE:
        return _merge(state, frame, found, entry, scope)
    if entry.targets:
        legal = _legal_targets(state, entry, scope)
        if legal is None and is_bestowed(found.definition):
            # Current 702.103e: it is no Aura any more, and resolves as a creature spell.
            return Next(batch=(events.Move(subject=found.id, to="battlefield", controller=found.controller),))
        if legal is None:
            return Next(batch=(_without_targets(state, found, entry),))
        if legal != entry.targets:
            announced = events.Announced(subject=found.id, entry=replace(entry, targets=legal))
            return Next(frame, batch=(announced,))
    if entry.kind == "spell" and _is_permanent(state, found):
        return _enter(state, frame, found, entry)
    run = RunFrame(program=entry.program, scope=scope)
    if frame.at != "defending" and (several := _defending_players(state, entry, scope)):
        return _choose_player(frame, found, entry, several, BoundRefs.DEFENDING, "defending player")
    if several := active_of_team(state, entry):
        return _choose_player(frame, found, entry, several, BoundRefs.ACTIVE, "active player")
    return Next(replace(frame, at="finish"), push=(run,))


def _without_targets(state: State, found: Object, entry: Entry) -> events.Event:
    """What becomes of a spell or ability whose targets are all illegal: it is countered on resolution (608.2b), or does not resolve
    (current 608.2b)."""
    cause = "no legal targets"
    if state.edition.countered_without_targets:
        return events.Countered(subject=found.id, cause=cause)
    if entry.kind != "spell":
        return events.Ceases(subject=found.id, cause=cause)
    return events.Move(subject=found.id, to="graveyard", cause=cause)


def _asked_about(state: State, condition: forms.AnyCondition | None, scope: Scope) -> Scope:
    """ "When this Aura enters, if enchanted creature has flying, destroy that creature": the one that was asked about."""
    if not isinstance(condition, forms.Is) or not isinstance(condition.what.reading, nouns.Attached):
        return scope
    found = refs_of(state, condition.what.reading, scope)
    for word in PERMANENT_WORDS:
        scope = scope.bind(Label(word), found) if word in condition.what.text.split() else scope
    return scope.bind(BoundRefs.IT, found)


def _defending_players(state: State, entry: Entry, scope: Scope) -> tuple[Ref, ...]:
    """The players that "defending player" could mean in a program, if they are several (802.2a, 810.7b): of whom its targets are
    legal, if it has any."""
    if not speaks_of_defending(entry.program):
        return ()
    found = scope.refs(BoundRefs.DEFENDING)
    if not found and state.combat is not None:
        found = refs_of(state, nouns.DefendingPlayer(), scope)
    if not found or len(found) < 2:
        return ()
    legal = _legal_targets(state, entry, scope)
    meant = (one for one in found if _legal_targets(state, entry, scope.bind(BoundRefs.DEFENDING, (one,))) == legal)
    return tuple(meant) or found


def _choose_player(
    frame: ResolveFrame, found: Object, entry: Entry, several: tuple[Ref, ...], word: BoundRefs, purpose: str
) -> Asking:
    picked = yield from ask.choose_refs(found.controller, several, 1, 1, purpose, found.id)
    others = tuple(b for b in entry.bindings if b[0] is not word)
    chosen = replace(entry, bindings=(*others, (word, picked)))
    return Next(replace(frame, at="defending"), batch=(events.Announced(subject=found.id, entry=chosen),))


def scope_of(found: Object, entry: Entry) -> Scope:
    """Who speaks in the instructions of an object on the stack: the spell itself, or the source of the ability."""
    return Scope(entry.source or found.id, found.controller, entry, entry.bindings)


def _is_permanent(state: State, found: Object) -> bool:
    return bool(characteristics(state, found.id).types & PERMANENT_TYPES)


def _legal_targets(state: State, entry: Entry, scope: Scope) -> tuple[tuple[Ref, ...], ...] | None:
    """The targets with illegal ones struck out (0); None if there were targets and none is legal (608.2b)."""
    slots = targets_of(entry.program)
    scope = with_said_x(state, entry.program, scope) if slots else scope
    kept: list[tuple[Ref, ...]] = []
    some = legal = False
    for place, (noun, refs) in enumerate(zip(slots, entry.targets, strict=False)):
        told = aimed(scope, noun, entry.targets[:place])
        fresh: list[Ref] = []
        for ref in refs:
            some = True
            good = ref != 0 and still_legal(state, noun, ref, told)
            legal = legal or good
            fresh.append(ref if good else 0)
        kept.append(tuple(fresh))
    if some and not legal:
        return None
    return tuple(kept)


def _enter(state: State, frame: ResolveFrame, found: Object, entry: Entry) -> Next | Asking:
    """A permanent spell becomes a permanent under its controller's control (608.3); an Aura attached to its target. If it cannot, it
    is put into the graveyard (608.3b)."""
    attach_to = 0
    if "Aura" in characteristics(state, found.id).subtypes:
        targets = tuple(r for slot in entry.targets for r in slot if r)
        if not targets:
            return _aura_without_target(state, found)
        attach_to = targets[0]
    attacking = attacked_by(state, entry_refs(entry, "returned")) if entry.way == "sneak" else 0
    move = events.Move(
        subject=found.id,
        to="battlefield",
        controller=found.controller,
        attach_to=attach_to,
        tapped=entry.way == "sneak",  # current 702.190b
        attacking=attacking,
        face_down=found.face_down,
        definition=_side_up(found),
        cause="resolve",
    )
    return Next(replace(frame, at="finish"), batch=(move,))


def entry_refs(entry: Entry, name: str) -> tuple[Ref, ...]:
    """What is known of a spell under a name."""
    bound = dict(entry.bindings).get(name)
    return bound if isinstance(bound, tuple) else ()


def _side_up(found: Object) -> Definition | None:
    """Current 712.13: what was cast by its other face enters with that face up."""
    return found.definition if found.printed is not None and found.definition.whole is found.printed else None


def _merge(state: State, frame: ResolveFrame, found: Object, entry: Entry, scope: Scope) -> Next | Asking:
    """A mutating creature spell merges with its target; if that is illegal it is a creature spell (current 702.140b, c)."""
    legal = _legal_targets(state, entry, scope)
    hosts = [ref for slot in legal or () for ref in slot if ref]
    if not hosts:
        return _enter(state, frame, found, entry)
    under = yield from ask.confirm(found.controller, "under", found.id)
    return Next(batch=(events.Mutates(subject=hosts[0], object=found.id, under=under),))


def _aura_without_target(state: State, found: Object) -> Asking:
    options = enchant_candidates(state, found.id, found.controller)
    if not options:
        return Next(batch=(events.Move(subject=found.id, to="graveyard", cause="resolve"),))
    picked = yield from ask.choose_refs(found.controller, options, 1, 1, "enchant", found.id)
    move = events.Move(
        subject=found.id,
        to="battlefield",
        controller=found.controller,
        attach_to=picked[0],
        definition=_side_up(found),
        cause="resolve",
    )
    return Next(batch=(move,))


def _finish(found: Object) -> Next:
    """608.2k: an instant or sorcery goes to its owner's graveyard; an ability ceases to exist."""
    assert found.entry is not None
    if found.entry.kind != "spell" or found.token:
        return Next(batch=(events.Ceases(subject=found.id, cause="resolved"),))
    return Next(batch=(events.Move(subject=found.id, to="graveyard", cause="resolve"),))


def handed_on(below: tuple[Frame, ...], frame: Frame) -> tuple[Frame, ...]:
    """The frames below one that is through, told of what its instructions did if they are the same ability's ("you may
    sacrifice ...", and later "for each creature sacrificed this way") or were followed instead of what those below would have done."""
    under = below[-1] if below else None
    if not isinstance(frame, RunFrame) or not isinstance(under, RunFrame):
        return below
    applied = frame.scope.word(BoundWord.APPLIED)
    instead = applied is not None and applied != under.scope.word(BoundWord.APPLIED)
    if under.scope.source != frame.scope.source and not instead:
        return below
    scope = under.scope
    for name, value in frame.scope.bindings:
        if name.endswith("this way") and isinstance(value, tuple):
            kept = instead_of(name) if instead else Label(name)
            scope = scope.bind(kept, tuple(dict.fromkeys((*(scope.refs(kept) or ()), *value))))
    below = below if scope is under.scope else (*below[:-1], replace(under, scope=scope))
    return told(frame, below) if under.scope.source == frame.scope.source else below


#: The step of an instruction that knows already what it came to, but for what is done instead of a part of it.
RESULTS_BOUND = 2


def with_results(state: State, frame: Frame) -> Frame:
    """The frame of an instruction of whose events some have happened and others are replaced by instructions of their own, which
    come next; it was done even if all were replaced."""
    if not isinstance(frame, RunFrame) or frame.step != 1:
        return frame
    scope = bind_results(state, frame, frame.program[frame.place]).bind(BoundNumber.DID, 1)
    return replace(frame, step=RESULTS_BOUND, scope=scope, memory=())


def _with_instead(frame: RunFrame, verb: forms.Verb) -> Scope:
    """The scope told also of what was done instead of a part of the instruction, if it is the same that was to be done."""
    word = Label(done_word(verb))
    instead, scope = done_instead(frame.scope, word)
    amount = scope.number(BoundNumber.AMOUNT)
    if not instead or amount is None:
        return scope
    scope = scope.bind(word, tuple(dict.fromkeys((*(scope.refs(word) or ()), *instead))))
    return scope.bind(BoundNumber.AMOUNT, amount + len(instead)).bind(
        BoundRefs.IT, (*(scope.refs(BoundRefs.IT) or ()), *instead)
    )


def run(state: State, frame: RunFrame) -> Next | Asking:
    """The next instruction of a program, or the results of the one under way."""
    if frame.place >= len(frame.program):
        return Next()
    verb = frame.program[frame.place]
    if frame.step in (1, RESULTS_BOUND):
        scope = bind_results(state, frame, verb) if frame.step == 1 else _with_instead(frame, verb)
        return Next(replace(frame, place=frame.place + 1, step=0, scope=scope, memory=()))
    if not lookup.present(state, frame.scope.controller):
        return Next()
    if turns := of_each(state, frame):
        return goes_on(frame, push=turns[::-1])
    return HANDLERS[type(verb)](state, frame, verb)
