"""What each check asks of the game: a function over a moment of it.

A check raises `Unmet` with what was found instead. Where several permanents have the name, one that satisfies the check is
enough, but `tapped` and scope "all" mean all of them; one at least must exist, except for counts.
"""

from __future__ import annotations

from collections.abc import Callable

from server.cards import forms
from server.rules.casting import actions
from server.rules.characteristics import characteristics, holds, room_of
from server.rules.costs import floating
from server.rules.model import Object, Scope, State, events, lookup, votes
from server.scenario import checks
from server.scenario.errors import BadScenario, Unmet, Unsupported
from server.scenario.names import begins, could, name_of, own_text, plain, ref_is, text_of
from server.scenario.seen import Seen, named, seat_named


def _some(seen: Seen, name: str, player: str | None) -> list[Object]:
    found = named(seen, name, player)
    if not found:
        whose = f"{player} controls no" if player is not None else "there is no"
        raise Unmet(f"{whose} {name}")
    return found


def _one(
    seen: Seen, name: str, player: str | None, holds: Callable[[Object], bool], what: Callable[[Object], str]
) -> None:
    """One permanent of the name is enough."""
    found = _some(seen, name, player)
    if not any(holds(o) for o in found):
        raise Unmet(f"{name} is {', '.join(what(o) for o in found)}")


def _equal(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise Unmet(f"{what} is {found}, not {wanted}")


def _life(seen: Seen, c: checks.Life) -> None:
    _equal(seen.state.players[seat_named(seen.state, c.player)].life, c.value, f"life of {c.player}")


_ZONES = {
    "permanent_count": "battlefield",
    "hand_count": "hand",
    "graveyard_count": "graveyard",
    "exile_count": "exile",
    "library_count": "library",
    "command_zone_count": "command",
}


def _count(seen: Seen, c: checks.PermanentCount) -> None:
    kind = str(c.__struct_config__.tag)
    zone = _ZONES[kind]
    found = named(seen, c.name, c.player, zone)
    if zone == "command":
        found = [o for o in found if not o.token or room_of(o)]
    whose = f" of {c.player}" if c.player is not None else ""
    _equal(len(found), c.count, f"{kind}{whose} {c.name or ''}".rstrip())


def _power_toughness(seen: Seen, c: checks.PowerToughness) -> None:
    def pair(o: Object) -> tuple[int, int]:
        """0 for a permanent that has neither (107.2)."""
        now = characteristics(seen.state, o.id)
        return now.power or 0, now.toughness or 0

    found = _some(seen, c.name, c.player)
    right = [pair(o) == (c.power, c.toughness) for o in found]
    if not (all(right) if c.scope == "all" else any(right)):
        is_ = ", ".join("{}/{}".format(*pair(o)) for o in found)
        raise Unmet(f"{c.name} is {is_}, not {c.power}/{c.toughness}")


def _counter_count(seen: Seen, c: checks.CounterCount) -> None:
    if c.name is None:
        if c.player is None:
            raise BadScenario("counter_count needs a name or a player")
        player = seen.state.players[seat_named(seen.state, c.player)]
        _equal(dict(player.counters).get(c.counter, 0), c.count, f"{c.counter} counters of {c.player}")
        return
    found = named(seen, c.name, c.player)
    if not found:
        found = [o for zone in ("exile", "graveyard", "command", "hand") for o in named(seen, c.name, c.player, zone)]
    if not found and c.count:
        raise Unmet(f"there is no {c.name}")
    counts = [dict(o.counters).get(c.counter, 0) for o in found]
    if found and c.count not in counts:
        raise Unmet(f"{c.counter} counters on {c.name}: {', '.join(map(str, counts))}, not {c.count}")


def has_ability(state: State, found: Object, wanted: str) -> bool:
    """Whether an object has an ability now, as scripts write it: a keyword ("protection from white"), the beginning of an activated or
    triggered one's text, or a static one's whole text, unless its condition does not hold."""
    c, name = characteristics(state, found.id), found.definition.name
    said = plain(wanted)
    if any(plain(k) == said for k in c.keywords):
        return True
    if any(plain(one) == said for _, ability in c.abilities.keyword_abilities for one in _written(ability)):
        return True
    for ability in c.abilities.all:
        if isinstance(ability, forms.ActivatedAbility | forms.TriggeredAbility):
            if begins(text_of(ability), wanted, name):
                return True
        elif not isinstance(ability, forms.KeywordAbility) and own_text(text_of(ability), name) == own_text(
            wanted, name
        ):
            condition = getattr(ability, "condition", None)
            if condition is None or holds(state, condition, Scope(found.id, found.controller)):
                return True
    return False


def _written(ability: forms.KeywordAbility) -> tuple[str, ...]:
    quality = ability.quality.text if ability.quality is not None else ""
    keyword = ability.keyword
    return ability.text, f"{keyword} {quality}", f"{keyword} from {quality}", f"{keyword} {ability.number}"


def _ability(seen: Seen, c: checks.HasAbility) -> None:
    def has(o: Object) -> bool:
        return has_ability(seen.state, o, c.ability)

    if c.count is not None:
        found = named(seen, c.name, c.player)
        _equal(sum(has(o) == c.has for o in found), c.count, f"number of {c.name} with {c.ability} {c.has}")
        _equal(len(found), c.count, f"number of {c.name}")
        return
    _one(seen, c.name, c.player, lambda o: has(o) == c.has, lambda o: f"{'with' if has(o) else 'without'} {c.ability}")


def _tapped(seen: Seen, c: checks.Tapped) -> None:
    found = _some(seen, c.name, None)
    wrong = [o for o in found if o.tapped != c.tapped]
    if wrong:
        raise Unmet(f"{c.name} is {'un' * c.tapped}tapped")


def _tapped_count(seen: Seen, c: checks.TappedCount) -> None:
    found = sum(o.tapped == c.tapped for o in named(seen, c.name, c.player))
    _equal(found, c.count, f"number of {'' if c.tapped else 'un'}tapped {c.name}")


def _types(seen: Seen, o: Object) -> frozenset[str]:
    now = characteristics(seen.state, o.id)
    return frozenset(plain(t) for t in (*now.types, *now.supertypes))


def _subtypes(seen: Seen, o: Object) -> frozenset[str]:
    now = characteristics(seen.state, o.id)
    return frozenset(plain(t) for t in now.subtypes)


def _has_subtype(seen: Seen, o: Object, subtype: str) -> bool:
    every = "changeling" in characteristics(seen.state, o.id).keywords and plain(subtype) not in ("aura", "equipment")
    return plain(subtype) in _subtypes(seen, o) or every


def _type(seen: Seen, c: checks.HasType) -> None:
    def holds(o: Object) -> bool:
        is_type = plain(c.type) in _types(seen, o)
        if c.subtype is None:
            return is_type == c.has
        return (is_type and _has_subtype(seen, o, c.subtype)) == c.has

    _one(seen, c.name, None, holds, lambda o: " ".join(sorted((*_types(seen, o), *_subtypes(seen, o)))))


def _subtype(seen: Seen, c: checks.HasSubtype) -> None:
    _one(
        seen,
        c.name,
        None,
        lambda o: _has_subtype(seen, o, c.subtype) == c.has,
        lambda o: " ".join(sorted(_subtypes(seen, o))),
    )


COLORS = {"white": 1, "blue": 2, "black": 4, "red": 8, "green": 16}


def _color(seen: Seen, c: checks.HasColor) -> None:
    wanted = 0
    for word in c.colors:
        if word not in COLORS:
            raise BadScenario(f"{word!r} is no colour")
        wanted |= COLORS[word]

    def holds(o: Object) -> bool:
        now = characteristics(seen.state, o.id).colors
        return now & wanted == wanted if c.has else not now & wanted

    def colors(o: Object) -> str:
        now = characteristics(seen.state, o.id).colors
        return " and ".join(word for word, bit in COLORS.items() if now & bit) or "colourless"

    _one(seen, c.name, c.player, holds, colors)


def _attached_to(seen: Seen, c: checks.AttachedTo) -> None:
    hosts = named(seen, c.permanent, c.player)
    attachments = named(seen, c.attachment, None)
    if not attachments or not hosts:
        if c.attached:
            raise Unmet(f"there is no {c.attachment if not attachments else c.permanent}")
        return
    on = any(a.attached_to == host.id for a in attachments for host in hosts)
    if on != c.attached:
        raise Unmet(f"{c.attachment} is {'' if on else 'not '}attached to {c.permanent}")


def _damage(seen: Seen, c: checks.DamageReceived) -> None:
    _one(
        seen,
        c.name,
        c.player,
        lambda o: o.damage == c.damage,
        lambda o: f"marked with {o.damage} damage, not {c.damage}",
    )


def _tokens(seen: Seen, c: checks.TokenCount) -> None:
    found = sum(o.token for o in named(seen, c.name, c.player))
    _equal(found, c.count, f"number of tokens {c.name}")


def _emblems(seen: Seen, c: checks.EmblemCount) -> None:
    found = [o for o in named(seen, None, c.player, "command") if not o.definition.card.types]
    _equal(len(found), c.count, f"number of emblems of {c.player}")


_MANA = ("white", "blue", "black", "red", "green", "colorless")


def _mana(seen: Seen, c: checks.ManaPool) -> None:
    if c.mana not in _MANA:
        raise BadScenario(f"{c.mana!r} is no colour")
    pool = floating(seen.state.players[seat_named(seen.state, c.player)])
    _equal(pool[_MANA.index(c.mana)], c.count, f"{c.mana} mana of {c.player}")


def _stack(seen: Seen, c: checks.StackSize) -> None:
    _equal(len(seen.state.stack), c.count, "stack size")


def _fighting(seen: Seen, ids: list[int], c: checks.Attacking | checks.Blocking) -> None:
    state, seat = seen.state, seat_named(seen.state, c.player)
    mine = [state.objects[i] for i in ids if i in state.objects and state.objects[i].controller == seat]
    names = sorted(plain(name_of(state, o)) for o in mine)
    if names != sorted(plain(n) for n in c.names):
        what = "attackers" if isinstance(c, checks.Attacking) else "blockers"
        raise Unmet(f"{what} of {c.player} are {[name_of(state, o) for o in mine]}, not {list(c.names)}")


def _attackers(seen: Seen, c: checks.Attacking) -> None:
    combat = seen.state.combat
    _fighting(seen, [a.id for a in combat.attackers] if combat is not None else [], c)


def _blockers(seen: Seen, c: checks.Blocking) -> None:
    combat = seen.state.combat
    _fighting(seen, [b.id for b in combat.blockers] if combat is not None else [], c)


def _won(seen: Seen, c: checks.Won) -> None:
    seat = seat_named(seen.state, c.player)
    result = seen.state.result
    if result is None or seat not in result.winners:
        raise Unmet(f"{c.player} has not won")


def _lost(seen: Seen, c: checks.Lost) -> None:
    seat = seat_named(seen.state, c.player)
    result = seen.state.result
    beaten = result is not None and bool(result.winners) and seat not in result.winners
    if bool(seen.state.players[seat].lost or beaten) != c.lost:
        raise Unmet(f"{c.player} has {'not ' if c.lost else ''}lost")


def _decides(seen: Seen, c: checks.Decides) -> None:
    state = seen.state
    by = state.players[lookup.decider(state, seat_named(state, c.whose))].name
    _equal(by, c.by, f"who decides for {c.whose}")


def _event(seen: Seen, c: checks.Happened) -> None:
    if c.kind not in _EVENT_KINDS:
        raise Unsupported(f"there is no event {c.kind!r}")
    found = [e for e in seen.log if e.__struct_config__.tag == c.kind]
    wanted = {key: value for key, value in c.fields.items() if key != "count"}
    for key in wanted:
        if key not in _EVENT_FIELDS:
            raise Unsupported(f"the event field {key!r} is not built")
    matching = [e for e in found if all(_part(seen, e, key, value) for key, value in wanted.items())]
    count = c.fields.get("count")
    if count is None and not matching:
        raise Unmet(f"no event {c.kind!r} {wanted or ''}".rstrip())
    if count is not None:
        _equal(len(matching), count, f"number of events {c.kind!r} {wanted or ''}".rstrip())


_EVENT_KINDS = frozenset(
    kind.__struct_config__.tag
    for module in (events, votes)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, events.Event)
)
_EVENT_FIELDS = (
    "subject", "object", "by", "amount", "cause", "to", "from_", "from", "counter", "combat", "step", "loyalty",
)  # fmt: skip


def _part(seen: Seen, event: events.Event, key: str, value: object) -> bool:
    if key == "from":
        key = "from_"
    found = getattr(event, key, None)
    if key in ("subject", "object", "by"):
        if not isinstance(value, str) or not isinstance(found, int) or not found:
            return False
        if found < 0:
            return ref_is(seen.state, found, value)
        if value.startswith("@"):
            return seen.aliases.get(value[1:]) == found
        return plain(seen.names.get(found, "")) == plain(value)
    return found == value


def _playable(seen: Seen, c: checks.Playable) -> None:
    seat = seat_named(seen.state, c.player)
    found = any(could(seen.state, a, c.ability) for a in actions(seen.state, seat))
    if found != c.playable:
        raise Unmet(f"{c.player} can{'' if found else 'not'} do {c.ability!r}")


_DO: dict[str, Callable[..., None]] = {
    "life": _life,
    **dict.fromkeys(_ZONES, _count),
    "power_toughness": _power_toughness,
    "counter_count": _counter_count,
    "ability": _ability,
    "tapped": _tapped,
    "tapped_count": _tapped_count,
    "type": _type,
    "subtype": _subtype,
    "color": _color,
    "attached_to": _attached_to,
    "damage_received": _damage,
    "token_count": _tokens,
    "emblem_count": _emblems,
    "mana_pool": _mana,
    "stack_size": _stack,
    "attackers": _attackers,
    "blockers": _blockers,
    "won": _won,
    "decides": _decides,
    "lost": _lost,
    "event": _event,
    "playable_ability": _playable,
}


def check(seen: Seen, one: checks.Check) -> None:
    """Raises Unmet if the check does not hold."""
    _DO[str(one.__struct_config__.tag)](seen, one)
