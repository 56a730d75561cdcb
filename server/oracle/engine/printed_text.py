"""From printed text to words and back: reminder text, self-references, old wording, sentence beginnings.

These are the normalisations that the grammar's round trip is up to; `docs/cards.md` lists them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from server.cards.grammar import vocabulary as v
from server.oracle.engine.grammar import Words, third
from server.oracle.engine.wordings import same_wording

_REMINDER = re.compile(r"\([^()]*\)")
_TOKEN = re.compile(
    r"\{[^{}\s]*\}(?:\{[^{}\s]*\})*|[+-]?[0-9X*]+/[+-]?[0-9X*]+|[+-][0-9X]+(?=:)|[^\s,.:;\"“”—•«»]+|[,.:;\"“”—•«»\n]"
)
# A quotation inside of a quotation, which begins with a capital letter or a symbol and ends with its sentence.
_INNER = re.compile(r"(?<=[ ,])'(?=[A-Z{+0-9])([^\"]*?[.!])'")
_QUOTED = re.compile(r"\"[^\"]*\"")
# A symbol written small ("{t}"); `{this}` and `{-}` are none.
_SYMBOL_LETTER = re.compile(r"\{[a-z](?:/[a-z])?\}")
_MANA = re.compile(r"\{[^{}]*\}")
NOT_POSSESSIVE = frozenset(("it's", "that's", "C'tan", "Urza's", "there's", "who's", "she's", "he's", "what's"))
THIS = "{this}"
SELF_WORDS = frozenset(
    (
        "creature", "spell", "land", "artifact", "enchantment", "permanent", "Aura", "Equipment", "Vehicle", "planeswalker",
        "card", "token", "Saga", "Class", "Mount", "Fortification", "Siege", "Spacecraft", "Room", "Curse", "Case", "emblem",
    )
)  # fmt: skip
_ARTICLES = ("The", "One", "All", "Each", "Another", "You", "Your")
_SUBTYPES = frozenset(many for one in v.SUBTYPES for many in (one, *v.plurals(one)))
_NO_FIRST_NAMES = _SUBTYPES - v.PLANESWALKER_TYPES  # those are first names of legends, too


_DASH = re.compile(
    r"\s*--+\s*|\s+[-–]\s+|(?<=[Uu]pkeep)-(?=[A-Z{])|(?<=[Ww]ard)-(?=[A-Z{])|(?<=onto Arcane)-(?=[A-Z])"
    r"|(?<=(?:uspend|nforce) [0-9X])-(?=\{)|(?<=uspend 1[0-9])-(?=\{)"
)


# "Buyback-Sacrifice a land.": keywords at the beginning of a line.
_KEYWORD_DASH = re.compile(
    r"^((?:Buyback|Cumulative upkeep|Cycling|Echo|Entwine|Equip|Escape|Evoke|Flashback|Kicker|Madness|Megamorph|Morph))-(?=[A-Z{])",
    re.MULTILINE,
)


def dashes(text: str) -> str:
    """The text with the dash of the rules wherever lists write hyphens for it."""
    text = _KEYWORD_DASH.sub(r"\1 — ", text)
    return _DASH.sub(" — ", text).replace("—", " — ").replace("  ", " ")


def without_reminders(text: str) -> str:
    """The text without what stands in parentheses."""
    before = ""
    while before != text:
        before, text = text, _REMINDER.sub("", text)
    return text


_MOST = r"(?:greatest|highest|least|lowest)"
_STAT = r"(?:power|toughness|mana value|converted mana cost)"
# 609.5: what is said of ties in a sentence of its own goes to the noun of which it is said.
_TIED = re.compile(
    rf"(\bthe [^.]*? with the {_MOST} {_STAT}(?: among [a-z ]+)?)([^\n]*?)"
    rf" If two or more \w+ are tied for (?:the )?{_MOST} {_STAT}, you choose one of them\."
)


def with_ties_said(text: str) -> str:
    """The text with "If two or more creatures are tied for least power, you choose one of them." said of the creature itself."""
    return _TIED.sub(r"\1, your choice if tied\2", text)


def tokens(text: str) -> list[str]:
    """The words of a text; punctuation and possessives stand alone."""
    text = text.replace("’", "'").replace("‘", "'").replace("−", "-").replace("“", '"').replace("”", '"')
    text = _QUOTED.sub(lambda quotation: _INNER.sub(r"«\1»", quotation[0]), text)
    text = _SYMBOL_LETTER.sub(lambda m: m[0].upper(), text.replace("Æ", "AE").replace("{snow}", "{S}"))
    found: list[str] = []
    for word in _TOKEN.findall(text):
        if word.endswith("'s") and word not in NOT_POSSESSIVE and word.lower() not in NOT_POSSESSIVE and len(word) > 2:
            found += [word[:-2], "'s"]
        elif word.endswith("s'"):
            found += [word[:-1], "'s"]
        elif word.startswith("'") and found and word != "'s":
            found += [word]
        else:
            found.append(word)
    return _with_outer_stops(found)


def _with_outer_stops(words: list[str]) -> list[str]:
    """The words with a full stop that ends a quotation and its sentence behind the quotation mark, if a sentence follows."""
    quoted = False
    for i in range(len(words) - 2):
        quoted ^= words[i] == '"'
        if quoted and words[i] == "." and words[i + 1] == '"' and words[i + 2][:1].isupper():
            words[i : i + 2] = ['"', "."]
            quoted = False
        elif quoted and words[i : i + 3] == [",", '"', "where"]:
            words[i : i + 2] = ['"', ","]
            quoted = False
    return words


def names_of(name: str) -> tuple[tuple[str, ...], ...]:
    """The ways in which a card's text may name the card, the longest first."""
    whole = name.replace("’", "'")
    ways = [whole]
    if ", " in whole:
        ways.append(whole.split(", ")[0])
    for mark in (" of the ", " of ", " the "):
        if mark in whole and whole.split(mark)[0] not in _NO_FIRST_NAMES:
            ways.append(whole.split(mark)[0])
    return tuple(dict.fromkeys(tuple(tokens(unaccented(way))) for way in ways if way))


def unaccented(text: str) -> str:
    """The text without accents, which lists write or leave out."""
    if text.isascii():
        return text
    return "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))


def is_no_name(word: str) -> bool:
    """Whether texts mean something else by a name's first word: a type, or any other ("The")."""
    return word in _SUBTYPES or word in _ARTICLES or word in _COST_VERBS


# Costs after the first begin with a capital letter too ("{T}, Sacrifice a creature: ...").
_COST_VERBS = frozenset(
    (
        "Sacrifice",
        "Discard",
        "Remove",
        "Pay",
        "Exile",
        "Return",
        "Tap",
        "Untap",
        "Put",
        "Reveal",
        "Mill",
        "Exert",
        "Blight",
        "Behold",
        "Forage",
        "Collect",
    )
)


# Words that some lists write with a capital letter inside of a sentence ("Flying, Reach", "Enchant Creature").
_MISCAPITALIZED = frozenset(
    (*v.CARD_TYPES, *(k for k in v.PLAIN_KEYWORDS if " " not in k), "multicolored", "monocolored")
)


def lowered(words: list[str]) -> list[str]:
    """The words with the first of each sentence in small letters, unless it is a subtype or a name."""
    start = True
    quoted = False
    for i, word in enumerate(words):
        if i and words[i - 1] == "," and word in _COST_VERBS:
            words[i] = word = word.lower()
        if word in ('"', "«", "»"):
            quoted = not quoted if word == '"' else quoted
            start = word == "«" or word == '"' and quoted
            continue
        elif word.lower() in _MISCAPITALIZED and word[:1].isupper() and not (i and words[i - 1] == "named"):
            words[i] = word = word.lower()
        if start and word[:1].isupper() and not _keeps(word):
            words[i] = word[0].lower() + word[1:]
        start = word in (".", ":", "•", "\n", "—", "|")
    return words


def _keeps(word: str) -> bool:
    return word in _SUBTYPES or word == "X" or "/" in word


# "{this} gets +1/+1 and has ...": a quotation after it is an ability that {this} itself has.
_ITSELF = re.compile(
    rf"(?:(?:^|[.,:—\n] ){re.escape(THIS)}|[Aa]s long as {re.escape(THIS)} is enchanted , it"
    rf"|[Ww]henever {re.escape(THIS)} (?:attacks|blocks) , it)"
    r" (?:gets \S+ (?:and|,) )?(?:has|gains) (?:[a-z ,]+ and (?:has )?)?$"
    rf"|{re.escape(THIS)} was kicked [^.\"]*, it enters [^.\"]* on it and with $"
    rf"|you may have {re.escape(THIS)} gain $"
)


def with_this(words: list[str], names: tuple[tuple[str, ...], ...], own: bool = False) -> list[str]:
    """The words with the card's own name as {this}; inside quotes the name means the card, not who has the ability, if that is
    another object (201.4b): not if all is said of its `own` abilities."""
    found: list[str] = []
    i = 0
    quoted = elsewhere = False
    while i < len(words):
        if words[i] == '"':
            quoted = not quoted
            elsewhere = quoted and not own and _ITSELF.search(" ".join((*found[-24:], ""))) is None
        taken = 0
        if not elsewhere:
            for name in names:
                size = len(name)
                if size and tuple(map(unaccented, words[i : i + size])) == name and not _in_name(words, i):
                    taken = size
                    break
        if taken:
            found.append(THIS)
            i += taken
            continue
        if words[i] == "this" and i + 1 < len(words) and words[i + 1] in (*SELF_WORDS, "vehicle", "equipment", "saga"):
            found.append(THIS)
            i += 2
            continue
        found.append(words[i])
        i += 1
    return found


def _in_name(words: list[str], at: int) -> bool:
    """Whether what begins there is said as a name, or within one ("a token named Kobolds of ...")."""
    while at and (words[at - 1][:1].isupper() or words[at - 1] in ("of", "the")):
        at -= 1
        if words[at] == "Partner":
            return True
    return bool(at) and (words[at - 1] == "named" or words[max(0, at - 3) : at] == ["meld", "them", "into"])


_CHOICES: tuple[list[str], ...] = (
    ["of", "their", "choice"],
    ["of", "his", "or", "her", "choice"],
    ["of", "that", "player", "'s", "choice"],
)
_NO_KIND = frozenset(
    (".", ",", ":", '"', "'s", "a", "an", "two", "player", "opponent", "players", "opponents", "target")
)


def _with_choosers(words: list[str]) -> list[str]:
    """The words with "target creature of their choice" as one "of the player's choice": elsewhere such words say only that who
    does something chooses what. Where no player is spoken of it could be anybody's, and is not read."""
    told = any(
        words[i : i + 2] == ["that", "player"] or words[i : i + 2] == ["attacking", "player"] for i in range(len(words))
    )
    for i in range(len(words) - 1, 0, -1):
        for said in _CHOICES:
            if words[i : i + len(said)] == said and "target" in words[:i]:
                aimed = i - 1 - words[:i][::-1].index("target")
                if not _NO_KIND & set(words[aimed + 1 : i]) - {"player"} and words[aimed + 1] not in _NO_KIND:
                    words[i : i + len(said)] = ["of", "the" if told else "some", "player", "'s", "choice"]
    return words


def words_of(line: str, names: tuple[tuple[str, ...], ...]) -> Words:
    """The words of one line of a card, normalised."""
    words = with_this(_named_tokens(tokens(line)), names)
    said = _token_first(same_wording(_with_choosers(with_this(lowered(words), ()))))
    return tuple(_differences(_exiled_with(_with_source(_with_foremost(said)))))


_OF_EACH_OTHER = ["than", "each", "other", "player", ",", "that", "player"]


def _with_foremost(words: list[str]) -> list[str]:
    """The words with who controls the most of a kind for "that player" ("if a player controls more Walls than each other player, that
    player ...")."""
    for i in range(len(words) - 8):
        if words[i : i + 4] == ["a", "player", "controls", "more"]:
            end = next((j for j in range(i + 5, len(words)) if words[j] == "than"), len(words))
            if words[end : end + 7] == _OF_EACH_OTHER:
                who = ["the", "player", "who", "controls", "the", "most", *words[i + 4 : end]]
                return [*words[: end + 5], *who, *words[end + 7 :]]
    return words


def _named_tokens(words: list[str]) -> list[str]:
    """The words with {this} for a token's name in what is said of it (201.4b), and with what it has before its name."""
    for i in range(len(words) - 1):
        if words[i] != "token" or words[i + 1] != "named":
            continue
        end = next((j for j in range(i + 2, len(words)) if not words[j][:1].isupper()), len(words))
        name = words[i + 2 : end]
        there = 3 * (words[end : end + 3] == _PUT_THERE[:3])
        has = end + there
        if words[has : has + 3] != [".", "It", "has"] or '"' not in words[has:] or not name:
            return words
        last = len(words) - words[::-1].index('"')
        if all(words[k : k + len(name)] != name for k in range(has, last)):
            return words
        said = with_this(words[has + 3 : last], (tuple(name),), True)
        said = [word for k, word in enumerate(said) if said[k : k + 3] != [",", "and", '"']]
        return [*words[: i + 1], "with", *said, *words[i + 1 : has], *(words[last:] or ["."])]
    return words


_PUT_THERE = ["onto", "the", "battlefield", "with", '"']


def _token_first(words: list[str]) -> list[str]:
    """The words with where a token is put behind all that it has ("put a token onto the battlefield with '...'")."""
    for i in range(len(words) - 5):
        if words[i : i + 2] == ["may", "put"] and words[i - 1] != "you":  # what others may do, as today's texts say it
            end = next((j for j in range(i, len(words)) if words[j] in ("token", "tokens", ".", ",")), len(words))
            if words[end : end + 1] in (["token"], ["tokens"]) and words[end + 1 : end + 4] == _PUT_THERE[:3]:
                return [*words[: i + 1], "create", *words[i + 2 : end + 1], *words[end + 4 :]]
        if words[i] in ("token", "tokens") and words[i + 1 : i + 6] == _PUT_THERE:
            end = next((j for j in range(i + 6, len(words)) if words[j] == '"'), None)
            if end is None:
                return words
            ability = words[i + 4 : end + 1]
            return [*words[: i + 1], *ability, *_PUT_THERE[:3], *words[end + 1 :]]
    return words


_DIFFERENCE = ["equal", "to", "the", "difference"]
_YOURS = ["the", "number", "of", "cards", "in", "your", "hand"]
_MORE_THAN_YOU = ["that", "player", "has", "more", "cards", "in", "hand", "than", "you"]


def _differences(words: list[str]) -> list[str]:
    """The words with what "the difference" is between: so many cards, or theirs, and those in your hand."""
    place = next((i for i in range(len(words) - 3) if words[i : i + 4] == _DIFFERENCE), None)
    if place is None:
        return words
    for i in range(place - 7):
        than: list[str] = []
        if words[i : i + 4] == ["you", "have", "fewer", "than"] and words[i + 5 : i + 8] == ["cards", "in", "hand"]:
            than = [words[i + 4]]
        elif words[i : i + len(_MORE_THAN_YOU)] == _MORE_THAN_YOU:
            than = ["the", "number", "of", "cards", "in", "that", "player", "'s", "hand"]
        if than:
            return [*words[: place + 2], *than, "minus", *_YOURS, *words[place + 4 :]]
    return words


def _exiled_with(words: list[str]) -> list[str]:
    """The words with {this} for "it" in "when {this} leaves the battlefield, return all cards exiled with it": what a target
    would be stands nearer. Of a card that enters it is what was exiled to cast it."""
    for i in range(2, len(words) - 2):
        if (
            words[i : i + 3] == ["exiled", "with", "it"]
            and THIS in words[:i]
            and "target" not in words[:i]
            and words[1] != "enters"
        ):
            words[i + 2] = THIS
    return words


def _with_source(words: list[str]) -> list[str]:
    """The words with {this} for "it" in "if {this} was kicked, it deals 3 damage": what was spoken of before deals nothing."""
    if "deals" not in words or "was" not in words:
        return words
    for i in range(len(words) - 3):
        if words[i : i + 3] == ["if", THIS, "was"]:
            end = next((j for j in range(i, len(words)) if words[j] in (",", ".")), len(words))
            if words[end + 1 : end + 3] == ["it", "deals"] and words[end + 3 : end + 4] != ["damage"]:
                words[end + 1] = THIS
    return words


# --- words to text --------------------------------------------------------------------------------------------------------

_SINGULAR = frozenset(
    ("target", "each", "that", "a", "an", "another", "enchanted", "equipped", THIS, "it", "'s", "controller", "owner",
     "defending", "player", "opponent", "creature", "permanent", "spell", "card", "token", "land", "artifact",
     "enchantment", "one")
)  # fmt: skip


# What begins a part of a sentence that is no subject of what follows.
_OPENERS = frozenset(
    ("when", "whenever", "at", "if", "as", "until", "where", "for", "unless", "during", "put", "return")
)
_MANY = frozenset(
    ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "X", "many", "eleven", "twelve")
)


@lru_cache(maxsize=65536)
def text_of(words: Words) -> str:
    """Words as people read them: verbs agreeing with their subjects, sentences with capitals, punctuation closed up."""
    text = ""
    start = True
    quoted = False
    subject: list[str] = []
    before: list[str] = []
    many = said = opening = False
    for i, word in enumerate(words):
        if word == '"':
            quoted = not quoted
            text += (" " if quoted and text and not text.endswith(" ") else "") + '"'
            start = quoted
            subject = []
            continue
        if word in ("«", "»"):
            text += " '" if word == "«" else "'"
            start = word == "«"
            subject = []
            continue
        if word.endswith("~"):
            if not subject and not before:
                subject.append("you")  # an instruction
            word = third(word[:-1]) if _third_person(subject or before) else word[:-1]
            said = True
        if word in _MANY:
            many = True
        elif word in ("counter", "token", "card") and words[i + 1 : i + 2] not in (("type",), ("types",)):
            word, many = word + "s" * many, False
        elif word in (".", ",", ":", "—", "•", "on", "from", "to", "a", "an", "of", "is", "that", "the"):
            many = False
        subject.append(word)
        if word == "'s":
            text += "'" if text.endswith("s") and not text.endswith("this") else "'s"
            continue
        if word in (".", ",", ":", ";"):
            text += word
        else:
            if start:
                word = word[:1].upper() + word[1:]
            text += ("" if not text or text.endswith(('"', "'", "\n")) and start else " ") + word
        start = word in (".", ":", "•", "\n", "—", "|")
        if start:
            opening = said = False
        if word in (",", "then", "and") and len(subject) > 1:
            opens = subject[0] in _OPENERS
            opening = opens or opening and not said
            said = said and not opens
            before, subject = ([] if opening else subject), []
        elif word in (".", ":", "•", "\n", "—", ",", "then", "may", "and", "unless"):
            before, subject = [], []
    return text


def _third_person(subject: list[str]) -> bool:
    if not subject or subject[0] in ("you", "they", "each", "any") and subject[1:2] == ["of"]:
        return False
    if subject[0] in ("you", "they", "all", "those", "creatures", "two", "three", "any"):
        return False
    if subject[0] in _MANY:
        return False
    if subject[0] == "up":
        return subject[2:3] == ["one"]
    return any(word in _SINGULAR or word.startswith("$") for word in subject)
