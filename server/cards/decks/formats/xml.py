"""Readers of deck lists in XML. Expat reads them, with anything that could grow or reach out refused: a document type
(which is where entities and outside addresses are declared) and deep nesting.
"""

from __future__ import annotations

from xml.parsers import expat

from server.cards.decks.formats.lists import DeckList, Section

DEPTH = 12
ZONES: dict[str, Section] = {"main": "main", "side": "sideboard"}


class _Refused(Exception):
    """What no deck list has."""


class _Reader:
    """Follows the elements of either program's file."""

    def __init__(self) -> None:
        self.found = DeckList("XML")
        self.open: list[str] = []
        self.zone: Section = "none"
        self.text = ""
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.entity

    def doctype(self, *_: object) -> None:
        raise _Refused("a document type (DTD) is not read")

    def entity(self, *_: object) -> None:
        raise _Refused("entities are not read")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.text = ""
        if not self.open:
            formats = {"Deck": "MTGO .dek", "cockatrice_deck": "Cockatrice"}
            if name not in formats:
                raise _Refused(
                    f"is XML, but <{name[:40]}> is no deck (<Deck> is MTGO's, <cockatrice_deck> Cockatrice's)"
                )
            self.found.format = formats[name]
        self.open.append(name)
        if len(self.open) > DEPTH:
            raise _Refused(f"elements are nested deeper than {DEPTH}")
        line = self.parser.CurrentLineNumber
        if self.found.format == "Cockatrice":
            if name == "zone":
                self.zone = ZONES.get(attributes.get("name", ""), "none")
            elif name == "card" and self.open[-2] == "zone":
                self.want(self.zone, attributes, "number", "name", line)
        elif name == "Cards" and len(self.open) == 2:
            side = attributes.get("Sideboard", "false").lower() == "true"
            self.want("sideboard" if side else "main", attributes, "Quantity", "Name", line)

    def want(self, section: Section, attributes: dict[str, str], count: str, name: str, line: int) -> None:
        missing = [key for key in (count, name) if not attributes.get(key)]
        if missing:
            self.found.fault(line, f"a card without {' and '.join(missing)}")
        else:
            self.found.want(section, attributes[count], attributes[name], line)

    def end(self, name: str) -> None:
        self.open.pop()
        text = " ".join(self.text.split())
        if name == "deckname":
            self.found.name = text
        elif name == "comments":
            self.found.about = text

    def characters(self, data: str) -> None:
        self.text += data


def xml(text: str) -> DeckList:
    """MTGO's `.dek` (`<Cards Quantity= Name= Sideboard=>`) or Cockatrice's `.cod` (`<zone name=><card number= name=>`)."""
    reader = _Reader()
    try:
        reader.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        reader.found.fault(error.lineno, f"is no XML: {expat.ErrorString(error.code)} (column {error.offset + 1})")
    except _Refused as refused:
        reader.found.fault(reader.parser.CurrentLineNumber, str(refused))
    return reader.found
