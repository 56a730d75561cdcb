"""Journals and records, behind one small interface (`Storage`).

- `journal`: what a journal is (setup, entries, snapshots), and what a backend does; `encoding`: its bytes; `drawn`: what is drawn
  before a game begins
- `sqlite`: the backend of `apnap serve`, with group commit in a thread of its own; `schema`: its tables and their versions
- `writes`: what is written, as data; `writing`: the methods of `Storage` in terms of one `write`
- `backup`: a copy of the database while it is in use, and back
- `migrating`: all of it from one backend to another
- `memory`: a backend for tests
- `files`: a journal as one file of JSON lines

An answer is acknowledged and shown only when `append` has returned.
"""

from server.storage.drawn import drawn_seats
from server.storage.errors import (
    Conflict,
    Damaged,
    InUse,
    NewerData,
    NoSuchRoom,
    RoomExists,
    StorageError,
    StorageFault,
)
from server.storage.journal import (
    Amended,
    Answered,
    AnyEntry,
    Check,
    Conceded,
    Ended,
    Fairness,
    Gap,
    Instructed,
    Instruction,
    Journal,
    Match,
    Passed,
    RoomRecord,
    SeatSetup,
    SeatTaken,
    Setup,
    Sitting,
    Snapshot,
    Stopped,
    Storage,
    TakenBack,
    Upgraded,
    engine_options,
    make_setup,
)
from server.storage.memory import MemoryStorage
from server.storage.sqlite import SqliteStorage, open_sqlite

__all__ = [
    "SeatTaken",
    "Stopped",
    "TakenBack",
    "Amended",
    "Answered",
    "AnyEntry",
    "Check",
    "Conceded",
    "Conflict",
    "Damaged",
    "Ended",
    "Fairness",
    "Gap",
    "InUse",
    "Instructed",
    "Instruction",
    "Journal",
    "Match",
    "MemoryStorage",
    "NewerData",
    "NoSuchRoom",
    "Passed",
    "RoomExists",
    "RoomRecord",
    "SeatSetup",
    "Setup",
    "Sitting",
    "Snapshot",
    "SqliteStorage",
    "Storage",
    "StorageError",
    "StorageFault",
    "Upgraded",
    "drawn_seats",
    "engine_options",
    "make_setup",
    "open_sqlite",
]
