"""State-based actions (704): what the game does by itself whenever a player would get priority.

`check` returns the events of all that apply at once, to be performed as one batch (704.3); none if nothing applies. The
answer "nothing" is remembered for a state, so that passing priority costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from server.cards import forms
from server.cards.grammar import HOUSE_TYPES, PLANESWALKER_TYPES, SUBTYPES
from server.cards.nouns import Zone
from server.rules.characteristics import board, characteristics, fits, partner
from server.rules.functioning import all_rules, can_attach, has, in_force
from server.rules.happenings import possible
from server.rules.model import (
    NOTHING_RARE,
    BoundWord,
    Characteristics,
    Floating,
    Object,
    Player,
    Rare,
    State,
    events,
    is_bestowed,
    is_inert,
    lookup,
    of_board,
    player_ref,
)
from server.rules.turn.dungeons import dungeons_through
from server.rules.turn.sagas import is_over
from server.rules.turn.speed import START, starting

#: Subtypes that belong to other card types; every other word after a planeswalker's dash is a planeswalker type (306.3).
OTHER_SUBTYPES = frozenset(SUBTYPES) - frozenset(PLANESWALKER_TYPES) - frozenset(HOUSE_TYPES)


def is_calm(state: State) -> bool:
    """Whether it is known that there are none to perform until an object or a player is another."""
    return of_board(state).get("calm", False)


def check(state: State) -> tuple[events.Event, ...]:
    """The state-based actions to perform now, all at once."""
    known = state.memo.get("state-based")
    if known is None:
        known = state.memo["state-based"] = () if is_calm(state) else tuple(_find(state))
    return known


class _Groups:
    """Permanents that state-based actions compare with each other, gathered in one walk over the battlefield."""

    def __init__(self) -> None:
        self.legends: dict[str, list[int]] = {}
        self.walkers: dict[str, list[int]] = {}
        self.worlds: list[int] = []
        self.roles: dict[tuple[int, int], list[Object]] = {}
        self.engines: set[int] = set()
        self.gone: set[int] = set()
        self.attached = False

    def take(self, o: Object, c: Characteristics) -> None:
        """Enters a permanent under what it is."""
        self.attached = self.attached or o.attached_to != 0
        if "Role" in c.subtypes and o.attached_to:
            self.roles.setdefault((o.attached_to, o.controller), []).append(o)
        if START in c.keywords:
            self.engines.add(o.controller)
        if "legendary" in c.supertypes:
            self.legends.setdefault(c.name, []).append(o.id)
        if "world" in c.supertypes:
            self.worlds.append(o.id)


def _stands_on(rare: Rare) -> bool:
    """Whether anything stands on a permanent, or makes it more than what it is by itself."""
    return bool(rare.damage or rare.counters or rare.attached_to or rare.paired or rare.deathtouched or rare.phased_out)


def _of_concern(state: State) -> list[Object]:
    """The permanents that an action could be about. Most are such that nothing stands on them, and their characteristics alone are of no
    concern."""
    changed = board(state).changed
    permanents = map(state.objects.__getitem__, state.battlefield)
    if not changed:
        return [
            o
            for o in permanents
            if o.rare is not NOTHING_RARE and _stands_on(o.rare) or not o.definition.inert or o.face_down
        ]
    alike: dict[
        int, bool
    ] = {}  # what is alike has the same characteristics, which are as many as there are kinds of them
    found: list[Object] = []
    for o in permanents:
        c = changed.get(o.id)
        if c is None:
            inert = o.definition.inert
        elif (inert := alike.get(id(c))) is None:
            inert = alike[id(c)] = is_inert(c)
        if o.rare is not NOTHING_RARE and _stands_on(o.rare) or not inert or o.face_down:
            found.append(o)
    return found


def _find(state: State) -> list[events.Event]:
    found = _losers(state)
    groups = _Groups()
    for o in _of_concern(state):
        if o.rare.phased_out:
            if o.token and state.edition.phased_tokens_cease:  # 702.24k
                found.append(events.Ceases(subject=o.id, cause="token"))
            continue
        found.extend(_of_permanent(state, o, groups))
    for effect in state.effects:
        if effect.until == "source leaves" and lookup.permanent(state, effect.source) is None:
            found.extend(_returned(state, effect))
    for seat in sorted(groups.engines):
        found.extend(starting(state, seat))
    for several in groups.roles.values():  # current 704.5y: the newest stays
        old = sorted(several, key=lambda role: role.timestamp)[:-1]
        found.extend(_put_away([role.id for role in old], groups.gone, "role"))
    found.extend(_uniqueness(state, groups.legends, groups.walkers, groups.worlds, groups.gone))
    found.extend(_leaders_seen(state))
    ended, going = dungeons_through(state)
    found.extend(ended)
    for oid, o in _strays(state):
        found.append(events.Ceases(subject=oid, cause="token" if o.token else ""))
    # What something may be attached to can be a matter of time; all else is as it is until an object or a player is another.
    if not (found or going or groups.attached or in_force(state, forms.PlayerRule)):
        of_board(state)["calm"] = True
    return found


#: Why a player loses, in the order in which the rules name it.
LOSES: tuple[tuple[str, Callable[[State, Player], bool]], ...] = (
    ("life", lambda state, p: p.life <= 0 and not has(state, p.seat, "can't lose for life")),  # 704.5a, 810.8c
    ("library", lambda _, p: p.drew_empty),  # 704.5b
    ("poison", lambda state, p: lookup.count(p.counters, "poison") >= _deadly(state, p.seat)),  # 704.5c, 810.8d
    (
        "commander",
        lambda state, p: state.options.format != "brawl" and _struck_down(p),
    ),  # current 704.6c, current 903.12h
)


def _struck_down(p: Player) -> bool:
    """Whether one commander has dealt the player 21 or more combat damage (903.14a)."""
    return any(damage >= 21 for _, damage in p.commander_damage)


def _deadly(state: State, seat: int) -> int:
    """How many poison counters are too many: ten, of a team that shares them fifteen and five more for each head beyond the second
    (810.8d, 810.11); in an edition nobody shares them."""
    shared = state.options.shared and state.edition.shared_poison
    return 15 + 5 * (len(lookup.team(state, seat)) - 2) if shared else 10


def _losers(state: State) -> list[events.Event]:
    found: list[events.Event] = []
    for p in state.players:
        if p.life > 0 and not (p.counters or p.commander_damage or p.drew_empty):
            continue
        why = "" if p.lost else next((cause for cause, loses in LOSES if loses(state, p)), "")
        if why and not has(state, p.seat, "can't lose the game"):
            found.append(events.Loses(subject=player_ref(p.seat), cause=why))
    return found


def _of_permanent(state: State, o: Object, groups: _Groups) -> Iterator[events.Event]:
    """What becomes of one permanent by itself; the first that applies of what is done with it as a whole."""
    c = characteristics(state, o.id)
    event = _first(state, o, c, DYING)
    if event is None:
        if "planeswalker" in c.types:
            # 306.4: by planeswalker types; an animated one's creature types are none.
            for subtype in sorted(c.subtypes - OTHER_SUBTYPES):
                groups.walkers.setdefault(subtype, []).append(o.id)
        event = _first(state, o, c, PUT_AWAY)
    groups.take(o, c)
    if event is not None:
        yield event
        if not isinstance(event, events.Attach | events.TurnedOver):
            groups.gone.add(o.id)
    if o.paired and not partner(state, o.id):
        yield events.Paired(subject=o.id)
    if len(o.counters) > 1:
        yield from _annihilate(o)


def _first(state: State, o: Object, c: Characteristics, actions: tuple[Action, ...]) -> events.Event | None:
    for action in actions:
        event = action(state, o, c)
        if event is not None:
            return event
    return None


def _returned(state: State, effect: Floating) -> list[events.Event]:
    """What was exiled until its source left is back where it was, immediately afterwards (current 610.3)."""
    to: Zone = "hand" if dict(effect.bindings).get(BoundWord.ZONE) == "hand" else "battlefield"
    back = [
        events.Move(subject=r, to=to, controller=state.objects[r].owner, by=effect.source, cause="put")
        for r in effect.objects or ()
        if r in state.objects and state.objects[r].zone == "exile"
    ]
    return [*back, events.EndEffects(ids=(effect.id,))]


def _creature(state: State, o: Object, c: Characteristics) -> events.Event | None:
    if "creature" not in c.types:
        return None
    toughness = c.toughness or 0
    if toughness <= 0:  # 704.5f
        return events.Move(subject=o.id, to="graveyard", cause="toughness")
    event = None
    if o.damage >= toughness:  # 704.5g
        event = events.Destroy(subject=o.id, cause="lethal damage")
    elif o.deathtouched:  # 704.5h
        event = events.Destroy(subject=o.id, cause="deathtouch")
    # 700.4: what is indestructible ignores lethal damage
    return event if event is not None and possible(state, event) else None


def _without_loyalty(state: State, o: Object, c: Characteristics) -> events.Event | None:
    if "planeswalker" in c.types and lookup.count(o.counters, "loyalty") <= 0:  # 704.5i
        return events.Move(subject=o.id, to="graveyard", cause="no loyalty")
    return None


def _attachment(state: State, o: Object, c: Characteristics) -> events.Event | None:
    """704.5n to q: Auras, Equipment and others attached illegally or to nothing."""
    if "Aura" in c.subtypes and is_bestowed(o.definition):
        if not o.attached_to:  # current 702.103f: it is a creature again
            return events.TurnedOver(subject=o.id, definition=o.definition.whole, cause="bestow")
        return None if can_attach(state, o.id, o.attached_to) else events.Attach(subject=o.id, object=0)
    if "Aura" in c.subtypes:
        if not o.attached_to or not can_attach(state, o.id, o.attached_to):
            return events.Move(subject=o.id, to="graveyard", cause="attachment")
    elif o.attached_to and not can_attach(state, o.id, o.attached_to):
        return events.Attach(subject=o.id, object=0)
    return None


def _finished_saga(state: State, o: Object, c: Characteristics) -> events.Event | None:
    if "Saga" in c.subtypes and is_over(state, o):  # current 704.5s
        return events.Move(subject=o.id, to="graveyard", cause="sacrifice")
    return None


Action = Callable[[State, Object, Characteristics], events.Event | None]
#: What takes a permanent off the battlefield for what it is, of which the first that applies is done.
DYING: tuple[Action, ...] = (_creature, _without_loyalty)
#: The same for how it stands, of those that stay otherwise.
PUT_AWAY: tuple[Action, ...] = (_attachment, _finished_saga)


def _annihilate(o: Object) -> list[events.Event]:
    # 704.5r: as many as of the rarer kind are removed.
    n = min(lookup.count(o.counters, "+1/+1"), lookup.count(o.counters, "-1/-1"))
    if not n:
        return []
    return [
        events.RemoveCounters(subject=o.id, amount=n, counter="+1/+1", cause="annihilate"),
        events.RemoveCounters(subject=o.id, amount=n, counter="-1/-1", cause="annihilate"),
    ]


def _uniqueness(
    state: State,
    legends: dict[str, list[int]],
    walkers: dict[str, list[int]],
    worlds: list[int],
    gone: set[int],
) -> list[events.Event]:
    found: list[events.Event] = []
    if state.edition.planeswalker_uniqueness:  # 704.5j, 306.4
        for ids in walkers.values():
            if len(ids) > 1:
                found.extend(_put_away(_sharing(state, ids), gone, "planeswalker uniqueness"))
    if state.edition.legend_rule == "all":  # 704.5k
        for ids in legends.values():
            ids = [oid for oid in ids if len(ids) > 1 and not _may_be_alike(state, oid)]
            if len(ids) > 1:
                found.extend(_put_away(_sharing(state, ids), gone, "legend rule"))
    if len(worlds) > 1:
        old = [oid for oid in worlds if _is_outlived(state, oid, worlds)]
        found.extend(_put_away(old, gone, "world rule"))
    return found


def _is_outlived(state: State, oid: int, worlds: list[int]) -> bool:
    """704.5m: of several worlds the newest stays, a tie spares none; seen from who controls this one (801.13)."""
    objects = state.objects
    mine = objects[oid]
    others = (objects[i] for i in worlds if i != oid and lookup.reaches(state, mine.controller, i))
    return any(other.timestamp >= mine.timestamp for other in others)


def _may_be_alike(state: State, oid: int) -> bool:
    """Whether the "legend rule" doesn't apply to a permanent."""
    return any(
        ability.what is None or fits(state, ability.what.reading, oid, scope)
        for ability, scope in all_rules(state)
        if ability.rule == "legend rule doesn't apply" and lookup.reaches(state, scope.controller, oid)
    )


def _sharing(state: State, ids: list[int]) -> list[int]:
    """Those with another of them within their controller's range of influence (801.12, 801.14)."""
    if not state.options.limited:
        return ids
    objects = state.objects
    return [i for i in ids if any(j != i and lookup.reaches(state, objects[i].controller, j) for j in ids)]


def _put_away(ids: list[int], gone: set[int], cause: str) -> list[events.Event]:
    fresh = [i for i in ids if i not in gone]
    gone.update(fresh)
    return [events.Move(subject=i, to="graveyard", cause=cause) for i in fresh]


def legend_choice(state: State) -> tuple[int, tuple[int, ...]] | None:
    """Where the edition lets the controller keep one legend: (seat, the legends of one name), or None (704.5j there)."""
    if state.edition.legend_rule != "choose":
        return None
    known = state.memo.get("legends")
    if known is None:
        groups: dict[tuple[int, str], list[int]] = {}
        for oid in state.battlefield:
            o = state.objects[oid]
            c = characteristics(state, oid)
            if "legendary" in c.supertypes and not o.phased_out and not _may_be_alike(state, oid):
                groups.setdefault((o.controller, c.name), []).append(oid)
        clash = next(((seat, tuple(ids)) for (seat, _), ids in groups.items() if len(ids) > 1), None)
        known = state.memo["legends"] = (clash,)
    return known[0]


def commander_choice(state: State) -> int:
    """A commander in a graveyard or in exile whose owner has yet to say whether it goes to the command zone
    (current 704.6d, current 903.9a); 0 if there is none."""
    if not state.options.led:
        return 0
    for oid in (*(i for p in state.players for i in p.graveyard), *state.exile):
        found = state.objects[oid]
        asked = found.zone not in state.edition.commander_instead and STAYS not in found.chosen
        if found.commander and asked:
            return oid
    return 0


def _leaders_seen(state: State) -> list[events.Event]:
    """Commanders that are in exile face down and that another player may look at, who turns them up and puts them into the command
    zone (903.13)."""
    if not state.options.led or not state.edition.seen_commanders_return:
        return []
    hidden = (state.objects[oid] for oid in state.exile)
    return [
        events.Move(subject=o.id, to="command", controller=o.owner, cause="commander")
        for o in hidden
        if o.commander and o.face_down and o.known & ~(1 << o.owner)
    ]


#: What is noted on a commander that its owner left where it was.
STAYS = ("stays", "yes")


def _strays(state: State) -> list[tuple[int, Object]]:
    """Tokens elsewhere than on the battlefield (704.5d) and copies of spells elsewhere than on the stack (704.5e)."""
    return [(i, state.objects[i]) for i in state.strays if i in state.objects]
