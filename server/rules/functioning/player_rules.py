"""Rules about players that effects make (613.9, 613.10): limits, permissions and prohibitions, by name."""

from __future__ import annotations

from collections.abc import Iterator

from server.cards import forms
from server.rules.characteristics import amount, fits, holds, rules_about, select
from server.rules.functioning.in_force import in_force
from server.rules.model import BoundRefs, Counted, Scope, State, all_of, lookup, player_ref, this_turn

Found = tuple[forms.PlayerRule, Scope]


def all_rules(state: State) -> tuple[Found, ...]:
    """Every rule about players in force, with the scope of its source; made once for each state."""
    made = state.memo.get("player rules")
    if made is None:
        made = state.memo["player rules"] = tuple(_gather(state)) if in_force(state, forms.PlayerRule) else ()
    return made


def _gather(state: State) -> Iterator[Found]:
    for found in in_force(state, forms.PlayerRule):
        if found.ability.condition is None or holds(state, found.ability.condition, found.scope):
            yield found.ability, found.scope


def rules(state: State, seat: int, name: str) -> list[Found]:
    """The rules of that name that bind or help a player."""
    found = all_rules(state)
    if not found:
        return []
    ref = player_ref(seat)
    mine: list[Found] = []
    for ability, scope in found:
        if ability.rule != name:
            continue
        who = scope.refs(BoundRefs.WHO)
        if ref in (who if isinstance(who, tuple) else select(state, ability.who, scope)):
            mine.append((ability, scope))
    return mine


def silenced(state: State, oid: int, seat: int, mana: bool = False) -> bool:
    """Whether activated abilities of an object (`mana` abilities, which some effects leave alone) can't be activated by a player
    (602.5)."""
    barred = (rule.flag for rule in rules_about(state, oid) if rule.flag.rule == "can't activate abilities")
    if any(not (mana and flag.keyword == "mana") for flag in barred):
        return True
    return any(
        not (mana and ability.number) and (ability.what is None or fits(state, ability.what.reading, oid, scope))
        for ability, scope in rules(state, seat, "can't activate")
    )


def has(state: State, seat: int, name: str) -> bool:
    """Whether a rule of that name is in force for a player, or of those that are about a whole team for anybody of it."""
    if not all_rules(state):
        return False
    of_team = name in ENDS_OF_TEAMS or (name in LIFE_OF_TEAMS and state.edition.team_life_rules)
    seats = lookup.together(state, seat) if of_team else (seat,)
    return any(rules(state, each, name) for each in seats)


#: What holds for a team that wins and loses as one if it holds for anybody of it (810.8a).
ENDS_OF_TEAMS = frozenset(("can't lose the game", "can't lose for life", "can't win the game"))
#: What holds so for a team that shares its life, by the edition (810.9g, h).
LIFE_OF_TEAMS = frozenset(("can't gain life", "can't lose life", "can't pay life"))


def land_plays(state: State, seat: int) -> list[int]:
    """What allows each land that the player may still play this turn (305.2): the source of an effect, or 0 for the rule itself.

    By 2011 each land play names which of them allows it, so that it counts no more once that effect is gone. Effects are named
    before the rule, which is always there, and so every player would do. In the current edition lands are counted (current 305.2a).
    """
    played = state.players[seat].lands_played
    effects = [
        (scope.source, amount(state, ability.number, scope))
        for ability, scope in rules(state, seat, "additional lands")
    ]
    if not state.edition.land_plays_named:
        allowed = [source for source, number in effects for _ in range(number)]
        return [*allowed, 0][played:]
    named = sum(n for by, n in all_of(state, Counted.LAND_PLAYS) if by) if played else 0
    left = [source for source, number in effects for _ in range(number - this_turn(state, Counted.LAND_PLAYS, source))]
    return left if played > named else [*left, 0]


def payable_life(state: State, seat: int) -> int:
    """How much life a player may pay for mana symbols (118.4): none if life can't be paid, or be lost."""
    kept = has(state, seat, "can't pay life") or has(state, seat, "can't lose life")
    return 0 if kept else state.players[seat].life
