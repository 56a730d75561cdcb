"""Meld cards, of which a list has each face as a card of its own, somewhere: they are held back until all of it is known."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from server.cards.loading import FACES, Entry, Imported, plain_name, speaks_of_melding, with_pair


class MeldPairs:
    """Cards that may belong to a pair, or be what one melds into."""

    def __init__(self) -> None:
        self._held: list[Imported] = []

    def takes(self, card: Imported) -> bool:
        """Whether the card is held back."""
        entry = card.entry
        if FACES in entry.name or card.kind != "card":
            return False
        costless = not entry.cost and "Land" not in entry.types and card.layout in ("normal", "meld")
        held = costless or speaks_of_melding(entry.text)
        if held:
            self._held.append(card)
        return held

    def left(self, told: bool) -> Iterator[Imported]:
        """What was held (`told`: from a list that tells colour indicators): meld cards as one entry each, what they meld into as no
        card of a deck, and all others as they came."""
        known = {plain_name(card.entry.name): card for card in reversed(self._held)}

        def find(name: str) -> Entry | None:
            card = known.get(plain_name(name))
            return None if card is None else _colored(card, told)

        whole = [with_pair(_colored(card, told), find) for card in self._held]
        results = {plain_name(entry.name.split(FACES)[1]) for entry in whole if entry is not None}
        for card, entry in zip(self._held, whole, strict=True):
            if entry is not None:
                yield replace(card, entry=entry, layout="meld", colors="")
            elif plain_name(card.entry.name) in results:
                yield replace(card, kind="other")
            else:
                yield card


def _colored(card: Imported, told: bool) -> Entry:
    """The entry with its colour indicator, as far as the list tells any."""
    return replace(card.entry, colors=card.colors) if told else card.entry
