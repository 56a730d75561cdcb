"""From a card's text to its paragraphs: lines that a list has broken, modes, words before a dash that mean nothing.

A paragraph is what is read as one ability, modes with what they belong to. Lists break long lines anywhere, so a line that
cannot begin a paragraph goes on the one before.
"""

from __future__ import annotations

import re

from server.cards.grammar import vocabulary as v
from server.cards.loading import READ_KEYWORDS
from server.oracle.engine.grammar import Words
from server.oracle.engine.printed_text import dashes, is_no_name, names_of, words_of

# Ability words (207.2c): they stand in small letters, so they are told by name.
ABILITY_WORDS = frozenset(
    tuple(word.split())
    for word in (
        "adamant", "addendum", "alliance", "battalion", "bloodrush", "celebration", "channel", "chroma", "cohort", "constellation",
        "converge", "corrupted", "coven", "delirium", "descend 4", "descend 8", "domain", "eminence", "enrage", "fateful hour",
        "fathomless descent", "ferocious", "flurry", "formidable", "grandeur", "hellbent", "heroic", "imprint", "infusion", "inspired",
        "join forces", "kinship", "landfall", "lieutenant", "magecraft", "metalcraft", "morbid", "pack tactics", "paradox",
        "parley", "radiance", "raid", "rally", "renew", "revolt", "secret council", "spell mastery", "strive", "survival", "sweep",
        "temptation", "threshold", "undergrowth", "valiant", "vivid", "void", "will of the council", "council 's dilemma",
    )
)  # fmt: skip
# Words before a dash that do mean something, besides keywords and the chapters of a Saga.
MEANINGFUL = frozenset(
    (
        "boast", "exhaust", "max", "power-up", "solved", "companion", "visit", "prize", "partner", "gift", "friends", "doctor's",
        "hidden", "megamorph", "specialize", "legendary", "creature", "artifact", "enchantment", "instant", "sorcery", "land",
        "choose", "to", "fuse", "tiered", "station", "teamwork", "jump-start", "typecycling", "chapter", "specialize", "escape",
    )
)  # fmt: skip
# A row of a table of a die's results ("1 — 9 | ...").
_ROW = re.compile(r"\d+(?: ?[-–—] ?\d+)? ?\| ")
# A station symbol: what stands below it is its own up to the next one (current 721.2).
# A class level: what stands below it likewise (current 716.2a).
_SYMBOL = re.compile(
    r"(?:STATION|Station) \d+\+|(?:LEVEL|Level) \d+(?:-\d+|\+)(?!\S)(?!\s*—)|(?:\{[^{}]+\})+: Level \d+$", re.MULTILINE
)
_CLASS_LEVEL = re.compile(r"^((?:\{[^{}]+\})+: Level \d+) — ", re.MULTILINE)
# A ruling that a list keeps under the text is no part of it.
# How modes are limited before they are said.
_LIMITED = re.compile(r"(: Choose [^.\n]+)\. (Activate [^.\n]+\.)((?:\n[•*] [^\n]+)+)")
_RULING = re.compile(r"^Rulings?(?: ?\(| *$)", re.MULTILINE)
_DATED = re.compile(r"\d+/\d+/\d+: ")
# Sentences that only go on with what was said: a list that broke the line before them made no new paragraph.
_GOES_ON = re.compile(
    r"(?:Put (?:the rest|one of|two of|that|those|them|it)|If you (?:do|don't|can't|didn't|win|lose)\b"
    r"|If (?:that|it|you search your library this way)\b|Otherwise\b|Then |You may (?:put|reveal) [^.]* from among"
    r"|You may choose new targets|Activate (?:this ability |no more|only)|This ability triggers only|Do this only"
    r"|That (?:player|creature|card|token|land) |Those |(?:Return|Exile) (?:it|that|them)\b|It (?:gains|gets|has|deals|enters)"
    r"|They (?:gain|get)|Spend this mana|This effect can't|You may (?:cast|play) (?:it|that card|those cards|them)\b)"
)
# A paragraph about what the one before it does instead (614.15); what something *would* do is a paragraph of its own.
_INSTEAD = re.compile(
    r"(?:(?P<word>[A-Z][a-z0-9' ]+?) — )?(?P<rest>(?:(?P<early>If )?(?:(?! would )[^.])*? instead(?P<late> if [^.]+)?"
    r"|If (?:(?! would )[^.])+?, (?P<first>instead) [^.]+)\.)"
)
# Two abilities in one line: what is done as it attacks, and what that triggers.
_EXERTED = re.compile(r"(You may exert [^.\n]+ as (?:it|he|she) attacks\.) When you do, ")
_ROMAN = re.compile(r"[IVX]+,?")
# What a mode is called means nothing either ("• Breathe Flame — ...").
_LABEL = re.compile(
    r"\n• (?:[A-Z][\w',!?-]*(?: (?:[A-Z][\w',!?-]*|of|the|a|an|to|in|on|for|with|and|your))*) — (?=[A-Z])"
)
_FLAVOR = re.compile(r"(?P<words>[A-Z0-9][^{}:.;\"—•*\n]{1,60}?) — (?P<rest>[A-Z{+].*)", re.DOTALL)


# A choice of two anchor words, each with an ability in a paragraph of its own (current 614.12b).
_ANCHORS = re.compile(r"As .* enters[^.]*, choose [A-Z]\w* or [A-Z]\w*\.?$")


_LEAST_X = " X can't be 0."


def paragraphs(text: str, spell: bool = False) -> list[str]:
    """The paragraphs of a text, modes with what they belong to. What a `spell` says of its X is one of its own."""
    found: list[str] = []
    text = text.replace(_LEAST_X, f"\n{_LEAST_X.strip()}") if spell else text
    text = _CLASS_LEVEL.sub(r"\1\n", dashes(text))
    ruling = _RULING.search(text)
    text = _LIMITED.sub(r"\1 —\3\n\2", text)
    text = _EXERTED.sub(r"\1\nWhenever you exert this creature, ", text)
    for line in dashes(text[: ruling.start()] if ruling else text).splitlines():
        line = line.strip().replace("— * ", "—\n• ")
        if not line or _DATED.match(line):
            continue
        if (
            found
            and _SYMBOL.match(found[-1])
            and not _SYMBOL.match(line)
            or found
            and _ROW.match(line)
            or line[0] == "+"
            and found
            and found[-1].lower().startswith("spree")
        ):
            found[-1] += "\n" + line
        elif found and (rest := _instead(line)):
            found[-1] += " " + rest
        elif line[0] in "•*" and found and (_ANCHORS.match(found[-1]) or found[-1].startswith("• ")):
            found.append("• " + line[1:].strip())
        elif line[0] in "•*" and found:
            found[-1] += "\n• " + line[1:].strip()
        elif found and "\n• " in found[-1] and line.startswith("Activate "):
            found[-1] += "\n" + line
        elif found and line.startswith("or ") and _choosing(found[-1]):
            found[-1] = f"{found[-1].rstrip().rstrip(';')}; {line}"
        elif found and _goes_on(found[-1], line):
            found[-1] += " " + line
        else:
            found.append(line)
    return [_bulleted(_closed(line)) for line in found]


def _closed(line: str) -> str:
    """The line with the quotation mark that a list has left out at its end."""
    marks = line.replace("“", '"').replace("”", '"').count('"')
    return line + '"' if marks % 2 else line


def _goes_on(before: str, line: str) -> bool:
    """Whether a line is the rest of the one before, which a list has broken."""
    if "\n" in before:
        return False
    if before[-1] in '."”' and _GOES_ON.match(line):
        return True
    if before.endswith((",", " and", " or", " the", " a", " of", " to", " with")):
        return not _keyword_line(before.rstrip(","))
    if before.endswith((".", '"', ":", "—", "!", ")", ";")) or _keyword_line(before):
        return False
    return line[0].islower()


def _instead(line: str) -> str:
    """What is done instead of what the paragraph before says, without the ability word ("Metalcraft — It deals 4 damage
    instead if ..."); "" if the line is none of that."""
    one = _INSTEAD.fullmatch(line)
    if one is None or not (one["late"] or one["word"] and (one["early"] or one["first"])):
        return ""
    known = one["word"] is None or tuple(one["word"].lower().split()) in ABILITY_WORDS
    return one["rest"] if known else ""


def _keyword_line(line: str) -> bool:
    """Whether a line is nothing but keyword abilities, which lists write in small letters and without full stop."""
    return all(_keyword_first(part.split()) for part in re.split("[,;]", line) if part.strip())


def _keyword_first(words: list[str]) -> bool:
    """Whether words begin with the name of a keyword ability."""
    return any(" ".join(words[:size]).lower() in v.KEYWORDS for size in (1, 2, 3))


def _choosing(line: str) -> bool:
    return line.partition(" — ")[0].lower().endswith(("choose one", "choose one or both", "choose two"))


def _bulleted(line: str) -> str:
    """Modes in one line ("Choose one — A; or B.") as bullets."""
    head, found, rest = line.partition(" — ")
    rest = rest.replace("; and/or ", "; or ")
    if (
        not found
        or "; or " not in rest
        or not head.lower().endswith(("choose one", "choose one or both", "choose two", "choose one or more"))
    ):
        return line
    modes = [mode.strip().rstrip(".") + "." for part in rest.split("; or ") for mode in part.split("; ")]
    return "\n".join((f"{head} —", *(f"• {mode[:1].upper()}{mode[1:]}" for mode in modes)))


def without_flavor(line: str) -> str:
    """A paragraph without a flavor word before it: words and a dash that mean nothing (current 207.2d)."""
    found = _FLAVOR.match(line)
    if found is None:
        return line
    words = found["words"]
    first = words.split()[0]
    titled = (
        len(words.split()) == 2 and words == words.title() and words[-1].isalpha() and words.lower() not in v.KEYWORDS
    )
    known = (
        _keyword_first(words.split())
        and not titled
        or first.lower() in MEANINGFUL
        or _ROMAN.fullmatch(first) is not None
        or words.endswith("villainous choice")
    )
    if known or "," in words and words.startswith(("When", "At ", "As ", "If ")) or len(words.split()) > 8:
        return line
    return found["rest"]


def line_words(line: str, name: str) -> Words:
    """A paragraph's words without an ability word or flavor word before them."""
    line = _LABEL.sub("\n• ", line)
    words = words_of(line, names_of(name))
    for size in (1, 2, 3, 4):
        if tuple(word.lower() for word in words[:size]) in ABILITY_WORDS and words[size : size + 1] == ("—",):
            return words_of(line.split("—", 1)[1].strip(), names_of(name))
    return words_of(without_flavor(line), names_of(name))


#: Creature types that lists write in the newer way on the type line and in the older way in texts.
_RENAMED_TYPES = (("Hound", "Dog"),)


def with_types_as_shown(text: str, name: str, subtypes: tuple[str, ...]) -> str:
    """The text with a creature type called as on the card's own type line; a name keeps its words."""
    for old, new in _RENAMED_TYPES:
        if new in subtypes and old not in name:
            text = re.sub(rf"\b{old}(s?)\b", rf"{new}\1", text)
    return text


_SHORTENED = re.compile(r"[A-Z][\w'’-]{2,}(?: [A-Z][\w'’-]*)*")


def with_whole_name(text: str, name: str, types: str) -> str:
    """The text with a shortened name of a legend as its whole name (201.4c); a possessive, an article or a type is none."""
    if "Legendary" not in types.split():
        return text
    words = name.split(",")[0].split()
    for size in range(len(words) - 1, 0, -1):
        short = " ".join(words[:size])
        if not _SHORTENED.fullmatch(short) or is_no_name(short) or short.endswith(("'s", "’s")):
            continue
        text = re.sub(rf"(?<!named )\b{re.escape(short)}\b(?! [A-Z]| {re.escape(words[size])}(?!\w))", name, text)
    return text


_REMINDED = re.compile(r"^([A-Z][a-z ]+?) *\(([^()]*)\)", re.MULTILINE)
# A ruling with its date, and its quoted lines.
_NOTED = re.compile(r"^.*\(\d{4}-\d\d-\d\d\)\s*$(?:\n>.*$)*", re.MULTILINE)
# "12+ | {T}: ...": a station symbol and what stands beside it, in one line.
_STATION_ROW = re.compile(r"^(\d+\+) \| (.+)$", re.MULTILINE)
_CREATURE_AT = "artifact creature at"
_COST = re.compile(r"(?:\{[^{}]+\})+")
_CUT_IN_TWO = re.compile(r"\{([1-9])\}0(?=[:,. ])")  # "{1}0" is what a list makes of "{10}"


def with_costs(text: str) -> str:
    """The text with the costs of keywords that a list prints in the reminder text alone ("Multikicker (You may pay an
    additional {G} ...)")."""

    text = _CUT_IN_TWO.sub(r"{\g<1>0}", text)
    if _CREATURE_AT not in text:  # of what becomes a creature the list does not say how large
        text = _STATION_ROW.sub(r"STATION \1\n\2", text)

    def spelled_out(found: re.Match[str]) -> str:
        cost = _COST.search(found[2])
        takes = READ_KEYWORDS.get(found[1].lower())
        return f"{found[1]} {cost[0]}" if takes == "cost" and cost else found[0]

    return _REMINDED.sub(spelled_out, _NOTED.sub("", text))
