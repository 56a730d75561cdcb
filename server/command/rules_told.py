"""`apnap rules 119.3d --edition 2011`: what a number of an edition is, in our own words, and where each of them is shown.

The words are those of `rules_in_our_words.toml`, in French of `rules_in_our_words.fr.toml`, for chapters 800 to 811, 903, 119, 306
and 609. Below them stand the tests and scenarios that show the rule, or why a server can't show it (`rules/excused.toml` in the folder
of tests), or that nothing shows it. Nothing is taken from the rules' texts but which numbers there are. Without a checkout there
are the words alone.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from protocol.words import say
from server.command.numbering import number_in
from server.command.rules_chapters import EXCUSED, Excuses, by_edition, numbers_of

IN_OUR_WORDS = {
    "en": Path(__file__).with_name("rules_in_our_words.toml"),
    "fr": Path(__file__).with_name("rules_in_our_words.fr.toml"),
}


@cache
def in_our_words(edition: str, lang: str = "en") -> dict[str, str]:
    """What each number of an edition is: said of that edition's own number, or of the same rule's number of 2011."""
    said = tomllib.loads(IN_OUR_WORDS[lang].read_text(encoding="utf-8"))
    moved = {here: words for number, words in said["2011"].items() if (here := number_in(edition, number))}
    return moved | said[edition]


def told(
    number: str, edition: str, shown: dict[str, list[str]] | None, excuses: Excuses, lang: str = "en"
) -> list[str]:
    """The lines about a number of an edition: what it is elsewhere, what it says, then what shows it, or why nothing does; where no
    tests are at hand (None), nothing of that. Names of tests and reasons are the checkout's own and English."""
    lines = [say(f"rules.of_{edition}", lang, number=number) + _elsewhere(number, edition, lang)]
    lines += [f"  {words}" for words in [in_our_words(edition, lang).get(number)] if words]
    if shown is None:
        return lines
    names = by_edition(edition, shown).get(number, [])
    why = by_edition(edition, {one.rule: [one.why] for one in excuses.excuse}).get(number, [])
    lines += [f"  {say('rules.shown', lang, by=_words(name))}  ({name.partition('::')[0]})" for name in names]
    lines += [f"  {say('rules.not_shown', lang, why=reason)}" for reason in ([] if names else why)]
    letters = [n for n in by_edition(edition, shown) if n[:-1] == number and n[-1].isalpha()]
    if not names and not why:
        by_letters = say("rules.by_letters", lang, letters=", ".join(letters))
        lines.append(f"  {by_letters if letters else say('rules.nothing', lang)}")
    return lines


def _elsewhere(number: str, edition: str, lang: str) -> str:
    """ ", which is 119.3d of 2011" of a number of another edition, "" of one that has no other or is of 2011."""
    if edition == "2011":
        return ""
    section = number.partition(".")[0]
    chapters = {section, *(str(int(section) + off) for off in range(-6, 7))}
    try:
        here = (n for n in numbers_of("2011") if n.partition(".")[0] in chapters and number_in(edition, n) == number)
        found = next(here, "")
    except FileNotFoundError:
        return ""
    return ", " + (say("rules.which_is", lang, number=found) if found else say("rules.which_is_none", lang))


def _words(name: str) -> str:
    """ "test_a_b" and "folder/a-b/2009" as words."""
    said = name.rpartition("::")[2].removeprefix("test_").replace("_", " ").replace("-", " ")
    return said.replace("/", ": ", 1)


def run(tests: Path, numbers: list[str], edition: str, shown: dict[str, list[str]] | None, lang: str) -> int:
    """Prints the lines of each number. 1 if the edition has no such number (where its text is at hand)."""
    excuses = Excuses()
    if (tests / EXCUSED).is_file():
        excuses = msgspec.toml.decode((tests / EXCUSED).read_bytes(), type=Excuses)
    try:
        known = set(numbers_of(edition))
    except FileNotFoundError:
        known = set(numbers)
    for number in numbers:
        if number not in known and "." in number:
            print(f"apnap rules: {say(f'rules.not_in_{edition}', lang, number=number)}", file=sys.stderr)
            return 1
        print("\n".join(told(number, edition, shown, excuses, lang)))
    return 0
