"""What a player can make and pay mana with: sources of mana, marked mana, creatures and cards that pay for their part (605,
106.6, convoke 702.49, delve 702.64), and the events of paying it. `mana` does the sums; other costs are in `costs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.characteristics import (
    COLOR_LETTERS,
    added_mask,
    added_pool,
    amount,
    board,
    characteristics,
    choice_of,
    fits,
    holds,
    identity,
    known,
    rules_about,
    select,
)
from server.rules.costs import payment
from server.rules.costs.source import CREATURE, FLOATING, LAST_RESORT, OTHER, PAINFUL, Source, added_source
from server.rules.costs.spell_view import as_spell
from server.rules.functioning import has, payable_life, rules, silenced
from server.rules.model import (
    NO_MANA,
    BoundRefs,
    Entry,
    Marked,
    Object,
    Player,
    Pool,
    Scope,
    State,
    Triggered,
    events,
    lookup,
    mana,
    player_ref,
)

COLORS = "WUBRGC"


def can_tap(state: State, found: Object) -> bool:
    """Whether a permanent's {T} cost can be paid: untapped, and not a creature that came under control this turn (302.6)."""
    if found.tapped or found.zone != "battlefield":
        return False
    if not found.sick:
        return True
    c = characteristics(state, found.id)
    return "creature" not in c.types or "haste" in c.keywords or as_though_haste(state, found.id)


def as_though_haste(state: State, oid: int) -> bool:
    """Whether abilities of a creature may be activated as though it had haste (609.4); to attack is another matter."""
    return any(r.flag.rule in ("as though haste", "can use abilities as though haste") for r in rules_about(state, oid))


def source_of(state: State, found: Object, paying: Paid | None = None) -> Source | None:
    """The permanent as a source of mana: what one activation of one of its simple mana abilities adds; None if it has none
    that can be activated now, or whose mana may be spent on what is paid for."""
    made = _printed_source(state, found, paying)
    return None if made is None else added_source(state, found.controller, made)


def _printed_source(state: State, found: Object, paying: Paid | None = None) -> Source | None:
    """`source_of` by what its abilities say."""
    c = characteristics(state, found.id)
    if silenced(state, found.id, found.controller, mana=True):
        return None
    mask, fixed, count, price, dear = 0, None, 1, 9, 0
    for _, ability in c.abilities.mana:
        made = simple_mana(state, found, ability, paying)
        if made is None:
            continue
        a_mask, a_fixed, a_count, a_price = made
        if a_fixed is None and a_count == 1:
            dear |= a_mask
        if a_price < price:
            mask, fixed, count, price = a_mask, a_fixed, a_count, a_price
        elif a_price == price and fixed is None and a_fixed is None and a_count == count:
            mask |= a_mask
    if price == 9:
        return None
    if price == 0 and "land" not in c.types:
        price = CREATURE if "creature" in c.types else OTHER
    dear = dear & ~mask if fixed is None and count == 1 else 0
    if "snow" in c.supertypes:  # 107.4h
        mask |= mana.SNOW
    return Source(found.id, mask, count, fixed, price, dear)


def simple_mana(
    state: State, found: Object, ability: forms.ActivatedAbility, paying: Paid | None = None
) -> tuple[int, Pool | None, int, int] | None:
    """(mask, fixed bundle, count, price) of a mana ability that paying may use: its costs are tapping, or (dearer) sacrificing
    itself, life or counters on it, and it adds mana and does no more than deal damage to its controller or change that player's life.
    None otherwise, or if it can't be activated now."""
    if ability.timing or ability.limit:
        return None  # it is counted where it is asked whether it can be activated now (`mana_makers`, 602.5)
    price = 0
    scope = Scope(found.id, found.controller)
    for cost in ability.cost:
        if isinstance(cost, forms.TapCost):
            if not can_tap(state, found):
                return None
        elif (
            isinstance(cost, forms.SacrificeCost)
            and isinstance(cost.what.reading, nouns.This)
            or isinstance(cost, forms.LifeCost | forms.CountersCost)
            and can_spare(state, found, cost)
        ):
            price = PAINFUL
        else:
            return None
    if not any(isinstance(cost, forms.TapCost | forms.SacrificeCost) for cost in ability.cost) or not ability.do:
        return None
    for verb in ability.do[1:]:
        event = does_besides(state, found, verb)
        if event is None:
            return None
        if not isinstance(event, events.GainLife):
            price = PAINFUL
    if ability.condition is not None:
        if not holds(state, ability.condition, scope):
            return None
    verb = ability.do[0]
    if not isinstance(verb, forms.AddMana) or verb.who.text != "you":
        return None
    if verb.only is not None and not may_spend(state, verb.only, found.id, found.controller, paying):
        return None
    n = amount(state, verb.count, scope)
    if n <= 0:
        return None
    if verb.mana:
        pool = pool_of(verb.mana, n)
        total = sum(pool)
        if total == 1:
            return 1 << pool.index(1), None, 1, price
        return sum(1 << i for i, k in enumerate(pool) if k), pool, 1, price
    mask = choosable(state, verb, scope, found)
    return (mask, None, n, price) if mask or verb.of is None else None


def can_spare(state: State, found: Object, cost: forms.LifeCost | forms.CountersCost) -> bool:
    """Whether a payment may count on a cost: so much life that some is left, or counters on the source itself."""
    if isinstance(cost, forms.LifeCost):
        seat = found.controller
        kept = has(state, seat, "can't pay life") or has(state, seat, "can't lose life")
        return isinstance(cost.amount, int) and state.players[seat].life > cost.amount and not kept
    own = isinstance(cost.of.reading, nouns.This) and not cost.put and bool(cost.counter)
    return own and isinstance(cost.count, int) and lookup.count(found.counters, cost.counter) >= cost.count


def does_besides(state: State, found: Object, verb: forms.Verb) -> events.Event | None:
    """What a mana ability does to its controller after it has added mana, if it is no more than this; None if it is, or
    if it would be the end of the player."""
    me, life = player_ref(found.controller), state.players[found.controller].life
    match verb:
        case forms.Damage(amount=int(n), to=to, source=source) if not verb.divided:
            own = isinstance(source.reading, nouns.This) and isinstance(to.reading, nouns.You)
            return events.Damage(subject=found.id, object=me, amount=n, by=found.id) if own and life > n else None
        case forms.LoseLife(amount=int(n), who=who) if isinstance(who.reading, nouns.You) and life > n:
            return events.LoseLife(subject=me, amount=n, by=found.id)
        case forms.GainLife(amount=int(n), who=who) if isinstance(who.reading, nouns.You):
            return events.GainLife(subject=me, amount=n, by=found.id)
        case _:
            return None


def is_plain(state: State, found: Object, ability: forms.ActivatedAbility) -> bool:
    """Whether a mana ability adds mana for anything, and does no more than deal damage to its controller or change that player's
    life."""
    first = ability.do[0]
    simple = isinstance(first, forms.AddMana) and first.only is None and first.on is None and not first.lasts
    return simple and all(does_besides(state, found, verb) is not None for verb in ability.do[1:])


def choosable(state: State, verb: forms.AddMana, scope: Scope, found: Object) -> int:
    """The colours (or types) among which a mana ability chooses now; of none it makes no mana (106.5)."""
    if verb.of is None:
        return color_mask(verb.choice, state, found)
    refs = select(state, verb.of, scope)
    if verb.choice == "among":
        colors = [characteristics(state, ref).colors for ref in refs if ref in state.objects]
        return sum(1 << place for place in range(5) if any(one >> place & 1 for one in colors))
    return producible(state, refs, verb.any_type)


def producible(state: State, lands: tuple[int, ...], any_type: bool) -> int:
    """The colours (or types) of mana that lands could produce (106.7); what asks the same in turn says nothing of itself."""
    mask = 0
    for oid in lands:
        for _, ability in characteristics(state, oid).abilities.mana:
            for verb in ability.do:
                if isinstance(verb, forms.AddMana) and verb.choice not in ("producible", "produced"):
                    own = pool_of(verb.mana) if verb.mana else NO_MANA
                    mask |= sum(1 << i for i, n in enumerate(own) if n)
                    found = state.objects[oid]
                    mask |= choosable(state, verb, Scope(oid, found.controller), found) if verb.choice else 0
    return mask if any_type else mask & 31


class Paid(NamedTuple):
    """What is paid for: a spell, also while it is no more than a card yet, an ability of an object, or neither."""

    spell: int = 0
    source: int = 0


def may_spend(state: State, only: forms.Spending, maker: int, seat: int, paying: Paid | None) -> bool:
    """Whether mana that may be spent only on something may be spent on this (106.6)."""
    if paying is None:
        return False
    scope = Scope(maker, seat)
    if paying.spell:
        return only.spells is not None and fits(
            as_spell(state, paying.spell, seat), only.spells.reading, paying.spell, scope
        )
    of, source = only.abilities, paying.source
    return fits(state, of.reading, source, scope) if of is not None and source else only.others and not source


#: Subtypes of sources of mana that cards ask for later ("if mana from a Treasure was spent to cast it").
TOLD_KINDS = ("Treasure", "Cave", "Desert")


def marked_by(state: State, source: int, verb: forms.AddMana) -> dict[str, Any]:
    """What of mana is remembered besides its colour, as fields of `events.AddMana`."""
    c = known(state, source)
    kinds = tuple(kind for kind in TOLD_KINDS if c is not None and kind in c.subtypes)
    if c is not None and "snow" in c.supertypes:  # 107.4h: it pays for {S} while it floats, too
        kinds = (*kinds, "snow")
    return {"kinds": kinds, "verb": verb if verb.only is not None or verb.on is not None or verb.lasts else None}


def floating(player: Player) -> Pool:
    """All mana in a player's pool by colour."""
    counts = list(player.pool)
    for unit in player.marked:
        counts[unit.color] += 1
    return cast(Pool, tuple(counts))


def units(state: State, seat: int, paying: Paid | None) -> tuple[Source, ...]:
    """The marked mana in a pool: with nothing to pay for said, what may be spent on everything, else what may be spent on
    that only."""
    found: list[Source] = []
    for place, unit in enumerate(state.players[seat].marked):
        only = unit.verb.only if unit.verb is not None else None
        usable = (
            only is None if paying is None else only is not None and may_spend(state, only, unit.source, seat, paying)
        )
        if usable:
            snow = mana.SNOW if "snow" in unit.kinds else 0
            found.append(Source(place | MARKED, 1 << unit.color | snow, price=FLOATING))
    return tuple(found)


def color_mask(choice: str, state: State, found: Object) -> int:
    """The colours among which a mana ability chooses: "any", letters, "chosen", or "commander": of a player who has none that is
    undefined, which is no colour (current 903.4f)."""
    if choice in ("any", "commander"):
        return 31 if choice == "any" else identity(state, found.controller) or 0
    if choice.startswith("chosen"):  # or one of the letters behind
        choice = choice.removeprefix("chosen") + COLOR_LETTERS.get(choice_of(state, found, "color") or "", "")
    return sum(1 << COLORS.index(letter) for letter in set(choice))


def pool_of(symbols: str, times: int = 1) -> Pool:
    """Mana symbols ("{G}{G}") as a pool."""
    counts = [0] * 6
    for symbol in symbols.replace("{", " ").replace("}", " ").split():
        if symbol.isdigit():
            counts[5] += int(symbol) * times
        else:
            counts[COLORS.index(symbol)] += times
    return cast(Pool, tuple(counts))


def sources(state: State, seat: int) -> tuple[Source, ...]:
    """The sources of mana that a player can use now, in battlefield order; made once for each state."""
    key = ("sources", seat)
    made = state.memo.get(key)
    if made is None:
        objects, b = state.objects, board(state)
        plain, led = not rules(state, seat, "can't activate"), state.options.led
        found: list[Source] = []
        for oid in b.index.mana:
            o = objects[oid]
            if o.controller != seat or o.tapped and not _untapped_makers(state, oid):
                continue
            untouched = plain and not (o.tapped or oid in b.changed or oid in b.flags)
            source = untouched_source(state, o) if untouched else _printed_source(state, o)
            if source is not None:
                found.append(added_source(state, seat, source) if led else source)
        made = state.memo[key] = (*units(state, seat, None), *found)
    return made


def _untapped_makers(state: State, oid: int) -> bool:
    """Whether a permanent has a mana ability for which it need not be tapped."""
    abilities = characteristics(state, oid).abilities
    return any(not any(isinstance(cost, forms.TapCost) for cost in ability.cost) for _, ability in abilities.makers)


def untouched_source(state: State, found: Object) -> Source | None:
    """`_printed_source`, remembered with the definition for what nothing touches and whose ability is plain."""
    if found.rare.chosen or (found.sick and "creature" in found.definition.base.types):
        return _printed_source(state, found)
    known = found.definition.variants.get("mana")
    if known is None:
        made = _printed_source(state, found)
        plain = made is not None and all(
            a.condition is None
            and all(isinstance(v, forms.AddMana) and _says_all(v) for v in a.do)
            and not any(isinstance(part, forms.LifeCost | forms.CountersCost) for part in a.cost)
            for _, a in found.definition.base.abilities.mana
        )
        known = (made if plain else None, plain)
        found.definition.variants["mana"] = cast("object", known)  # type: ignore[assignment]
        return made
    source, plain = cast("tuple[Source | None, bool]", known)
    if not plain or source is None:
        return _printed_source(state, found)
    return Source(found.id, source.mask, source.amount, source.fixed, source.price, source.dear)


def _says_all(verb: forms.AddMana) -> bool:
    """Whether what it adds is the same whatever else is in play."""
    return isinstance(verb.count, int) and verb.of is None and verb.choice != "commander"


#: Bits that mark sources which are no mana abilities: tapping for convoke, exiling for delve (702.49, 702.64), marked mana, what
#: triggered mana abilities add (`substitutes`); the ids of the objects are below.
CONVOKE, DELVE, MARKED, BONUS, ASSIST = 1 << 40, 1 << 41, 1 << 42, 1 << 43, 1 << 60
OBJECT, BONUS_PLACE = CONVOKE - 1, 44


class Substitutes(NamedTuple):
    """What a cost may be paid with besides the player's plain mana; with `bare` it is all there is. `given` are the other costs of
    what is paid for: what they ask for can't be given up for mana."""

    extra: tuple[Source, ...] = ()
    bare: bool = False
    paying: Paid | None = None
    given: forms.Costs = ()


NO_SUBSTITUTES = Substitutes()


def usable(state: State, seat: int, substitutes: Substitutes, without: tuple[int, ...] = ()) -> tuple[Source, ...]:
    """All sources for a payment; a permanent that makes more for it counts as that."""
    keys = [s.key for s in substitutes.extra]
    plain = (s for s in sources(state, seat) if s.key not in without and s.key not in keys)
    extra = (s for s in substitutes.extra if s.key not in without and not (s.key & BONUS and s.key & OBJECT in without))
    return (*plain, *extra)


def mana_events(
    state: State, seat: int, plan: payment.Plan, substitutes: Substitutes = NO_SUBSTITUTES
) -> list[events.Event]:
    """The events of a plan: mana abilities activated, mana spent."""
    me = player_ref(seat)
    found: list[events.Event] = []
    plain, total = list(plan.paid), list(plan.paid)
    units: list[int] = []
    riders: list[Marked] = []
    for key, made in sorted(plan.activations, key=lambda activation: not activation[0] & MARKED):
        if key & (CONVOKE | DELVE):
            # No mana is made: the creature or card pays for its part itself.
            plain = [n - m for n, m in zip(plain, made, strict=True)]
            total = [n - m for n, m in zip(total, made, strict=True)]
            oid = key & ~(CONVOKE | DELVE)
            if key & CONVOKE:
                found.append(events.Tap(subject=oid, cause="cost"))
            else:
                found.append(events.Move(subject=oid, to="exile", cause="exile"))
            continue
        if key & MARKED:
            plain = [n - m for n, m in zip(plain, made, strict=True)]
            units.append(key & ~MARKED)
            riders.append(state.players[seat].marked[key & ~MARKED])
            continue
        source = state.objects[key]
        ability = ability_for(state, source, made, substitutes.paying)
        taps = any(isinstance(c, forms.TapCost) for c in ability.cost)
        if taps:
            found.append(events.Tap(subject=key, cause="mana"))
        verb = ability.do[0]
        assert isinstance(verb, forms.AddMana)
        mark = marked_by(state, key, verb)
        used = NO_MANA
        if mark["verb"] is not None or mark["kinds"]:
            used = cast(Pool, tuple(min(n, m) for n, m in zip(plain, made, strict=True)))
            plain = [n - m for n, m in zip(plain, used, strict=True)]
            riders.extend(
                Marked(color, key, mark["verb"], mark["kinds"]) for color, n in enumerate(used) for _ in range(n)
            )
        found.append(events.AddMana(subject=me, by=key, mana=made, tapped=taps, used=used, **mark))
        found.extend(paid_besides(state, source, ability))
    if any(total):
        spent = cast(Pool, tuple(plain))
        paid = cast(Pool, tuple(total))
        spell = substitutes.paying.spell if substitutes.paying is not None else 0
        found.append(
            events.SpendMana(
                subject=me, object=spell, mana=spent, marked=tuple(units), total=paid, riders=tuple(riders)
            )
        )
    if plan.life:
        found.append(events.LoseLife(subject=me, amount=plan.life, cause="pay"))
    return found


def paid_besides(state: State, source: Object, ability: forms.ActivatedAbility) -> Iterator[events.Event]:
    """What a mana ability that a payment uses costs besides tapping, and what it does besides adding mana."""
    for cost in ability.cost:
        if isinstance(cost, forms.SacrificeCost):
            yield events.Move(subject=source.id, to="graveyard", cause="sacrifice", by=source.id)
        elif isinstance(cost, forms.LifeCost) and isinstance(cost.amount, int):
            yield events.LoseLife(subject=player_ref(source.controller), amount=cost.amount, by=source.id, cause="pay")
        elif isinstance(cost, forms.CountersCost) and isinstance(cost.count, int):
            yield events.RemoveCounters(subject=source.id, amount=cost.count, counter=cost.counter, cause="cost")
    yield from done_besides(state, source, ability)


def done_besides(state: State, source: Object, ability: forms.ActivatedAbility) -> Iterator[events.Event]:
    """What a mana ability that a payment uses does besides adding mana."""
    for verb in ability.do[1:]:
        event = does_besides(state, source, verb)
        if event is not None:
            yield event


def ability_for(state: State, source: Object, made: Pool, paying: Paid | None = None) -> forms.ActivatedAbility:
    """The mana ability of a source that makes this mana, the one that costs least."""
    abilities = characteristics(state, source.id).abilities.mana
    if len(abilities) == 1:
        return abilities[0][1]
    best: forms.ActivatedAbility | None = None
    least = LAST_RESORT
    for _, ability in abilities:
        simple = simple_mana(state, source, ability, paying)
        if simple is None:
            continue
        mask, fixed, _, price = simple
        mask = added_mask(state, source.controller, mask)
        if fixed is not None and added_pool(state, source.controller, fixed) == made:
            return ability
        if fixed is None and all(not n or mask & (1 << i) for i, n in enumerate(made)) and price < least:
            best, least = ability, price
    assert best is not None
    return best


def plan_mana(
    state: State, seat: int, cost: mana.Cost, without: tuple[int, ...] = (), substitutes: Substitutes = NO_SUBSTITUTES
) -> payment.Plan | None:
    """How to pay mana automatically (601.2f, g)."""
    if cost == mana.ZERO:
        return payment.Plan((), NO_MANA, NO_MANA, 0)
    if substitutes.bare:
        return payment.plan(NO_MANA, substitutes.extra, cost, payable_life(state, seat))
    made_of = usable(state, seat, substitutes, without)
    return payment.plan(state.players[seat].pool, made_of, cost, payable_life(state, seat))


def with_riders(
    state: State, seat: int, oid: int, entry: Entry, batch: list[events.Event]
) -> tuple[Entry, list[Triggered]]:
    """What follows from the mana that was spent on a spell: what the spell has, and abilities that trigger (current 106.6a)."""
    given = list(entry.granted)
    triggered: list[Triggered] = []
    units = [unit for event in batch if isinstance(event, events.SpendMana) for unit in event.riders]
    done: list[forms.AddMana] = []
    for unit in units:
        verb, scope = unit.verb, Scope(unit.source, seat)
        if verb is None or verb.on is None or not fits(state, verb.on.reading, oid, scope):
            continue
        if any(verb is other for other in done):
            continue
        done.append(verb)
        given.extend(verb.gives)
        if verb.then:
            ability = forms.TriggeredAbility(when=(), do=verb.then, text="when you spend this mana")
            triggered.append(Triggered(ability, unit.source, seat, ((BoundRefs.IT, (oid,)),)))
    return (entry if len(given) == len(entry.granted) else replace(entry, granted=tuple(given))), triggered
