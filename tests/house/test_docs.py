"""The pages for those who play and host: every command in them is understood, and none that there is, is missing."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from pathlib import Path

import pytest

from client_cli import commands
from protocol.words import say

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/play.md", "docs/host.md")


def told(page: str) -> list[str]:
    """Every `apnap ...` of a page: in its blocks of code and in its text."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    quoted = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    lines = [line.partition("  #")[0].strip().removeprefix(".venv/bin/") for line in (*blocks, *quoted)]
    return [line for line in lines if line.startswith("apnap ") and "..." not in line and "COMMAND" not in line]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_is_one(page: str) -> None:
    assert told(page)
    for line in told(page):
        _, name, *words = shlex.split(line)
        if name.startswith("--"):
            continue
        module = importlib.import_module(f"server.command.{name}")
        parser = argparse.ArgumentParser(prog=f"apnap {name}")
        module.arguments(parser)
        try:
            parser.parse_args(words)
        except SystemExit as leave:
            # What only names a command, as "apnap admin", may lack what it wants; an option that is none may not.
            assert leave.code == 0 or not words, f"{page}: {line}"


def test_the_page_for_players_tells_every_command() -> None:
    text = (ROOT / "docs/play.md").read_text(encoding="utf-8")
    for command in commands.COMMANDS:
        usage = command.usage.replace("|", "\\|")
        assert f"| `{usage}` | {say(f'do.{command.called}')} |" in text, command.word


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 100
