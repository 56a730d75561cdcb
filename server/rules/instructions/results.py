"""What an instruction came to, bound for those that follow (608.2c).

`bind_results` binds "it" (what the instruction spoke of), "amount" (how much), "did" (whether anything happened), and the names
that it was told to give.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from server.cards import forms, nouns
from server.cards.forms import BURIED, BURIES, done_word
from server.rules.characteristics import (
    characteristics,
    select,
)
from server.rules.model import (
    BoundNumber,
    BoundRefs,
    Label,
    Ref,
    RunFrame,
    Scope,
    State,
    events,
    lookup,
    object_or_last,
    player_ref,
)
from server.rules.verbs import done_instead


class Came(NamedTuple):
    """What an instruction came to: its events, the numbers among its results, what arrived where it was moved or made, what left,
    and what the handler noted that it was about."""

    verb: forms.Verb
    done: tuple[events.Event, ...]
    numbers: tuple[int, ...]
    arrived: tuple[Ref, ...]
    left: tuple[Ref, ...]
    about: dict[str, tuple[Ref, ...]]

    @property
    def top(self) -> bool:
        """Whether it moved cards from the top of a library."""
        reading = self.verb.what.reading if isinstance(self.verb, forms.Move) else None
        return isinstance(reading, nouns.Top) and not reading.buried


def bind_results(state: State, frame: RunFrame, verb: forms.Verb) -> Scope:
    """The scope with what an instruction came to."""
    instead, scope = done_instead(frame.scope, done_word(verb))
    done = tuple(e for e in state.results if isinstance(e, events.Event))
    arrived = (i for e in done if isinstance(e, events.Move) and e.became for i in (e.became, *e.others))
    came = Came(
        verb,
        done,
        tuple(r for r in state.results if isinstance(r, int)),
        tuple(dict.fromkeys((*instead, *arrived))),
        tuple(e.subject for e in done if isinstance(e, events.Move) and e.subject),
        cast("dict[str, tuple[Ref, ...]]", dict(frame.memory)),
    )
    total = _TOTALS.get(type(verb), _all_told)(came, scope)
    if isinstance(verb, forms.Damage | forms.AtOnce | forms.Fight):
        scope = _with_excess(state, scope, done)
    scope = _with_done(scope, verb, done, state, instead)
    scope = scope.bind(BoundNumber.AMOUNT, total).bind(BoundNumber.DID, int(bool(done)))
    if isinstance(verb, forms.Sacrifice) and isinstance(verb.what.reading, nouns.Choose) and not verb.rest:
        wanted = verb.what.reading.count  # "sacrifice two lands": who has but one has not done it
        short = isinstance(wanted, int) and not verb.what.reading.up_to and total < wanted
        scope = scope.bind(BoundNumber.DID, 0) if short else scope
    if isinstance(verb, forms.Discard):
        owners = [found.owner for i in came.arrived if (found := object_or_last(state, i)) is not None]
        scope = scope.bind(BoundNumber.MOST_DISCARDED, max(map(owners.count, owners), default=0))
    if isinstance(verb, forms.Discard) and verb.all:  # a hand of no cards can be discarded, too
        scope = scope.bind(BoundNumber.DID, 1)
    if isinstance(verb, forms.Pick):  # "you may choose a card from it. If you do, ..."
        scope = scope.bind(BoundNumber.DID, int(bool(came.about.get(BoundRefs.IT))))
    for bound in (
        _with_it,
        _with_tokens,
        _with_moved,
        _with_looked,
        _with_searched,
        _with_label,
        _with_player,
        _with_each,
    ):
        scope = bound(state, scope, came, frame)
    return scope


# --- how much ----------------------------------------------------------------------------------------------------------------


def _all_told(came: Came, scope: Scope) -> int:
    if came.numbers:
        return sum(came.numbers)
    return sum(e.amount for e in came.done) or len(came.arrived)


def _damage_dealt(came: Came, scope: Scope) -> int:
    return sum(e.amount for e in came.done if isinstance(e, events.Damage))


def _life_changed(came: Came, scope: Scope) -> int:
    return sum(e.amount for e in came.done if isinstance(e, events.GainLife | events.LoseLife))


def _things_moved(came: Came, scope: Scope) -> int:
    return len(came.arrived)


def _things_tapped(came: Came, scope: Scope) -> int:
    return sum(isinstance(e, events.Tap | events.Untap) for e in came.done)


def _exchanged(came: Came, scope: Scope) -> int:
    """Of life totals how much life one lost."""
    if not isinstance(came.verb, forms.Exchange) or came.verb.what != "life":
        return _all_told(came, scope)
    me = player_ref(scope.controller)
    return sum(e.amount for e in came.done if isinstance(e, events.LoseLife) and e.subject == me)


#: How much an instruction came to, by its verb; of any other it is all told.
_TOTALS: dict[type[forms.VerbForm], Callable[[Came, Scope], int]] = {
    forms.Damage: _damage_dealt,
    forms.AtOnce: _damage_dealt,
    forms.GainLife: _life_changed,
    forms.LoseLife: _life_changed,
    forms.Exchange: _exchanged,
    forms.Tap: _things_tapped,
    **dict.fromkeys((forms.Move, forms.Destroy, forms.Sacrifice, forms.Discard, forms.Draw, forms.Mill), _things_moved),
}


# --- what and who ------------------------------------------------------------------------------------------------------------


def _with_it(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    if isinstance(came.verb, forms.Move) and came.verb.what.text in ("the rest", "$rest"):
        return scope  # "that card" after it is what was taken, not what was left
    if isinstance(came.verb, forms.Damage) and isinstance(came.verb.to.reading, nouns.You):
        return scope  # you are never "it" or "them"
    entered = isinstance(came.verb, forms.Move) and came.verb.to == "battlefield"
    if BoundRefs.IT in came.about and not (entered and came.arrived):
        return scope.bind(BoundRefs.IT, _followed(state, came.about[BoundRefs.IT], came.done))
    if came.arrived or isinstance(
        came.verb, forms.Search | forms.CreateToken
    ):  # with nothing found or made it is nothing
        return scope.bind(BoundRefs.IT, came.arrived)
    if isinstance(came.verb, forms.Mill | forms.Discard):  # "mill a card. If it's a land card, ...": no card is "it"
        return scope.bind(BoundRefs.IT, ()).bind(BoundRefs.NO_CARD, ())
    return scope


def _with_tokens(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    return scope.bind(BoundRefs.TOKEN, came.arrived) if isinstance(came.verb, forms.CreateToken) else scope


def _with_moved(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    if not came.left and not came.arrived:
        return scope
    return scope.bind(BoundRefs.FOLLOW, (*(scope.refs(BoundRefs.FOLLOW) or ()), *came.left, *came.arrived))


def _with_looked(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    """What was looked at, all of which is the rest until some of it is taken."""
    found = isinstance(came.verb, forms.Search) and came.verb.to == "found"
    if not (came.top or found or isinstance(came.verb, forms.Look | forms.Mill | forms.RevealHand)):
        return scope
    seen = came.arrived if came.top or BoundRefs.IT not in came.about else scope.refs(BoundRefs.IT) or ()
    scope = scope.bind(BoundRefs.LOOKED, seen).bind(BoundRefs.REST, seen)
    return scope.bind(BoundRefs.IT, seen) if came.top and seen else scope  # a card of a library is followed by no id


def _with_searched(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    """Whose libraries were searched ("if you search your library this way")."""
    if not isinstance(came.verb, forms.Search) or not came.verb.either:
        return scope
    return scope.bind(BoundRefs.SEARCHED, tuple(e.object for e in came.done if isinstance(e, events.SearchLibrary)))


def _with_label(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    """The name that the text gives to what the instruction was about."""
    name = Label(getattr(came.verb, "as_name", ""))
    if not name or not came.arrived and BoundRefs.IT not in came.about:
        return scope
    found = came.arrived or came.about[BoundRefs.IT]
    return scope.bind(name, found)


def _with_player(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    """Whom it was done to, or who did it if that is one player and not "you", or to whose hand something went."""
    who = getattr(came.verb, "who", None)
    mine = who is not None and isinstance(who.reading, nouns.You)
    you = (player_ref(scope.controller),)
    if BoundRefs.PLAYER in came.about and not (
        mine and came.about[BoundRefs.PLAYER] == you
    ):  # "you" are never "that player"
        return scope.bind(BoundRefs.PLAYER, came.about[BoundRefs.PLAYER])
    if isinstance(came.verb, forms.Move) and came.verb.to == "hand" and scope.refs(BoundRefs.PLAYER) in (None, (), you):
        owners = {state.objects[i].owner for i in came.arrived if i in state.objects}
        return scope.bind(BoundRefs.PLAYER, tuple(map(player_ref, owners))) if len(owners) == 1 else scope
    if who is None or mine:
        return scope
    acting = select(state, who, frame.scope)
    spoken_of = len(acting) == 1 or isinstance(who.reading, nouns.Target)  # "those players"
    return scope.bind(BoundRefs.PLAYER, acting) if spoken_of else scope


def _with_each(state: State, scope: Scope, came: Came, frame: RunFrame) -> Scope:
    """How much it came to for each of several players who did it ("each player discards their hand, then draws that many cards")."""
    who = getattr(came.verb, "who", None)
    if who is None or len(select(state, who, frame.scope)) < 2:
        return scope
    moved = [e for e in came.done if isinstance(e, events.Move)]
    those = [object_or_last(state, e.subject) or object_or_last(state, e.became) for e in moved]
    own = [one.controller if one.zone == "battlefield" else one.owner for one in those if one is not None]
    return scope.bind(BoundRefs.OF_EACH, tuple(map(player_ref, own)))


# --- what was done to what ---------------------------------------------------------------------------------------------------


def _with_done(
    scope: Scope, verb: forms.Verb, done: tuple[events.Event, ...], state: State, instead: tuple[Ref, ...]
) -> Scope:
    """The scope told of what it was done to ("each creature destroyed this way"); what several instructions destroyed is all of it."""
    if isinstance(verb, BURIES):
        moves = (e for e in done if isinstance(e, events.Move) and e.to == "graveyard" and e.became)
        buried = (i for e in moves for i in (e.became, *e.others))
        scope = scope.bind(Label(BURIED), tuple(dict.fromkeys((*(scope.refs(Label(BURIED)) or ()), *buried))))
    word = Label(done_word(verb))
    things = tuple(_known(state, e) for e in done if isinstance(e, DONE_EVENTS) and e.subject > 0) if word else ()
    if isinstance(verb, forms.Damage | forms.AtOnce):  # what was dealt some, and not what it was dealt by
        things = tuple(e.object for e in done if isinstance(e, events.Damage) and e.object > 0 and e.amount > 0)
    if not word:
        return scope
    return scope.bind(word, tuple(dict.fromkeys((*(scope.refs(word) or ()), *instead, *things))))


def _followed(state: State, refs: tuple[Ref, ...], done: tuple[events.Event, ...]) -> tuple[Ref, ...]:
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


def _with_excess(state: State, scope: Scope, done: tuple[events.Event, ...]) -> Scope:
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
    return scope.bind(BoundRefs.EXCESS, tuple(refs)).bind(BoundNumber.EXCESS_DAMAGE, total)
