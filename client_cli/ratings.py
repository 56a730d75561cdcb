"""The ladder of a server, in lines."""

from __future__ import annotations

from protocol.people import RatingLine, Ratings
from protocol.words import say


def lines(told: Ratings, lang: str) -> list[str]:
    """Which ladder it is, and who stands where; which others there are."""
    found = [say("ui.ratings", lang, ladder=told.ladder)]
    found += [_line(place, one, lang) for place, one in enumerate(told.rated, 1)]
    if not told.rated:
        found.append(say("ui.ratings_none", lang))
    others = [name for name in told.ladders if name != told.ladder]
    if others:
        found.append(say("ui.ratings_others", lang, ladders=", ".join(others)))
    return found


def _line(place: int, one: RatingLine, lang: str) -> str:
    return say(
        "ui.rating",
        lang,
        place=place,
        name=one.name,
        rating=f"{one.rating:.1f}",
        spread=f"{one.spread:.1f}",
        games=one.games,
        wins=one.wins,
    )
