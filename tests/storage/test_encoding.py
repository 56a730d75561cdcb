"""Names of any script are kept as they are, or the database is refused before anybody comes."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal

from server.storage import StorageFault
from server.storage.postgresql import open_postgresql, reach
from tests.storage.cluster import Cluster


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_keep_all_names_is_refused(postgresql: Cluster, encoding: str) -> None:
    name = f"of_{encoding.lower()}"
    made = SQL("CREATE DATABASE {} ENCODING {} TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    with psycopg.connect(postgresql.address(), autocommit=True) as db:
        db.execute(made.format(Identifier(name), Literal(encoding)))
    with pytest.raises(StorageFault, match=f"the encoding of this database is {encoding}"):
        reach(postgresql.address(name))


async def test_names_are_kept_whatever_the_surroundings_say(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    async with open_postgresql(database) as storage:
        await storage.put("account", "\u0141ukasz", b"x")
        assert await storage.get("account", "\u0141ukasz") == b"x"
