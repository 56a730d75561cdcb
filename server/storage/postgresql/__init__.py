"""The backend of servers that share a database: journals in PostgreSQL (15 or later), by psycopg.

- `tables`: the tables and their versions; `reading`: what is read of them, `readers`: by which connections; `appending`: all that waits
  appended by one statement
- `holding`: which node may write, by a lease of the database's clock; `writer`: the thread that writes
- `promise`: what the database keeps of what it acknowledged; `timeline`: that it is not one whose place a standby has taken
- `storage`: the backend, `PostgresqlStorage`, made by `open_postgresql`

Imported only where a server is told to use it: psycopg is the extra `apnap[postgresql]`.
"""

from server.storage.postgresql.promise import Promise
from server.storage.postgresql.storage import PostgresqlStorage, held, open_postgresql, reach, take_hold
from server.storage.postgresql.timeline import Timelines
from server.storage.postgresql.writer import STILL

__all__ = ["STILL", "PostgresqlStorage", "Promise", "Timelines", "held", "open_postgresql", "reach", "take_hold"]
