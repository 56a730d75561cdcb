"""Which creatures can attack or block what, and what the cards require or forbid (506.3, 508.1a to d, 509.1a to c)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from server.cards.nouns import Noun
from server.rules.characteristics import RuleFlag, amount, board, characteristics, fits, holds, rules_about
from server.rules.combat.attacked import defenders, with_heads
from server.rules.combat.attackers import AtMost, AttackRequirement, AttackRestriction, AttackRules, NotAlone, required
from server.rules.combat.blockers import (
    AllMustBlock,
    AtMostBlockers,
    BlockedAttacker,
    BlockRules,
    MustBeBlocked,
    MustBlock,
    NotAloneBlocker,
    required_blocks,
)
from server.rules.combat.prices import attack_tax, block_tax, scope_of
from server.rules.functioning import all_rules, protected, rules
from server.rules.model import (
    Attacker,
    BoundRefs,
    Characteristics,
    Object,
    Ref,
    Rule,
    Scope,
    State,
    lookup,
    player_ref,
    seat_of,
    zone_ids,
)

EVERYBODY = Noun("each player").reading
LANDWALK = {
    "plainswalk": "Plains",
    "islandwalk": "Island",
    "swampwalk": "Swamp",
    "mountainwalk": "Mountain",
    "forestwalk": "Forest",
}
EVASIVE = frozenset(
    ("fear", "flying", "horsemanship", "intimidate", "landwalk", "protection", "shadow", "skulk", *LANDWALK)
)
"""What about an attacker is asked of each creature that might block it."""


def required_of(state: State, key: object, judged: AttackRules | BlockRules) -> int:
    """How many requirements a declaration must obey; remembered for the state."""
    if not judged.requirements:
        return 0
    made = state.memo.get(("required", key))
    if made is None:
        count = required(judged) if isinstance(judged, AttackRules) else required_blocks(judged)
        made = state.memo[("required", key)] = count
    return made


# --- attacking ---------------------------------------------------------------------------------------------------------------


def attack_rules(state: State) -> tuple[tuple[int, ...], AttackRules]:
    """The creatures that can attack and the rules of the declaration; made once for each state."""
    made = state.memo.get("attack rules")
    if made is None:
        made = state.memo["attack rules"] = _attack_rules(state)
    return made


def _attack_rules(state: State) -> tuple[tuple[int, ...], AttackRules]:
    targets = defenders(state)
    refs = tuple(r for r, _ in targets)
    creatures: list[int] = []
    options: list[tuple[Ref, ...]] = []
    requirements: list[AttackRequirement] = []
    restrictions: list[AttackRestriction] = []
    flags = board(state).flags
    for oid in state.battlefield:
        found = state.objects[oid]
        if found.tapped or found.rare.phased_out or not lookup.is_active(state, found.controller):
            continue
        c = characteristics(state, oid)
        if "creature" not in c.types:
            continue
        about = flags.get(oid, ())
        if not _may_attack(found, c, about):
            continue
        mine = tuple(r for r, player in targets if not _cant_attack(state, about, r, player)) if about else refs
        if not mine:
            continue
        place = len(creatures)
        creatures.append(oid)
        options.append(mine)
        for rule in _each_goads_once(about):
            _attack_constraints(state, rule, place, oid, mine, requirements, restrictions)
    if all_rules(state):
        restrictions.extend(_attack_limits(state, targets))
    taxed = _taxed(state, tuple(creatures), tuple(options), dict(targets))
    judged = AttackRules(tuple(options), tuple(requirements), tuple(restrictions), taxed)
    return tuple(creatures), judged


def _each_goads_once(about: Iterable[RuleFlag]) -> Iterator[RuleFlag]:
    """Current 701.15d: a creature that a player has goaded is goaded by that player no more than once."""
    by: set[int] = set()
    for rule in about:
        if rule.flag.rule == "goaded":
            if rule.controller in by:
                continue
            by.add(rule.controller)
        yield rule


_AS_HASTE = frozenset(("as though haste", "can attack as though haste"))


def _may_attack(found: Object, c: Characteristics, about: tuple[RuleFlag, ...] | list[RuleFlag]) -> bool:
    named = [r.flag.rule for r in about]
    if found.sick and "haste" not in c.keywords and not _AS_HASTE & set(named):  # 302.6
        return False
    if "defender" in c.keywords and "can attack as though no defender" not in named:  # 702.3b
        return False
    return not any(
        r.flag.rule in ("can't attack", "can't attack or block")
        and r.flag.param is None
        and not r.flag.cost
        and r.flag.unless is None
        for r in about
    )


def _cant_attack(state: State, about: tuple[RuleFlag, ...] | list[RuleFlag], ref: Ref, player: Ref) -> bool:
    """810.7c: what may not attack one player of a team that is attacked as a group may not attack the team."""
    attacked = with_heads(state, ref)
    for rule in about:
        if rule.flag.unless is not None and rule.flag.rule in ("can't attack", "can't attack or block"):
            # 802.2a: "defending player" is the one whom this attack would be against.
            defending = with_heads(state, player)
            if not holds(state, rule.flag.unless, scope_of(rule).bind(BoundRefs.DEFENDING, defending)):
                return True
        if rule.flag.rule in ("can't attack", "can't attack or block") and rule.flag.param is not None:
            if any(fits(state, rule.flag.param.reading, r, scope_of(rule)) for r in attacked):
                return True
    return False


def _attack_constraints(
    state: State,
    rule: RuleFlag,
    place: int,
    oid: int,
    mine: tuple[Ref, ...],
    requirements: list[AttackRequirement],
    restrictions: list[AttackRestriction],
) -> None:
    flag = rule.flag
    if flag.rule == "attacks if able":
        wanted = ()
        if flag.param is not None:
            reading, scope = flag.param.reading, scope_of(rule)
            wanted = tuple(r for r in mine if any(fits(state, reading, one, scope) for one in with_heads(state, r)))
            if not wanted:
                return
        requirements.append(AttackRequirement(place, wanted, text=f"{_name(state, oid)} attacks if able."))
    elif flag.rule == "goaded":
        others = tuple(r for r in mine if r < 0 and player_ref(rule.controller) not in with_heads(state, r))
        text = f"{_name(state, oid)} attacks if able."
        requirements.append(AttackRequirement(place, text=text, rule=Rule.GOADED))
        if others:
            requirements.append(AttackRequirement(place, others, text=text, rule=Rule.GOADED))
    elif flag.rule == "can't attack alone":
        restrictions.append(NotAlone(place, text=f"{_name(state, oid)} can't attack alone."))


def _attack_limits(state: State, targets: tuple[tuple[Ref, Ref], ...]) -> list[AttackRestriction]:
    found: list[AttackRestriction] = []
    for seat in dict.fromkeys(seat_of(p) for _, p in targets):
        for ability, scope in rules(state, seat, "attackers at most"):
            if not lookup.in_range(state, scope.controller, state.turn.active):  # 801.10
                continue
            # 802.3a: about a player, only what attacks that player counts; about everybody, the whole attack.
            about = () if ability.who.reading == EVERYBODY else with_heads(state, player_ref(seat))
            n = amount(state, ability.number, scope)
            text = (
                f"No more than {n} creatures can attack{f' {state.players[seat].name}' if about else ''} each combat."
            )
            limit = AtMost(n, about, text=text)
            if limit not in found:
                found.append(limit)
    return found


def _taxed(
    state: State, creatures: tuple[int, ...], options: tuple[tuple[Ref, ...], ...], players: dict[Ref, Ref]
) -> tuple[tuple[int, Ref], ...]:
    """The attacks that cost something (508.1g): no requirement makes a player pay (508.1d)."""
    found: list[tuple[int, Ref]] = []
    if not all_rules(state) and not board(state).flags:
        return ()
    for place, oid in enumerate(creatures):
        for ref in options[place]:
            if attack_tax(state, oid, ref, players[ref]):
                found.append((place, ref))
    return tuple(found)


# --- blocking ------------------------------------------------------------------------------------------------------------------


def block_rules(state: State, seat: int) -> tuple[tuple[int, ...], BlockRules]:
    """The creatures of a defending player or team that can block, and the rules of the declaration (802.4a, b: only what attacks
    that player or that player's planeswalkers, and only own creatures, count)."""
    key = ("block rules", seat)
    made = state.memo.get(key)
    if made is None:
        made = state.memo[key] = _block_rules(state, seat)
    return made


def _block_rules(state: State, seat: int) -> tuple[tuple[int, ...], BlockRules]:
    combat = state.combat
    assert combat is not None
    heads = lookup.together(state, seat)  # 810.7d: what either controls may block whatever attacks the team
    mine = tuple(a for a in combat.attackers if a.player in heads)
    plain = {a.id for a in mine if _asks_nothing(state, a.id)}
    creatures: list[int] = []
    options: list[tuple[int, ...]] = []
    most: list[int] = []
    requirements: list[Any] = []
    restrictions: list[Any] = []
    for oid in state.battlefield:
        found = state.objects[oid]
        if found.controller not in heads or found.rare.phased_out:
            continue
        if found.tapped and not any(r.flag.rule == "can block as though untapped" for r in rules_about(state, oid)):
            continue
        if "creature" not in characteristics(state, oid).types:
            continue
        easy = "shadow" not in characteristics(state, oid).keywords and not rules_about(state, oid)
        can = tuple(a.id for a in mine if easy and a.id in plain or can_block(state, oid, a))
        if not can:
            continue
        place = len(creatures)
        creatures.append(oid)
        options.append(can)
        most.append(_how_many(state, oid))
        for rule in rules_about(state, oid):
            if rule.flag.rule == "blocks if able":
                wanted = ()
                if rule.flag.param is not None:
                    wanted = tuple(i for i in can if fits(state, rule.flag.param.reading, i, scope_of(rule)))
                    if not wanted:
                        continue
                requirements.append(MustBlock(place, wanted, text=f"{_name(state, oid)} blocks if able."))
            elif rule.flag.rule == "can't block alone":
                restrictions.append(NotAloneBlocker(place, text=f"{_name(state, oid)} can't block alone."))
    attackers = tuple(_blocked_attacker(state, a, requirements) for a in mine)
    for ability, scope in (found for head in heads for found in rules(state, head, "blockers at most")):
        restrictions.append(AtMostBlockers(amount(state, ability.number, scope)))
    taxed = tuple((place, a) for place, oid in enumerate(creatures) if block_tax(state, oid) for a in options[place])
    judged = BlockRules(tuple(options), tuple(most), attackers, tuple(requirements), tuple(restrictions), taxed)
    return tuple(creatures), judged


def _how_many(state: State, oid: int) -> int:
    n = 1
    for rule in rules_about(state, oid):
        if rule.flag.rule == "can block additional":
            n += amount(state, rule.flag.number, scope_of(rule))
    return n


def _blocked_attacker(state: State, a: Attacker, requirements: list[Any]) -> BlockedAttacker:
    name = _name(state, a.id)
    least = 2 if "menace" in characteristics(state, a.id).keywords else 1
    most: int | None = None
    for rule in rules_about(state, a.id):
        if rule.flag.rule == "blocked by at least":
            least = max(least, amount(state, rule.flag.number, scope_of(rule)))
        elif rule.flag.rule == "blocked by at most":
            n = amount(state, rule.flag.number, scope_of(rule))
            most = n if most is None else min(most, n)
        elif rule.flag.rule == "must be blocked":
            requirements.append(MustBeBlocked(a.id, text=f"{name} must be blocked if able."))
        elif rule.flag.rule == "must be blocked by all":
            text = f"All creatures able to block {name} do so."
            requirements.append(AllMustBlock(a.id, text=text))
    text = f"{name} can't be blocked except by {least} or more creatures." if least > 1 else ""
    if most is not None and not text:
        text = f"{name} can't be blocked by more than {most} creature{'s' * (most != 1)}."
    return BlockedAttacker(a.id, least, most, text=text)


def _name(state: State, oid: int) -> str:
    return characteristics(state, oid).name or "A face-down creature"


def _asks_nothing(state: State, attacker: int) -> bool:
    """Whether nothing about an attacker keeps any creature from blocking it that has no shadow, and no rules of its own."""
    return characteristics(state, attacker).keywords.isdisjoint(EVASIVE) and not rules_about(state, attacker)


def can_block(state: State, blocker: int, a: Attacker) -> bool:
    """Whether a creature can block an attacker, restrictions of the two alone considered (509.1b)."""
    own, other = characteristics(state, blocker), characteristics(state, a.id)
    if not _evasion_allows(state, own, other, a.player):
        without = _as_though_without(state, blocker, a.id)
        if not without or not _evasion_allows(state, own, other, a.player, without):
            return False
    if "protection" in other.keywords and protected(state, a.id, other, blocker):  # 702.15f
        return False
    for rule in rules_about(state, blocker):
        name, param = rule.flag.rule, rule.flag.param
        if name in ("can't block", "can't attack or block") and not rule.flag.cost:
            if rule.flag.unless is not None and holds(state, rule.flag.unless, scope_of(rule)):
                continue
            if param is None or fits(state, param.reading, a.id, _said_of(rule, blocker)):
                return False
        if name in ("can't block except", "can block only") and param is not None:
            if not fits(state, param.reading, a.id, _said_of(rule, blocker)):
                return False
    for rule in rules_about(state, a.id):
        name, param = rule.flag.rule, rule.flag.param
        if name == "can't be blocked":
            if param is None:
                return False
        elif name == "can't be blocked by" and param is not None:
            if fits(state, param.reading, blocker, _said_of(rule, a.id)):
                return False
        elif name == "can't be blocked except by" and param is not None:
            if not fits(state, param.reading, blocker, _said_of(rule, a.id)):
                return False
    return True


def _said_of(rule: RuleFlag, oid: int) -> Scope:
    """Who speaks in a flag, and of what: "creatures with greater power" is more than that of the creature that has it, whoever
    gave it."""
    scope = scope_of(rule)
    return scope if scope.has(BoundRefs.IT) else scope.bind(BoundRefs.IT, (oid,))


def _as_though_without(state: State, blocker: int, attacker: int) -> frozenset[str]:
    """The keywords of an attacker as though without which this creature may block it (609.4); all such effects apply (609.4a)."""
    pairs = ((blocker, "can block as though without"), (attacker, "can be blocked as though without"))
    return frozenset(r.flag.keyword for oid, rule in pairs for r in rules_about(state, oid) if r.flag.rule == rule)


def _evasion_allows(
    state: State, own: Characteristics, other: Characteristics, seat: int, without: frozenset[str] = frozenset()
) -> bool:
    have, has_ = own.keywords, other.keywords
    if not has_ and not have:
        return True
    if without and not ("shadow" in have and "shadow" in without):
        has_ = has_ - without
    if "flying" in has_ and not ("flying" in have or "reach" in have):  # 702.9b
        return False
    if ("shadow" in has_) != ("shadow" in have):  # 702.26b
        return False
    if "horsemanship" in has_ and "horsemanship" not in have:
        return False
    if "fear" in has_ and not ("artifact" in own.types or own.colors & 4):  # 702.34b
        return False
    if "intimidate" in has_ and not ("artifact" in own.types or own.colors & other.colors):  # 702.12b
        return False
    if "skulk" in has_ and (own.power or 0) > (other.power or 0):
        return False
    return "landwalk" in without or not _landwalks(state, other, has_, seat)


def _landwalks(state: State, other: Characteristics, has_: frozenset[str], seat: int) -> bool:
    """702.13c: landwalk asks only for lands of the defending player of this very attacker (802.2a), of either head of a giant that is
    attacked as a group (810.7b, d)."""
    heads = lookup.attacked_with(state, seat)
    for keyword, subtype in LANDWALK.items():
        if keyword in has_ and any(
            state.objects[i].controller in heads and subtype in characteristics(state, i).subtypes
            for i in zone_ids(state, "battlefield")
        ):
            return True
    for ability in other.abilities.quality("landwalk"):
        quality = ability.quality
        if quality is not None and any(
            state.objects[i].controller in heads and fits(state, quality.reading, i, Scope(i, seat))
            for i in zone_ids(state, "battlefield")
        ):
            return True
    return False
