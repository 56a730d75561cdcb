"""Rules for the initiative and dungeons (current 309, current 725): venturing, completing, and what speaks of rooms."""

from __future__ import annotations

from collections.abc import Iterable

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

YOU = Noun("you")
WHO = S.who
#: The words in names of dungeons that are written small.
_SMALL = frozenset(("of", "the", "in", "below", "under", "and"))


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    r("vp", "venture~ into the dungeon", f.Venture(who=WHO))
    r("vp", "venture~ into Undercity", f.Venture(who=WHO, into="Undercity"))
    r("vp", "take~ the initiative", f.TakeInitiative(who=WHO))
    r("cond", "you have the initiative", f.HasInitiative(who=YOU))
    r("cond", "an opponent has the initiative", f.HasInitiative(who=Noun("your opponents")))
    r("cond", "you've completed a dungeon", f.CompletedDungeon(who=YOU), "you have completed a dungeon")
    not_so = f.NotSo(condition=f.CompletedDungeon(who=YOU))
    r("cond", "you haven't completed a dungeon", not_so, "you have not completed a dungeon")
    g.terminal("dungeonname", _name_at, _name_words)
    named = f.CompletedDungeon(who=YOU, name=S.d)
    r("cond", "you've completed <d:dungeonname>", named, "you have completed <d:dungeonname>")
    without = f.NotSo(condition=named)
    r("cond", "you haven't completed <d:dungeonname>", without, "you have not completed <d:dungeonname>")
    r("event", "<w:player> complete~ a dungeon", (f.Pattern(event="dungeon completed", subject=S.w),))
    r("event", "<w:player> take~ the initiative", (f.Pattern(event="designated", subject=S.w, cause="initiative"),))
    r(
        "event",
        "<w:player> venture~ into the dungeon",
        (f.Pattern(event="keyword action", subject=S.w, cause="venture"),),
    )
    r("each", "differently named dungeon you've completed", n.DungeonsCompleted())
    r("amount", "the number of differently named dungeons you've completed", n.DungeonsCompleted())


def _name_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A name of capitalised words, as long as there are any."""
    end = place
    while end < len(reader.words) and (reader.words[end][:1].isupper() or end > place and reader.words[end] in _SMALL):
        end += 1
    if end > place:
        words = reader.words[place:end]
        yield Reading(end, " ".join(words), words)


def _name_words(printer: Printer, value: object) -> Words | None:
    return tuple(value.split()) if isinstance(value, str) and value else None
