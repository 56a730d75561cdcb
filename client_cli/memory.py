"""What the terminal client remembers between two runs: who it was at which server. And what the environment says."""

from __future__ import annotations

import getpass
import json
import os
from pathlib import Path


def language() -> str:
    """ "fr" or "en", by $LC_ALL, $LC_MESSAGES, $LANG."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            return "fr" if value.lower().startswith("fr") else "en"
    return "en"


def my_name() -> str:
    """The account's name, as far as it can be a name here."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return "".join(c for c in name if c.isprintable())[:32] or "player"


def _file() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(base) / "apnap" / "people.json"


def _all() -> dict[str, str]:
    try:
        read = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def recall(url: str, name: str) -> str:
    """The token this person had at this server, or ""."""
    token = _all().get(f"{url} {name}", "")
    return token if isinstance(token, str) else ""


def remember(url: str, name: str, token: str) -> None:
    """Keep a token, readable by this account only. What cannot be written is forgotten."""
    people = _all()
    people[f"{url} {name}"] = token
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(f".{os.getpid()}")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(people, file)
        fresh.replace(path)
    except OSError:
        pass
