"""Lists of actions made of parts, where nothing in force is about casting, costs or mana: the cards in hand, the mana that they are
paid with, what permanents do. Each part is the same as long as it is made of the same objects, whatever else becomes another.

Any other list is made for each state (`legal_actions`), which also is what these have to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Literal

from server.cards import forms
from server.cards.keywords import MORPHS
from server.rules.casting.calling import by_hand_here
from server.rules.casting.castable import is_plain, spell_targets, split_second
from server.rules.casting.casting_permissions import can_play_land
from server.rules.characteristics import Followed, board
from server.rules.costs import TAPPED_FOR_MANA, PlainMana, as_side, payment, plain_mana
from server.rules.functioning import may_lack_targets, outside, timeless, usable
from server.rules.model import (
    Action,
    Characteristics,
    Cost,
    Definition,
    Floating,
    Object,
    Player,
    Pool,
    Scope,
    State,
    Struct,
    castable_sides,
    mana,
    of_board,
    of_parts,
    remember,
    with_x,
)

LAND = -1
ASKED = -2
PASS = Action("pass")


class _Kind(Struct):
    """Spells of one definition: one of them, as which of its sides, what they cost at least, and whether they need targets that
    might not be there."""

    card: int
    side: int
    characteristics: Characteristics
    cost: Cost
    aims: bool


class _Hand(Struct):
    """What a player could cast or play of a hand, just these ids: each action with the place of its kind, `LAND` or `ASKED`. `plain`: no
    card asks for more than mana and targets but those that are `asked`, whose list is made for each state; `timeless`: nor does what they
    need become another by time alone, and `aims`: one might need targets that are not there. `lands`: there are any; `faced`: a card,
    whether it is the time for it or not, has other faces, of which each is as it is printed (708.2a)."""

    ids: tuple[int, ...]
    cards: tuple[tuple[Action, int], ...] = ()
    kinds: tuple[_Kind, ...] = ()
    plain: bool = False
    timeless: bool = False
    aims: bool = False
    lands: bool = False
    asked: tuple[int, ...] = ()
    faced: bool = False


class Parts(Struct):
    """What a list is made of besides what permanents do: of the kinds in hand which are `payable`, and which castable; by the card what
    can be done with those that are `asked`."""

    hand: _Hand
    mana: PlainMana
    pool: Pool
    payable: tuple[bool, ...]
    castable: tuple[bool, ...]
    asked: Mapping[int, tuple[Action, ...]] = {}


class _Around(Struct):
    """All that a list looks at but its parts, where the player has no permanent with an activated ability but what makes mana."""

    graveyard: tuple[int, ...]
    effects: tuple[Floating, ...]
    exile: tuple[int, ...]


class _List(Struct):
    parts: Parts
    permanents: list[Action]
    made: tuple[Action, ...]
    around: _Around | None


def kept(state: State, seat: int, slow: bool) -> tuple[Action, ...] | None:
    """The list that was made in an earlier step, while no object, player or effect is another."""
    return of_board(state).get(("actions", seat, slow))


def parts(state: State, seat: int, slow: bool) -> Parts | None:
    """The parts of a player's list; None if it is not made of such. `slow` if the player could cast a sorcery."""
    if not _nothing_said(state, seat):
        return None
    hand, mana = _hand(state, seat, slow), plain_mana(state, seat)
    if not hand.plain or mana is None or hand.faced and not isinstance(board(state), Followed):
        return None
    p = state.players[seat]
    last: _List | None = of_parts(state).get(("list", seat, slow))
    if last is not None and last.parts.hand is hand and last.parts.mana == mana and last.parts.pool == p.pool:
        payable = last.parts.payable
    else:
        payable = tuple([payment.can_pay(p.pool, mana.summary, kind.cost, p.life) for kind in hand.kinds])
    castable = [*payable, _plays_land(state, p, slow, hand)]  # the place of `LAND`
    if hand.aims:
        for place, kind in enumerate(hand.kinds):
            castable[place] = castable[place] and (not kind.aims or _has_targets(state, seat, kind))
    return Parts(hand, mana, p.pool, payable, tuple(castable))


def _plays_land(state: State, p: Player, slow: bool, hand: _Hand) -> bool:
    """Whether the player may play a land from the hand, where no rule is about it (305.2)."""
    return slow and hand.lands and (not p.lands_played or can_play_land(state, p.seat))


def unchanged(state: State, seat: int, slow: bool) -> tuple[Action, ...] | None:
    """The list that was made last if all that it looks at is the same."""
    last: _List | None = of_parts(state).get(("list", seat, slow))
    if last is None or last.around is None:
        return None
    around, found, p, b = last.around, last.parts, state.players[seat], board(state)
    if found.hand.ids is not p.hand or found.pool != p.pool or p.marked or around.graveyard is not p.graveyard:
        return None
    if around.effects is not state.effects or around.exile is not state.exile or not _is_quiet(state):
        return None
    if found.hand.faced and not isinstance(b, Followed):
        return None  # whose effects reach no hand
    if b.changed or b.flags or b.for_spells or state.command or not _activates_none(state, seat):
        return None
    if state.stack and split_second(state) or plain_mana(state, seat) is not found.mana:
        return None
    if _plays_land(state, p, slow, found.hand) != found.castable[LAND]:
        return None
    of_board(state)["actions", seat, slow] = last.made
    return last.made


def _activates_none(state: State, seat: int) -> bool:
    """Whether no permanent has an activated ability, but for mana, that the player might activate."""
    ids, objects = board(state).index.activated, state.objects
    return not ids or all(objects[oid].controller != seat for oid in ids) and timeless.permanents(state)


def _around(state: State, seat: int, hand: _Hand) -> _Around | None:
    """What a list that is timeless looks at, None if it could be more."""
    b = board(state)
    if hand.aims or b.changed or b.flags or not _activates_none(state, seat):
        return None
    return _Around(state.players[seat].graveyard, state.effects, state.exile)


def together(state: State, seat: int, slow: bool, found: Parts, permanents: list[Action]) -> tuple[Action, ...]:
    """The list of these parts and of what can be activated of permanents: the last one, if that was of the same."""
    lists, key = of_parts(state), ("list", seat, slow)
    last: _List | None = lists.get(key)
    if last is not None and last.parts == found and last.permanents == permanents:
        made = last.made
    else:
        asked, castable = found.asked, found.castable
        listed = (asked[a.object] if kind == ASKED else (a,) * castable[kind] for a, kind in found.hand.cards)
        made = (PASS, *chain.from_iterable(listed), *permanents, *found.mana.actions)
    lasting = found.hand.timeless and timeless.elsewhere(state, usable(state, seat))
    lists[key] = _List(found, permanents, made, _around(state, seat, found.hand) if lasting else None)
    if lasting and timeless.permanents(state):
        of_board(state)["actions", seat, slow] = made
    return made


def _nothing_said(state: State, seat: int) -> bool:
    """Whether nothing in force is about casting, costs or mana, and none of a player's cards makes mana but permanents."""
    b = board(state)
    p = state.players[seat]
    if state.command or b.for_spells or p.marked or not _is_quiet(state):
        return False
    if state.effects and not all(isinstance(e.ability, forms.Continuous | forms.Replacement) for e in state.effects):
        return False
    able = usable(state, seat)
    if able and any(printed(state.objects[oid].definition).mana for oid in able):
        return False
    if b.changed and not all(map(b.changed.keys().isdisjoint, (p.hand, p.graveyard, state.exile))):
        return False
    return not (state.options.led or by_hand_here(state) or state.stack and split_second(state))


def _is_quiet(state: State) -> bool:
    """Whether no permanent has an ability about any of that; found once for an index."""
    kept, index = of_parts(state), board(state).index
    known: tuple[object, bool] | None = kept.get("quiet")
    if known is None or known[0] is not index:
        said = index.cost_changes or index.player_rules or index.face_down or index.makers or index.restricted_mana
        known = kept["quiet"] = (index, not (said or any(name in index.triggers for name in TAPPED_FOR_MANA)))
    return known[1]


# --- the hand ----------------------------------------------------------------------------------------------------------------


def _hand(state: State, seat: int, slow: bool) -> _Hand:
    hands, key, ids = of_parts(state), ("hand", seat, slow), state.players[seat].hand
    known: _Hand | None = hands.get(key)
    if known is None or known.ids is not ids:
        cards = [state.objects[oid] for oid in (ids if slow else outside(state, seat).fast)]
        # An effect on cards in hand may be what makes it the time for a face.
        known = hands[key] = _looked_at(ids, cards, slow, bool(outside(state, seat).sided))
    return known


class Printed(Struct):
    """What a definition says of its cards in hand: whether they ask for no more than mana and targets, are lands, can be cast at any time;
    of a spell what it costs at least, whether it aims, and whether what it needs stays the same by time alone; that it is cast from
    another zone alone, and that it makes mana outside the battlefield."""

    definition: Definition
    plain: bool
    land: bool
    fast: bool
    cost: Cost
    aims: bool
    timeless: bool
    elsewhere: bool
    mana: bool


_printed_of: dict[int, Printed] = {}


def printed(definition: Definition) -> Printed:
    """What it says; found once for all its cards."""
    known = _printed_of.get(id(definition))
    if known is None or known.definition is not definition:
        c = definition.base
        land = "land" in c.types
        plain = not c.abilities.keywords & MORPHS if land else _has_plain_cost(c)
        spell = plain and not land
        known = Printed(
            definition,
            plain,
            land,
            "instant" in c.types or "flash" in c.keywords,
            with_x(c.cost, 0) if spell and c.cost is not None else mana.ZERO,
            spell and may_lack_targets(c),
            land or (spell and timeless.casts(c)),
            any(rule.only and rule.zone != "hand" for rule in c.abilities.hand_rules)
            and not c.abilities.keywords & MORPHS,
            any(ability.zone != "battlefield" for _, ability in c.abilities.mana),
        )
        remember(_printed_of, id(definition), known)
    return known


def _has_plain_cost(c: Characteristics) -> bool:
    return is_plain(c) and c.cost is not None and not c.cost.phyrexian


def _looked_at(ids: tuple[int, ...], cards: list[Object], slow: bool, faced: bool) -> _Hand:
    places: dict[int, int] = {}
    kinds: list[_Kind] = []
    found: list[tuple[Action, int]] = []
    asked: list[int] = []
    lands, lasting, aims = False, True, False
    for card, side, definition in _as_sides(cards) if faced else [(card, 0, card.definition) for card in cards]:
        said = printed(definition)
        if said.elsewhere:
            continue
        if card.rare.commander or card.face_down or not said.plain and (said.land or side):
            return _Hand(ids, faced=faced)
        if not said.plain:
            asked.append(card.id)
            found.append((_action("cast", card.id, side), ASKED))
        elif said.land:
            lands = True
            found.append((_action("play_land", card.id, side), LAND))
        elif slow or said.fast:
            c = definition.base
            place = places.setdefault(id(c), len(kinds))
            if place == len(kinds):
                kinds.append(_Kind(card.id, side, c, said.cost, said.aims))
                lasting, aims = lasting and said.timeless, aims or said.aims
            found.append((_action("cast", card.id, side), place))
    return _Hand(ids, tuple(found), tuple(kinds), True, lasting and not asked, aims, lands, tuple(asked), faced)


def _as_sides(cards: list[Object]) -> list[tuple[Object, int, Definition]]:
    """Cards with all that they could be cast or played as: themselves, but for split ones, then their sides."""
    whole = [(card, 0, card.definition) for card in cards if card.definition.card.layout != "split"]
    sides = [(o, side, o.definition.sides[side - 1]) for o in cards for side in castable_sides(o.definition, "hand")]
    return [*whole, *sides]


@lru_cache(maxsize=4096)
def _action(kind: Literal["cast", "play_land"], oid: int, side: int) -> Action:
    return Action(kind, oid, side=side)


def _has_targets(state: State, seat: int, kind: _Kind) -> bool:
    c = kind.characteristics
    return spell_targets(as_side(state, kind.card, kind.side), c.abilities, c, Scope(kind.card, seat))
