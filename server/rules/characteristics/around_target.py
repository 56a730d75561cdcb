"""Phrases about a target as they are read once it is chosen. Knows words, no game."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from server.cards import nouns
from server.cards.nouns import Noun
from server.rules.model import BoundRefs, walk


@lru_cache(maxsize=65536)
def around_target(text: str) -> nouns.Reading:
    """The reading of a phrase with its target replaced by what is bound for it; phrases of one text read alike."""
    return cast(nouns.Reading, _with_binding(Noun(text).reading))


def _with_binding(part: object) -> object:
    if isinstance(part, nouns.Target):
        return nouns.Named(BoundRefs.TARGET.value)
    if isinstance(part, nouns.Both) and any(isinstance(inner, nouns.Target) for inner in walk(part)):
        return replace(part, parts=tuple(_spoken_of(_with_binding(inner)) for inner in part.parts))
    if isinstance(part, tuple):
        return tuple(_with_binding(p) for p in cast("tuple[object, ...]", part))
    if isinstance(part, msgspec.Struct):
        changes = {name: _with_binding(getattr(part, name)) for name in part.__struct_fields__}
        return replace(part, **changes)
    return part


def _spoken_of(part: object) -> Any:
    """A part of a phrase in which "it" is the target that another part names ("target creature and all Auras attached to it")."""
    if isinstance(part, nouns.It):
        return nouns.Named(BoundRefs.TARGET.value)
    if isinstance(part, tuple):
        return tuple(_spoken_of(p) for p in cast("tuple[object, ...]", part))
    if isinstance(part, msgspec.Struct):
        return replace(part, **{name: _spoken_of(getattr(part, name)) for name in part.__struct_fields__})
    return part
