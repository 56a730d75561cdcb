"""Which cards outside the battlefield have abilities that function or can be used there (112.6).

Zones change far less often than states do: what was found for zones is kept as long as they are the same tuples of ids.
"""

from __future__ import annotations

from operator import is_

from server.cards import forms
from server.cards.nouns import Linked, Zone
from server.rules.characteristics import board
from server.rules.model import Characteristics, Definition, Object, State, Struct, castable_sides, of_parts, remember

EXILE = -1
"""The key, among what is kept of parts, of exile, which is one zone for all; a seat is that of the player's hand and graveyard."""


class Outside(Struct):
    """What the printed abilities of the cards in some zones, just these tuples, ask for.

    `usable`: other ways to be cast, activated abilities or special actions there; `fast`: in the hand, and may be cast
    at any time; `triggering`: abilities that trigger there; `replacing`: in the graveyard, and with replacement effects; `sided`: in
    the hand, and may be cast or played as another of its sides, whether it is the time for it or not.
    """

    zones: tuple[tuple[int, ...], ...]
    usable: tuple[int, ...]
    fast: tuple[int, ...]
    triggering: tuple[int, ...]
    replacing: tuple[int, ...]
    sided: tuple[int, ...]


def outside(state: State, key: int) -> Outside:
    """What the cards in a player's hand and graveyard, or those in exile, ask for."""
    kept = of_parts(state)
    known: Outside | None = kept.get(key)
    if key == EXILE:
        if known is None or known.zones[0] is not state.exile:
            known = kept[key] = _look(state, (state.exile,), ("exile",))
    else:
        p = state.players[key]
        if known is None or known.zones[0] is not p.hand or known.zones[1] is not p.graveyard:
            known = kept[key] = _look(state, (p.hand, p.graveyard), ("hand", "graveyard"))
    return known


_PRIVATE = -2
"""The key of what was found of all these zones together."""


def in_private(state: State) -> tuple[int, ...]:
    """What triggers in any hand or graveyard or in exile; the same as long as all of these are the same tuples."""
    kept = of_parts(state)
    known: Outside | None = kept.get(_PRIVATE)
    zones = [state.exile]
    for p in state.players:
        zones += p.hand, p.graveyard
    if known is None or not all(map(is_, known.zones, zones)):
        ids: tuple[int, ...] = ()
        for p in state.players:
            ids += outside(state, p.seat).triggering
        ids += outside(state, EXILE).triggering
        known = kept[_PRIVATE] = Outside(tuple(zones), (), (), ids, (), ())
    return known.triggering


def _look(state: State, zones: tuple[tuple[int, ...], ...], names: tuple[Zone, ...]) -> Outside:
    objects = state.objects
    found: tuple[list[int], ...] = ([], [], [], [], [])
    for name, ids in zip(names, zones, strict=True):
        for oid in ids:
            for place in _asked(objects[oid], name).places:
                found[place].append(oid)
    return Outside(zones, *map(tuple, found))


def _ways_to_be(card: Object) -> tuple[Definition, ...]:
    """The card, and what else of it could be cast or played."""
    definition = card.definition
    return (definition, *definition.sides) if definition.card.faces else (definition,)


class _Asked(Struct):
    """Where a card of a definition is entered that lies in a zone: by their places among them, as what is `usable`, `fast`, `triggering`,
    `replacing` or `sided`."""

    definition: Definition
    places: tuple[int, ...]


_asked_of: dict[Zone, dict[int, _Asked]] = {"hand": {}, "graveyard": {}, "exile": {}}


def _asked(card: Object, zone: Zone) -> _Asked:
    definition, asked = card.definition, _asked_of[zone]
    known = asked.get(id(definition))
    if known is None or known.definition is not definition:
        bases = [one.base for one in _ways_to_be(card)]
        entered = (
            any(base.abilities.usable_outside for base in bases),
            zone == "hand" and _fast(bases),
            _triggers(card),
            zone == "graveyard" and bool(definition.base.abilities.replacements),
            zone == "hand" and bool(castable_sides(definition, zone)),
        )
        places = tuple(place for place, here in enumerate(entered) if here)
        known = remember(asked, id(definition), _Asked(definition, places))
    return known


def _fast(bases: list[Characteristics]) -> bool:
    return any(
        not base.abilities.ordinary
        or "instant" in base.types
        or "flash" in base.keywords
        or any(rule.timing == "flash" for _, rule in base.abilities.casting_rules)
        for base in bases
    )


def _triggers(card: Object) -> bool:
    triggers = card.definition.base.abilities.triggers
    if not triggers:
        return False
    entries = (entry for entries in triggers.values() for entry in entries)
    return any(
        a.zone == card.zone or is_thrown(pattern) or arrives(card, pattern) or haunts(card, pattern)
        for _, a, pattern in entries
    )


def arrives(card: Object, pattern: forms.Pattern) -> bool:
    """Whether an ability is about this very card being put into the graveyard from anywhere, where it is seen (603.6c)."""
    return card.zone == "graveyard" and is_from_anywhere(pattern)


def haunts(card: Object, pattern: forms.Pattern) -> bool:
    """Whether an ability is about the creature that this card haunts, which it does in exile (702.53c, 112.6j)."""
    about = pattern.subject.reading if pattern.subject is not None else None
    return card.zone == "exile" and isinstance(about, Linked) and about.what == "creature"


def is_from_anywhere(pattern: forms.Pattern) -> bool:
    """Whether an ability is about its own card being put into a graveyard from anywhere."""
    mine = pattern.subject is not None and pattern.subject.text == forms.THIS
    return mine and pattern.to == "graveyard" and pattern.from_ is None


def is_thrown(pattern: forms.Pattern) -> bool:
    """Whether an ability is about this very card being cycled or discarded, wherever that puts it (cycling, 702.27c)."""
    return pattern.event in ("cycled", "discard") and pattern.object is not None and pattern.object.text == forms.THIS


def usable(state: State, seat: int) -> tuple[int, ...]:
    """The cards in a player's hand and graveyard and the player's own in exile with abilities, printed or given by an effect,
    that might be used there; found once for each state."""
    key = ("usable", seat)
    made = state.memo.get(key)
    if made is None:
        made = state.memo[key] = _usable(state, seat)
    return made


def _usable(state: State, seat: int) -> tuple[int, ...]:
    held, exiled = outside(state, seat), outside(state, EXILE)
    if changed := board(state).changed:
        p = state.players[seat]
        ids = [i for i in (*p.hand, *p.graveyard) if i in changed or i in held.usable]
        ids += [i for i in state.exile if i in changed or i in exiled.usable]
    elif not exiled.usable:
        return held.usable
    else:
        ids = [*held.usable, *exiled.usable]
    return tuple(i for i in ids if state.objects[i].owner == seat)
