"""Mana: costs and floating mana.

A pure module that knows nothing of the game: a cost is symbols (107.4), a pool is six numbers. `payment` says whether and
how a cost can be paid.

Colours are the indices 0-5 (W U B R G C) and the masks `1 << index`: W 1, U 2, B 4, R 8, G 16, colourless 32. Only a source
with the bit `SNOW` (64) pays for {S} (107.4h). What is tapped or exiled rather than spent has `GENERIC` (128): no {C} is paid by it. The
colours that it pays for are `unspent`, bits of their own: it is no mana, which might be spent as though it were of another colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

Mana = tuple[int, int, int, int, int, int]
"""Amounts of mana by colour index: W, U, B, R, G, colourless."""
Pool = Mana
"""Floating mana. Floating *snow* mana is a `Source` of price `FLOATING` instead."""

SYMBOLS = "WUBRGC"
COLORS = 31
ANY_COLOR = 63
SNOW = 64
GENERIC = 128
ANY_MANA = 255
NO_MANA: Mana = (0, 0, 0, 0, 0, 0)

MAX_SYMBOLS = 64
MAX_ALTERNATIVES = 12
MAX_GENERIC = 9_999_999


class Cost(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A mana cost (107.4, 202.1). Its order of symbols is not kept; `print_cost` writes the canonical one.

    An object without a mana cost has no `Cost` at all, for what is absent cannot be paid (117.6).
    """

    generic: int = 0
    colored: Mana = NO_MANA
    """How many symbols of each single colour, {C} last."""
    x: int = 0
    """How many {X}. Payment takes X as 0; say which X with `with_x`."""
    hybrids: tuple[int, ...] = ()
    """The colour mask of each two-colour symbol such as {W/U}, sorted."""
    monohybrids: tuple[int, ...] = ()
    """The colour index of each {2/W}, sorted."""
    phyrexian: tuple[int, ...] = ()
    """The colour index of each {W/P}, sorted."""
    snow: int = 0
    """How many {S}."""
    less: int = 0
    """How much generic mana reductions have still to take off what is added: additional costs and X count before them (601.2e)."""
    any_color: int = 0
    """The colours of mana, as a mask, that may be spent as though they were of any colour (609.4): each coloured symbol can be paid
    with them. What pays for a symbol without being spent can't."""
    any_type: int = 0
    """The same for {C}: what may be spent as though it were of any type."""


ZERO = Cost()


_ORDERS = (
    "W U B R G WU UB BR RG GW WB UR BG RW GU GWU WUB UBR BRG RGW RWB GUR WBG URW BGU WUBR UBRG BRGW RGWU GWUB WUBRG"
)
"""How each set of colours is written, starting where the way round the colour pie is shortest."""


def _mask_of(colors: str) -> int:
    return sum(1 << SYMBOLS.index(color) for color in colors)


_WRITTEN: dict[int, tuple[int, ...]] = {
    _mask_of(order): tuple(SYMBOLS.index(color) for color in order) for order in _ORDERS.split()
}
_WRITTEN[0] = ()
_HYBRIDS: dict[str, int] = {}
for _a in SYMBOLS:
    for _b in SYMBOLS:
        if _a != _b:
            _HYBRIDS[f"{_a}/{_b}"] = _mask_of(_a + _b)


def _symbols(text: str) -> list[str]:
    """The insides of the braces in `text`; ValueError if there is anything else."""
    found: list[str] = []
    at = 0
    while at < len(text):
        end = text.find("}", at)
        if text[at] != "{" or end < 0:
            raise ValueError(f"{text[at : at + 20]!r} is not a mana symbol")
        found.append(text[at + 1 : end])
        at = end + 1
    if not found:
        raise ValueError("'' is not a mana cost: no mana cost is not the same as {0}")
    if len(found) > MAX_SYMBOLS:
        raise ValueError(f"{{{found[MAX_SYMBOLS]}}} is one mana symbol too many: at most {MAX_SYMBOLS}")
    return found


@lru_cache(maxsize=8192)
def parse_cost(text: str) -> Cost:
    """Read a cost such as "{2}{W}{W/U}{X}{R/P}{2/G}{S}{C}". Raises ValueError naming the symbol it cannot read."""
    generic = x = snow = 0
    colored = [0] * 6
    hybrids: list[int] = []
    monohybrids: list[int] = []
    phyrexian: list[int] = []
    for symbol in _symbols(text):
        if len(symbol) == 1 and symbol in SYMBOLS:
            colored[SYMBOLS.index(symbol)] += 1
        elif symbol.isascii() and symbol.isdigit() and len(symbol) <= 7 and symbol == str(int(symbol)):
            generic += int(symbol)
        elif symbol == "X":
            x += 1
        elif symbol == "S":
            snow += 1
        elif symbol in _HYBRIDS:
            hybrids.append(_HYBRIDS[symbol])
        elif len(symbol) == 3 and symbol.startswith("2/") and symbol[2] in "WUBRG":
            monohybrids.append(SYMBOLS.index(symbol[2]))
        elif len(symbol) == 3 and symbol.endswith("/P") and symbol[0] in "WUBRG":
            phyrexian.append(SYMBOLS.index(symbol[0]))
        else:
            raise ValueError(f"{{{symbol[:20]}}} is not a mana symbol")
        if generic > MAX_GENERIC or len(monohybrids) + len(phyrexian) > MAX_ALTERNATIVES:
            raise ValueError(f"{{{symbol}}} is one mana symbol too many")
    return _cost(generic, colored, x, hybrids, monohybrids, phyrexian, snow)


def _cost(
    generic: int,
    colored: Iterable[int],
    x: int,
    hybrids: Iterable[int],
    monohybrids: Iterable[int],
    phyrexian: Iterable[int],
    snow: int,
    less: int = 0,
) -> Cost:
    w, u, b, r, g, c = colored
    alternatives = tuple(sorted(hybrids)), tuple(sorted(monohybrids)), tuple(sorted(phyrexian))
    return Cost(max(0, generic - less), (w, u, b, r, g, c), x, *alternatives, snow, max(0, less - generic))


@lru_cache(maxsize=8192)
def print_cost(cost: Cost) -> str:
    """The cost as a card would print it: X, generic, snow, colourless, then hybrids and colours. Nothing is "{0}"."""
    rank = {color: place for place, color in enumerate(_WRITTEN[colors_of(cost)])}
    rank[5] = -1
    parts = ["{X}"] * cost.x
    if cost.generic:
        parts.append(f"{{{cost.generic}}}")
    parts += ["{S}"] * cost.snow + ["{C}"] * cost.colored[5]
    parts += [f"{{2/{SYMBOLS[color]}}}" for color in sorted(cost.monohybrids, key=rank.__getitem__)]
    several = [_written(mask) for mask in cost.hybrids]
    several.sort(key=lambda colors: tuple(rank[color] for color in colors))
    parts += ["{" + "/".join(SYMBOLS[color] for color in colors) + "}" for colors in several]
    for color in _WRITTEN[colors_of(cost)]:
        parts += [f"{{{SYMBOLS[color]}}}"] * cost.colored[color]
    parts += [f"{{{SYMBOLS[color]}/P}}" for color in sorted(cost.phyrexian, key=rank.__getitem__)]
    return "".join(parts) or "{0}"


def _written(mask: int) -> tuple[int, ...]:
    """The two colours of a hybrid as they are written; {C/W} has its colourless half first."""
    written = _WRITTEN[mask & COLORS]
    return (5, *written) if mask & 32 else written


def mana_value(cost: Cost, x: int = 0) -> int:
    """The converted mana cost (202.3): hybrids count by their larger half, X is 0 but on the stack."""
    simple = cost.generic + sum(cost.colored) + cost.snow + cost.x * x
    return simple + len(cost.hybrids) + 2 * len(cost.monohybrids) + len(cost.phyrexian)


def colors_of(cost: Cost) -> int:
    """The colours of an object with this mana cost (202.2), a mask of W 1, U 2, B 4, R 8, G 16."""
    mask = 0
    for color in range(5):
        if cost.colored[color]:
            mask |= 1 << color
    for hybrid in cost.hybrids:
        mask |= hybrid
    for color in cost.monohybrids + cost.phyrexian:
        mask |= 1 << color
    return mask & COLORS


def plus(first: Cost, second: Cost) -> Cost:
    """Both costs together; mana that may be spent on one as though it were of another colour may be on the whole."""
    both = _cost(
        first.generic + second.generic,
        map(int.__add__, first.colored, second.colored),
        first.x + second.x,
        first.hybrids + second.hybrids,
        first.monohybrids + second.monohybrids,
        first.phyrexian + second.phyrexian,
        first.snow + second.snow,
        first.less + second.less,
    )
    any_color, any_type = first.any_color | second.any_color, first.any_type | second.any_type
    return msgspec.structs.replace(both, any_color=any_color, any_type=any_type) if any_color else both


def minus(cost: Cost, reduction: Cost | int) -> Cost:
    """The cost reduced by so much generic mana, or by a cost of generic and single-coloured symbols.

    A generic reduction takes from the generic part only, never below zero. A coloured one takes from its own colour
    and, where there is too little of that, from the generic part (117.7a to d). What the generic part is too small for is
    left for what is still added (`Cost.less`). Other symbols must have been turned
    into these by the caller, who has asked for the half of a hybrid; ValueError if there are any.
    """
    if isinstance(reduction, int):
        return _less(cost, reduction) if reduction else cost
    if reduction.x or reduction.hybrids or reduction.monohybrids or reduction.phyrexian or reduction.snow:
        raise ValueError(f"{print_cost(reduction)} cannot be taken off a cost before its symbols are chosen")
    beyond = sum(max(0, take - have) for have, take in zip(cost.colored, reduction.colored, strict=True))
    w, u, b, r, g, c = (max(0, have - take) for have, take in zip(cost.colored, reduction.colored, strict=True))
    return _less(msgspec.structs.replace(cost, colored=(w, u, b, r, g, c)), reduction.generic + beyond)


def _less(cost: Cost, reduction: int) -> Cost:
    less = cost.less + reduction
    return msgspec.structs.replace(cost, generic=max(0, cost.generic - less), less=max(0, less - cost.generic))


def as_any(cost: Cost, any_type: bool, spent: int = ANY_COLOR) -> Cost:
    """The cost when mana of the colours `spent` may be spent on it as though it were of any colour (or type)."""
    typed = spent if any_type else 0
    return msgspec.structs.replace(cost, any_color=cost.any_color | spent, any_type=cost.any_type | typed)


def unspent(colors: int) -> int:
    """The bits of what pays for symbols of these colours without being mana, as creatures do that convoke (702.49a)."""
    return (colors & COLORS) << 8


def or_life(cost: Cost, color: int) -> Cost:
    """The cost when 2 life may be paid for each symbol of a colour."""
    colored = tuple(0 if place == color else count for place, count in enumerate(cost.colored))
    w, u, b, r, g, c = colored
    paid = tuple(sorted((*cost.phyrexian, *(color for _ in range(cost.colored[color])))))
    return msgspec.structs.replace(cost, colored=(w, u, b, r, g, c), phyrexian=paid)


def announced(cost: Cost, bled: tuple[bool, ...]) -> Cost:
    """The cost once is said which of its Phyrexian symbols, in their order, are paid with life (107.4f)."""
    colored = list(cost.colored)
    for color, with_life in zip(cost.phyrexian, bled, strict=False):
        colored[color] += 0 if with_life else 1
    w, u, b, r, g, c = colored
    left = cost.phyrexian[len(bled) :]
    return msgspec.structs.replace(cost, colored=(w, u, b, r, g, c), phyrexian=left)


def plainly(cost: Cost) -> Cost:
    """A cost as a reduction: symbols that leave a choice take off generic mana."""
    generic = cost.generic + len(cost.hybrids) + 2 * len(cost.monohybrids) + len(cost.phyrexian) + cost.snow
    return Cost(generic=generic, colored=cost.colored)


def with_x(cost: Cost, x: int) -> Cost:
    """The cost with each {X} as `x` generic mana."""
    return _less(msgspec.structs.replace(cost, generic=cost.generic + cost.x * x, x=0), 0) if cost.x else cost


def locked_in(cost: Cost) -> Cost:
    """The total cost, to which nothing is added any more (601.2e)."""
    return msgspec.structs.replace(cost, less=0) if cost.less else cost
