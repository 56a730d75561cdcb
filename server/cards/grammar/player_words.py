"""What phrases say of players besides what they control: what befell them this turn, their life and their hands beside yours."""

from __future__ import annotations

from server.cards import nouns as n

THAT_PLAYER = n.Noun("that player", n.It(what="player"))
YOU = n.Noun("you", n.You())
EACH_PLAYER = n.Noun("each player", n.Each(of=n.Things(players=n.Players())))
HAND = n.CardsIn(zone="hand", of=THAT_PLAYER)
LIFE = n.LifeOf(of=THAT_PLAYER)
MEASURED: dict[str, n.Amount] = {
    "cards in hand": HAND,
    "cards in their hand": HAND,
    "life": LIFE,
    "poison counters": n.CountersOn(counter="poison", of=THAT_PLAYER),
    "cards in their graveyard": n.CardsIn(zone="graveyard", of=THAT_PLAYER),
}
"""What there is of a player, by its words after a number."""

Told = tuple[n.Amount, n.Compare, n.Amount]
_FEW: n.Compare = "<"
_MANY: n.Compare = ">"
_BESIDE_YOU: tuple[tuple[str, n.Amount, n.Compare, n.Amount], ...] = (
    ("more life than you", LIFE, _MANY, n.LifeOf(of=YOU)),
    ("less life than you", LIFE, _FEW, n.LifeOf(of=YOU)),
    ("more cards in hand than you", HAND, _MANY, n.CardsIn(zone="hand", of=YOU)),
    ("fewer cards in hand than you", HAND, _FEW, n.CardsIn(zone="hand", of=YOU)),
)
_THIS_TURN = {
    "lost life": "life lost",
    "gained life": "life gained",
    "was dealt damage": "damage",
    "were dealt damage": "damage",
    "cast a spell": "spells",
}
_VOTED: dict[str, Told] = {
    "received no votes": (n.Votes(of=THAT_PLAYER), "<=", 0),
    "received one or more votes": (n.Votes(of=THAT_PLAYER), ">=", 1),
    "voted for a choice you voted for": (n.Votes(of=THAT_PLAYER, what="shared"), ">=", 1),
    "voted for a choice you didn't vote for": (n.Votes(of=THAT_PLAYER, what="other"), ">=", 1),
}
_EMPTY: Told = (HAND, "<=", 0)


def _rows() -> dict[tuple[str, ...], Told]:
    found: dict[tuple[str, ...], Told] = {}
    for said, what in _THIS_TURN.items():
        found[tuple(f"who {said} this turn".split())] = (n.TurnCount(what=what, of=THAT_PLAYER), ">=", 1)
    found.update({("who", *said.split()): told for said, told in _VOTED.items()})
    for head in ("with", "who has", "who have"):
        found[tuple(f"{head} no cards in hand".split())] = _EMPTY
        for said, theirs, compare, yours in _BESIDE_YOU:
            found[tuple(f"{head} {said}".split())] = (theirs, compare, yours)
    return found


PLAYER_WORDS = _rows()
"""What is said of a player by an amount that compares to another."""
