"""By what means a mutant breaks a rule: an attribute, an entry of a table, the results of damage."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from server.rules.happenings import expansion
from server.rules.model import (
    events,
)

Break = Callable[[], None]
MUTANTS: dict[str, Break] = {}


def breaks(rule: str) -> Callable[[Break], Break]:
    """Enters a mutant for a rule."""

    def enter(mutant: Break) -> Break:
        MUTANTS[rule] = mutant
        return mutant

    return enter


def wrap(holder: Any, name: Any, make: Callable[[Any], Any]) -> None:
    """Replaces an attribute of a module or class, or an entry of a dict, by what `make` makes of it."""
    if isinstance(holder, dict):
        holder[name] = make(holder[name])
    else:
        setattr(holder, name, make(getattr(holder, name)))


def put(holder: Any, name: Any, value: Any) -> None:
    """Replaces an attribute or entry."""
    wrap(holder, name, lambda _: value)


def everywhere(function: Any, make: Callable[[Any], Any]) -> None:
    """Replaces a function by what `make` makes of it in every module that has imported it, the tests' too."""
    changed = make(function)
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if value is function:
                setattr(module, name, changed)


def results(keep: Callable[[events.Event], events.Event | None]) -> None:
    """Changes (or with None drops) the results of damage."""

    def make(original: Any) -> Any:
        def changed(state: Any, event: Any) -> Any:
            stands, found = original(state, event)
            return stands, [kept for e in found if (kept := keep(e)) is not None]

        return changed

    wrap(expansion.LOWER, events.Damage, make)


def without(kind: type[events.Event], **fields: Any) -> Callable[[events.Event], events.Event | None]:
    """Drops results of a kind."""

    def keep(event: events.Event) -> events.Event | None:
        same = isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
        return None if same else event

    return keep


def ignoring(keywords: set[str], players: bool) -> None:
    """Has damage to players (or to permanents) not see some keywords of its source."""

    def make(original: Any) -> Any:
        def changed(state: Any, event: Any, have: frozenset[str]) -> Any:
            return original(state, event, have - keywords if (event.object < 0) == players else have)

        return changed

    wrap(expansion, "damage_results", make)


def identity_rewrite(work: Any, step: Any, event: Any) -> Any:
    """A rewrite that changes nothing."""
    return [event]
