"""What a user gets by `pip install`: the wheel has every module and data file, and the command runs from it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("apnap", "server", "protocol", "client_cli")
WASTE = {".pyc", ".swp", ".orig"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as hatchling in this environment builds it; no network."""
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    ours = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in WASTE
    }
    names = set(zipfile.ZipFile(wheel).namelist())
    assert ours <= names
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == set(PACKAGES)


@pytest.mark.parametrize(
    ("folder", "suffix"),
    [("protocol/words/", "en.json"), ("protocol/words/", "fr.json"), ("server/cards/data/", ".toml")],
)
def test_data_files_are_in_the_wheel(wheel: Path, folder: str, suffix: str) -> None:
    if not (ROOT / folder).is_dir():
        pytest.skip(f"no {folder} yet")
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith(folder) and name.endswith(suffix) for name in names)


def test_metadata(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (info,) = {name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name}
    metadata = message_from_bytes(archive.read(f"{info}/METADATA"))
    assert (metadata["Name"], metadata["License-Expression"]) == ("apnap", "MIT")
    assert "LICENSE" in metadata.get_all("License-File", [])
    assert "apnap = server.command.main:main" in archive.read(f"{info}/entry_points.txt").decode()


def test_the_command_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Unpacked into a folder as pip would, away from the checkout."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import server, sys\n"
        f"assert server.__file__.startswith({str(tmp_path)!r}), server.__file__\n"
        "from server.command.main import main\n"
        "sys.exit(main(['schema', '--compact']))"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("{")


def test_the_page_is_in_the_wheel(wheel: Path) -> None:
    """The built page is no file of the repository: only a line of pyproject.toml brings it into the wheel."""
    if not (ROOT / "server" / "net" / "page" / "index.html").exists():
        pytest.skip("the page is not built: `make page`")
    names = zipfile.ZipFile(wheel).namelist()
    assert "server/net/page/index.html" in names
    assert any(name.startswith("server/net/page/assets/") and name.endswith(".js") for name in names)
