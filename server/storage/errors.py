"""What can go wrong with journals.

StorageError
├── StorageFault    the disk does not take it now (full, read-only): nothing was written, try again later
├── NoSuchRoom      no journal of that room
├── RoomExists      a journal of that room is there already
├── Conflict        another writer was here: the sequence number is taken
├── Damaged         a journal cannot be read; the message says where
├── NewerData       written by a later version of apnap
└── InUse           another server works on this data directory
"""


class StorageError(Exception):
    """The common base."""


class StorageFault(StorageError):
    """The disk does not take it now. Nothing was written."""


class NoSuchRoom(StorageError):
    """There is no journal of that room."""


class RoomExists(StorageError):
    """There is a journal of that room already."""


class Conflict(StorageError):
    """The sequence number is taken: two servers write the same journal."""


class Damaged(StorageError):
    """A journal cannot be read; the message says where."""


class NewerData(StorageError):
    """The data were written by a later version of apnap."""


class InUse(StorageError):
    """Another server works on this data directory."""
