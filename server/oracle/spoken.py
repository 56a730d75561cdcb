"""How people at a table say what cards say: a line in a person's words as a card would print it, and rules for what no card says so."""

from __future__ import annotations

import re
from functools import lru_cache

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S
from server.oracle.full_grammar import grammar

WHAT = S.what
_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|X)"
_PLAYER = r"\$player\d+"
_BEGINS = r"(?:^|(?<=[.,] )|(?<=, then )|(?<= and ))"
#: What somebody else does with a permanent that is pointed at is done all the same: in words of cards the controller does it.
_DEEDS = {
    "taps": "tap",
    "untaps": "untap",
    "destroys": "destroy",
    "exiles": "exile",
    "returns": "return",
    "puts": "put",
}

_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(said, re.IGNORECASE), printed)
    for said, printed in (
        # who
        (r"\bmyself\b|\bme\b", "you"),
        (r"\bmy (?=creatures|artifacts|enchantments|lands|planeswalkers|permanents|tokens)(\w+)", r"\g<1> you control"),
        (r"\bmy commander\b", "a commander you control"),
        (r"\bmy\b", "your"),
        (r"\bI'm\b", "you're"),
        (r"(?<![{/])\bI\b(?![}/])", "you"),
        (r"\b(?:his or her|his|her)\b", "their"),
        (
            rf"({_PLAYER})'s (creatures|artifacts|enchantments|lands|planeswalkers|permanents|tokens)\b",
            r"\g<2> \g<1> controls",
        ),
        (r"^you (?=gain control of)", ""),
        # damage
        (rf"{_BEGINS}deals? (?=(?:\d+|X) damage)", "{this} deals "),
        # tokens
        (r"(?<=\btokens )(?P<with>with [\w ,]+? )?tapped and attacking$", r"\g<with>that are tapped and attacking"),
        (r"(?<=\btoken )(?P<with>with [\w ,]+? )?tapped and attacking$", r"\g<with>that's tapped and attacking"),
        (rf"\b((?:create|make)s?) ({_COUNT}) (.+? tokens?(?: with [\w ,]+?)?) tapped$", r"\g<1> \g<2> tapped \g<3>"),
        (rf"{_BEGINS}make (?={_COUNT} )", "create "),
        (r"\b(creates?) an tapped\b", r"\g<1> a tapped"),
        # cards and zones
        (r"\bthe top one card\b", "the top card"),
        (r"\bone mana of any one color\b", "one mana of any color"),
        (rf"\b(draws?|mills?|discards?) ({_COUNT})(?=$|,| and |\.)", r"\g<1> \g<2> cards"),
        (r"\bputs? ([^.,]+?) into exile\b", r"exile \g<1>"),
        (r"\b(puts?) ([^.,]+?) on the battlefield\b", r"\g<1> \g<2> onto the battlefield"),
        (
            rf"^({_PLAYER}) (?:puts|takes) the (top|bottom) (card|\w+ cards) of their library",
            r"put the \g<2> \g<3> of \g<1>'s library",
        ),
        (
            rf"\b(into|to|on top of|on the bottom of) (?:(?:{_PLAYER})'s|their) (hand|graveyard|library)$",
            r"\g<1> its owner's \g<2>",
        ),
        (rf"{_BEGINS}shuffle ({_PLAYER})'s library", r"\g<1> shuffles"),
        (rf"{_BEGINS}reveal ({_PLAYER})'s hand", r"\g<1> reveals their hand"),
        # the rest
        (r"^roll a die$", "roll a six-sided die"),
        (r"^phase out (.+)$", r"\g<1> phases out"),
        *((rf"^{_PLAYER} {said} (?=\$\d)", f"{printed} ") for said, printed in _DEEDS.items()),
    )
)


def as_printed(line: str) -> str:
    """The line as a sentence of a card; names of players and objects stand in it as "$player0" and "$104"."""
    line = line.rstrip(". ")
    for said, printed in _WORDS:
        line = said.sub(lambda found, printed=printed: found.expand(printed) if "\\g" in printed else printed, line)
    return line[:1].upper() + line[1:] + "."


@lru_cache(maxsize=1)
def spoken_grammar() -> Grammar:
    """The grammar of cards, and what people say besides."""
    made = grammar().copy()
    _of_named(made)
    _of_others(made)
    return made


def _named(noun: Noun | None) -> bool:
    """Whether a phrase is of things that were pointed at."""
    if noun is None:
        return False
    reading = noun.reading
    parts = reading.parts if isinstance(reading, n.Both) else (reading,)
    return all(isinstance(part, n.Named) for part in parts)


def _every(noun: Noun | None) -> bool:
    return noun is not None and isinstance(noun.reading, n.Each) and noun.text.startswith("all cards")


def _of_named(g: Grammar) -> None:
    """What cards say of targets and of "it", said of what is pointed at."""
    r = g.rule
    stat = n.StatOf(stat=S.stat, of=Noun("$dealer"))
    dealt = (
        f.Bind(as_name="dealer", what=S.w),
        f.Damage(amount=stat, to=S.to, source=Noun("$dealer")),
    )
    said = "<w:one> deal~ damage equal to its <stat> to <to:mixed>"
    r("do", said, dealt, "<w:one> deal~ damage to <to:mixed> equal to its <stat>", guard=lambda e: _named(e["w"]))
    r("do", "attach <what:things> to <to:one>", f.Attach(what=WHAT, to=S.to), guard=lambda e: _named(e["what"]))
    r("do", "unattach <what:things>", f.Attach(what=WHAT, to=None), guard=lambda e: _named(e["what"]))
    for words, who in (("discard <what:things>", Noun("you")), ("<w:other> discards <what:things>", S.w)):
        discarded = f.Discard(what=WHAT, who=who, all=True)
        r("do", words, discarded, guard=lambda e: _named(e["what"]) or _every(e["what"]))


def _of_others(g: Grammar) -> None:
    """What somebody else does, or what is done with what is theirs."""
    r = g.rule
    r("vp", "flip~ a coin", f.FlipCoin(who=S.who))
    copied = f.CopySpell(what=WHAT, who=S.w)
    r(
        "do",
        "<w:other> copies <what:one>",
        copied,
        "<w:other> copies <what:one> . they may choose new targets for the copy",
    )
    r(
        "do",
        "put <what:things> into its owner 's graveyard",
        f.Move(what=WHAT, to="graveyard"),
        "put <what:things> into their owner 's graveyard",
        guard=lambda e: isinstance(e["what"].reading, n.Top | n.Both),
    )
    under = f.Move(what=WHAT, to="battlefield", under=S.p)
    r("do", "put <what:things> onto the battlefield under <p:other> 's control", under)
    r("do", "return <what:things> to the battlefield under <p:other> 's control", under)
