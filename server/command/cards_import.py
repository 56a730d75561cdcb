"""`apnap cards import FILE|ADDRESS|NAME...`: take the cards of lists that people have into the data directory, where decks find them.

Each file is read once as a stream and kept whole or not at all: what breaks off or is stopped changes nothing. A single
card that is no card (HTML in its text, a field missing) is left out by name.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from server.command.data import add_data, folder
from server.command.fetching import SOURCES, FetchFault, fetch, forget, is_address

if TYPE_CHECKING:
    from server.oracle.importing import CardFile
    from server.storage.cards import CardStore, Gathering, Kept

REASONS = 15
REFUSALS = 20
TICK_SECONDS = 0.2
"""How often progress is drawn on a terminal."""
LINE_SECONDS = 5.0
"""How often it is a new line elsewhere."""


class Reason(msgspec.Struct, frozen=True):
    """What stops so many cards: the word (or layout) at which the reading of their text ended."""

    what: str
    cards: int


class Report(msgspec.Struct, frozen=True):
    """What became of one file. `total` = `playable` + `unread`; `tokens` and `refused` are not in it. Seconds of CPU."""

    file: str
    format: str
    fingerprint: str
    total: int
    playable: int
    unread: int
    tokens: int
    refused: list[str]
    reasons: list[Reason]
    new: int
    changed: int
    same: int
    seconds: float


def add_import(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the action `import`."""
    parser = actions.add_parser(
        "import",
        help="take card lists (Scryfall bulk data, MTGJSON AtomicCards or AllPrintings, databases of Cockatrice, sets of"
        " Magic Set Editor, our JSON lines) into the data directory",
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help=f"a file, an address of https, or a known list: {', '.join(SOURCES)}",
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object for each file")
    add_data(parser)


def run_import(args: argparse.Namespace) -> int:
    """Imports every file; 0 if each was kept, 1 if one was refused or none of its cards was sound, 2 if one cannot be read."""
    from server.oracle.importing import ListFault
    from server.storage import StorageError
    from server.storage.cards import CardStore

    code = 0
    try:
        store = CardStore(folder(args))
    except StorageError as fault:
        print(f"apnap: {fault}", file=sys.stderr)
        return 1
    try:
        for word in args.files:
            try:
                report = _import(store, word, folder(args))
            except FetchFault as fault:
                print(f"apnap: {fault}", file=sys.stderr)
                code = 2
                continue
            except ListFault as fault:
                print(f"apnap: {word}: {fault}; nothing of it was kept", file=sys.stderr)
                code = code or 1
                continue
            except StorageError as fault:
                print(f"apnap: {fault}; nothing of {word} was kept", file=sys.stderr)
                code = code or 1
                continue
            except OSError as error:
                print(f"apnap: {word}: {error.strerror or error}", file=sys.stderr)
                code = 2
                continue
            tell(report, args.json)
            if not report.total + report.tokens:
                code = code or 1
    except KeyboardInterrupt:
        print(
            "apnap: stopped; the cards of this file are not kept, what was imported before is as it was",
            file=sys.stderr,
        )
        raise
    finally:
        store.close()
    return code


def _import(store: CardStore, word: str, data: Path) -> Report:
    """What a word of the command line stands for. A fetched list does not stay once it was read, sound or not. Raises as
    `import_file` does, and FetchFault.
    """
    if not is_address(word):
        return import_file(store, Path(word), Progress())
    progress = Progress()
    try:
        path = fetch(word, data, progress.say)
    finally:
        progress.end()
    try:
        return import_file(store, path, Progress(), word)
    finally:
        forget(path)


def import_file(store: CardStore, path: Path, progress: Progress, name: str = "") -> Report:
    """Read a list, try those cards of it that this reader has not tried before, and keep it. Raises OSError, StorageError,
    ListFault; nothing is kept then.
    """
    from server.oracle.importing import CardFile
    from server.rooms.game import reader_version

    start = time.process_time()
    file = CardFile(path)
    with store.importing() as found:
        refused = gather(file, found, progress)
        reader = reader_version()
        playable, tokens, stopped = _try(found, progress, reader)
        kept: Kept | None = None
        if found.count():
            kept = found.keep(name or path.name, file.format, file.fingerprint, reader)
    progress.end()
    unread = sum(stopped.values())
    return Report(
        file=name or str(path),
        format=file.format,
        fingerprint=file.fingerprint,
        total=playable + unread,
        playable=playable,
        unread=unread,
        tokens=tokens,
        refused=refused,
        reasons=[Reason(what, cards) for what, cards in stopped.most_common()],
        new=kept.new if kept else 0,
        changed=kept.changed if kept else 0,
        same=kept.same if kept else 0,
        seconds=round(time.process_time() - start, 2),
    )


def gather(file: CardFile, found: Gathering, progress: Progress | None = None) -> list[str]:
    """Put the file's cards into `found`; a sentence for each that is refused. Raises OSError, ListFault."""
    from server.oracle.importing import Refused

    refused: list[str] = []
    twice: set[str] = set()
    for number, item in enumerate(file.items(), 1):
        if isinstance(item, Refused):
            refused.append(str(item))
            continue
        name = item.entry.name
        if found.add(item) == "conflict" and name not in twice:
            twice.add(name)
            refused.append(f"card {file.number} {name!r}: the list has this name more than once, with different texts")
        if progress is not None and not number % 500:
            progress.say(f"{file.path.name}: {_megabytes(file.done)} of {_megabytes(file.size)} MB, {number} cards")
    return refused


def _try(found: Gathering, progress: Progress, reader: str) -> tuple[int, int, Counter[str]]:
    """How many cards can be played; how many tokens and the like there are; what stopped the others, how often."""
    from server.cards.loading import Unread
    from server.oracle.importing import read

    playable = tokens = tried = 0
    stopped: Counter[str] = Counter()
    total = found.count()
    for number, one in enumerate(found.cards(reader), 1):
        if not number % 100:
            progress.say(f"reading the cards' texts: {number} of {total}, {playable} playable, {number - tried} known")
        if one.card.kind != "card":
            tokens += 1
            continue
        word = one.word
        if word is None:
            tried += 1
            result = read(one.card)
            word = result.word[:60] if isinstance(result, Unread) else ""
            found.tried(one, word)
        if word:
            stopped[word] += 1
        else:
            playable += 1
    return playable, tokens, stopped


def tell(report: Report, as_json: bool) -> None:
    """Print the report."""
    if as_json:
        print(msgspec.json.encode(report).decode())
        return
    for line in report.refused[:REFUSALS]:
        print(f"{report.file}: refused: {line}")
    if len(report.refused) > REFUSALS:
        print(f"{report.file}: refused: {len(report.refused) - REFUSALS} more (--json names them)")
    share = f" ({100 * report.playable / report.total:.1f} %)" if report.total else ""
    others = f", {report.tokens} tokens and the like" if report.tokens else ""
    print(f"{report.file}: {report.format or 'no cards'}, SHA-256 {report.fingerprint[:16]}…, {report.seconds} s")
    print(f"{report.total} cards{others}, {len(report.refused)} refused")
    print(f"{report.playable} playable{share}, {report.unread} unread")
    print(f"{report.new} new, {report.changed} changed, {report.same} as they were")
    if report.reasons:
        print("what stops most of the unread:")
        for reason in report.reasons[:REASONS]:
            print(f"{reason.cards:>8}  {reason.what}")


class Progress:
    """Says on stderr how far we are: one line that is drawn anew on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last = time.monotonic()
        self._drawn = 0

    def say(self, text: str) -> None:
        """How far we are; most calls print nothing."""
        now = time.monotonic()
        if now - self._last < (TICK_SECONDS if self._terminal else LINE_SECONDS):
            return
        self._last = now
        if self._terminal:
            print(f"\r{text:<{self._drawn}}", end="", file=sys.stderr, flush=True)
            self._drawn = len(text)
        else:
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Take the drawn line away."""
        if self._drawn:
            print(f"\r{'':<{self._drawn}}\r", end="", file=sys.stderr, flush=True)
            self._drawn = 0


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f}"
