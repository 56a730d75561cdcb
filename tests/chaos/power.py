"""Loss of power, as a disk sees it: what a process did to a directory is written down by a preloaded library (`power.c`), and from
that the states are built which a crash may leave.

What was synced is there. What was written since may be there or not, sector by sector, in any order, and one sector may be torn:
its beginning new, its end old. A file that has grown may have grown and hold nothing yet. Names that were made, changed
or deleted count from a sync of the directory on; of later ones there may be the first few. More than this no file system does that
keeps what POSIX says of `fsync`.
"""

from __future__ import annotations

import os
import shutil
import stat
import struct
import subprocess
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

Ailment: TypeAlias = Literal["well", "full", "full after half of a write", "cannot sync"]
AILMENTS: tuple[Ailment, ...] = ("well", "full", "full after half of a write", "cannot sync")
SECTOR = 512
SOURCE = Path(__file__).with_name("power.c")
LEFT_OUT = ("-shm",)
"""Ends of the names of files that are memory and not data."""
_HEAD = struct.Struct("<cQQI")


def compiled(folder: Path) -> Path | None:
    """The library, compiled into a folder; None where nothing can compile it or use it."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None or os.uname().sysname != "Linux":
        return None
    library = folder / "power.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
    return library


class Disk:
    """One file as a disk has it: what is certain, and what was done since, in order: (offset, bytes), or (length, None) for a
    truncation.
    """

    def __init__(self, data: bytes = b"") -> None:
        self.sure = bytearray(data)
        self.since: list[tuple[int, bytes | None]] = []

    def sync(self) -> None:
        """All that was done is certain."""
        for change in self.since:
            _apply(self.sure, *change)
        self.since.clear()

    def left(self, chance: Random) -> bytes:
        """What a crash leaves."""
        data = bytearray(self.sure)
        how = chance.choice(("nothing", "all", "first", "any", "any"))
        done = self.since[: chance.randrange(len(self.since) + 1)] if how == "first" else self.since
        for offset, written in done if how != "nothing" else ():
            if written is None or how != "any":
                _apply(data, offset, written)
            else:
                _some_sectors(data, offset, written, chance)
        return bytes(data)


def _apply(data: bytearray, offset: int, written: bytes | None) -> None:
    if written is None:
        del data[offset:]
        data.extend(bytes(offset - len(data)))
        return
    data.extend(bytes(max(0, offset - len(data))))
    data[offset : offset + len(written)] = written


def _some_sectors(data: bytearray, offset: int, written: bytes, chance: Random) -> None:
    """Each sector of what was written, or not; or the first part of it."""
    end = offset + len(written)
    if chance.random() < 0.5:
        data.extend(bytes(max(0, end - len(data))))  # it has grown, though nothing may be in it yet
    at = offset
    while at < end:
        upto = min(end, at - at % SECTOR + SECTOR)
        fate = chance.random()
        if fate < 0.5:
            _apply(data, at, written[at - offset : upto - offset])
        elif fate < 0.55:
            _apply(data, at, written[at - offset : at - offset + chance.randrange(upto - at)])
        at = upto


class Power:
    """One directory under watch. `begin` before each start of the process; then it runs with `environment`; when it is dead, `lose`
    puts in the place of the directory what a crash at that moment may have left of it.
    """

    def __init__(self, library: Path, folder: Path, aside: Path) -> None:
        """`aside` is a folder for what has to be kept meanwhile."""
        self.folder = folder
        self.log = aside / "power.log"
        self._luck = aside / "power.luck"
        self._library = library
        self._before: dict[str, tuple[int, bytes]] = {}

    def begin(self) -> dict[str, str]:
        """What lies there now is certain. The environment in which the process is to run."""
        self.folder.mkdir(exist_ok=True)
        self._before = {
            path.name: (path.stat().st_ino, path.read_bytes())
            for path in self.folder.iterdir()
            if path.is_file() and not path.name.endswith(LEFT_OUT)
        }
        self.log.unlink(missing_ok=True)
        self.luck()
        return {
            **os.environ,
            "APNAP_POWER_ROOT": str(self.folder),
            "APNAP_POWER_LOG": str(self.log),
            "APNAP_POWER_LUCK": str(self._luck),
            "LD_PRELOAD": str(self._library),
        }

    def luck(self, *, clock: int = 0, slow_us: int = 0, disk: Ailment = "well") -> None:
        """From now on: by how many seconds the day's time is wrong, how many microseconds longer a sync takes, what ails the disk."""
        with self._luck.open("r+b" if self._luck.exists() else "w+b") as file:
            file.write(struct.pack("<qqq", clock, slow_us, AILMENTS.index(disk)))

    def done(self) -> int:
        """How many bytes have been written down by now: a moment, for `lose`."""
        return self.log.stat().st_size if self.log.exists() else 0

    def moments(self) -> list[int]:
        """The moments after each operation."""
        data, at, found = self.log.read_bytes(), 0, []
        while at + _HEAD.size <= len(data):
            at += _HEAD.size + _HEAD.unpack_from(data, at)[3]
            found.append(at)
        return found

    def lose(self, chance: Random, moment: int | None = None) -> None:
        """The directory is as a loss of power left it, at a moment, or at the end."""
        files, names = self._replayed(moment)
        for path in self.folder.iterdir():
            if stat.S_ISREG(path.lstat().st_mode) or stat.S_ISSOCK(path.lstat().st_mode):
                path.unlink()
        for name, inode in names(chance).items():
            if not name.endswith(LEFT_OUT):
                (self.folder / name).write_bytes(files[inode].left(chance))

    def _replayed(self, moment: int | None) -> tuple[dict[object, Disk], _Names]:
        """The files by what stands for them, and the names."""
        data = self.log.read_bytes()[:moment] if self.log.exists() else b""
        files: dict[object, Disk] = {}
        current: dict[int, object] = {}
        names = _Names()
        for name, (inode, content) in self._before.items():
            current[inode] = files_key = object()
            files[files_key] = Disk(content)
            names.sure[name] = files_key
        at, folder = 0, self.folder.stat().st_ino
        while at + _HEAD.size <= len(data):
            what, inode, offset, length = _HEAD.unpack_from(data, at)
            said = data[at + _HEAD.size : at + _HEAD.size + length]
            at += _HEAD.size + length
            if len(said) < length:
                break
            match what:
                case b"c":
                    current[inode] = files_key = object()
                    files[files_key] = Disk()
                    names.since.append((said.decode(), files_key))
                case b"w" if inode in current:
                    files[current[inode]].since.append((offset, said))
                case b"t" if inode in current:
                    files[current[inode]].since.append((offset, None))
                case b"s" if inode == folder:
                    names.sync()
                case b"s" if inode in current:
                    files[current[inode]].sync()
                case b"r":
                    names.since.append(tuple(said.decode().split("/")))  # type: ignore[arg-type]
                case b"u":
                    names.since.append((said.decode(), None))
                case _:
                    pass
        return files, names


class _Names:
    """The names of a directory: those that are certain, and what was done since: (name, file), (name, None), (from, to)."""

    def __init__(self) -> None:
        self.sure: dict[str, object] = {}
        self.since: list[tuple[str, object | str | None]] = []

    def sync(self) -> None:
        """All that was done is certain."""
        self.sure = self._after(len(self.since))
        self.since.clear()

    def __call__(self, chance: Random) -> dict[str, object]:
        """What a crash leaves: the first few of what was done."""
        return self._after(chance.choice((0, len(self.since), chance.randrange(len(self.since) + 1))))

    def _after(self, number: int) -> dict[str, object]:
        names = dict(self.sure)
        for name, what in self.since[:number]:
            if isinstance(what, str):
                if name in names:
                    names[what] = names.pop(name)
            elif what is None:
                names.pop(name, None)
            else:
                names[name] = what
        return names
