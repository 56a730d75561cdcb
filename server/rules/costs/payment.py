"""Paying mana: whether a cost can be paid with a pool and sources, and how.

A pure module that knows nothing of the game: a source is what one activation of a mana ability would make. Who may spend what
on what is the caller's to decide: it passes only the mana and the sources usable for this cost ("spend this mana only on
creature spells" is simply left out otherwise).

`can_pay` (the hot path, asked for every card in hand at every priority) is Hall's theorem over counts of sources by
colour mask, memoised; it never searches. `can_pay_odd` adds sources that make several mana at once, with a bounded
search for their colours. `plan` says which sources to activate; for simple sources the set it picks is a minimum-weight
basis of a transversal matroid, so the greedy choice is the best one. `max_x` finds the largest X.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

import msgspec

from server.rules.costs.matching import Unit, match
from server.rules.costs.source import CREATURE, LAST_RESORT, OTHER, PAINFUL, Source
from server.rules.model import ANY_COLOR, ANY_MANA, COLORS, GENERIC, NO_MANA, SNOW, Cost, Mana, Pool, mana, with_x

Summary = tuple[tuple[int, int], ...]
"""How many simple sources there are of each colour mask: (mask, count) pairs, sorted."""

SEARCH_LIMIT = 4000
"""How many colourings of the odd sources are tried before a cost is taken to be unpayable with them."""


_SPENT = ANY_COLOR | SNOW
"""The bits of mana that is spent."""


class Plan(msgspec.Struct, frozen=True, gc=False):
    """How to pay a cost: activate, then spend `paid` of the pool as it is then, and pay `life`."""

    activations: tuple[tuple[int, Mana], ...]
    """(source key, the mana it is to make), in the order to activate."""
    spent: Mana
    """What is spent of the mana that floated before."""
    paid: Mana
    """All that is spent, by colour. What the activations make beyond it stays in the pool."""
    life: int
    """Life paid for Phyrexian symbols, 2 for each (107.4f)."""


class _Demand(msgspec.Struct, frozen=True, gc=False):
    """One concrete way to pay a cost: `counts[i]` mana, each of any colour in `masks[i]`, most particular first."""

    life: int
    total: int
    masks: tuple[int, ...]
    counts: tuple[int, ...]
    hall: tuple[tuple[int, int], ...]
    """(union of masks, how many mana are wanted within it): payable if each union is met by that many sources."""


# --- demands ---------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16384)
def _demands(cost: Cost) -> tuple[_Demand, ...]:
    """The ways to pay: least life first, then least mana. One for each choice of {2/W} and {W/P} that differs."""
    certain = pips(cost)
    mono = [(color, cost.monohybrids.count(color)) for color in sorted(set(cost.monohybrids))]
    phyrexian = [(color, cost.phyrexian.count(color)) for color in sorted(set(cost.phyrexian))]
    ways: list[_Demand] = []
    for plain in product(*(range(count + 1) for _, count in mono)):
        for bled in product(*(range(count + 1) for _, count in phyrexian)):
            wanted = dict(certain)
            for (color, count), instead in [*zip(mono, plain, strict=True), *zip(phyrexian, bled, strict=True)]:
                if count > instead:
                    mask = _paying(cost, 1 << color)
                    wanted[mask] = wanted.get(mask, 0) + count - instead
            ways.append(_demand(wanted, cost.generic + 2 * sum(plain), 2 * sum(bled)))
    ways.sort(key=lambda way: (way.life, way.total))
    return tuple(ways)


def pips(cost: Cost) -> dict[int, int]:
    """How many symbols that leave no choice of another way are paid by each mask of mana."""
    found: dict[int, int] = {}
    for color, count in enumerate(cost.colored):
        if count:
            mask = _paying(cost, 1 << color)
            found[mask] = found.get(mask, 0) + count
    for hybrid in cost.hybrids:
        mask = _paying(cost, hybrid)
        found[mask] = found.get(mask, 0) + 1
    if cost.snow:
        found[SNOW] = cost.snow
    return found


def _paying(cost: Cost, colors: int) -> int:
    """What pays for a symbol of these colours: mana of one of them or spent as though it were, or what is tapped for it."""
    free = (cost.any_color if colors & COLORS else 0) | (cost.any_type if colors & ~COLORS else 0)
    return (colors | free) & ANY_COLOR | mana.unspent(colors)


def _demand(pips: dict[int, int], generic: int, life: int) -> _Demand:
    """A demand with its Hall conditions, one for each different union of the masks wanted."""
    masks = sorted(pips, key=lambda mask: ((mask & _SPENT).bit_count(), mask & _SPENT))
    unions: dict[int, int] = {}
    for mask in masks:
        for union in list(unions):
            unions[union | mask] = 0
        unions[mask] = 0
    for union in unions:
        unions[union] = sum(pips[mask] for mask in masks if mask & ~union == 0)
    total = sum(pips.values()) + generic
    # The whole first: it is what fails most often.
    hall = [(ANY_MANA, total), *sorted(unions.items(), key=lambda item: -item[1])]
    counts = [pips[mask] for mask in masks]
    if generic:
        masks.append(ANY_MANA)
        counts.append(generic)
    return _Demand(life, total, tuple(masks), tuple(counts), tuple(hall))


def _enough(supply: Sequence[tuple[int, int]], demand: _Demand) -> bool:
    """Whether mana of these (mask, count) kinds meets the demand (Hall's theorem)."""
    for union, need in demand.hall:
        for mask, count in supply:
            if mask & union:
                need -= count
        if need > 0:
            return False
    return True


# --- can it be paid --------------------------------------------------------------------------------------------------------


def is_simple(source: Source) -> bool:
    """Whether one activation makes exactly one mana."""
    return source.amount == 1 if source.fixed is None else sum(source.fixed) == 1


def _mask(source: Source) -> int:
    """All colours a simple source can make, and `GENERIC` for what pays for generic mana without making any; 0 if none."""
    if source.fixed is not None:
        return 1 << source.fixed.index(1) | source.mask & SNOW
    mask = source.mask | source.dear
    return mask if mask & (ANY_COLOR | GENERIC) else 0


def summary(sources: Iterable[Source]) -> Summary:
    """The simple ones among the sources, counted by colour mask. Those that are not simple are left out."""
    counts: dict[int, int] = {}
    for source in sources:
        if is_simple(source):
            mask = _mask(source)
            if mask:
                counts[mask] = counts.get(mask, 0) + 1
    return tuple(sorted(counts.items()))


@lru_cache(maxsize=65536)
def can_pay(pool: Pool, sources_summary: Summary, cost: Cost, life: int = 0) -> bool:
    """Whether the cost can be paid, with X as 0, from the pool, from simple sources and with at most `life` life."""
    supply = _floating(pool)
    supply.extend(sources_summary)
    return any(_bleeds(way, life) and _enough(supply, way) for way in _demands(cost))


def _bleeds(way: _Demand, life: int) -> bool:
    # 118.4: no life can always be paid, also by a player who has less than none.
    return way.life == 0 or way.life <= life


def _floating(pool: Sequence[int]) -> list[tuple[int, int]]:
    """A pool as (mask, count) pairs."""
    return [(1 << color, count) for color, count in enumerate(pool) if count]


_Shape = tuple[int, int, Mana]
"""An odd source without its name: (colours to choose from or 0, amount, the fixed mana)."""


def _shape(source: Source) -> _Shape:
    """The shape of an odd source. One with a single colour to choose from is as good as fixed."""
    if source.fixed is not None:
        return 0, 0, source.fixed
    mask = (source.mask | source.dear) & ANY_COLOR
    if mask.bit_count() > 1:
        return mask, source.amount, NO_MANA
    return 0, 0, _bundle(mask.bit_length() - 1, source.amount) if mask else NO_MANA


def _bundle(color: int, amount: int) -> Mana:
    bundle = [0] * 6
    bundle[color] = amount
    w, u, b, r, g, c = bundle
    return w, u, b, r, g, c


def _sum(first: Mana, second: Mana) -> Mana:
    w, u, b, r, g, c = map(int.__add__, first, second)
    return w, u, b, r, g, c


def can_pay_odd(pool: Pool, sources: Sequence[Source], cost: Cost, life: int = 0) -> bool:
    """Like `can_pay`, for sources of any kind.

    A bounded search: beyond `SEARCH_LIMIT` colourings of the odd sources the answer is no, although there might be one.
    """
    counted = summary(sources)
    shapes = tuple(sorted(_shape(source) for source in sources if not is_simple(source)))
    return _can_pay_shapes(pool, counted, shapes, cost, life) if shapes else can_pay(pool, counted, cost, life)


@lru_cache(maxsize=16384)
def _can_pay_shapes(pool: Pool, counted: Summary, shapes: tuple[_Shape, ...], cost: Cost, life: int) -> bool:
    ways = _demands(cost)
    return any(_bleeds(way, life) and _bundles(pool, counted, shapes, way) is not None for way in ways)


def _bundles(pool: Pool, counted: Summary, shapes: Sequence[_Shape], way: _Demand) -> list[Mana] | None:
    """What each odd source should make so that with all of them the demand is met, or None."""
    bundles = [fixed for _, _, fixed in shapes]
    for fixed in bundles:
        pool = _sum(pool, fixed)
    open_choices = [index for index, (mask, _, _) in enumerate(shapes) if mask]
    supply = [*_floating(pool), *counted]
    # As if each of the mana could have a colour of its own: if that is not enough, nothing is.
    if not _enough([*supply, *((shapes[index][0], shapes[index][1]) for index in open_choices)], way):
        return None
    wanted = 0
    for mask in way.masks:
        if mask != ANY_MANA:
            wanted |= mask
    budget = SEARCH_LIMIT
    chosen: list[int] = []

    def search() -> bool:
        nonlocal budget
        depth = len(chosen)
        if depth == len(open_choices):
            budget -= 1
            made = [(1 << color, shapes[open_choices[i]][1]) for i, color in enumerate(chosen)]
            return _enough([*supply, *made], way)
        shape = shapes[open_choices[depth]]
        useful = shape[0] & wanted or shape[0]
        # Of equal sources the later ones take no earlier colour: the same choice in another order is no other choice.
        least = chosen[-1] if depth and shapes[open_choices[depth - 1]] == shape else 0
        for color in range(least, 6):
            if useful >> color & 1 and budget > 0:
                chosen.append(color)
                if search():
                    return True
                chosen.pop()
                if not shape[0] & wanted:
                    break
        return False

    if not search():
        return None
    for index, color in zip(open_choices, chosen, strict=True):
        bundles[index] = _bundle(color, shapes[index][1])
    return bundles


# --- how to pay ------------------------------------------------------------------------------------------------------------


def plan(pool: Pool, sources: Sequence[Source], cost: Cost, life: int = 0) -> Plan | None:
    """How to pay the cost, with X as 0 and at most `life` life; None exactly if it cannot be paid.

    Life is paid only for what mana cannot pay. Floating mana goes first, then sources by price; among equals those that
    would not be the last of a colour, then the least flexible, then those there are most of.
    """
    simple: list[Source] = []
    odd: list[Source] = []
    for source in sources:
        (simple if is_simple(source) else odd).append(source)
    ordered = _preferred(simple)
    counted = summary(simple)
    shapes = [_shape(source) for source in odd]
    best: Plan | None = None
    best_score: tuple[int, ...] = ()
    prices = {source.key: source for source in sources}
    ways = _demands(cost)
    for way in ways:
        if not _bleeds(way, life if best is None else best.life):
            break
        if odd:
            bundles = _bundles(pool, counted, shapes, way)
            found = [] if bundles is None else _plans_odd(pool, ordered, list(zip(odd, bundles, strict=True)), way)
        elif len(ways) > 1 and not _enough([*_floating(pool), *counted], way):
            continue
        else:
            found = [_plan_units(pool, pool, [], ordered, way)]
        for candidate in found:
            if candidate is None:
                continue
            if len(ways) == 1 and len(found) == 1:
                return candidate
            score = _score(candidate, prices)
            if best is None or score < best_score:
                best, best_score = candidate, score
    return best


def spare_plan(pool: Pool, sources: Sequence[Source], cost: Cost, life: int = 0) -> Plan | None:
    """A plan that spends floating mana only if it must: it was made for something else."""
    return plan(NO_MANA, sources, cost, life) or plan(pool, sources, cost, life)


def _preferred(simple: Sequence[Source]) -> list[tuple[Source, int]]:
    """Simple sources with their masks, the one to use first in front."""
    masks = [_mask(source) for source in simple]
    left: dict[int, int] = {}
    for mask in masks:
        left[mask] = left.get(mask, 0) + 1
    once = twice = 0
    for mask in left:
        twice |= once & mask
        once |= mask
    only = COLORS & ~twice  # the colours that one kind of source alone can make
    keys: list[int] = []
    for source, mask in zip(simple, masks, strict=True):
        rest = left[mask] = left[mask] - 1
        last = 1 if not rest and mask & only else 0
        flexible = 2 * ((mask | mask >> 8) & COLORS).bit_count() + (mask >> 6 & 3)
        keys.append(((source.price * 2 + last) * 16 + flexible) * 4096 - rest)
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return [(simple[index], masks[index]) for index in order if masks[index]]


def _plan_units(
    pool: Pool, floating: Pool, made: list[tuple[int, Mana]], ordered: Iterable[tuple[Source, int]], way: _Demand
) -> Plan | None:
    """A plan that pays from `floating` (the pool and what the odd sources in `made` add), then from `ordered`."""
    # Colourless first, then what there is most of: that keeps the most colours afloat.
    colors = sorted((color for color in range(6) if floating[color]), key=lambda color: (color != 5, -floating[color]))
    units = [Unit(1 << color, floating[color]) for color in colors]
    for source, mask in ordered:
        if source.dear and source.fixed is None:
            units.append(Unit(source.mask if source.mask & ANY_COLOR else 0, 1, mask, source))
        else:
            units.append(Unit(mask, 1, 0, source))
    held = match(units, way.masks, way.counts)
    if held is None:
        return None
    paid = [0] * 6
    used: list[tuple[int, Source, int]] = []
    for wanted, holders in zip(way.masks, held, strict=True):
        for index, count in holders.items():
            unit = units[index]
            can = unit.mask & wanted & ANY_COLOR or unit.mask & ANY_COLOR
            if unit.source is not None and can & unit.source.mask & ANY_COLOR:
                can &= unit.source.mask
            color = (can & -can).bit_length() - 1 if can else 5  # what makes no mana is told as colourless
            paid[color] += count
            if unit.source is not None:
                used.append((index, unit.source, color))
    used.sort(key=lambda use: use[0])
    activations = [*made, *((source.key, _bundle(color, 1)) for _, source, color in used)]
    drawn = list(paid)
    for _, _, color in used:
        drawn[color] -= 1
    w, u, b, r, g, c = map(min, drawn, pool)
    w2, u2, b2, r2, g2, c2 = paid
    return Plan(tuple(activations), (w, u, b, r, g, c), (w2, u2, b2, r2, g2, c2), way.life)


def _plans_odd(
    pool: Pool, ordered: list[tuple[Source, int]], odd: list[tuple[Source, Mana]], way: _Demand
) -> list[Plan | None]:
    """Two plans with odd sources: one keeps the odd and sheds simple ones where prices are equal, one the reverse."""
    plans: list[Plan | None] = []
    for keep_odd in (True, False):
        kept, made = _shed(pool, ordered, odd, way, keep_odd)
        floating = pool
        for _, bundle in made:
            floating = _sum(floating, bundle)
        plans.append(_plan_units(pool, floating, made, kept, way))
    return plans


def _shed(
    pool: Pool, ordered: list[tuple[Source, int]], odd: list[tuple[Source, Mana]], way: _Demand, keep_odd: bool
) -> tuple[list[tuple[Source, int]], list[tuple[int, Mana]]]:
    """Leave out sources, dearest first, while the rest still meets the demand. Returns the simple and the odd kept."""
    # (price, whether it goes later, place, what it brings); sorted so that the last is the first to go.
    items: list[tuple[int, int, int, list[tuple[int, int]]]] = []
    for place, (source, mask) in enumerate(ordered):
        items.append((source.price, 0 if not keep_odd else 1, place, [(mask, 1)]))
    for place, (source, bundle) in enumerate(odd):
        items.append((source.price, 0 if keep_odd else 1, place - len(odd), _floating(bundle)))
    items.sort(key=lambda item: item[:3])
    unions = [union for union, _ in way.hall]
    spare = [-need for _, need in way.hall]
    brings: list[list[int]] = []
    for supply in [_floating(pool), *(item[3] for item in items)]:
        brings.append([sum(count for mask, count in supply if mask & union) for union in unions])
        spare = [have + more for have, more in zip(spare, brings[-1], strict=True)]
    dropped: set[int] = set()
    for index in range(len(items) - 1, -1, -1):
        rest = [have - less for have, less in zip(spare, brings[index + 1], strict=True)]
        if min(rest) >= 0:
            spare = rest
            dropped.add(items[index][2])
    simple = [entry for place, entry in enumerate(ordered) if place not in dropped]
    made = [(source.key, bundle) for place, (source, bundle) in enumerate(odd) if place - len(odd) not in dropped]
    return simple, made


def _score(found: Plan, sources: dict[int, Source]) -> tuple[int, ...]:
    """Less is better: life, last resorts, painful sources, creatures, others, mana left over, activations."""
    counts = [0] * 6
    made = 0
    for key, brought in found.activations:
        source = sources[key]
        price = source.price
        if source.dear and source.fixed is None:
            color = next(color for color in range(6) if brought[color])
            if not source.mask >> color & 1:
                price = PAINFUL
        counts[price] += 1  # FLOATING is -1 and counts last, where nothing looks
        made += sum(brought)
    wasted = made + sum(found.spent) - sum(found.paid)
    return (
        found.life,
        counts[LAST_RESORT],
        counts[PAINFUL],
        counts[CREATURE],
        counts[OTHER],
        wasted,
        len(found.activations),
    )


def max_x(pool: Pool, sources: Sequence[Source], cost: Cost, life: int = 0) -> int:
    """The largest X with which the cost can be paid; 0 if there is no X in it or it cannot be paid at all."""
    if not cost.x:
        return 0
    most = sum(pool)
    for source in sources:
        most += source.amount if source.fixed is None else sum(source.fixed)
    low, high = 0, (most + cost.less) // cost.x
    while low < high:
        middle = (low + high + 1) // 2
        if can_pay_odd(pool, sources, with_x(cost, middle), life):
            low = middle
        else:
            high = middle - 1
    return low
