"""The canonical hash of a state: equal for equal games on every machine, whatever the order of construction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from server.cards.nouns import Noun
from server.rules.definitions import Abilities, Definition
from server.rules.model.objects import in_one
from server.rules.model.state import State


def fingerprint(state: State) -> str:
    """SHA-256 of everything that the state is, as 64 hexadecimal digits; caches and last known characteristics are no part
    of it, nor are the players' names, which no rule looks at: a journal may come to name somebody by a pseudonym."""
    parts = {
        written: getattr(state, name)
        for name, written in _fields(state)
        if written not in ("memo", "edition", "history", "last", "known_then", "objects", "agenda", "results", "main")
    }
    parts["edition"] = state.edition.name
    parts["history"] = sorted([key[0], key[1], n] for key, n in state.history.items())
    parts["last"] = sorted([oid, last.became, last.defending] for oid, last in state.last.items())
    parts["objects"] = [in_one(state.objects[oid]) for oid in sorted(state.objects)]
    parts["agenda"] = [_frame(frame) for frame in state.agenda]
    parts["results"] = len(state.results)
    if state.main is not None:  # most games are none within another, and hash as before there were such
        parts["main"] = fingerprint(state.main)
    parts["players"] = [msgspec.structs.replace(player, name="") for player in state.players]
    return hashlib.sha256(msgspec.json.encode(parts, enc_hook=_plain)).hexdigest()


def _frame(frame: Any) -> Any:
    values = {written: getattr(frame, name) for name, written in _fields(frame) if written != "before"}
    values["frame"] = frame.__struct_config__.tag
    return values


def _fields(value: msgspec.Struct) -> Iterable[tuple[str, str]]:
    """The fields, each with the name by which it goes into the hash."""
    return zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Definition):
        return value.key
    if isinstance(value, Noun):
        return value.text
    if isinstance(value, Abilities):
        return len(value.all)
    raise TypeError(f"{type(value)} has no place in a state")
