"""Which paragraphs of a card the server does not read, so that they are played by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec

from server.cards.forms import ByHand, Card, HandAbility


def paragraphs_by_hand(card: Card) -> tuple[str, ...]:
    """The texts of a card's paragraphs by hand, those of its faces too, each once and in their order."""
    return tuple(dict.fromkeys(_texts(card)))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        for part in cast("tuple[object, ...]", value):
            yield from _texts(part)
    elif isinstance(value, ByHand | HandAbility):
        yield value.text
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            part: object = getattr(value, name)
            if isinstance(part, (tuple, msgspec.Struct)) and part:
                yield from _texts(cast(object, part))
