"""What knowledge asks of the rules, as a protocol, so that it can be tested with a game of three lines. `Rules` is the
real one.
"""

from __future__ import annotations

from itertools import compress
from operator import is_not
from typing import Protocol, TypeAlias

from server import rules
from server.knowledge.prices import price_text
from server.rules.casting import is_reminded
from server.rules.characteristics import board, rules_about
from server.rules.combat import attack_price, attack_rules, block_rules, block_tax
from server.rules.functioning import has, land_plays
from server.rules.model import Action, AnyAnswer, AnyQuestion, Characteristics, Event, Object, Ref, State, lookup

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


class Rulings(Protocol):
    """Of a state: all of it is synchronous and pure."""

    def submit(self, state: State, seat: int, answer: AnyAnswer) -> Outcome:
        """Play an answer to `state.pending`. Raises `server.rules.model.errors.Illegal`; the state is unchanged."""
        ...

    def default(self, state: State, question: AnyQuestion) -> AnyAnswer:
        """A legal answer to the state's open question, for one who gives none."""
        ...

    def same_objects(self, before: State, after: State) -> bool:
        """Whether both states have the same objects, the very values, with the same characteristics, but for those that count
        themselves. May say no in doubt.
        """
        ...

    def counts_itself(self, thing: Object) -> bool:
        """Whether an object defines its own characteristics, which then may change in any zone with whatever they count (604.3)."""
        ...

    def other_objects(self, before: State, after: State) -> list[int]:
        """The ids of those that are other values than before, or have other characteristics, the new ones with them."""
        ...

    def characteristics(self, state: State, object_id: int) -> Characteristics:
        """Computed characteristics (613); the same object again while they are equal, but for what counts itself."""
        ...

    def lands_left(self, state: State, seat: int) -> int:
        """How many lands the player may still play this turn (305.2)."""
        ...

    def attack_prices(self, state: State) -> dict[int, dict[Ref, str]]:
        """For each creature that may be declared as an attacker and pays for it, by whom it attacks what that costs (508.1g)."""
        ...

    def block_prices(self, state: State, seat: int) -> dict[int, str]:
        """For each creature that the player may declare as a blocker and pays for, what that costs (509.1d)."""
        ...

    def is_reminded(self, state: State, action: Action) -> bool:
        """Whether an action calls a paragraph by hand whose first words name something that has happened."""
        ...


class Rules:
    """The real game: `server.rules` behind the interface."""

    def submit(self, state: State, seat: int, answer: AnyAnswer) -> Outcome:
        """See `Rulings`."""
        return rules.submit(state, seat, answer)

    def default(self, state: State, question: AnyQuestion) -> AnyAnswer:
        """See `Rulings`."""
        return rules.legal.default(question, state)

    def characteristics(self, state: State, object_id: int) -> Characteristics:
        """See `Rulings`."""
        return rules.characteristics(state, object_id)

    def same_objects(self, before: State, after: State) -> bool:
        """See `Rulings`."""
        return before.objects is after.objects and board(before) is board(after)

    def counts_itself(self, thing: Object) -> bool:
        """See `Rulings`."""
        return bool(thing.definition.base.abilities.defining)

    def other_objects(self, before: State, after: State) -> list[int]:
        """See `Rulings`."""
        old, new = board(before).changed, board(after).changed
        flags = {**board(before).flags, **board(after).flags}
        now = after.objects
        # Few of the hundreds are others by now, so they are looked for in C.
        others = list(compress(now, map(is_not, now.values(), map(before.objects.get, now))))
        if old is new and not flags:
            return others
        known = set(others)
        changed = (i for i in {**old, **new} if i not in known and old.get(i) is not new.get(i))
        said = (i for i in flags if i not in known and old.get(i) is new.get(i) and firm(before, i) != firm(after, i))
        return [*others, *changed, *said]

    def lands_left(self, state: State, seat: int) -> int:
        """See `Rulings`."""
        player = state.players[seat]
        if not lookup.is_active(state, seat) or player.lost or has(state, seat, "can't play lands"):
            return 0
        return len(land_plays(state, seat))

    def attack_prices(self, state: State) -> dict[int, dict[Ref, str]]:
        """See `Rulings`."""
        creatures, found = attack_rules(state)
        prices: dict[int, dict[Ref, str]] = {}
        for place, ref in found.costs:
            oid = creatures[place]
            prices.setdefault(oid, {})[ref] = price_text(state, state.turn.active, attack_price(state, ((oid, ref),)))
        return prices

    def block_prices(self, state: State, seat: int) -> dict[int, str]:
        """See `Rulings`."""
        creatures, found = block_rules(state, seat)
        taxed = dict.fromkeys(creatures[place] for place, _ in found.costs)
        return {oid: price_text(state, seat, tuple(p for tax in block_tax(state, oid) for p in tax)) for oid in taxed}

    def is_reminded(self, state: State, action: Action) -> bool:
        """See `Rulings`."""
        return is_reminded(state, action)


def firm(state: State, number: int) -> bool:
    """Whether it is true of an object that it is indestructible, without an ability that says so (700.4a)."""
    said = rules_about(state, number)
    return bool(said) and any(about.flag.rule == "indestructible" for about in said)
