"""The `apnap` command: help at once, exit codes a shell understands, subcommands found and imported late."""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

from server.command import main as command

ROOT = Path(__file__).resolve().parents[2]
PRESENT = [name for name in command.SUBCOMMANDS if (ROOT / f"server/command/{name}.py").exists()]


def apnap(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server.command.main", *words], cwd=ROOT, capture_output=True, text=True
    )


def children_cpu() -> float:
    """Seconds of CPU that ended child processes took, since a busy machine must not fail a test."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fake(monkeypatch: pytest.MonkeyPatch, raises: BaseException | None = None, code: int = 0) -> None:
    """Put a subcommand `demo` in place that ends as told."""
    module = ModuleType("server.command.demo", "A stand-in.")

    def arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--seed", type=int)

    def run(args: argparse.Namespace) -> int:
        if raises is not None:
            raise raises
        return code

    module.__dict__.update(arguments=arguments, run=run)
    monkeypatch.setitem(sys.modules, "server.command.demo", module)


def test_help_is_instant_and_lists_every_subcommand() -> None:
    fastest = 9.0
    out = ""
    for _ in range(5):
        start = children_cpu()
        out = apnap("--help").stdout
        fastest = min(fastest, children_cpu() - start)
    assert fastest < 0.2
    for name, text in command.SUBCOMMANDS.items():
        assert name in out
        assert text in out


def test_help_imports_no_subcommand_and_no_library() -> None:
    code = (
        "import sys\n"
        "from server.command.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit as leave: assert not leave.code\n"
        "print('imported:', *sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = done.stdout.rpartition("imported:")[2].split()
    assert [name for name in imported if name.startswith("server.")] == ["server.command", "server.command.main"]
    assert not {"trio", "urwid", "msgspec", "websockets", "protocol", "client_cli", "sqlite3"} & set(imported)


@pytest.mark.parametrize("words", [[], ["nonsense"], ["--nonsense"], ["schema", "--nonsense"]])
def test_wrong_usage_is_2_and_says_so_on_stderr(words: list[str]) -> None:
    done = apnap(*words)
    assert done.returncode == 2
    assert "usage: apnap" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_code_of_the_subcommand_is_the_code_of_the_command(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    fake(monkeypatch, code=code)
    assert command.main(["demo", "--seed", "7"]) == code


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), BaseExceptionGroup("nursery", [KeyboardInterrupt()])])
def test_ctrl_c_is_130_also_out_of_a_nursery(monkeypatch: pytest.MonkeyPatch, stop: BaseException) -> None:
    fake(monkeypatch, raises=stop)
    assert command.main(["demo"]) == 130


def test_a_defect_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, raises=ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        command.main(["demo"])


def test_a_reader_that_goes_away_gets_no_traceback() -> None:
    words = f"{sys.executable} -m server.command.main schema | head -c 10; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, command.BROKEN_PIPE)  # 0: it was done before the reader left
    assert done.stderr == ""


@pytest.mark.parametrize("words", [["deck", "check", "deck.txt", "--data", "."], ["cards", "show", "Ember Lash"]])
def test_a_reader_that_goes_away_is_no_fault_of_a_file(tmp_path: Path, words: list[str]) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("60 Mountain\n")
    read, write = os.pipe()
    os.close(read)
    command_line = [sys.executable, "-m", "server.command.main", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            command_line, cwd=tmp_path, env=env, stdout=write, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (command.BROKEN_PIPE, "")


@pytest.mark.parametrize("name", PRESENT)
def test_a_subcommand_registers_options_and_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"server.command.{name}")
    assert module.__doc__
    assert callable(module.run)
    with pytest.raises(SystemExit) as leave:
        command.main([name, "--help"])
    assert not leave.value.code
    assert f"usage: apnap {name}" in capsys.readouterr().out


def test_every_module_with_run_and_arguments_is_in_the_table() -> None:
    for path in (ROOT / "server/command").glob("*.py"):
        text = path.read_text()
        if "\ndef arguments(" in text and "\ndef run(" in text:
            assert path.stem in command.SUBCOMMANDS


def test_version_is_said_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == command.VERSION == version("apnap")
    assert apnap("--version").stdout.split() == ["apnap", command.VERSION]


def test_a_full_disk_within_a_nursery_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(28, "No space left on device")
    fake(monkeypatch, ExceptionGroup("nursery", [ExceptionGroup("inner", [full])]))
    assert command.main(["demo"]) == command.FAULT
    assert "No space left on device" in capsys.readouterr().err
    fake(monkeypatch, ExceptionGroup("nursery", [full, KeyError("ours")]))
    with pytest.raises(ExceptionGroup):
        command.main(["demo"])


def test_what_an_output_of_few_letters_cannot_show_becomes_a_question_mark() -> None:
    code = "import sys; from server.command import main; main.main(['--version'][:0]); print('caf\\u00e9 \\u2588')"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert shown.stdout.decode("ascii").strip() == "caf? ?" and shown.returncode == 0
