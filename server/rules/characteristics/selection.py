"""What noun phrases select in a game.

Everything is asked for a `Scope`: who speaks (the source and its controller), what was announced (`entry`) and what has
been bound so far. References are object ids and players (`questions.Ref`). Objects that have left are looked up in last
known information where the rules allow it (608.2g); a selection never invents an object. `predicates` tells of one object
whether it is of a kind, `amounts` what numbers come to; the three call each other, since nouns contain amounts and amounts nouns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.grammar import CHOSEN_THIS_WAY, PERMANENT_TYPES
from server.cards.nouns import Noun
from server.rules.characteristics import amounts, predicates
from server.rules.characteristics.around_target import around_target
from server.rules.continuous import choice_of
from server.rules.model import (
    BoundRefs,
    Entry,
    Label,
    Ref,
    Scope,
    State,
    attacking,
    compare,
    controller_of,
    lookup,
    loop_of,
    object_or_last,
    player_ref,
    seat_of,
    targets_of,
    walk,
    zone_ids,
)


def refs(state: State, reading: nouns.Reading, scope: Scope) -> tuple[Ref, ...]:
    """What a noun selects now, without asking anybody: for `Choose` everything that could be chosen."""
    return READINGS[type(reading)](state, reading, scope)


def _you(state: State, reading: nouns.You, scope: Scope) -> tuple[Ref, ...]:
    return (player_ref(scope.controller),)


def _players(state: State, reading: nouns.Players, scope: Scope) -> tuple[Ref, ...]:
    return tuple(player_ref(s) for s in lookup.turn_order(state) if is_kind_of_player(state, s, reading, scope))


def is_kind_of_player(state: State, seat: int, kind: nouns.Players, scope: Scope) -> bool:
    """Whether the player in `seat` is of that kind, and controls what it says."""
    if not is_player(state, seat, kind.which, scope):
        return False
    if kind.amount is not None and not _measures_up(state, seat, kind, scope):
        return False
    if kind.besides is not None and player_ref(seat) in refs(state, kind.besides, scope):
        return False
    if kind.controls is None:
        return True
    theirs = len(select(state, kind.controls, scope.bind(BoundRefs.PLAYER, (player_ref(seat),))))
    if kind.than is None:
        return theirs > 0
    yours = len(select(state, kind.than, scope))
    return theirs < yours if kind.fewer else theirs > yours


def _measures_up(state: State, seat: int, kind: nouns.Players, scope: Scope) -> bool:
    """Whether the amount that is said of the player in `seat` compares so."""
    of_them = scope.bind(BoundRefs.PLAYER, (player_ref(seat),))
    assert kind.amount is not None
    left, right = (amounts.amount(state, side, of_them) for side in (kind.amount, kind.number))
    return compare(left, kind.compare, right)


def is_player(state: State, seat: int, which: str, scope: Scope) -> bool:
    """Whether the player in `seat` is of that kind, seen from the scope's controller."""
    you = scope.controller
    if not lookup.present(state, seat) or not lookup.in_range(state, you, seat):
        return False
    if which == "any":
        return True
    if which == "opponent":
        return not lookup.same_team(state, seat, you)
    if which == "teammate":
        return seat != you and lookup.same_team(state, seat, you)
    if which == "team":
        return lookup.same_team(state, seat, you)
    if which == "other":
        return seat != you
    if which in ("active", "attacking"):
        meant = scope.refs(BoundRefs.ACTIVE)  # 805.9: of a team one
        return player_ref(seat) in meant if meant else lookup.is_active(state, seat)
    if which == "nonactive":
        return not lookup.is_active(state, seat)
    return state.combat is not None and seat in state.combat.defenders


def _defending(state: State, reading: nouns.DefendingPlayer, scope: Scope) -> tuple[Ref, ...]:
    # 508.5, 802.2a: of the attacker that the event or ability speaks of, as remembered; else of this object.
    bound = scope.refs(BoundRefs.DEFENDING)
    if bound:
        return bound
    affected = scope.refs(BoundRefs.AFFECTED) or ()
    candidates: list[int] = [*affected, scope.source]
    candidates.extend(r for r in scope.refs(BoundRefs.IT) or () if r > 0)
    if scope.entry is not None:
        candidates.extend(r for slot in scope.entry.targets for r in slot if r > 0)
    for ref in candidates:
        attacker = attacking(state, ref)
        last = state.last.get(ref)
        seat = attacker.defending if attacker is not None else last.defending if last is not None else -1
        if seat >= 0:
            # 810.7b: both players of a team that is attacked; but one of them where each attacking creature does something.
            return tuple(map(player_ref, (seat,) if ref in affected else lookup.attacked_with(state, seat)))
    # Several may be meant: the controller of the spell or ability chooses one as it resolves (`resolve`).
    if state.combat is None:
        return ()
    return tuple(player_ref(s) for s in state.combat.defenders if lookup.in_range(state, scope.controller, s))


def _controller_of(state: State, reading: nouns.ControllerOf, scope: Scope) -> tuple[Ref, ...]:
    found = (controller_of(state, r) for r in refs(state, reading.of, scope))
    return _distinct(player_ref(s) for s in found if s is not None and lookup.present(state, s))


def _owner_of(state: State, reading: nouns.OwnerOf, scope: Scope) -> tuple[Ref, ...]:
    owners: list[Ref] = []
    for ref in refs(state, reading.of, scope):
        found = object_or_last(state, ref)
        if found is not None:
            owners.append(player_ref(found.owner))
    return _distinct(owners)


def _this(state: State, reading: nouns.This, scope: Scope) -> tuple[Ref, ...]:
    return (scope.source,) if scope.source else ()


_PLAYER_WORDS = frozenset(("player", "opponent"))


def _whose_target(state: State, entry: Entry) -> tuple[Ref, ...]:
    """The player whose permanent or card is a target: "destroy target creature an opponent controls. That player ..." (608.2g)."""
    for noun, slot in zip(targets_of(entry.program), entry.targets, strict=False):
        kind = nouns.kind_of(noun.reading)
        said = (part for part in walk(kind) if isinstance(part, nouns.ControlledBy)) if kind is not None else ()
        if slot and any(isinstance(part.by, nouns.Players) for part in said):
            whose = controller_of(state, slot[0])
            return () if whose is None else (player_ref(whose),)
        owned = (part for part in walk(kind) if isinstance(part, nouns.OwnedBy)) if kind is not None else ()
        card = object_or_last(state, slot[0]) if slot and slot[0] > 0 else None
        if card is not None and any(isinstance(part.by, nouns.Players) for part in owned):
            return (player_ref(card.owner),)
    return ()


def _tells_of_no_player(entry: Entry, known: tuple[Ref, ...]) -> bool:
    """Whether the player who is known is only whoever controls {this}, of which alone an event speaks ("when {this} enters")."""
    when = entry.ability.when if isinstance(entry.ability, forms.TriggeredAbility) else ()
    about = all(p.event == "zone change" and p.subject is not None and p.subject.text == forms.THIS for p in when)
    return bool(when) and about and dict(entry.bindings).get(BoundRefs.PLAYER) == known


def _it(state: State, reading: nouns.It, scope: Scope) -> tuple[Ref, ...]:
    it = scope.refs(BoundRefs.IT)
    if reading.what in _PLAYER_WORDS:
        known = scope.refs(BoundRefs.PLAYER) or tuple(r for r in it or () if r < 0)
        if scope.entry is not None and (not known or _tells_of_no_player(scope.entry, known)):
            # Who is a target is spoken of before anything is done to them, and as soon as what is theirs is.
            known = tuple(r for r in _targets(scope) if r < 0)[:1] or _whose_target(state, scope.entry) or known
        return known
    of_them = reading.what == nouns.THEM
    bound = scope.refs(Label(reading.what)) if reading.what and not of_them else None
    bound = it if bound is None else bound
    if bound is None and of_them:  # "at the beginning of each player's upkeep, {this} deals 1 damage to them"
        return scope.refs(BoundRefs.PLAYER) or ((scope.source,) if scope.source else ())
    if bound is None:
        target = _target_spoken_of(state, reading.what, scope) if reading.what else ()
        return target or ((scope.source,) if scope.source else ())
    told = dict(scope.entry.bindings).get(BoundRefs.IT) if scope.entry is not None else None
    # What was spoken of by that word is it still, whatever it has become (608.2i).
    if bound is it and told and bound != told and _strays(state, bound, reading.what, scope):
        event = cast("tuple[Ref, ...]", told)  # "... an Aura enters, create a creature token. If that enchantment ..."
        return event if _are(state, event, reading.what, scope) else bound
    if bound is it and reading.what in PERMANENT_TYPES and _came_between(state, bound, reading.what, scope):
        return _target_spoken_of(state, reading.what, scope) or bound
    if bound is it and reading.what == "permanent" and any(r < 0 for r in bound):
        return _target_spoken_of(state, reading.what, scope)  # not the player who paid energy meanwhile
    return bound


def _strays(state: State, refs: tuple[Ref, ...], word: str, scope: Scope) -> bool:
    """Whether what was spoken of last is not called so: it is of another kind, was drawn ("draw a card and reveal it. The creature"),
    or is {this}, which no text calls "that creature" ("put a +1/+1 counter on {this}. If that creature ...")."""
    if refs == (scope.source,) and word in (*PERMANENT_TYPES, "permanent") and scope.source not in _targets(scope):
        return True
    if word not in PERMANENT_TYPES and word != "spell":
        return False
    drawn = bool(refs) and all(ref in state.objects and state.objects[ref].zone == "hand" for ref in refs)
    returned = any(last.became in refs and last.object.zone == "battlefield" for last in state.last.values())
    return not _are(state, refs, word, scope) or drawn and not returned


def _targets(scope: Scope) -> list[Ref]:
    return [ref for slot in scope.entry.targets for ref in slot] if scope.entry is not None else []


def _came_between(state: State, refs: tuple[Ref, ...], word: str, scope: Scope) -> bool:
    """Whether they are of another kind (the Equipment that was exiled meanwhile), or tokens that this has created, and no targets."""
    made = (*(scope.refs(BoundRefs.TOKEN) or ()), *(scope.refs(BoundRefs.GATHERED) or ()))
    own = [found for ref in refs if ref in made and (found := object_or_last(state, ref)) is not None and found.token]
    created = 0 < len(refs) == len(own) and set(refs).isdisjoint(_targets(scope))
    return created or not _are(state, refs, word, scope)


def _target_spoken_of(state: State, word: str, scope: Scope) -> tuple[Ref, ...]:
    """The first target of that type: "you gain life equal to target creature's power. ... that creature"."""
    said = _targets(scope) if word in PERMANENT_TYPES or word in _SORTS else ()
    return next(((ref,) for ref in said if ref > 0 and _are(state, (ref,), word, scope)), ())


#: Sorts of object that are told by the zone they are in, or last were (109.2).
_SORTS: dict[str, nouns.Zone] = {"spell": "stack", "permanent": "battlefield"}


def _are(state: State, refs: tuple[Ref, ...], word: str, scope: Scope) -> bool:
    if refs == () == scope.refs(BoundRefs.NO_CARD):
        return False  # "Mill a card. That creature ..." is not about the card, though there was none.
    if word in _SORTS:
        known = (object_or_last(state, ref) for ref in refs)
        return all(found is not None and found.zone == _SORTS[word] for found in known)
    kind = nouns.Things(objects=nouns.HasType(type=word), anywhere=True)
    return all(r > 0 and fits(state, kind, r, scope) for r in refs)


def _named(state: State, reading: nouns.Named, scope: Scope) -> tuple[Ref, ...]:
    found = scope.refs(Label(reading.name)) or ()
    # "The rest" of what was looked at is what is still where it was.
    return tuple(r for r in found if r in state.objects) if reading.name == BoundRefs.REST else found


def _attached(state: State, reading: nouns.Attached, scope: Scope) -> tuple[Ref, ...]:
    found = object_or_last(state, scope.source)
    return (found.attached_to,) if found is not None and found.attached_to else ()


def _linked(state: State, reading: nouns.Linked, scope: Scope) -> tuple[Ref, ...]:
    found = object_or_last(state, scope.source)
    if found is None:
        return ()
    if reading.what in ("exiled", "put"):  # what was put there also as it was there, for what triggers as it leaves
        return tuple(i for i in found.linked if reading.what == "put" or i in state.objects)
    if reading.what in ("creature", "permanent") and (chosen := scope.refs(Label(CHOSEN_THIS_WAY))):
        return chosen
    value = choice_of(state, found, reading.what) or ""
    told = _targets(scope) if reading.what == "player" else []  # "choose target opponent ... the chosen player"
    return (int(value),) if value.lstrip("-").isdigit() else tuple(r for r in told if r < 0)


def _paired_with(state: State, reading: nouns.PairedWith, scope: Scope) -> tuple[Ref, ...]:
    found = (predicates.partner(state, ref) for ref in refs(state, reading.of, scope))
    return tuple(ref for ref in found if ref)


YOURS = nouns.ControlledBy(nouns.You())
COMMANDER = nouns.IsA(sort="commander")
#: Where things of a sort are, if they are nowhere else (109.2, 109.2b).
ZONE_OF_SORT: dict[str, tuple[nouns.Zone, ...]] = {
    "permanent": ("battlefield",),
    "spell": ("stack",),
    "ability": ("stack",),
    "activated ability": ("stack",),
    "triggered ability": ("stack",),
}


def things(state: State, kind: nouns.Things, scope: Scope) -> tuple[Ref, ...]:
    """All things of a kind: objects of its zone in order, then players in APNAP order."""
    found: tuple[Ref, ...] = ()
    if kind.objects is not None:
        test = predicates.PREDICATES[type(kind.objects)]
        predicate = kind.objects
        ids = zone_ids(state, kind.zone) if not kind.anywhere else _named_ids(state, kind, scope)
        if isinstance(predicate, nouns.All) and YOURS in predicate.parts:
            # The cheapest part of most phrases leaves out most of a table.
            objects, you = state.objects, scope.controller
            ids = [i for i in ids if i not in objects or objects[i].controller == you]
        found = tuple(i for i in ids if test(state, predicate, i, scope))
        if state.options.limited:  # 801.11
            found = tuple(i for i in found if lookup.reaches(state, scope.controller, i))
    if kind.players is not None:
        found += _players(state, kind.players, scope)
    return found


def _named_ids(state: State, kind: nouns.Things, scope: Scope) -> tuple[int, ...]:
    """Where things of a kind without a zone are looked for: among those that the phrase names, else where each of its alternatives
    is; a commander is looked for everywhere (current 903.3)."""
    objects = kind.objects
    parts = objects.parts if isinstance(objects, nouns.All) else (objects,)
    if COMMANDER in parts:
        return tuple(state.objects)
    for part in parts:
        if isinstance(part, nouns.Among) and isinstance(part.of, nouns.Named) and part.of.name.endswith("this way"):
            return tuple(r for r in refs(state, part.of, scope) if r > 0)
        if isinstance(part, nouns.Among):
            return tuple(r for r in refs(state, part.of, scope) if r in state.objects)
    return tuple(i for zone in zones_of(kind) for i in zone_ids(state, zone))


@lru_cache(maxsize=4096)
def zones_of(kind: nouns.Things) -> tuple[nouns.Zone, ...]:
    """The zones of a kind: of "spell or permanent" the stack and the battlefield (109.2, 109.2b)."""
    if not kind.anywhere:
        return (kind.zone,)
    said = _zones_said(kind.objects) if kind.objects is not None else ()
    return tuple(dict.fromkeys(said)) or (kind.zone,)


def _zones_said(predicate: nouns.Predicate) -> tuple[nouns.Zone, ...]:
    """The zones in which something may be of which this is true, as far as it says so; in "spell or creature" each alternative does."""
    if isinstance(predicate, nouns.LiesIn):
        return predicate.zones
    if isinstance(predicate, nouns.IsA):
        return ZONE_OF_SORT.get(predicate.sort, ())
    if not isinstance(predicate, nouns.All | nouns.Any):
        return ()
    said = [zones for zones in map(_zones_said, predicate.parts) if zones]
    if isinstance(predicate, nouns.All):
        return said[0] if said else ()
    return tuple(zone for zones in said for zone in zones)


@lru_cache(maxsize=4096)
def whatever_x(kind: nouns.Things) -> nouns.Things:
    """A kind before X is announced: what would fit for some X."""
    objects = kind.objects
    if isinstance(objects, nouns.All):
        parts = tuple(p for p in objects.parts if not (isinstance(p, nouns.StatIs) and p.amount == nouns.X()))
        return kind if len(parts) == len(objects.parts) else replace(kind, objects=nouns.All(parts=parts))
    return kind


def _each(state: State, reading: nouns.Each, scope: Scope) -> tuple[Ref, ...]:
    return things(state, reading.of, scope)


def _choose(state: State, reading: nouns.Choose, scope: Scope) -> tuple[Ref, ...]:
    return things(state, reading.of, scope)


def _bare(state: State, reading: nouns.Things, scope: Scope) -> tuple[Ref, ...]:
    return things(state, reading, scope)


def _target(state: State, reading: nouns.Target, scope: Scope) -> tuple[Ref, ...]:
    entry = scope.entry
    if entry is None:
        return ()
    for slot, noun in enumerate(targets_of(entry.program)):
        if contains(noun.reading, reading) and slot < len(entry.targets):
            return tuple(r for r in entry.targets[slot] if r)
    return ()


def contains(outer: nouns.Reading, inner: nouns.Reading) -> bool:
    """Whether a reading is this very one, or says something of it ("its controller" of a target)."""
    return outer is inner or any(part is inner for part in walk(outer))


def select(state: State, noun: Noun, scope: Scope) -> tuple[Ref, ...]:
    """What a noun selects; a target noun finds the slot that is its own by identity."""
    entry = scope.entry
    if entry is not None and entry.targets:
        for slot, own in enumerate(targets_of(entry.program)):
            if own is noun and slot < len(entry.targets):
                chosen = tuple(r for r in entry.targets[slot] if r)
                if loop_of(entry.program, noun) is not None:
                    chosen = tuple(r for r in chosen if fits(state, noun.reading, r, scope))
                return _through(state, noun, chosen, scope)
    return refs(state, noun.reading, scope)


def _through(state: State, noun: Noun, chosen: tuple[Ref, ...], scope: Scope) -> tuple[Ref, ...]:
    """A phrase about a target ("target creature's controller") with the target's place taken by what was chosen."""
    if isinstance(noun.reading, nouns.Target):
        return chosen
    return refs(state, around_target(noun.text), scope.bind(BoundRefs.TARGET, chosen))


def _top(state: State, reading: nouns.Top, scope: Scope) -> tuple[Ref, ...]:
    n = amounts.amount(state, reading.count, scope)
    found: list[Ref] = []
    for ref in refs(state, reading.of, scope):
        player = lookup.player(state, ref)
        pile = player.graveyard if reading.buried else player.library
        if reading.buried and reading.kind is not None:
            fitting = frozenset(things(state, reading.kind, scope))
            pile = tuple(oid for oid in pile if oid in fitting)
        if n > 0:
            found.extend(pile[:n] if reading.bottom else tuple(reversed(pile[-n:])))
    return tuple(found)


def _both(state: State, reading: nouns.Both, scope: Scope) -> tuple[Ref, ...]:
    first = refs(state, reading.parts[0], scope)
    if isinstance(
        reading.parts[0], nouns.Attached
    ):  # "enchanted creature and other creatures that share a color with it"
        scope = scope.bind(BoundRefs.IT, first)
    return _distinct((*first, *(r for part in reading.parts[1:] for r in refs(state, part, scope))))


def _superlative(state: State, reading: nouns.Superlative, scope: Scope) -> tuple[Ref, ...]:
    candidates = tuple(r for r in things(state, reading.of, scope) if r > 0)
    if not candidates:
        return ()
    values = [predicates.stat(state, r, reading.stat) for r in candidates]
    best = max(values) if reading.greatest else min(values)
    return tuple(r for r, v in zip(candidates, values, strict=True) if v == best)


def _foremost(state: State, reading: nouns.Foremost, scope: Scope) -> tuple[Ref, ...]:
    owned = [controller_of(state, r) for r in things(state, reading.kind, scope)] if reading.kind is not None else []

    def score(seat: int) -> int:
        if reading.most == "life":
            return lookup.individual_life(state, player_ref(seat))
        return len(state.players[seat].hand) if reading.most == "hand" else owned.count(seat)

    scores = {seat: score(seat) for seat in lookup.turn_order(state)}
    best = [seat for seat, much in scores.items() if much == max(scores.values())]
    return (player_ref(best[0]),) if len(best) == 1 else ()


def _distinct(found: Iterable[Ref]) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys(found))


READINGS: dict[type, Callable[[State, Any, Scope], tuple[Ref, ...]]] = {
    nouns.You: _you,
    nouns.Players: _players,
    nouns.DefendingPlayer: _defending,
    nouns.ControllerOf: _controller_of,
    nouns.OwnerOf: _owner_of,
    nouns.This: _this,
    nouns.It: _it,
    nouns.Named: _named,
    nouns.Attached: _attached,
    nouns.Linked: _linked,
    nouns.PairedWith: _paired_with,
    nouns.Things: _bare,
    nouns.Each: _each,
    nouns.Target: _target,
    nouns.Choose: _choose,
    nouns.Top: _top,
    nouns.Both: _both,
    nouns.Superlative: _superlative,
    nouns.Last: lambda state, reading, scope: _bare(state, reading.of, scope)[-1:],
    nouns.Foremost: _foremost,
}


def fits(state: State, reading: nouns.Reading, ref: Ref, scope: Scope) -> bool:
    """Whether `ref` is (one of) what a noun describes; kinds are tested, everything else selected."""
    if isinstance(reading, nouns.Things):
        return fits_kind(state, reading, ref, scope)
    if isinstance(reading, nouns.Each | nouns.Choose | nouns.Target):
        return fits_kind(state, reading.of, ref, scope)
    if isinstance(reading, nouns.Players):
        return ref < 0 and is_kind_of_player(state, seat_of(ref), reading, scope)
    return ref in refs(state, reading, scope)


def from_source(state: State, p: nouns.FromSource, oid: int, scope: Scope) -> bool:
    """Whether an ability on the stack has a source of that kind, or what last was one (112.7a)."""
    found = object_or_last(state, oid)
    source = found.entry.source if found is not None and found.entry is not None else 0
    return source > 0 and fits_kind(state, p.of, source, scope)


def fits_kind(state: State, kind: nouns.Things, ref: Ref, scope: Scope) -> bool:
    """Whether `ref` is a thing of this kind (whatever zone it is in: the caller knows which zone it asks about)."""
    if ref < 0:
        return kind.players is not None and is_kind_of_player(state, seat_of(ref), kind.players, scope)
    if kind.objects is None:
        return False
    return matches(state, kind.objects, ref, scope)


def matches(state: State, predicate: nouns.Predicate, oid: int, scope: Scope) -> bool:
    """Whether an object (or what it last was) satisfies a predicate."""
    return predicates.PREDICATES[type(predicate)](state, predicate, oid, scope)
