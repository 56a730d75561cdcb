"""A game as one seat may know it, as a state that is played on once the rest is made up: for those who think ahead by guessing.

Two games between which a seat may know no difference have equal redacted states (the byte law). So what it may not know is left out, and
what could tell of it is written in one way only: cards in hidden zones have ids by what the seat knows of them, not by where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from server.knowledge.hidden import may_know, shown_by
from server.knowledge.references import Writer
from server.rules import answers_of, snapshot
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    Definition,
    Frame,
    LastKnown,
    Object,
    Options,
    Player,
    PriorityFrame,
    Ref,
    State,
    Struct,
    ability_definition,
    changed,
    events,
    lookup,
    with_rare,
)

HIDDEN_ZONES = frozenset(("hand", "library"))


class Redacted(Struct):
    """What a `seat` may know of a game.

    In `state` each card that the seat may not know is `unknown()`; hands and libraries of which it does not know the order are sorted;
    the seed, the number of draws of chance and of questions, and what loops have been noticed are gone. `question` is what the seat is
    asked, None if another is or nobody. Of the step under way `answered` are the answers so far, None those of others. `tops` are by
    seats how many cards on top of the library lie where the seat knows them.
    """

    state: State
    seat: int
    question: AnyQuestion | None
    answered: tuple[AnyAnswer | None, ...] = ()
    tops: tuple[int, ...] = ()


def unknown() -> Definition:
    """The card that stands for all that are not known: without a name, types, cost or text."""
    return ability_definition("", "")


def redact(state: State, seat: int) -> Redacted:
    """The game as the seat may know it."""
    return _Redaction(state, seat).made()


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is written: the snapshot has the question open, and the answers with the step under way."""

    seat: int
    tops: tuple[int, ...]
    state: msgspec.Raw


def write(known: Redacted) -> bytes:
    """As JSON, for who thinks in another process."""
    *below, top = known.state.agenda or (None,)
    agenda = (*below, replace(top, answers=known.answered)) if top is not None else ()
    state = replace(known.state, agenda=agenda, pending=known.question)
    return msgspec.json.encode(_Text(known.seat, known.tops, msgspec.Raw(snapshot.write(state, ()))))


def read(data: bytes | str) -> Redacted:
    """What `write` wrote. Raises `snapshot.Unreadable`."""
    try:
        text = msgspec.json.decode(data, type=_Text)
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise snapshot.Unreadable(f"it is not what a seat knows: {fault}") from fault
    state = snapshot.read(bytes(text.state), ())
    try:
        if len(text.tops) != len(state.players) or not 0 <= text.seat < len(state.players):
            raise snapshot.Unreadable("it is of other seats than its state")
        answered = state.agenda[-1].answers if state.agenda else ()
        bare = replace(state, agenda=_without_answers(state), pending=None)
    except (AttributeError, TypeError) as fault:
        raise snapshot.Unreadable(f"it holds what is no state: {fault}") from fault
    return Redacted(bare, text.seat, state.pending, answered, text.tops)


class _Redaction:
    """`_ids` are the new ids of what lies, or lay, in zones that are hidden from the seat."""

    def __init__(self, state: State, seat: int) -> None:
        self._whole = state
        self._seat = seat
        asked = state.pending
        self._mine = asked if asked is not None and asked.seat == seat else None
        self._answers = answers_of(state)
        # What was shown for an answer in the same step lies where it lay; 712.4: it is shown to both.
        step = (*(question for question, _ in self._answers), *(() if asked is None else (asked,)))
        told = [question for question in step if seat in (question.seat, question.whose)]
        self._shown = frozenset(ref for question in told for ref in shown_by(state, question))
        self._ids: dict[Ref, Ref] = {}
        self._next = state.next_id
        special = {State: self._state, LastKnown: self._last, Options: _without_seed}
        shown = {events.Reveal: self._shown_cards, events.SetLibrary: self._shown_cards}
        self._writer = Writer(self._rename, {**special, **shown, events.Move: self._moved})

    def made(self) -> Redacted:
        """See `redact`."""
        state = self._whole
        for thing in sorted((t for t in state.objects.values() if self._lies_hidden(t) and self._knows(t)), key=_looks):
            self._new_id(thing.id)
        told = ((answer, self._seat in (asked.seat, asked.whose)) for asked, answer in self._answers)
        answered = tuple(answer if known else None for answer, known in told)
        question = self._writer.rewritten(self._mine)
        if question is not None:
            question = replace(question, number=0)
        answers = tuple(self._writer.rewritten(answer) for answer in answered)
        tops = tuple(self._top(player.library) for player in state.players)
        return Redacted(self._state(state), self._seat, question, answers, tops)

    # --- who knows what, and by which number ---

    def _knows(self, thing: Object) -> bool:
        return may_know(thing, self._seat) or thing.id in self._shown

    def _lies_hidden(self, thing: Object) -> bool:
        """Whether it is where the seat does not see which object is which."""
        return thing.zone in HIDDEN_ZONES and not (thing.zone == "hand" and thing.owner == self._seat)

    def _new_id(self, ref: Ref) -> Ref:
        found = self._ids.get(ref)
        if found is None:
            found = self._ids[ref] = self._next
            self._next += 1
        return found

    def _rename(self, ref: Ref) -> Ref:
        thing = self._whole.objects.get(ref)
        if thing is None:
            last = self._whole.last.get(ref)
            thing = last.object if last is not None else None
        hidden = thing is not None and self._lies_hidden(thing)
        return self._new_id(ref) if hidden or ref in self._ids else ref

    # --- the parts of a state ---

    def _state(self, state: State) -> State:
        """A state that is left of everything else; also one to which an announcement may go back."""
        writer = self._writer
        results = () if isinstance(state.agenda[-1], PriorityFrame) else self._in_any_order(state.results)
        bare = replace(
            state,
            objects={},
            last={},
            history={},
            known_then={},
            results=results,
            pending=None,
            loop=None,
            main=None,
            memo={},
        )
        made = writer.fields_of(replace(bare, agenda=_without_answers(state), players=(), fixed_chance=()))
        history = {(key, ref): n for (key, ref), n in state.history.items() if ref <= 0 or self._rename(ref) == ref}
        then = {key: self._last(kept) for key, kept in state.known_then.items() if self._rename(key[1]) == key[1]}
        last = self._all_last(state)
        objects = [self._object(thing) for thing in self._in_order(state)]
        return replace(
            made,
            players=tuple(self._player(player) for player in state.players),
            objects={thing.id: thing for thing in sorted(objects, key=lambda thing: thing.id)},
            last=last,
            history=history,
            known_then=then,
            questions=0,
            chance=0,
            next_id=self._next,
            main=None if state.main is None else _Redaction(state.main, self._seat).made().state,
        )

    def _in_any_order(self, results: tuple[events.Event, ...]) -> tuple[events.Event, ...]:
        """What others put into their hands one after another, as team mates and who was shown the hand know of it: which cards, not which
        of them came first. It stands there by what is known of them.
        """
        found = list(results)
        places = [n for n, event in enumerate(found) if isinstance(event, events.Move) and self._comes_unseen(event)]
        runs: dict[int, list[int]] = {}
        for run, place in enumerate(places):
            runs.setdefault(place - run, []).append(place)
        for run in runs.values():
            moves = [event for n in run if isinstance(event := found[n], events.Move)]
            by_card = sorted(moves, key=lambda event: self._ids.get(event.became, 0))
            for n, old, new in zip(run, moves, by_card, strict=True):
                found[n] = replace(new, subject=old.subject, nth=old.nth)
        return tuple(found)

    def _comes_unseen(self, event: events.Move) -> bool:
        thing = self._whole.objects.get(event.became)
        unseen = event.from_ in HIDDEN_ZONES or event.from_ == lookup.OUTSIDE
        return thing is not None and unseen and event.to == "hand" and self._lies_hidden(thing)

    def _in_order(self, state: State) -> Iterable[Object]:
        """First what has its number, then what nobody has spoken of, which is all the same by zones."""
        spoken = [thing for thing in state.objects.values() if self._rename_known(thing)]
        rest = [thing for thing in state.objects.values() if not self._rename_known(thing)]
        yield from sorted(spoken, key=lambda thing: self._ids.get(thing.id, thing.id))
        yield from sorted(rest, key=lambda thing: (thing.owner, thing.zone))

    def _rename_known(self, thing: Object) -> bool:
        return thing.id in self._ids or not self._lies_hidden(thing)

    def _object(self, thing: Object) -> Object:
        if self._lies_hidden(thing):
            return self._card(thing)
        if self._knows(thing):
            return self._writer.fields_of(replace(thing, known=thing.known & 1 << self._seat))
        # Which of them is a commander nobody sees either (903.3), unless it is seen which card it is.
        blank = changed(thing, definition=unknown(), printed=None, merged=(), known=0, commander=0)
        return self._writer.fields_of(blank)

    def _card(self, thing: Object) -> Object:
        """In a hand or a library: when it came there is not known of any."""
        number, seat = self._rename(thing.id), thing.owner
        if not self._knows(thing):
            return Object(number, unknown(), seat, seat, thing.zone, base=seat)
        known = Object(number, thing.definition, seat, seat, thing.zone, base=seat, known=1 << self._seat)
        return with_rare(
            known, printed=thing.printed, commander=thing.commander, token=thing.token, chosen=thing.chosen
        )

    def _player(self, player: Player) -> Player:
        """Of cards in hands and libraries it is known how many they are, and of some that they are among them; the top card of a
        library, if the seat has seen it, lies on top, and so do those that its question shows. What is outside the game is its
        owner's business; of a sideboard it is known how many cards it has.
        """
        bare = replace(player, hand=(), library=())
        mine = player.seat == self._seat
        outside = tuple(unknown() for _ in player.outside)
        made = self._writer.fields_of(bare if mine else replace(bare, dungeons=(), outside=outside))
        hand = player.hand if player.seat == self._seat else tuple(sorted(map(self._rename, player.hand)))
        top = self._top(player.library)
        rest = sorted(map(self._rename, player.library[: len(player.library) - top]))
        placed = map(self._rename, player.library[len(player.library) - top :])
        return replace(made, hand=hand, library=(*rest, *placed))

    def _top(self, library: tuple[Ref, ...]) -> int:
        """How many cards from the top lie where the seat knows them."""
        shown = next((n for n, ref in enumerate(reversed(library)) if ref not in self._shown), len(library))
        if shown or not library:
            return shown
        top = self._whole.objects.get(library[-1])
        return int(top is not None and self._knows(top))

    def _all_last(self, state: State) -> dict[Ref, LastKnown]:
        """What is remembered of what has moved: all of the zones that everybody sees, of others what something speaks of."""
        found: dict[Ref, LastKnown] = {}
        while True:
            more = {ref: last for ref, last in state.last.items() if self._is_spoken_of(ref, last)}
            left = [ref for ref in more if self._rename(ref) not in found]
            if not left:
                return dict(sorted(found.items()))
            for ref in left:
                found[self._rename(ref)] = self._last(more[ref])

    def _is_spoken_of(self, ref: Ref, last: LastKnown) -> bool:
        return ref in self._ids or not self._lies_hidden(last.object)

    def _last(self, last: LastKnown) -> LastKnown:
        """What became public is known as what it was, too; what became hidden is not followed."""
        became = self._whole.objects.get(last.became)
        seen = became is not None and self._knows(became)
        last = replace(
            last,
            became=last.became if self._can_follow(last.became) else 0,
            others=tuple(filter(self._can_follow, last.others)),
        )
        if not seen and not self._knows(last.object):
            plain = last.characteristics if last.object.face_down else unknown().base
            blank = changed(last.object, definition=unknown(), printed=None, merged=(), commander=0)
            last = replace(last, object=blank, characteristics=plain)
        thing = last.object
        if self._lies_hidden(thing):
            card = Object(thing.id, thing.definition, thing.owner, thing.owner, thing.zone, base=thing.owner)
            kept = with_rare(card, printed=thing.printed, commander=thing.commander)
        else:
            kept = replace(thing, known=thing.known & 1 << self._seat)
        return self._writer.fields_of(replace(last, object=kept))

    def _can_follow(self, ref: Ref) -> bool:
        """Whether the seat sees that what something became is this, or saw it while it was: of several cards in a hand it does not
        see which one is put away."""
        thing = self._whole.objects.get(ref)
        if thing is not None:
            return not self._lies_hidden(thing) or self._knows(thing)
        last = self._whole.last.get(ref)
        return last is not None and (not self._lies_hidden(last.object) or may_know(last.object, self._seat))

    def _moved(self, event: events.Move) -> events.Event:
        """In which order the cards of one permanent are put into a library only its owner knows (current 712.21a, current 729.3a), as
        which card is to come from outside the game unless it is revealed."""
        found = self._whole.objects.get(event.subject) or (event.last.object if event.last is not None else None)
        if event.order and event.to == "library" and (found is None or found.owner != self._seat):
            event = replace(event, order=())
        if (
            event.cause == lookup.OUTSIDE
            and event.definition is not None
            and not event.reveal
            and event.owner != self._seat
        ):
            event = replace(event, definition=unknown())
        return self._writer.fields_of(event)

    def _shown_cards(self, event: events.Reveal | events.SetLibrary) -> events.Event:
        """Cards that were looked at, or put into an order: in which is not known."""
        made = self._writer.fields_of(event)
        return replace(made, objects=tuple(sorted(made.objects)))


def _looks(thing: Object) -> tuple[Any, ...]:
    """By what known cards in hidden zones are put in order: what the seat knows of them."""
    return (
        thing.owner,
        thing.zone,
        thing.definition.name,
        thing.definition.key,
        thing.commander,
        thing.token,
        thing.chosen,
    )


def _without_seed(options: Options) -> Options:
    return replace(options, seed="")


def _without_answers(state: State) -> tuple[Frame, ...]:
    return (*state.agenda[:-1], *(replace(frame, answers=()) for frame in state.agenda[-1:]))
