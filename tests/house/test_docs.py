"""The pages for those who play and host: every command in them is understood, and none that there is, is missing."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from client_cli import commands
from protocol.words import say

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", *(str(page.relative_to(ROOT)) for page in sorted(ROOT.glob("docs/*.md"))))
WITHOUT = {"docs/security.md", "docs/library.md"}
"""Pages without a command of their own."""
NO_COMMAND = "apnap seed 1"
"""A line of the protocol, hashed with others: no command."""


def plain(page: str) -> str:
    """A page without its blocks of code in a language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.sub(r"^```\w.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def told(page: str) -> list[str]:
    """Every `apnap ...` of a page: in its blocks of code and in its text; with what may be left out, and without a gloss."""
    text = plain(page)
    blocks = [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    blocks += re.findall(r"^    (.*)$", text, re.M)
    quoted = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    lines = [re.split(r"  +|;| &$", line.strip())[0] for line in (*blocks, *quoted)]
    lines = [line.removeprefix(".venv/bin/").translate(str.maketrans("", "", "[]")) for line in lines]
    lines = [re.sub(r" ?\.\.\.", "", line) for line in lines]
    return [line for line in lines if line.startswith("apnap ") and "COMMAND" not in line and line != NO_COMMAND]


def _filled(word: str) -> str:
    """A word with a value for what stands for one of few: a letter for a number, the edition."""
    return "1" if re.fullmatch("[A-Z]", word) else "current" if word == "EDITION" else word


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_is_one(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bool(told(page)) == (page not in WITHOUT)
    for line in told(page):
        _, name, *words = shlex.split(line)
        if name.startswith("--"):
            continue
        module = importlib.import_module(f"server.command.{name}")
        parser = argparse.ArgumentParser(prog=f"apnap {name}")
        module.arguments(parser)
        try:
            parser.parse_args([_filled(word) for word in words])
        except SystemExit as leave:
            # What only names a command, as "apnap admin", may lack what it wants; an option or a word that is none may not be there.
            said = capsys.readouterr().err
            assert leave.code == 0 or "are required" in said or "expected" in said, f"{page}: {line}: {said}"


@pytest.mark.parametrize("page", PAGES)
def test_every_target_of_make_that_the_page_names_is_one(page: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"(?:`|^ *)make ([a-z-]+)(?=[ `\n])(?:[^`\n]*`| +#|$)", text, re.M)
    assert targets.issuperset(named)


def test_the_page_for_players_tells_every_command() -> None:
    text = (ROOT / "docs/play.md").read_text(encoding="utf-8")
    for command in commands.COMMANDS:
        usage = command.usage.replace("|", "\\|")
        assert f"| `{usage}` | {say(f'do.{command.called}')} |" in text, command.word


def test_the_readme_is_short_and_has_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 100
    pictures = re.findall(r"!\[.{40,}\]\((\S+)\)", text)
    assert len(pictures) == 2 and all((ROOT / picture).is_file() for picture in pictures)


BY_NEED = ("play", "host", "bring", "bots", "cards", "understand", "CONTRIBUTING")
"""The pages for who wants to play, host, bring their cards, write a bot, write a card, understand a rule, develop."""


@pytest.mark.parametrize("name", BY_NEED)
def test_a_page_for_a_need_opens_with_what_to_type(name: str) -> None:
    page = "CONTRIBUTING.md" if name.isupper() else f"docs/{name}.md"
    opening = re.match(r"# [^\n]+\n\n```\n(.+?)```\n", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert opening and all(re.match(r"(apnap|make|python) \S", line) for line in opening[1].splitlines())
    assert f"({page})" in (ROOT / "README.md").read_text(encoding="utf-8")


HOUSE_PAGES = (
    "CONTRIBUTING.md",
    "docs/architecture.md",
    *(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/decisions/*.md")),
)
MADE = ("server/net/page", "index.html", "FILE.toml", ".venv")
"""What pages name and no checkout has: built, or only an example."""


@cache
def _tree() -> tuple[list[str], frozenset[str]]:
    """All files and folders of the sources, and every word in their code."""
    tops = (
        "apnap",
        "server",
        "protocol",
        "client_cli",
        "client_web/src",
        "tests",
        "docs",
        "deploy",
        "examples",
        "bench",
        ".ci",
    )
    paths = [path for top in tops for path in (ROOT / top).rglob("*") if "__pycache__" not in path.parts]
    paths += [ROOT / top for top in tops] + [path for path in ROOT.iterdir() if path.is_file()]
    words = {
        word
        for path in paths
        if path.suffix in (".py", ".ts", ".tsx", ".json")
        for word in re.findall(r"\w+", path.read_text())
    }
    return ["/" + str(path.relative_to(ROOT)) for path in paths], frozenset(words)


def _named(page: str) -> list[str]:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    return [name for name in re.findall(r"`([^`\s]+)`", text) if not name.startswith(MADE)]


@pytest.mark.parametrize("page", HOUSE_PAGES)
def test_every_file_that_the_page_names_is_there(page: str) -> None:
    paths, _ = _tree()
    files = [
        name
        for name in _named(page)
        if re.fullmatch(r"[\w./*-]+(/|\.(py|toml|md|json|jsonl|ts|tsx|lock))|\w+/[\w./*-]+", name)
    ]
    lost = [name for name in files if not any(fnmatch(path, f"*/{name.rstrip('/')}") for path in paths)]
    assert lost == []
    links = re.findall(r"\]\((?!http)([^)#\s]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


@pytest.mark.parametrize("page", HOUSE_PAGES)
def test_every_name_of_code_that_the_page_gives_is_there(page: str) -> None:
    _, words = _tree()
    names = [name for name in _named(page) if re.fullmatch(r"[A-Za-z_.]+", name) and re.search(r"[A-Z_]", name)]
    assert [name for name in names if not words.issuperset(name.strip(".").split("."))] == []


def test_every_decision_is_ten_lines_and_listed() -> None:
    folder = ROOT / "docs/decisions"
    listed = re.findall(r"\]\((\S+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.name for path in folder.glob("*.md") if path.name != "README.md")
    assert [name for name in listed if len((folder / name).read_text(encoding="utf-8").splitlines()) > 14] == []
