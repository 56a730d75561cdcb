"""What tokens that are Auras enchant as they are made."""

from __future__ import annotations

from collections.abc import Generator

from server.rules.functioning import enchant_candidates
from server.rules.model import AnyAnswer, AnyQuestion, Definition, Object, Ref, State, ask, evolve, rare

MOST_AURAS = 20
"""Aura tokens of one instruction for each of which is asked what it enchants."""


def enchanted(
    state: State, seat: int, definition: Definition, count: int
) -> Generator[AnyQuestion, AnyAnswer, list[tuple[Ref, int]]]:
    """What how many of the tokens enchant, as their controller chooses for each, if they are Auras that can enchant anything
    (303.4f). Of many the last ones enchant what was chosen last.
    """
    if "Aura" not in definition.base.subtypes:
        return []
    token = Object(state.next_id, definition, seat, seat, "battlefield", rare=rare(token=True))
    view = evolve(state, objects={**state.objects, token.id: token}, battlefield=(*state.battlefield, token.id))
    options = tuple(ref for ref in enchant_candidates(view, token.id, seat) if ref != token.id)
    hosts: list[Ref] = []
    for _ in range(min(count, MOST_AURAS) if options else 0):
        hosts.extend((yield from ask.choose_refs(seat, options, 1, 1, "enchant", 0)))
    return [(host, 1) for host in hosts[:-1]] + [(host, count - len(hosts) + 1) for host in hosts[-1:]]
