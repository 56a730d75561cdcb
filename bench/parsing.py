"""Two parsing libraries and our grammar on the same lines of rules text: speed, ambiguity, printing.

    python -m venv comparison && comparison/bin/pip install -e . lark==1.3.1 parsimonious==0.11.0
    comparison/bin/python bench/parsing.py

The libraries get a subset of the grammar (8 verbs, targets, triggers, costs) as tight as it can be written for them; ours reads
with the subset's words, but with all the rules that it has. `docs/cards.md` says what follows from the figures.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version

LINES = 400
REPEATED = 3

LARK = r"""
start: trigger "," body "." | cost ":" body "." | body "."
trigger: "when {this} enters" -> enters | "whenever {this} attacks" -> attacks | "whenever {this} dies" -> dies
cost: "{T}" -> tap | MANA ", {T}" -> mana_and_tap
body: step (", then" step | "and" step)*
step: "draw" count "card" "s"? -> draw
    | "gain" NUMBER "life" -> gain
    | "destroy" target -> destroy
    | "tap" target -> tap_it
    | "{this} deals" NUMBER "damage to" target -> damage
    | "return" target "to its owner's hand" -> back
    | "put" count "+1/+1 counter" "s"? "on" target -> counters
    | target "gets" PT "until end of turn" -> gets
target: "target" kind | "up to" WORD "target" kind
kind: single tail? | single "or" kind tail?
single: ADJECTIVE? HEAD
tail: "you control" -> yours | "an opponent controls" -> theirs | "with flying" -> flying
count: "a" -> one | WORD
ADJECTIVE: "attacking" | "nonblack" | "artifact" | "tapped"
HEAD: "creatures" | "creature" | "lands" | "land" | "enchantment"
WORD: "two" | "three" | "four"
NUMBER: /[0-9]+/
PT: /[+-][0-9]+\/[+-][0-9]+/
MANA: /(\{[0-9WUBRG]+\})+/
%ignore " "
"""

PEG = r"""
start = ((trigger "," _ body) / (cost ":" _ body) / body) "."
trigger = "when {this} enters" / "whenever {this} attacks" / "whenever {this} dies"
cost = "{T}" / (mana ", {T}")
body = step ((", then " / " and ") step)*
step = draw / gain / destroy / tap / damage / back / counters / gets
draw = "draw " count " card" "s"?
gain = "gain " number " life"
destroy = "destroy " target
tap = "tap " target
damage = "{this} deals " number " damage to " target
back = "return " target " to its owner's hand"
counters = "put " count " +1/+1 counter" "s"? " on " target
gets = target " gets " pt " until end of turn"
target = ("up to " word " ")? "target " kind
kind = single (" or " single)* tail?
single = (adjective " ")? head
tail = " you control" / " an opponent controls" / " with flying"
count = word / "a"
adjective = "attacking" / "nonblack" / "artifact" / "tapped"
head = "creatures" / "creature" / "lands" / "land" / "enchantment"
word = "two" / "three" / "four"
number = ~"[0-9]+"
pt = ~"[+-][0-9]+/[+-][0-9]+"
mana = ~r"(\{[0-9WUBRG]+\})+"
_ = " "
"""

AMBIGUOUS = "tap target creature or land you control."
"""Whose is the creature? The rules' English says yours; a grammar should say that it has two readings, or have one."""


def lines() -> list[str]:
    """Lines of the subset, evenly drawn from all that its parts make."""
    targets = [
        f"{many}target {adjective}{head}{tail}"
        for many, adjective, head, tail in itertools.product(
            ("",),
            ("", "attacking ", "nonblack ", "tapped "),
            ("creature",),
            ("", " you control", " an opponent controls"),
        )
    ] + ["target land you control", "up to two target creatures", "target creature with flying"]
    steps = ["draw a card", "draw two cards", "you gain 3 life"]
    for target in targets:
        steps += [f"destroy {target}", f"tap {target}", f"{{this}} deals 2 damage to {target}"]
        steps += [f"return {target} to its owner's hand", f"put a +1/+1 counter on {target}"]
        steps += [f"{target} gets +2/+2 until end of turn"] if "up to" not in target else []
    starts = ("", "when {this} enters, ", "whenever {this} attacks, ", "{T}: ", "{2}{G}, {T}: ")
    made = [f"{start}{step}." for start in starts for step in steps if "you gain" not in step]
    made += [
        f"{start}{step}, then draw a card." for start in starts for step in steps if step.startswith(("destroy", "tap"))
    ]
    return made[:: max(1, len(made) // LINES)][:LINES]


def measured(read: Callable[[str], object], texts: Iterable[str]) -> tuple[float, int]:
    """Lines a second of CPU, the best of several runs, and how many are not read."""
    texts, best, unread = list(texts), 0.0, 0
    for _ in range(REPEATED):
        unread, start = 0, time.process_time()
        for text in texts:
            try:
                unread += read(text) is None
            except Exception:
                unread += 1
        best = max(best, len(texts) / (time.process_time() - start))
    return best, unread


def say(name: str, read: Callable[[str], object], ambiguity: str, printing: str, texts: list[str]) -> None:
    """One line of the table."""
    rate, unread = measured(read, texts)
    print(f"{name:<26}{rate:>9,.0f} lines/s  {unread:>3} unread   ambiguity: {ambiguity:<26} printing: {printing}")


def lark(texts: list[str]) -> None:
    """Lark's Earley, with all derivations and with the one it prefers."""
    from lark import Lark
    from lark.reconstruct import Reconstructor

    every = Lark(LARK, parser="earley", ambiguity="explicit")
    first = Lark(LARK, parser="earley", ambiguity="resolve", maybe_placeholders=False)
    found = sum(1 for _ in every.parse(AMBIGUOUS).find_data("_ambig"))
    say("lark Earley, all", every.parse, f"{found} _ambig node(s)", "-", texts)
    printer = Reconstructor(first)
    same = 0
    for text in texts:
        try:
            same += printer.reconstruct(first.parse(text)).replace(" ", "") == text.replace(" ", "")
        except Exception:
            pass
    say(
        "lark Earley, preferred",
        first.parse,
        "hidden",
        f"{same} of {len(texts)} word for word, from its parse tree",
        texts,
    )


def parsimonious(texts: list[str]) -> None:
    """parsimonious' PEG: the first alternative that fits is the reading."""
    from parsimonious.grammar import Grammar

    say("parsimonious PEG", Grammar(PEG).parse, "cannot exist: first wins", "none", texts)


def ours(texts: list[str]) -> None:
    """The project's grammar with all its rules: reading alone, and reading with every reading printed and read again."""
    from server.oracle.engine import Printer, Reader, matched, text_of, words_of
    from server.oracle.reading import Stopped, grammar, read_paragraph

    def readings(text: str) -> list[tuple[str, object]]:
        words = words_of(text, ())
        reader = Reader(grammar(), words)
        return [
            (category, one.value)
            for category in ("triggered", "activated", "instructions")
            for one in reader.read(category, 0)
            if one.end == len(words)
        ]

    def kept(text: str) -> object:
        try:
            return read_paragraph(text, "Nobody", ":" not in text and not text.startswith("when"), False)
        except Stopped:
            return None

    word_for_word = same_tree = 0
    for text in texts:
        for category, value in readings(text)[:1]:
            said = text_of(Printer(grammar()).write(category, value) or ())
            word_for_word += said.casefold() == text.casefold()
            same_tree += matched(readings(said)[0][1], value, {})
    printing = f"{same_tree} of {len(texts)} read as the same tree, {word_for_word} word for word"
    many = len(readings(AMBIGUOUS))
    say("ours, readings", lambda text: readings(text) or None, f"{many} reading(s) listed", printing, texts)
    say("ours, read and proved", kept, "two readings are refused", "as above", texts)


def main() -> int:
    """Prints the table; 1 if a library is missing."""
    texts = lines()
    try:
        print(f"{len(texts)} lines; lark {version('lark')}, parsimonious {version('parsimonious')}")
        lark(texts)
        parsimonious(texts)
    except ImportError as error:
        print(f"bench/parsing.py: {error}; see its first lines", file=sys.stderr)
        return 1
    ours(texts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
