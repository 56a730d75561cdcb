"""Costs and paying for them, against a brute force that knows nothing of Hall or matroids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.rules.costs import payment
from server.rules.costs.payment import can_pay, can_pay_odd, max_x, plan, summary
from server.rules.costs.source import CREATURE, FLOATING, LAND, LAST_RESORT, OTHER, PAINFUL, Source
from server.rules.definitions import NO_MANA, parse_cost
from server.rules.model import ANY_MANA, GENERIC, SNOW, Cost, Mana, mana
from tests.pace import fastest

W, U, B, R, G, C = 1, 2, 4, 8, 16, 32


def lands(text: str, price: int = LAND) -> list[Source]:
    """One source for each word: "G" makes {G}, "WU" one of two."""
    return [
        Source(key, sum(1 << "WUBRGCS".index(letter) for letter in word), price=price)
        for key, word in enumerate(text.split())
    ]


def keys(found: payment.Plan | None) -> list[int]:
    assert found is not None
    return sorted(key for key, _ in found.activations)


# ---- costs


@pytest.mark.parametrize(
    ("text", "printed", "value", "colors"),
    [
        ("{0}", "{0}", 0, 0),
        ("{2}{W}", "{2}{W}", 3, W),
        ("{W}{2}{1}", "{3}{W}", 4, W),
        ("{X}{X}{R}", "{X}{X}{R}", 1, R),
        ("{W/U}{U/W}", "{W/U}{W/U}", 2, W | U),
        ("{W/G}{W}{G}", "{G/W}{G}{W}", 3, G | W),
        ("{2/W}{2/U}{2/B}{2/R}{2/G}", "{2/W}{2/U}{2/B}{2/R}{2/G}", 10, 31),
        ("{1}{B/P}{B/P}", "{1}{B/P}{B/P}", 3, B),
        ("{U}{G}", "{G}{U}", 2, G | U),
        ("{W}{R}{U}", "{U}{R}{W}", 3, W | U | R),
        ("{S}{C}{1}", "{1}{S}{C}", 3, 0),
        ("{C/W}{W}", "{C/W}{W}", 2, W),
        ("{1000000}", "{1000000}", 1000000, 0),
        ("{2}{W}{W/U}{X}{R/P}{2/G}{S}{C}", "{X}{2}{S}{C}{2/G}{W/U}{W}{R/P}", 9, W | U | R | G),
    ],
)
def test_costs_are_read_and_printed(text: str, printed: str, value: int, colors: int) -> None:
    cost = parse_cost(text)
    assert mana.print_cost(cost) == printed
    assert parse_cost(printed) == cost
    assert mana.mana_value(cost) == value
    assert mana.colors_of(cost) == colors


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "''"),
        ("2W", "2W"),
        ("{2}W", "'W'"),
        ("{2", "'{2'"),
        ("{}", "{}"),
        ("{T}", "{T}"),
        ("{w}", "{w}"),
        ("{W/W}", "{W/W}"),
        ("{3/W}", "{3/W}"),
        ("{2/C}", "{2/C}"),
        ("{P/W}", "{P/W}"),
        ("{-1}", "{-1}"),
        ("{01}", "{01}"),
        ("{²}", "{²}"),
        ("{99999999}", "{99999999}"),
        ("{W}" * 65, "{W}"),
        ("{W/P}" * 13, "{W/P}"),
    ],
)
def test_what_is_no_cost_is_named(text: str, named: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_cost(text)
    assert named in str(caught.value)


def test_x_counts_on_the_stack_only() -> None:
    cost = parse_cost("{X}{X}{1}{R}")
    assert mana.mana_value(cost) == 2
    assert mana.mana_value(cost, 3) == 8
    assert mana.with_x(cost, 3) == parse_cost("{7}{R}")


def test_increases_come_before_reductions() -> None:
    cost = parse_cost("{1}{G}")
    assert mana.locked_in(mana.minus(cost, 3)) == parse_cost("{G}")
    assert mana.locked_in(mana.minus(mana.plus(cost, parse_cost("{2}")), 3)) == parse_cost("{G}")
    assert mana.locked_in(mana.minus(mana.plus(cost, parse_cost("{2}{W}")), 1)) == parse_cost("{2}{G}{W}")
    assert mana.print_cost(mana.minus(parse_cost("{2}"), 2)) == "{0}"


@pytest.mark.rule("609.4")
@pytest.mark.parametrize(
    ("cost", "any_type", "spent", "payable"),
    [
        ("{1}{U}{U}{R}", False, "UUUU", True),
        ("{1}{U}{U}{R}", False, "UURR", True),
        ("{U}{R}", False, "RR", False),
        ("{R/G}", False, "U", True),
        ("{R/G}", False, "W", False),
        ("{R/P}", False, "U", True),
        ("{2/R}", False, "U", True),
        ("{2/R}", False, "W", False),
        ("{C}", False, "U", False),
        ("{C}", True, "U", True),
        ("{C}", True, "W", False),
    ],
)
def test_what_blue_mana_may_be_spent_on_as_though_it_were_of_any_colour(
    cost: str, any_type: bool, spent: str, payable: bool
) -> None:
    freed = mana.as_any(parse_cost(cost), any_type, 0b10)
    assert mana.print_cost(freed) == cost
    pool = cast(mana.Pool, tuple(spent.count(letter) for letter in mana.SYMBOLS))
    assert payment.can_pay(pool, (), freed) is payable
    assert (payment.plan(pool, (), freed) is not None) is payable


@pytest.mark.rule("609.4")
def test_what_convokes_is_no_mana_of_another_colour() -> None:
    """And what delve exiles is of no colour at all (702.64a)."""
    freed = mana.as_any(parse_cost("{1}{W}{2/W}"), True)
    white, blue = Source(1, mana.unspent(0b1) | GENERIC), Source(2, mana.unspent(0b10) | GENERIC)
    assert not payment.can_pay_odd((0, 0, 0, 0, 0, 0), [blue] * 9, freed)
    assert payment.can_pay_odd((0, 1, 0, 0, 0, 0), [blue] * 3, freed)
    assert payment.can_pay_odd((0, 0, 0, 0, 0, 0), [white, white, blue], freed)
    assert payment.can_pay_odd((0, 0, 0, 0, 0, 0), [white, *[blue] * 3], freed)
    assert payment.plan((0, 0, 0, 0, 0, 0), [Source(1, GENERIC)] * 9, freed) is None


@pytest.mark.rule("601.2e")
def test_what_is_added_after_a_reduction_counts_before_it() -> None:
    """A kicker, X: the total is one sum, whatever part of it is known first."""
    less = mana.minus(parse_cost("{X}{1}{G}"), 3)
    assert mana.locked_in(mana.with_x(less, 4)) == parse_cost("{2}{G}")
    assert mana.locked_in(mana.with_x(mana.plus(less, parse_cost("{1}{R}")), 0)) == parse_cost("{G}{R}")
    assert mana.locked_in(mana.with_x(mana.plus(less, parse_cost("{3}{R}")), 1)) == parse_cost("{2}{G}{R}")


def test_coloured_reductions_take_generic_where_the_colour_is_missing() -> None:
    assert mana.minus(parse_cost("{3}{G}"), parse_cost("{G}{G}")) == parse_cost("{2}")
    assert mana.minus(parse_cost("{3}{G}"), parse_cost("{U}{1}")) == parse_cost("{1}{G}")
    assert mana.locked_in(mana.minus(parse_cost("{G}{G}"), parse_cost("{U}"))) == parse_cost("{G}{G}")
    with pytest.raises(ValueError, match="W/U"):
        mana.minus(parse_cost("{3}"), parse_cost("{W/U}"))


# ---- what is used


def test_floating_mana_first_then_lands_then_creatures() -> None:
    sources = lands("G", CREATURE) + [Source(7, G), Source(8, G, price=PAINFUL)]
    found = plan((0, 0, 0, 0, 1, 0), sources, parse_cost("{1}{G}"))
    assert found is not None
    assert found.spent == (0, 0, 0, 0, 1, 0)
    assert found.paid == (0, 0, 0, 0, 2, 0)
    assert keys(found) == [7]
    assert keys(plan(NO_MANA, sources, parse_cost("{1}{G}"))) == [0, 7]


def test_flexible_lands_are_kept() -> None:
    assert keys(plan(NO_MANA, lands("WUBRG G GW G"), parse_cost("{1}{G}"))) == [1, 3]


def test_each_colour_stays_open_where_that_can_be() -> None:
    found = plan(NO_MANA, lands("G G G U U"), parse_cost("{3}"))
    assert {"GGGUU"[key] for key in {0, 1, 2, 3, 4} - set(keys(found))} == {"G", "U"}
    assert keys(plan(NO_MANA, lands("U R R"), parse_cost("{1}"))) == [1]


def test_the_colour_is_one_the_cost_needs() -> None:
    found = plan(NO_MANA, lands("WU WU"), parse_cost("{W}{U}"))
    assert found is not None
    assert sorted(made for _, made in found.activations) == [(0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)]


def test_life_only_where_mana_does_not_reach() -> None:
    cost = parse_cost("{1}{B/P}{B/P}")
    found = plan(NO_MANA, lands("B B U"), cost, life=20)
    assert found is not None and found.life == 0
    found = plan(NO_MANA, lands("B U"), cost, life=20)
    assert found is not None and found.life == 2
    found = plan(NO_MANA, lands("U"), cost, life=20)
    assert found is not None and found.life == 4
    assert plan(NO_MANA, lands("U"), cost, life=3) is None
    assert not can_pay(NO_MANA, summary(lands("U")), cost, 3)
    assert can_pay(NO_MANA, summary(lands("U")), cost, 4)


def test_monohybrids_take_one_of_the_colour_or_two_of_any() -> None:
    cost = parse_cost("{2/W}{2/W}")
    assert len(keys(plan(NO_MANA, lands("W W U U"), cost))) == 2
    assert len(keys(plan(NO_MANA, lands("W U U"), cost))) == 3
    assert plan(NO_MANA, lands("U U U"), cost) is None


def test_snow_is_paid_by_snow_sources_only() -> None:
    cost = parse_cost("{S}{G}")
    assert plan(NO_MANA, lands("G G"), cost) is None
    assert plan((0, 0, 0, 0, 9, 0), [], cost) is None
    assert keys(plan(NO_MANA, lands("GS G US"), cost)) == [0, 1]
    floating = Source(9, G | SNOW, price=FLOATING)
    assert keys(plan(NO_MANA, [*lands("GS G"), floating], parse_cost("{S}"))) == [9]


def test_painful_colours_are_for_need_only() -> None:
    forge = Source(5, C, dear=R | W)
    assert can_pay(NO_MANA, summary([forge]), parse_cost("{R}"))
    found = plan(NO_MANA, [forge, *lands("R")], parse_cost("{1}{R}"))
    assert found is not None and (5, (0, 0, 0, 0, 0, 1)) in found.activations
    found = plan(NO_MANA, [forge, *lands("U")], parse_cost("{1}{R}"))
    assert found is not None and (5, (0, 0, 0, 1, 0, 0)) in found.activations
    assert keys(plan(NO_MANA, [forge, *lands("R R")], parse_cost("{R}"))) in ([0], [1])
    assert keys(plan(NO_MANA, [Source(6, 0, dear=U), forge], parse_cost("{W}{U}"))) == [5, 6]


def test_bundles() -> None:
    karoo = Source(8, 0, fixed=(0, 0, 0, 1, 1, 0))
    lotus = Source(9, 31, 3, price=PAINFUL)
    assert keys(plan(NO_MANA, [*lands("R G"), karoo], parse_cost("{R}{G}"))) == [8]
    assert keys(plan(NO_MANA, [*lands("R G"), karoo], parse_cost("{1}"))) in ([0], [1])
    assert keys(plan(NO_MANA, [*lands("R G"), lotus], parse_cost("{R}{G}"))) == [0, 1]
    found = plan(NO_MANA, [*lands("R"), lotus], parse_cost("{U}{U}{R}"))
    assert found is not None
    assert found.activations == ((9, (0, 3, 0, 0, 0, 0)), (0, (0, 0, 0, 1, 0, 0)))
    assert found.paid == (0, 2, 0, 1, 0, 0) and found.spent == NO_MANA
    assert plan(NO_MANA, [lotus], parse_cost("{U}{R}")) is None
    assert not can_pay_odd(NO_MANA, [lotus], parse_cost("{U}{R}"))
    assert can_pay_odd(NO_MANA, [lotus, Source(10, 31, 3)], parse_cost("{U}{R}{4}"))
    assert max_x(NO_MANA, [lotus, karoo], parse_cost("{X}{X}{R}")) == 2
    creature = Source(11, G, price=CREATURE)
    assert keys(plan(NO_MANA, [creature, karoo], parse_cost("{1}"))) == [8]


def test_largest_x() -> None:
    assert max_x(NO_MANA, lands("R G G G G"), parse_cost("{X}{R}")) == 4
    assert max_x((0, 0, 0, 3, 0, 0), lands("G G"), parse_cost("{X}{X}{R}")) == 2
    assert max_x(NO_MANA, lands("G G G"), parse_cost("{X}{R}")) == 0
    assert max_x(NO_MANA, lands("G G G"), parse_cost("{G}")) == 0


def test_nothing_to_pay() -> None:
    assert plan(NO_MANA, [], mana.ZERO) == payment.Plan((), NO_MANA, NO_MANA, 0)
    assert can_pay(NO_MANA, (), mana.ZERO)
    assert plan(NO_MANA, lands("G"), parse_cost("{X}")) == payment.Plan((), NO_MANA, NO_MANA, 0)


def test_a_great_pool_costs_no_great_time() -> None:
    pool = (0, 0, 10**6, 0, 10**6, 0)
    found = plan(pool, lands("U"), parse_cost("{1500000}{U}{G}{B/G}"))
    assert found is not None and sum(found.spent) == 1500002


@pytest.mark.rule("current 702.51a")
@pytest.mark.parametrize("cost, paid", [("{C}", False), ("{1}", True), ("{W}", True), ("{U}", False), ("{2/U}", True)])
def test_what_convoke_taps_stands_for_generic_mana_and_its_colours(cost: str, paid: bool) -> None:
    helpers = [Source(key, GENERIC | W, price=LAST_RESORT) for key in (1, 2)]
    assert (plan(NO_MANA, helpers, parse_cost(cost)) is not None) == paid
    assert can_pay(NO_MANA, summary(helpers), parse_cost(cost)) == paid


# ---- against brute force


def _payments(cost: Cost) -> Iterator[tuple[list[int], int]]:
    """Every way to pay as a list of masks, one for each mana, and the life."""
    certain = [1 << color for color, count in enumerate(cost.colored) for _ in range(count)]
    certain += list(cost.hybrids) + [SNOW] * cost.snow + [ANY_MANA] * cost.generic
    for mono in product((False, True), repeat=len(cost.monohybrids)):
        for bled in product((False, True), repeat=len(cost.phyrexian)):
            pips = list(certain)
            for color, two in zip(cost.monohybrids, mono, strict=True):
                pips += [ANY_MANA, ANY_MANA] if two else [1 << color]
            pips += [1 << color for color, life in zip(cost.phyrexian, bled, strict=True) if not life]
            yield pips, 2 * sum(bled)


def _assignable(pips: list[int], units: list[int]) -> bool:
    if not pips:
        return True
    if len(pips) > len(units):
        return False
    first, rest = pips[0], pips[1:]
    tried: set[int] = set()
    for index, unit in enumerate(units):
        if unit & first and unit not in tried:
            tried.add(unit)
            if _assignable(rest, units[:index] + units[index + 1 :]):
                return True
    return False


def _worlds(pool: Mana, sources: list[Source]) -> Iterator[list[int]]:
    """The mana there would be if everything were activated, for each colouring."""
    base = [1 << color for color, count in enumerate(pool) for _ in range(count)]
    options: list[list[list[int]]] = []
    for source in sources:
        if source.fixed is not None:
            made = [1 << color for color, count in enumerate(source.fixed) for _ in range(count)]
            options.append([[one | source.mask & SNOW for one in made] if len(made) == 1 else made])
        elif source.mask & GENERIC:
            options.append([[source.mask]])
        else:
            snow = source.mask & SNOW if source.amount == 1 else 0
            full = source.mask | source.dear
            options.append([[1 << color | snow] * source.amount for color in range(6) if full >> color & 1] or [[]])
    for world in product(*options):
        yield base + [one for made in world for one in made]


def least_life(pool: Mana, sources: list[Source], cost: Cost) -> int | None:
    """The least life with which the cost can be paid, None if it cannot."""
    ways = sorted(_payments(cost), key=lambda way: way[1])
    worlds = list({tuple(sorted(world)) for world in _worlds(pool, sources)})
    for pips, life in ways:
        pips.sort(key=lambda mask: mask.bit_count())
        if any(_assignable(pips, list(world)) for world in worlds):
            return life
    return None


MASKS = st.sampled_from([W, U, C, W | U, U | B, W | B | C, 31, 63, G | SNOW, W | U | SNOW])
COSTS = st.lists(
    st.sampled_from(
        ["{1}", "{2}", "{W}", "{U}", "{B}", "{C}", "{W/U}", "{U/B}", "{2/W}", "{2/U}", "{W/P}", "{U/P}", "{S}"]
    ),
    min_size=1,
    max_size=4,
).map(lambda symbols: parse_cost("".join(symbols)))
POOLS = st.tuples(*[st.sampled_from([0, 0, 0, 1, 2])] * 6)
PRICES = st.sampled_from([FLOATING, LAND, OTHER, CREATURE, PAINFUL])
STAND_INS = st.sampled_from([GENERIC, GENERIC | W, GENERIC | W | U])
SIMPLE = st.one_of(
    st.builds(Source, key=st.just(0), mask=MASKS, price=PRICES, dear=st.sampled_from([0, 0, 0, W, B | U])),
    st.builds(Source, key=st.just(0), mask=STAND_INS, price=st.just(LAST_RESORT)),
)
FIXED = st.sampled_from([(1, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, 2), (0, 1, 0, 0, 0, 0), (0, 0, 1, 0, 2, 0), NO_MANA])
ODD = st.one_of(
    st.builds(Source, key=st.just(0), mask=st.just(0), fixed=FIXED, price=PRICES),
    st.builds(Source, key=st.just(0), mask=MASKS, amount=st.sampled_from([0, 2, 3]), price=PRICES),
)


def named(sources: list[Source]) -> list[Source]:
    return [
        Source(key, source.mask, source.amount, source.fixed, source.price, source.dear)
        for key, source in enumerate(sources)
    ]


def check(pool: Mana, sources: list[Source], cost: Cost, life: int) -> None:
    """Everything a plan promises, and that it is there exactly if it can be."""
    least = least_life(pool, sources, cost)
    payable = least is not None and least <= life
    assert can_pay_odd(pool, sources, cost, life) == payable
    if all(payment.is_simple(source) for source in sources):
        assert can_pay(pool, summary(sources), cost, life) == payable
    found = plan(pool, sources, cost, life)
    assert (found is not None) == payable
    if found is None:
        return
    assert found.life == least
    assert found == plan(pool, sources, cost, life)
    by_key = {source.key: source for source in sources}
    assert len({key for key, _ in found.activations}) == len(found.activations)
    after = list(pool)
    units = [1 << color for color in range(6) for _ in range(found.spent[color])]
    for key, made in found.activations:
        source = by_key[key]
        if source.fixed is not None:
            assert made == source.fixed
        else:
            (color,) = [color for color in range(6) if made[color]]
            told = source.mask >> color & 1 or source.dear >> color & 1 or color == 5 and source.mask & GENERIC
            assert made[color] == source.amount and told
        after = [have + more for have, more in zip(after, made, strict=True)]
        snow = source.mask & SNOW if payment.is_simple(source) else 0
        stands_in = source.mask if source.mask & GENERIC else 0
        units += [stands_in or 1 << color | snow for color in range(6) for _ in range(made[color])]
    assert all(0 <= paid <= have for paid, have in zip(found.paid, after, strict=True))
    assert all(spent <= have for spent, have in zip(found.spent, pool, strict=True))
    assert any(
        life == found.life and len(pips) == sum(found.paid) and _assignable(sorted(pips, key=int.bit_count), units)
        for pips, life in _payments(cost)
    )
    # Nothing is activated that the payment does without.
    for key, _ in found.activations:
        rest = [source for source in sources if source.key != key and source.key in dict(found.activations)]
        if all(payment.is_simple(source) for source in sources) and not cost.monohybrids:
            fewer = least_life(pool, rest, cost)
            assert fewer is None or fewer > found.life


@settings(max_examples=400, deadline=None)
@given(POOLS, st.lists(SIMPLE, max_size=5).map(named), COSTS, st.sampled_from([0, 2, 20]))
def test_simple_sources_agree_with_brute_force(pool: Mana, sources: list[Source], cost: Cost, life: int) -> None:
    check(pool, sources, cost, life)


@settings(max_examples=400, deadline=None)
@given(POOLS, st.lists(st.one_of(SIMPLE, ODD), max_size=4).map(named), COSTS, st.sampled_from([0, 2, 20]))
def test_odd_sources_agree_with_brute_force(pool: Mana, sources: list[Source], cost: Cost, life: int) -> None:
    check(pool, sources, cost, life)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(SIMPLE, SIMPLE, ODD), max_size=4).map(named), COSTS, st.sampled_from([1, 2]))
def test_largest_x_is_the_last_that_can_be_paid(sources: list[Source], cost: Cost, count: int) -> None:
    cost = mana.plus(cost, Cost(x=count))
    most = max_x(NO_MANA, sources, cost)
    assert most == 0 or can_pay_odd(NO_MANA, sources, mana.with_x(cost, most))
    assert not can_pay_odd(NO_MANA, sources, mana.with_x(cost, most + 1))


@settings(max_examples=200, deadline=None)
@given(POOLS, st.lists(st.builds(Source, key=st.just(0), mask=MASKS, price=PRICES), max_size=5).map(named), COSTS)
def test_no_dearer_source_than_needed(pool: Mana, sources: list[Source], cost: Cost) -> None:
    """The prices used, sorted, are the least there are: if a price is used, the cheaper ones alone do not suffice."""
    if cost.monohybrids:
        return
    found = plan(pool, sources, cost)
    if found is None or not found.activations:
        return
    dearest = max(source.price for source in sources if source.key in dict(found.activations))
    assert least_life(pool, [source for source in sources if source.price < dearest], cost) != 0


@given(COSTS)
def test_costs_print_and_read_back(cost: Cost) -> None:
    assert parse_cost(mana.print_cost(cost)) == cost


def test_what_can_be_paid_is_known_in_a_microsecond() -> None:
    sources = lands("G G G G U U GU GU WUBRG B")
    counted, cost = summary(sources), parse_cost("{3}{G}{U}{U}")
    assert fastest(lambda: can_pay(NO_MANA, counted, cost), 2000) < 1e-6
    assert fastest(lambda: plan(NO_MANA, sources, cost), 200) < 60e-6


@pytest.mark.rule("702.49a")
def test_creatures_are_tapped_for_convoke_only_where_mana_does_not_do() -> None:
    convoked = [Source(9, W | C, price=LAST_RESORT)]
    assert keys(plan(NO_MANA, (*lands("W W"), *convoked), parse_cost("{2/W}"))) in ([0], [1])
    assert keys(plan(NO_MANA, (*lands("W"), *convoked), parse_cost("{2/U}"))) == [0, 9]
