"""The tables in PostgreSQL. They live in the schema that the connection has as its first, usually `public`."""

from __future__ import annotations

from typing import Any, TypeAlias

import psycopg

from server.storage.errors import NewerData

Db: TypeAlias = psycopg.Connection[tuple[Any, ...]]

VERSION = 1
"""Of the tables below. A later one that only adds keeps what earlier servers read; one that takes away comes a version after."""
SETTING_UP = 0x61706E6170
"""The advisory lock under which tables are made or brought to this version: "apnap"."""

TABLES = """
CREATE TABLE version (number integer NOT NULL);

-- A server that may write as long as its line is here; "until" is its lease, by the database's clock,
-- "connections" the application name of all its connections.
CREATE TABLE node (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    until timestamptz NOT NULL,
    connections text NOT NULL
);

-- "fence" grows whenever others write a room from now on: who knows an earlier one is refused.
CREATE TABLE room (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    created bigint NOT NULL,
    finished boolean NOT NULL DEFAULT false,
    setup bytea NOT NULL,
    seal bytea NOT NULL,
    fence bigint NOT NULL DEFAULT 1,
    seq bigint NOT NULL,
    head bytea NOT NULL
);
CREATE TABLE card (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL UNIQUE, data bytea NOT NULL);
CREATE TABLE room_card (
    room bigint NOT NULL REFERENCES room ON DELETE CASCADE,
    place integer NOT NULL,
    card bigint NOT NULL REFERENCES card,
    PRIMARY KEY (room, place)
);
CREATE TABLE entry (
    room bigint NOT NULL REFERENCES room ON DELETE CASCADE,
    seq bigint NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (room, seq)
);
CREATE TABLE snapshot (
    room bigint NOT NULL REFERENCES room ON DELETE CASCADE,
    seq bigint NOT NULL,
    version text NOT NULL,
    hash text NOT NULL,
    base boolean NOT NULL,
    state bytea NOT NULL,
    data bytea NOT NULL,
    seal bytea NOT NULL,
    PRIMARY KEY (room, seq)
);
CREATE TABLE record (kind text NOT NULL, key text NOT NULL, data bytea NOT NULL, seal bytea NOT NULL, PRIMARY KEY (kind, key));
"""


def prepare(db: Db) -> None:
    """Make the tables where there are none. Raises `NewerData`, psycopg.Error."""
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (SETTING_UP,))
        there = db.execute("SELECT to_regclass('version')").fetchone()
        if there is None or there[0] is None:
            for statement in filter(str.strip, TABLES.split(";\n")):
                db.execute(statement)
            db.execute("INSERT INTO version VALUES (%s)", (VERSION,))
            return
        found = db.execute("SELECT number FROM version").fetchone()
        if found is not None and found[0] > VERSION:
            raise NewerData(f"the database is of version {found[0]}; this apnap reads up to {VERSION}")
