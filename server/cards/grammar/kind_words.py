"""The words of kinds: which adjective, head, zone, comparison and relative clause means which predicate.

Tables only; `kind_heads` and `kind_tails` say how the words join.
"""

from __future__ import annotations

from typing import NamedTuple, get_args

import msgspec

from server.cards import nouns as n
from server.cards.grammar import vocabulary as v

Zone = n.Zone


class Head(NamedTuple):
    """One head word: its predicate (None for players), the kind of player, the sort if it is one, and its number."""

    predicate: n.Predicate | None
    player: n.Players | None
    sort: str
    plural: bool


STATS: dict[tuple[str, ...], n.Stat] = {
    ("power",): "power",
    ("toughness",): "toughness",
    ("mana", "value"): "mana value",
    ("converted", "mana", "cost"): "mana value",
    ("loyalty",): "loyalty",
}

# Sides of players whose first word is also an adjective, or no word by itself.
SIDES = ("active", "nonactive", "attacking", "defending")
STATUS_WORDS = (
    "tapped", "untapped", "attacking", "blocking", "blocked", "unblocked", "enchanted", "equipped",
    "foretold", "plotted", "warped", "adventuring", "renowned", "monstrous", "saddled", "tributed", "attached",
    "unpaired", "level-2", "level-3", "solved",
    "modified", "kicked", "goaded", "suspected",
)  # fmt: skip


def _adjectives() -> dict[tuple[str, ...], n.Predicate]:
    table: dict[tuple[str, ...], n.Predicate] = {
        ("colorless",): n.ColorCount(compare="=", number=0),
        ("monocolored",): n.ColorCount(compare="=", number=1),
        ("multicolored",): n.ColorCount(compare=">=", number=2),
        ("colored",): n.ColorCount(compare=">=", number=1),
        ("face-down",): n.Status(status="face down"),
        ("face-up",): n.Status(status="face up"),
        ("nontoken",): n.Not(part=n.IsA(sort="token")),
        ("nonattacking",): n.Not(part=n.Status(status="attacking")),
        ("nonblocking",): n.Not(part=n.Status(status="blocking")),
        ("historic",): n.Any(
            parts=(n.HasType(type="artifact"), n.HasSupertype(supertype="legendary"), n.HasSubtype(subtype="Saga"))
        ),
        ("other",): n.Other(),
    }
    for word in STATUS_WORDS:
        table[(word,)] = msgspec.convert({"noun": "status", "status": word}, n.Status)
    for word, mask in v.COLORS.items():
        table[(word,)] = n.HasColor(mask=mask)
        table[(f"non{word}",)] = n.Not(part=n.HasColor(mask=mask))
    for word in v.SUPERTYPES:
        table[(word,)] = n.HasSupertype(supertype=word)
        table[(f"non{word}",)] = n.Not(part=n.HasSupertype(supertype=word))
    for word in v.CARD_TYPES:
        table[(f"non{word}",)] = n.Not(part=n.HasType(type=word))
    for word in v.SUBTYPES:
        table[(f"non-{word}",)] = n.Not(part=n.HasSubtype(subtype=word))
    table[("non-outlaw",)] = n.Not(part=OUTLAW)
    return table


#: Current 700.12.
OUTLAW = n.Any(
    parts=tuple(n.HasSubtype(subtype=word) for word in ("Assassin", "Mercenary", "Pirate", "Rogue", "Warlock"))
)


#: What a suspended card is (702.60b).
SUSPENDED: tuple[n.Predicate, ...] = (
    n.LiesIn(zones=("exile",)),
    n.IsA(sort="card"),
    n.HasKeyword(keyword="suspend"),
    n.HasCounter(counter="time"),
)


def _heads() -> dict[tuple[str, ...], Head]:
    table: dict[tuple[str, ...], Head] = {}

    def put(one: str, predicate: n.Predicate | None, player: n.Players | None = None, sort: str = "") -> None:
        for many in v.plurals(one):
            table[tuple(many.split())] = Head(predicate, player, sort, True)
        table[tuple(one.split())] = Head(predicate, player, sort, False)

    for word in v.CARD_TYPES:
        put(word, n.HasType(type=word))
    for word in v.SUBTYPES:
        put(word, n.HasSubtype(subtype=word))
    for sort in get_args(n.Sort):
        put(sort, n.IsA(sort=sort), sort=sort)
    put("activated or triggered ability", n.IsA(sort="ability"), sort="ability")
    put("outlaw", OUTLAW)
    put("player", None, n.Players())
    put("opponent", None, n.Players(which="opponent"))
    put("teammate", None, n.Players(which="teammate"))
    for which in SIDES:
        put(f"{which} player", None, n.Players(which=which))
    return table


# What a card or spell is that would be a permanent.
PERMANENT_TYPE = Head(n.Any(parts=tuple(n.HasType(type=word) for word in v.PERMANENT_TYPES)), None, "", False)
ADJECTIVES = _adjectives()
HEADS = _heads()
KEYWORDS: dict[tuple[str, ...], str] = {tuple(word.split()): word for word in v.KEYWORDS}
LINKS = (", and/or", ", or", ", and", "and/or", "or", "and", ",")
# Words that only say who chooses, which the verb or the determiner says already.
CHOOSER_TAILS = (
    "of your choice",
    "of their choice",
    "of his or her choice",
    "of that player 's choice",
    "of its controller 's choice",
)
OPPONENTS_CHOICE = "of an opponent 's choice"
# A target that "that player" chooses, as reading says it: see `printed_text`.
PLAYERS_CHOICE = "of the player 's choice"
# Words of names that are not in capital letters.
SMALL_WORDS = frozenset(("a", "an", "the", "of", "and", "to", "in", "for", "from", "with", "'s"))
ZONES: dict[tuple[str, ...], Zone] = {
    ("hand",): "hand",
    ("hands",): "hand",
    ("graveyard",): "graveyard",
    ("graveyards",): "graveyard",
    ("library",): "library",
    ("libraries",): "library",
}
COMPARES: dict[tuple[str, ...], n.Compare] = {
    ("less", "than", "or", "equal", "to"): "<=",
    ("greater", "than", "or", "equal", "to"): ">=",
    ("less", "than"): "<",
    ("greater", "than"): ">",
    ("equal", "to"): "=",
}
# What was done by an instruction before; `server.rules.instructions.results` binds it under these words.
DONE_THIS_WAY = tuple(
    f"{done} this way"
    for done in (
        "destroyed",
        "exiled",
        "sacrificed",
        "discarded",
        "returned",
        "tapped",
        "untapped",
        "countered",
        "drawn",
        "put onto the battlefield",
        "put into a graveyard",
        "dealt damage",
        "chosen",
    )
)
CHOSEN_THIS_WAY = "chosen this way"
THAT_WAS_DONE = {f"that {were} {done}": done for were in ("was", "were") for done in DONE_THIS_WAY}
#: What targets are beside each other.
TOGETHER: dict[str, n.Alike] = {
    "controlled by different players": n.Alike(what="controller", different=True),
    "controlled by the same player": n.Alike(what="controller"),
    "that share no creature types": n.Alike(what="creature type", different=True),
    "that share a creature type": n.Alike(what="creature type"),
    "that share a color": n.Alike(what="color"),
    "that share a card type": n.Alike(what="type"),
    "that share a permanent type": n.Alike(what="permanent type"),
    "with different names": n.Alike(what="name", different=True),
    "with different powers": n.Alike(what="power", different=True),
    "with different mana values": n.Alike(what="mana value", different=True),
}
RELATIVES: dict[tuple[str, ...], n.Predicate] = {
    ("was", "exiled", "before", "this", "turn"): n.Status(status="arrived earlier"),
    ("was", "discarded", "this", "turn"): n.Status(status="discarded this turn"),
    ("was", "milled", "this", "turn"): n.Status(status="milled this turn"),
    ("were", "milled", "this", "turn"): n.Status(status="milled this turn"),
    **{
        (was, "put", "there", "from", "the", "battlefield", "this", "turn"): n.Status(
            status="from battlefield this turn"
        )
        for was in ("was", "were")
    },
    ("were", "put", "there", "from", "libraries", "this", "turn"): n.Status(status="from library this turn"),
    ("wasn't", "cast"): n.Not(part=n.WasCastFrom()),
    ("attacked", "this", "turn"): n.Status(status="attacked this turn"),
    ("blocked", "this", "turn"): n.Status(status="blocked this turn"),
    ("entered", "this", "turn"): n.Status(status="entered this turn"),
    ("entered", "the", "battlefield", "this", "turn"): n.Status(status="entered this turn"),
    ("came", "under", "your", "control", "this", "turn"): n.All(
        parts=(n.ControlledBy(by=n.You()), n.Status(status="new this turn"))
    ),
    ("came", "under", "your", "control", "since", "the", "beginning", "of", "your", "last", "upkeep"): n.Status(
        status="new since upkeep"
    ),
}


def as_players(reading: n.Reading) -> n.Reading:
    """ "an opponent", "opponents", "each player" as who controls or owns: the kind of player."""
    kind = n.kind_of(reading)
    if isinstance(reading, n.Each | n.Choose | n.Things) and kind is not None and kind.objects is None:
        return kind.players or n.Players()
    if reading == n.It():  # "they control": only players control and own
        return n.It(what="player")
    return reading
