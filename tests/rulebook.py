"""The texts of the rules among the shared files: what stands under a number, and the title of what it belongs to."""

from __future__ import annotations

import re
from pathlib import Path

TEXTS = {
    "2009": "comprehensive-rules.2009-10-01.txt",
    "2011": "comprehensive-rules.2011-09-30.txt",
    "current": "comprehensive-rules.2026-02-27.txt",
}
LINE = re.compile(r"([1-9]\d\d(?:\.\d+[a-z]?)?)\.? (.+)")


class Rulebook:
    """One edition's text: `texts` has the text (of 701 and 702 the title) under each number, "702.24" or "702.24k"."""

    def __init__(self, shared: Path, edition: str) -> None:
        self.texts: dict[str, str] = {}
        for line in (shared / "rules" / TEXTS[edition]).read_text(encoding="utf-8-sig").splitlines():
            if found := LINE.match(line.lstrip()):
                self.texts[found[1]] = found[2].replace("’", "'")

    def __contains__(self, number: str) -> bool:
        return number in self.texts

    def title(self, number: str) -> str:
        """What the number is about: of 701 and 702 the keyword ("Phasing"), of others the title of the chapter ("Damage")."""
        keyword = re.match(r"70[12]\.(?!1[a-z]?$)\d+", number)
        return self.texts[keyword[0] if keyword else number.partition(".")[0]]

    def about(self, number: str) -> str:
        """The title and the text under a number, in small letters."""
        return f"{self.title(number)} {self.texts[number]}".lower()
