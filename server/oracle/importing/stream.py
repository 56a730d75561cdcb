"""A file of JSON as events, read in pieces, so that a list of any length takes the memory of its largest value.

ijson (its C backend, YAJL inside) does the parsing: 130 MB/s where it was measured. It does not say where a fault is, so
a broken file is gone through a second time to find the line and column.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ijson
from ijson.utils import sendable_list

from server.oracle.importing.errors import ListFault
from server.oracle.importing.pieces import BOM, LARGEST_VALUE, PIECE, ReadFile

Event = tuple[str, Any]
"""(kind, value), as ijson has them: start_map, map_key, end_map, start_array, end_array, string, number, boolean, null."""

_OTHER_MARKS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"\x1f\x8b": "gzip",
    b"PK": "zip",
    b"BZh": "bzip2",
    b"\xfd7z": "xz",
}


class JsonFile:
    """The events of a file of JSON."""

    def __init__(self, file: ReadFile) -> None:
        self._file = file

    def events(self) -> Iterator[list[Event]]:
        """The events, some at a time. Several JSON texts behind each other (JSON lines) are one stream of events. Raises
        OSError; ListFault for what is no JSON in UTF-8, or a single value larger than 16 MiB.
        """
        quiet = 0
        file = self._file
        parser, found = _parser()
        for piece in self._pieces():
            quiet += len(piece)
            try:
                parser.send(piece)
            except ijson.JSONError as error:
                raise self._fault(error, file.done - len(piece)) from None
            if found:
                quiet = 0
                yield found
                del found[:]
            elif quiet > LARGEST_VALUE:
                raise ListFault(f"holds a single value larger than {LARGEST_VALUE} bytes")
        if not file.done:
            raise ListFault("is empty")
        try:
            parser.close()
        except ijson.JSONError as error:
            raise self._fault(error, file.done) from None
        if found:
            yield found

    def _pieces(self) -> Iterator[bytes]:
        """The bytes of the file, without a byte order mark. Raises ListFault for marks of other encodings."""
        first = True
        for data in self._file.pieces():
            if first:
                first = False
                _check_start(data)
                data = data.removeprefix(BOM)
            yield data

    def _fault(self, error: Exception, before: int) -> ListFault:
        """The fault with its place: the piece that begins at byte `before`, gone through byte by byte."""
        line, column = 1, 0
        parser, _ = _parser()
        why = str(error)
        with self._file.path.open("rb") as file:
            if file.read(len(BOM)) != BOM:
                file.seek(0)
            try:
                while file.tell() < before:
                    data = file.read(min(PIECE, before - file.tell()))
                    parser.send(data)
                    newlines = data.count(b"\n")
                    line += newlines
                    column = len(data) - data.rfind(b"\n") - 1 if newlines else column + len(data)
                while byte := file.read(1):
                    column += 1
                    parser.send(byte)
                    if byte == b"\n":
                        line, column = line + 1, 0
                parser.close()
            except ijson.JSONError as exact:
                why = str(exact)
        why = _sentence(why)
        if "UTF8" in why:
            why = "the text is not UTF-8"
        return ListFault(f"is no JSON: {why}", line, max(column, 1))


def _parser() -> tuple[Any, list[Event]]:
    found: list[Event] = sendable_list()
    return ijson.basic_parse_coro(found, multiple_values=True), found


def _check_start(data: bytes) -> None:
    for mark, name in _OTHER_MARKS.items():
        if data.startswith(mark):
            raise ListFault(f"is {name}; card lists are read as plain JSON in UTF-8")
    if b"\0" in data[:4]:
        raise ListFault("is UTF-16 or UTF-32, or no text at all; card lists are read as JSON in UTF-8")
    if data.removeprefix(BOM).lstrip()[:1] == b"<":
        raise ListFault("is HTML or XML, no JSON (was an error page saved in place of the list?)", 1, 1)


def _sentence(text: str) -> str:
    """YAJL's first line, which says what is wrong; the others draw an arrow."""
    first = text.removeprefix("b'").removeprefix('b"').replace("\\n", "\n").split("\n")[0]
    for lead in ("lexical error: ", "parse error: "):
        first = first.removeprefix(lead)
    return first.rstrip(". '").strip() or "broken"
