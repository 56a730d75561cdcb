"""Decks of our own cards that ask every kind of question, and do with hidden cards whatever cards do: look, reveal, search, put
back in any order, discard, play face down, or from where nobody sees it.
"""

from __future__ import annotations

import random
from functools import lru_cache

from protocol import messages as m
from protocol.by_hand import (
    CountersChange,
    DamageChange,
    GoneChange,
    LifeChange,
    MoveChange,
    TappedChange,
    TokenChange,
    TurnChange,
)
from protocol.view import STEPS
from server.bench.decks import any_land
from server.cards.forms import Card
from server.cards.loading import Entry, whole
from server.oracle.acts import read_act
from server.oracle.by_hand import read_partly
from server.oracle.reading import read_card
from server.rules.model import Act, State

_CREATURE = "Creature — Beast"
_CARDS: tuple[tuple[str, ...], ...] = (
    ("Tally of Sparks", "{X}", "Instant", "Tally of Sparks deals X damage to target creature or player."),
    (
        "Parting of Embers",
        "{1}",
        "Instant",
        "Parting of Embers deals 4 damage divided as you choose among any number of target creatures and/or players.",
    ),
    ("Stampeding Auk", "{2}", _CREATURE, "Trample", "4", "4"),
    ("Charging Auk", "{2}", _CREATURE, "Trample", "5", "5"),
    ("Hulking Auk", "{2}", _CREATURE, "Trample", "6", "4"),
    ("Twofold Ox", "{1}", _CREATURE, "", "2", "3"),
    ("Lightfoot Ox", "{1}", _CREATURE, "Flash", "2", "2"),
    ("Burrowed Hound", "{4}", _CREATURE, "Trample\nMorph {2}", "4", "3"),
    ("Burrowed Heron", "{3}", _CREATURE, "Flying\nMorph {1}", "2", "3"),
    (
        "Peer Below",
        "{1}",
        "Sorcery",
        "Look at the top four cards of your library. Put one of them into your hand and the rest on the bottom of your library in any order.",
    ),
    ("Clear the Silt", "{1}", "Instant", "Scry 3, then draw a card."),
    (
        "Stir the Silt",
        "{1}",
        "Sorcery",
        "Look at the top three cards of your library, then put them back in any order.",
    ),
    ("Turned-Out Pockets", "{1}", "Sorcery", "Target player reveals his or her hand."),
    ("Glance Sideways", "{1}", "Sorcery", "Look at target player's hand."),
    (
        "Bury a Thought",
        "{1}",
        "Sorcery",
        "Target player reveals his or her hand. You choose a nonland card from it. That player discards that card.",
    ),
    (
        "Left for the Tide",
        "{1}",
        "Instant",
        "Draw three cards. Then put a card from your hand on top of your library.",
    ),
    ("Unasked Gift", "{1}", "Instant", "You may put a land card from your hand onto the battlefield."),
    (
        "Gift Not Asked For",
        "{1}",
        "Instant",
        "Put up to one land card from your hand onto the battlefield.",
    ),
    ("Two Unasked Gifts", "{2}", "Sorcery", "You may put a creature card from your hand onto the battlefield."),
    (
        "Road to a Door",
        "{1}",
        "Sorcery",
        "Search your library for a card and put that card into your hand. Then shuffle your library.",
    ),
    (
        "Road to a Den",
        "{2}",
        "Sorcery",
        "Search your library for a creature card, reveal it, and put it into your hand. Then shuffle your library.",
    ),
    ("Everyone Digs", "{1}", "Sorcery", "Each player discards a card."),
    ("Careless Everyone", "{1}", "Sorcery", "Each player discards a card at random."),
    ("Sift and Lose", "{1}", "Instant", "Draw two cards, then discard a card."),
    (
        "Silt over Stones",
        "{1}",
        "Sorcery",
        "Target player puts the top three cards of his or her library into his or her graveyard.",
    ),
    ("Reed That Returns", "{2}", _CREATURE, "Dredge 2", "2", "2"),
    ("Anger in the Reeds", "{2}", "Instant", "Anger in the Reeds deals 2 damage to target creature.\nMadness {1}"),
    ("Sudden Reeds", "{4}", "Sorcery", "Draw two cards.\nMiracle {1}"),
    ("Reeds in a Ring", "{3}", _CREATURE, "Cycling {1}", "3", "3"),
    ("Open Well", "{1}", "Enchantment", "Play with the top card of your library revealed."),
    (
        "Fish in the Well",
        "{1}",
        "Sorcery",
        "Reveal the top three cards of your library. Put all creature cards revealed this way into your hand and the rest on the bottom of your library in any order.",
    ),
    ("Ask the Well", "{1}", "Instant", "Look at the top card of target player's library."),
    (
        "Hatchling of Two Minds",
        "{1}",
        _CREATURE,
        "When Hatchling of Two Minds enters the battlefield, you may discard a card. If you do, draw a card.",
        "1",
        "3",
    ),
    (
        "Nettled Ox",
        "{2}",
        _CREATURE,
        "Whenever Nettled Ox attacks, you may draw a card. If you do, discard a card.",
        "3",
        "2",
    ),
    ("Doubtful Ox", "{2}", _CREATURE, "{1}, Discard a card: Doubtful Ox gets +2/+2 until end of turn.", "2", "2"),
    (
        "Particular Ox",
        "{2}",
        _CREATURE,
        "{1}, Discard a creature card: Particular Ox gets +2/+2 until end of turn.",
        "2",
        "2",
    ),
    ("Everything Out", "{1}", "Sorcery", "Discard your hand."),
)


def _read(name: str, cost: str, types: str, text: str, power: str = "", toughness: str = "") -> Card | None:
    data = {"name": name, "cost": cost, "types": types, "text": text, "power": power, "toughness": toughness}
    return whole({key: value for key, value in data.items() if value}, "tests", read_card)


@lru_cache(maxsize=1)
def asking_cards() -> tuple[Card, ...]:
    """The cards above."""
    read = [_read(*card) for card in _CARDS]
    assert all(read), [card[0] for card, found in zip(_CARDS, read, strict=True) if found is None]
    return tuple(card for card in read if card is not None)


def every_kind(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """36 of the cards above at random and 24 lands for any colour, for each seat."""
    chance = random.Random(f"every kind {seed}")
    return tuple((any_land(),) * 24 + tuple(chance.choice(asking_cards()) for _ in range(36)) for _ in range(seats))


SUDDEN = (
    "Sudden Reeds",
    "Anger in the Reeds",
    "Reed That Returns",
    "Sift and Lose",
    "Hatchling of Two Minds",
    "Clear the Silt",
)


def sudden(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """Decks of cards that ask their owner something as they are drawn, discarded, or lie in the graveyard."""
    chance = random.Random(f"sudden {seed}")
    cards = [card for card in asking_cards() if card.name in SUDDEN]
    return tuple((any_land(),) * 24 + tuple(chance.choice(cards) for _ in range(36)) for _ in range(seats))


CONTROLLING = (
    ("Yoke of Reeds", "{0}", "Instant", "You control target player during that player's next turn."),
    ("Halter of Reeds", "{0}", "Instant", "You control target opponent during their next combat phase."),
)


def controlling(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """Decks of which a third lets one player control another, beside what asks every kind of question."""
    chance = random.Random(f"controlling {seed}")
    yokes = [card for one in CONTROLLING if (card := _read(*one)) is not None]
    assert len(yokes) == len(CONTROLLING)
    some = (*asking_cards(), *yokes * (len(asking_cards()) // 4))
    return tuple((any_land(),) * 20 + tuple(chance.choice(some) for _ in range(40)) for _ in range(seats))


TELLING = (
    "A Tale Within",
    "{0}",
    "Instant",
    "Players play a Magic subgame, using their libraries as their decks. Each player who doesn't win the subgame loses half their life, "
    "rounded up.",
)


def telling(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """Small decks, so that games within the game (715) come to an end, of which a few cards begin one."""
    chance = random.Random(f"telling {seed}")
    tale = _read(*TELLING)
    assert tale is not None
    some = (*asking_cards(), *(tale,) * (len(asking_cards()) // 3))
    return tuple((any_land(),) * 6 + tuple(chance.choice(some) for _ in range(13)) for _ in range(seats))


BY_HAND = (
    Entry("Reed Verse", cost="{0}", types="Sorcery", text="Hum at target player.\nDraw a card."),
    Entry("Reed Ode", cost="{0}", types="Instant", text="Hum of what was."),
    Entry(
        "Reed Choir",
        cost="{1}",
        types="Creature — Elf",
        text="Whenever the stars align, hum.",
        power="1",
        toughness="1",
    ),
)
LINES = (
    "draw two cards", "discard a card", "each player discards a card", "mill two cards", "scry 2", "shuffle your library",
    "look at the top two cards of your library", "reveal the top card of your library", "exile the top card of your library",
    "put the top card of your library onto the battlefield", "each opponent draws a card", "create a 1/1 green Elf creature token",
    "target player discards a card", "target player reveals his or her hand", "flip a coin", "destroy target creature",
)  # fmt: skip


def by_hand(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """Decks of cards that are not read, among those above."""
    chance = random.Random(f"by hand {seed}")
    read = [read_partly(entry) for entry in BY_HAND]
    hands = [card for card in read if isinstance(card, Card)]
    assert len(hands) == len(BY_HAND)
    some = (*hands, *hands, *asking_cards()[:3])
    return tuple((any_land(),) * 20 + tuple(chance.choice(some) for _ in range(40)) for _ in range(seats))


@lru_cache(maxsize=64)
def _act(line: str) -> Act:
    return Act(read_act(line, "", {}).do, line)


def drawn_act(chance: random.Random) -> Act:
    """What is done by hand: mostly something, much of it with hidden cards."""
    return Act() if chance.random() < 0.2 else _act(chance.choice(LINES))


def drawn_proposal(state: State, chance: random.Random, new: str) -> m.Correct | m.Reword:
    """What is proposed to be changed by hand, of what all see."""
    seen = [*state.battlefield, *state.stack, *(i for player in state.players for i in player.graveyard)]
    seen = [i for i in seen if not state.objects[i].face_down]
    seat, thing = chance.randrange(len(state.players)), str(chance.choice(seen)) if seen else "0"
    zone = chance.choice(("battlefield", "graveyard", "exile", "hand", "library"))
    change = chance.choice((
        LifeChange(seat=seat, to=chance.randrange(5, 30)),
        CountersChange(object=thing, counter="+1/+1", to=chance.randrange(3)),
        CountersChange(seat=seat, counter="poison", to=chance.randrange(3)),
        DamageChange(object=thing, to=0),
        TappedChange(object=thing, to=chance.random() < 0.5),
        MoveChange(object=thing, to=zone, bottom=chance.random() < 0.5),
        TokenChange(seat=seat, line="a 1/1 green Elf creature token"),
        GoneChange(object=thing),
        TurnChange(seat=seat, step=chance.choice(STEPS)),
    ))  # fmt: skip
    if chance.random() < 0.3:
        return m.Reword(id=new, object=thing, line=chance.choice(("Draw a card.", "Flying", "{T}: Add {G}.", "Hum.")))
    return m.Correct(id=new, changes=(change,))
