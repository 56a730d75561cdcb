"""Dungeons (current 309): how rooms are abilities, and the dungeons that every player owns outside the game.

Those are of our own invention, in our own words; who has dungeon cards in a list brings them with the deck.
"""

from __future__ import annotations

from server.cards import forms
from server.cards.nouns import Noun

ROOM = "room"
"""Under this a dungeon holds, among what was chosen for it, the name of the room in which its venture marker is."""
THIS = Noun(forms.THIS)


def room_abilities(card: forms.Card) -> tuple[forms.TriggeredAbility, ...]:
    """The abilities that trigger as the venture marker is moved into the rooms (current 309.4c)."""
    return tuple(
        forms.TriggeredAbility(
            when=(forms.Pattern(event="room entered", subject=THIS, cause=room.name),),
            do=room.do,
            zone="command",
            text=f"{room.name} — {room.text}",
        )
        for room in card.rooms
    )


def exits(card: forms.Card, room: str) -> tuple[str, ...]:
    """The rooms to which arrows lead from one; none from the bottommost."""
    return next((one.leads_to for one in card.rooms if one.name == room), ())


def _room(name: str, text: str, *do: forms.Verb, to: tuple[str, ...] = ()) -> forms.Room:
    return forms.Room(name=name, do=do, leads_to=to, text=text)


_KEEP = forms.Card(
    name="Keep of the Last Watch",
    types="Dungeon",
    rooms=(
        _room("Broken Gate", "Scry 1.", forms.Scry(count=1), to=("Guardroom", "Chapel")),
        _room(
            "Guardroom",
            "Create a 1/1 white Soldier creature token.",
            forms.CreateToken(
                token=forms.Card(name="Soldier", types="Creature — Soldier", power="1", toughness="1", colors="W")
            ),
            to=("Hall of Banners",),
        ),
        _room("Chapel", "You gain 2 life.", forms.GainLife(amount=2), to=("Hall of Banners", "Crypt")),
        _room(
            "Hall of Banners",
            "Put a +1/+1 counter on target creature.",
            forms.PutCounters(counter="+1/+1", what=Noun("target creature")),
            to=("Watchtower",),
        ),
        _room(
            "Crypt",
            "Each opponent loses 2 life.",
            forms.LoseLife(amount=2, who=Noun("each opponent")),
            to=("Watchtower",),
        ),
        _room("Watchtower", "Draw two cards.", forms.Draw(count=2)),
    ),
)
_CISTERNS = forms.Card(
    name="Cisterns below the Moot",
    types="Dungeon — Undercity",
    abilities=(
        forms.PlayerRule(
            rule="entered by its type alone",
            zone="command",
            text="This dungeon is entered only by venturing into Undercity.",
        ),
    ),
    rooms=(
        _room("Dry Well", "You gain 1 life.", forms.GainLife(amount=1), to=("Rat Run", "Sluice")),
        _room(
            "Rat Run",
            "Create a 1/1 black Rat creature token.",
            forms.CreateToken(
                token=forms.Card(name="Rat", types="Creature — Rat", power="1", toughness="1", colors="B")
            ),
            to=("Fighting Pit", "Smugglers' Door"),
        ),
        _room("Sluice", "Scry 2.", forms.Scry(count=2), to=("Smugglers' Door",)),
        _room(
            "Fighting Pit",
            "Put two +1/+1 counters on target creature.",
            forms.PutCounters(counter="+1/+1", count=2, what=Noun("target creature")),
            to=("Sunken Throne",),
        ),
        _room(
            "Smugglers' Door",
            "Target player loses 3 life.",
            forms.LoseLife(amount=3, who=Noun("target player")),
            to=("Sunken Throne",),
        ),
        _room("Sunken Throne", "Draw three cards.", forms.Draw(count=3)),
    ),
)
DUNGEONS: tuple[forms.Card, ...] = (_KEEP, _CISTERNS)
