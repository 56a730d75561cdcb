"""What is known of the versions in `requirements.lock`: advisories where pip-audit and its data can be had, else how
long each has been locked.

`make audit`. Exit code 1 if a locked version has a known advisory. Ages come from this repository's history: a version
that has stood in the lock for long is one that nobody has looked at for as long.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements.lock"
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
COMMIT = re.compile(r"^@(\d{4}-\d{2}-\d{2})$")
ADDED = re.compile(r"^\+([A-Za-z0-9._-]+)==([^ ;\\]+)")
OLD_DAYS = 365


def locked(text: str) -> dict[str, str]:
    """Versions by name."""
    return dict(PINNED.findall(text))


def since(history: str) -> dict[tuple[str, str], date]:
    """When each (name, version) came into the lock, the last time; `history` is the lock's log with its changes, the latest first."""
    found: dict[tuple[str, str], date] = {}
    day = date.min
    for line in history.splitlines():
        if commit := COMMIT.match(line):
            day = date.fromisoformat(commit[1])
        elif added := ADDED.match(line):
            found.setdefault((added[1], added[2]), day)
    return found


def advisories(said: str) -> dict[str, list[str]] | None:
    """By name the advisories that pip-audit told of; None where it could look nothing up."""
    try:
        told: list[dict[str, Any]] = json.loads(said)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    if not any("vulns" in one for one in told):
        return None
    return {one["name"]: [known["id"] for known in one["vulns"]] for one in told if one.get("vulns")}


def _audit() -> str:
    words = [
        "pip_audit",
        "-r",
        LOCK,
        "--require-hashes",
        "--disable-pip",
        "--format",
        "json",
        "--progress-spinner",
        "off",
    ]
    return subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True).stdout


def main() -> int:
    """Print."""
    versions = locked((ROOT / LOCK).read_text())
    known = advisories(_audit())
    if known is None:
        print("pip-audit or its data cannot be had here: no advisory was looked up.")
    else:
        for name, ids in sorted(known.items()):
            print(f"{name} {versions.get(name, '')}: {', '.join(ids)}")
        print(f"{len(versions)} locked versions, {len(known)} with a known advisory.")
    git = ["git", "log", "-p", "--format=@%as", "--", LOCK]
    came = since(subprocess.run(git, cwd=ROOT, capture_output=True, text=True).stdout)
    today = datetime.now(UTC).date()
    for name, version in sorted(versions.items()):
        day = came.get((name, version))
        age = "of unknown age" if day is None else f"locked {(today - day).days} days ago"
        print(f"  {name:28} {version:14} {age}{'  OLD' if day and (today - day).days > OLD_DAYS else ''}")
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main())
