"""The cards that were imported, in one SQLite database beside the journals (`cards.sqlite3`).

What is kept of a card is its entry, its printed text; whether it can be played is asked when it is wanted, so that a card
that is unread today is played tomorrow without a new import. An import gathers in temporary tables and replaces what it
has in one transaction at the end: stopped before that, it has changed nothing. A later import wins by name.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from protocol.words import LANGUAGES
from server.cards.loading import Entry, Foreign, Imported, Status, plain_name
from server.storage.errors import Damaged, NewerData, StorageFault
from server.storage.private import private_file, private_folder

FILE = "cards.sqlite3"
SCHEMA_VERSION = 4
SCHEMA = """
CREATE TABLE source (no INTEGER PRIMARY KEY, file TEXT NOT NULL, format TEXT NOT NULL, fingerprint TEXT NOT NULL,
    cards INTEGER NOT NULL, imported INTEGER NOT NULL) STRICT;
CREATE TABLE card (no INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, layout TEXT NOT NULL,
    colors TEXT NOT NULL, funny INTEGER NOT NULL, entry BLOB NOT NULL, digest BLOB NOT NULL,
    source INTEGER NOT NULL REFERENCES source (no)) STRICT;
CREATE TABLE name (key TEXT NOT NULL, card INTEGER NOT NULL REFERENCES card (no), rank INTEGER NOT NULL,
    lang TEXT NOT NULL, face INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (key, card, lang, face)) STRICT, WITHOUT ROWID;
CREATE INDEX name_card ON name (card);
"""
MIGRATIONS = {
    1: "ALTER TABLE card ADD COLUMN legalities TEXT NOT NULL DEFAULT '';",
    2: "CREATE TABLE verdict (digest BLOB PRIMARY KEY, reader TEXT NOT NULL, word TEXT NOT NULL) STRICT, WITHOUT ROWID;",
    3: "CREATE TABLE printing (card INTEGER NOT NULL REFERENCES card (no), lang TEXT NOT NULL, face INTEGER NOT NULL,"
    " types TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (card, lang, face)) STRICT, WITHOUT ROWID;",
}
"""What brings a database from a version to the next. `legalities` is JSON as of `Imported`, "" if no list says any. A verdict is
the word at which a reader (a version of its source) stopped in a card of that digest, "" if it read it whole. A printing is what
stands on a card, or one of its faces, in a language that clients speak.
"""
GATHERING = """
CREATE TEMP TABLE found (key TEXT PRIMARY KEY, kind TEXT, layout TEXT, colors TEXT, funny INTEGER, entry BLOB,
    digest BLOB, legalities TEXT, refused INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TEMP TABLE found_name (card TEXT, key TEXT, rank INTEGER, lang TEXT, face INTEGER, name TEXT,
    PRIMARY KEY (card, key, lang, face)) WITHOUT ROWID;
CREATE TEMP TABLE found_printing (card TEXT, lang TEXT, face INTEGER, types TEXT, text TEXT,
    PRIMARY KEY (card, lang, face)) WITHOUT ROWID;
"""
GATHERED = ("found", "found_name", "found_printing")
"""The temporary tables of an import."""
PRINTED = """
SELECT card.kind <> 'card', english.rank, there.name, english.face, coalesce(types, ''), coalesce(text, '') FROM name AS english
    JOIN card ON card.no = english.card AND kind <> 'other'
    JOIN name AS there ON there.card = english.card AND there.face = english.face AND there.lang = :lang
    LEFT JOIN printing ON printing.card = there.card AND printing.face = there.face AND printing.lang = there.lang
    WHERE english.key = :key AND english.lang = 'en'
    GROUP BY english.card, english.face ORDER BY 1, 2, there.name
"""
"""What stands in a language on what an English name means."""
WHOLE, FACE, FRENCH, FOREIGN = range(4)
"""Ranks of names: what a name means by a lower rank hides what it means by a higher one."""

Added: TypeAlias = Literal["new", "same", "hidden", "conflict"]

_entry = msgspec.json.Decoder(Entry)
_legalities = msgspec.json.Decoder(tuple[tuple[str, Status], ...])


class Source(msgspec.Struct, frozen=True):
    """A list that was imported: its file's name, its format, SHA-256 of its bytes, its cards, when (Unix seconds)."""

    file: str
    format: str
    fingerprint: str
    cards: int
    imported: int


class Kept(msgspec.Struct, frozen=True):
    """What an import changed: cards not known before, known ones that have changed, and those as they were."""

    new: int
    changed: int
    same: int


class Gathered(msgspec.Struct, frozen=True):
    """A card of an import: `word` is where the reader stopped when it tried it before, "" if it read it, None if it never did."""

    card: Imported
    digest: bytes
    word: str | None = None


class CardStore:
    """The imported cards. All methods may be called from any thread; one works at a time."""

    def __init__(self, folder: Path | None) -> None:
        """Opens or makes the database in `folder`; None: one in memory. Raises StorageFault, NewerData, Damaged."""
        self._mutex = threading.RLock()
        self.path = folder / FILE if folder else None
        try:
            if folder is not None:
                private_folder(folder)
                private_file(folder / FILE)
            self._db = sqlite3.connect(
                self.path or ":memory:", isolation_level=None, check_same_thread=False, timeout=30
            )
        except (OSError, sqlite3.Error) as fault:
            raise StorageFault(f"{self.path}: {fault}") from fault
        try:
            with self._faults():
                self._prepare()
        except BaseException:
            self._db.close()
            raise

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA temp_store = FILE")
        self._db.execute("PRAGMA cache_size = -16000")
        version: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise NewerData(f"the cards are of version {version}; this apnap reads up to {SCHEMA_VERSION}")
        if version < SCHEMA_VERSION:
            steps = "".join(MIGRATIONS[step] for step in range(max(version, 1), SCHEMA_VERSION))
            first = "" if version else SCHEMA
            self._db.executescript(f"BEGIN IMMEDIATE; {first} {steps} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")

    @classmethod
    def existing(cls, folder: Path) -> CardStore | None:
        """The store of a folder into which cards were imported, else None. Raises as the constructor does."""
        return cls(folder) if (folder / FILE).exists() else None

    def close(self) -> None:
        """Close the database; uncommitted changes are lost."""
        with self._mutex:
            self._db.close()

    # --- looking up ---

    def find(self, name: str) -> list[Imported]:
        """The cards that a name means: a whole name's, else a face's, else a name's in another language (French first).
        More than one if the name is ambiguous. Tokens and the like are not found. Raises StorageFault.
        """
        with self._mutex, self._faults():
            rows = self._db.execute(
                "SELECT DISTINCT card.no, name.rank, entry, layout, kind, colors, funny, legalities FROM name"
                " JOIN card ON card.no = name.card WHERE name.key = ? AND kind = 'card' ORDER BY name.rank, card.no",
                (plain_name(name),),
            ).fetchall()
        return [_imported(row[2:]) for row in rows if row[1] == rows[0][1]]

    def spelt(self, shortest: int, longest: int, ends: tuple[str, str]) -> list[str]:
        """English names of so many characters whose key (`plain_name`) begins or ends with one of the two letters. Raises
        StorageError.
        """
        with self._mutex, self._faults():
            rows = self._db.execute(
                "SELECT DISTINCT name FROM name WHERE rank <= ? AND length(key) BETWEEN ? AND ?"
                " AND (substr(key, 1, 1) = ? OR substr(key, -1) = ?)",
                (FACE, shortest, longest, *ends),
            )
            return [name for (name,) in rows]

    def foreign(self, name: str) -> tuple[Foreign, ...]:
        """The names in other languages of the card of that whole name, French first."""
        with self._mutex, self._faults():
            rows = self._db.execute(
                "SELECT lang, name.name, face FROM name JOIN card ON card.no = name.card"
                " WHERE card.key = ? AND rank >= ? ORDER BY rank, lang, face",
                (plain_name(name), FRENCH),
            ).fetchall()
        return tuple(Foreign(*row) for row in rows)

    def printings(self, lang: str, names: Iterable[str]) -> dict[str, Foreign]:
        """What stands in a language on the cards, or faces of cards, of those English names: by name, as far as it is known. A card
        of several faces that is named whole has its name only. Raises StorageFault.
        """
        found: dict[str, Foreign] = {}
        with self._mutex, self._faults():
            for name in names:
                rows = self._db.execute(PRINTED, {"key": plain_name(name), "lang": lang}).fetchall()
                meant = {row[2:] for row in rows if row[:2] == rows[0][:2]}  # many tokens share a name
                if len(meant) == 1:
                    found[name] = Foreign(lang, *meant.pop())
        return found

    def count(self) -> int:
        """How many cards there are, tokens and the like left out."""
        with self._mutex, self._faults():
            return self._db.execute("SELECT count(*) FROM card WHERE kind = 'card'").fetchone()[0]

    def sources(self) -> list[Source]:
        """The imports so far, in their order."""
        with self._mutex, self._faults():
            rows = self._db.execute(
                "SELECT file, format, fingerprint, cards, imported FROM source ORDER BY no"
            ).fetchall()
        return [Source(*row) for row in rows]

    def version(self) -> int:
        """A number that changes when another process has imported cards."""
        with self._mutex, self._faults():
            return self._db.execute("PRAGMA data_version").fetchone()[0]

    # --- importing ---

    @contextmanager
    def importing(self) -> Iterator[Gathering]:
        """Gather cards in the block; `keep` at its end makes them the store's. Left without it, nothing has changed."""
        with self._mutex, self._faults():
            self._db.executescript(GATHERING)
            self._db.execute("BEGIN")  # on the temporary tables only, until `keep`
            try:
                yield Gathering(self._db)
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._db.executescript("".join(f"DROP TABLE IF EXISTS temp.{table};" for table in GATHERED))

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """SQLite's errors as ours."""
        try:
            yield
        except sqlite3.DatabaseError as fault:
            if "malformed" in str(fault) or "not a database" in str(fault):
                raise Damaged(f"{self.path}: {fault}") from fault
            raise StorageFault(f"{self.path}: {fault}") from fault


class Gathering:
    """An import under way. Made by `CardStore.importing`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._digests: dict[str, bytes] = {}
        self._tried: list[tuple[bytes, str]] = []

    def add(self, card: Imported) -> Added:
        """Take a card. "same": it was there with that text (names in other languages are added). "hidden": the
        name in another spelling, or of a card outside the sanctioned game, where the name is taken. "conflict": the
        list has that name with another text; from now on the name is refused.
        """
        entry = msgspec.json.encode(card.entry)
        digest = hashlib.blake2b(entry + card.layout.encode(), digest_size=12).digest()
        key = plain_name(card.title)
        if card.kind != "card":
            key = f"{card.kind}\n{key}\n{digest.hex()}"  # many tokens share a name
        known = self._digests.get(key)
        if known is None or known == digest:
            if known is None:
                self._digests[key] = digest
                self._put(key, card, entry, digest)
            self._names(key, card)
            return "same" if known else "new"
        funny, known_entry = self._db.execute("SELECT funny, entry FROM found WHERE key = ?", (key,)).fetchone()
        if card.funny and not funny:
            return "hidden"
        if _entry.decode(known_entry).name != card.entry.name:
            return "hidden"  # "AEther Vial" and "Aether Vial" are one card in two wordings
        if funny and not card.funny:
            self._digests[key] = digest
            self._db.execute("DELETE FROM found WHERE key = ?", (key,))
            self._db.execute("DELETE FROM found_name WHERE card = ?", (key,))
            self._db.execute("DELETE FROM found_printing WHERE card = ?", (key,))
            self._put(key, card, entry, digest)
            self._names(key, card)
            return "hidden"
        self._db.execute("UPDATE found SET refused = 1 WHERE key = ?", (key,))
        return "conflict"

    def _put(self, key: str, card: Imported, entry: bytes, digest: bytes) -> None:
        self._db.execute(
            "INSERT INTO found (key, kind, layout, colors, funny, entry, digest, legalities) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (key, card.kind, card.layout, card.colors, int(card.funny), entry, digest, _said(card)),
        )

    def _names(self, key: str, card: Imported) -> None:
        names = [(plain_name(card.title), WHOLE, "en", 0, card.title)]
        faces = card.faces
        if len(faces) > 1:
            names += [(plain_name(face), FACE, "en", no, face) for no, face in enumerate(faces, 1)]
        for name in card.foreign:
            names.append(
                (plain_name(name.name), FRENCH if name.lang == "fr" else FOREIGN, name.lang, name.face, name.name)
            )
        self._db.executemany(
            "INSERT OR IGNORE INTO found_name (card, key, rank, lang, face, name) VALUES (?, ?, ?, ?, ?, ?)",
            [(key, *name) for name in names],
        )
        self._db.executemany(
            "INSERT INTO found_printing (card, lang, face, types, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET types = excluded.types, text = excluded.text WHERE text = ''",  # an early printing may lack its text
            [
                (key, one.lang, one.face, one.types, one.text)
                for one in card.foreign
                if one.lang in LANGUAGES and (one.types or one.text)
            ],
        )

    def cards(self, reader: str = "") -> Iterator[Gathered]:
        """What was gathered, but for the names that are refused, in the order of their keys, with what that reader said of it."""
        last = ""
        while True:  # a page at a time, because a cursor left open would hold the transaction
            rows = self._db.execute(
                "SELECT key, found.digest, word, entry, layout, kind, colors, funny, legalities FROM found"
                " LEFT JOIN verdict ON verdict.digest = found.digest AND reader = ?"
                " WHERE key > ? AND NOT refused ORDER BY key LIMIT 500",
                (reader, last),
            ).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            for row in rows:
                yield Gathered(_imported(row[3:]), row[1], row[2])

    def tried(self, one: Gathered, word: str) -> None:
        """Note where the reader stopped in a card; it is kept with the cards."""
        self._tried.append((one.digest, word))

    def count(self) -> int:
        """How many were gathered, tokens and the like too."""
        return self._db.execute("SELECT count(*) FROM found WHERE NOT refused").fetchone()[0]

    def keep(self, file: str, format_: str, fingerprint: str, reader: str = "") -> Kept:
        """Make what was gathered, and what `reader` said of it, the store's, in one transaction. Names in other languages
        that this list does not have stay. The block must end after it.
        """
        db = self._db
        db.execute("COMMIT")
        db.execute("BEGIN IMMEDIATE")
        total = self.count()
        old: int = db.execute("SELECT count(*) FROM found JOIN card USING (key) WHERE NOT refused").fetchone()[0]
        same: int = db.execute("SELECT count(*) FROM found JOIN card USING (key, digest) WHERE NOT refused").fetchone()[
            0
        ]
        source = db.execute(
            "INSERT INTO source (file, format, fingerprint, cards, imported) VALUES (?, ?, ?, ?, ?)",
            (file, format_, fingerprint, total, int(time.time())),
        ).lastrowid
        db.execute(
            "INSERT INTO card (key, kind, layout, colors, funny, entry, digest, legalities, source)"
            " SELECT key, kind, layout, colors, funny, entry, digest, legalities, ? FROM found WHERE NOT refused"
            " ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, layout = excluded.layout, colors = excluded.colors,"
            " funny = excluded.funny, entry = excluded.entry, digest = excluded.digest, source = excluded.source,"
            # a list that says nothing of formats takes nothing back that another said
            " legalities = CASE excluded.legalities WHEN '' THEN card.legalities ELSE excluded.legalities END",
            (source,),
        )
        db.execute(
            "DELETE FROM name WHERE rank < ? AND card IN (SELECT no FROM card JOIN found USING (key) WHERE NOT refused)",
            (FRENCH,),
        )
        db.execute(
            "INSERT OR IGNORE INTO name (key, card, rank, lang, face, name)"
            " SELECT n.key, card.no, n.rank, n.lang, n.face, n.name FROM found_name AS n JOIN found ON found.key = n.card"
            " JOIN card ON card.key = n.card WHERE NOT found.refused"
        )
        db.execute(
            "INSERT OR REPLACE INTO printing (card, lang, face, types, text)"
            " SELECT card.no, p.lang, p.face, p.types, p.text FROM found_printing AS p JOIN found ON found.key = p.card"
            " JOIN card ON card.key = p.card WHERE NOT found.refused"
        )
        db.executemany(
            "INSERT OR REPLACE INTO verdict (digest, reader, word) VALUES (?, ?, ?)",
            [(digest, reader, word) for digest, word in self._tried],
        )
        db.execute("COMMIT")
        return Kept(new=total - old, changed=old - same, same=same)


def _said(card: Imported) -> str:
    return msgspec.json.encode(card.legalities).decode() if card.legalities else ""


def _imported(row: tuple[bytes, str, Literal["card", "token", "other"], str, int, str]) -> Imported:
    entry, layout, kind, colors, funny, said = row
    legalities = _legalities.decode(said) if said else ()
    return Imported(
        _entry.decode(entry), layout=layout, kind=kind, colors=colors, funny=bool(funny), legalities=legalities
    )
