"""The version that journals pin: any change of what a replay may depend on is another version."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from server.rooms.game import RULES, source_hash

SERVER = Path(__file__).resolve().parents[2] / "server"
FLOORS = ("rules", "cards", "oracle")


def folders(floor: str) -> list[Path]:
    """Every folder of a floor that has modules, as a path below `server`."""
    return sorted({path.parent.relative_to(SERVER) for path in (SERVER / floor).rglob("*.py")})


ROOMS = [folder for floor in FLOORS for folder in folders(floor)]


@pytest.fixture
def copied(tmp_path: Path) -> tuple[Path, ...]:
    for floor in FLOORS:
        shutil.copytree(SERVER / floor, tmp_path / floor, ignore=shutil.ignore_patterns("__pycache__"))
    return tuple(tmp_path / floor for floor in FLOORS)


def test_it_is_the_hash_of_the_three_floors(copied: tuple[Path, ...]) -> None:
    assert RULES.version.endswith("-" + source_hash(copied))


@pytest.mark.parametrize("room", ROOMS, ids=str)
def test_a_module_changed_in_any_folder_is_another_version(room: Path, copied: tuple[Path, ...]) -> None:
    before = source_hash(copied)
    for module in (copied[0].parent / room).glob("*.py"):
        kept = module.read_bytes()
        module.write_bytes(kept + b"# \n")
        assert source_hash(copied) != before, module
        module.write_bytes(kept)
    assert source_hash(copied) == before


def test_a_room_that_is_added_moved_or_gone_is_another_version(copied: tuple[Path, ...]) -> None:
    seen = {source_hash(copied)}
    room = copied[0] / "a_room" / "within"
    room.mkdir(parents=True)
    (room / "module.py").write_text("X = 1\n")
    seen.add(source_hash(copied))
    room.rename(copied[0] / "another_room")
    seen.add(source_hash(copied))
    (copied[0] / "another_room" / "module.py").rename(copied[1] / "module.py")
    seen.add(source_hash(copied))
    assert len(seen) == 4


def test_what_is_no_module_does_not_count(copied: tuple[Path, ...]) -> None:
    before = source_hash(copied)
    (copied[0] / "__pycache__").mkdir()
    (copied[0] / "__pycache__" / "state.pyc").write_bytes(b"x")
    (copied[1] / "notes.txt").write_text("x")
    assert source_hash(copied) == before
