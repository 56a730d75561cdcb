"""Messages about what stands on cards in other languages than English, as far as the server's card lists have it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from protocol.base import Sent, Told


class Printing(Struct, frozen=True, omit_defaults=True):
    """A card's name in a language, its type line and its rules text; "" for what the lists do not have."""

    name: str
    types: str = ""
    text: str = ""


class ListPrintings(Sent, frozen=True, tag="printings"):
    """What stands on the cards (or faces of cards) of these English names in a language? Reply: `printings`."""

    lang: Literal["fr"]
    names: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=200)]


class Printings(Told, frozen=True, tag="printings"):
    """What is known of it, by English name. What is played is the English card; this is for people to read."""

    lang: str
    printings: dict[str, Printing] = {}
