"""The table from a bot's chair: who is where, what things are worth, who beats whom in combat."""

from __future__ import annotations

from msgspec import UNSET, Struct

from client_cli.table import Table
from protocol.questions import Choice, ObjectChoice, PlayerChoice
from protocol.view import Face, ObjectView, PlayerView

_KEYWORD_WORTH = {
    "flying": 1.5,
    "deathtouch": 2.0,
    "lifelink": 1.0,
    "first strike": 1.0,
    "double strike": 2.5,
    "trample": 0.5,
    "vigilance": 0.5,
    "hexproof": 0.5,
    "shroud": 0.3,
    "indestructible": 3.0,
    "menace": 0.5,
    "infect": 1.5,
    "wither": 0.7,
    "reach": 0.3,
    "haste": 0.2,
    "defender": -1.0,
}


class Board:
    """A reading of the view for one question. `me` is the bot's seat; `opponents` are no teammates, `heads` those who share its life
    and are attacked with it."""

    def __init__(self, table: Table, me: int) -> None:
        self.table = table
        self.view = table.view
        self.me = me
        self.opponents = [
            seat
            for seat in self._seats_after(me)
            if str(seat) in self.view.players and not self.view.players[str(seat)].lost and not self.with_me(seat)
        ]
        self.heads = [seat for seat in self.view.order if self.with_me(seat)] if self.view.shared_turns else [me]
        self.creatures: dict[int, list[str]] = {}
        self.planeswalkers: dict[int, list[str]] = {}
        self.lands: list[str] = []
        """Ours."""
        self.untapped_lands = 0
        """How many of ours could be tapped for mana."""
        self._bodies: dict[str, Body] = {}
        self._threats: dict[int, float] = {}
        objects = self.view.objects
        for key in self.view.battlefield:
            thing = objects.get(key)
            if thing is None:
                continue
            if "creature" in thing.types:
                self.creatures.setdefault(thing.controller, []).append(key)
            if "planeswalker" in thing.types:
                self.planeswalkers.setdefault(thing.controller, []).append(key)
            if "land" in thing.types and thing.controller == me:
                self.lands.append(key)
                self.untapped_lands += not thing.tapped

    def with_me(self, seat: int) -> bool:
        """Whether a seat is of my team; my own is."""
        teams = self.view.teams
        return seat == self.me or (0 <= self.me < len(teams) and seat < len(teams) and teams[seat] == teams[self.me])

    def _seats_after(self, me: int) -> list[int]:
        """The other seats in turn order, beginning after `me`."""
        order = self.view.order or sorted(int(seat) for seat in self.view.players)
        if me not in order:
            return [seat for seat in order if seat != me]
        at = order.index(me)
        return order[at + 1 :] + order[:at]

    # --- looking up --------------------------------------------------------------------------------------------------

    def thing(self, key: str) -> ObjectView | None:
        """The object with that id, if it is to be seen."""
        return self.view.objects.get(key)

    def face(self, key: str) -> Face | None:
        """Its face."""
        thing = self.view.objects.get(key)
        return self.table.face(thing) if thing is not None else None

    def player(self, seat: int) -> PlayerView | None:
        """The player of a seat."""
        return self.view.players.get(str(seat))

    def life(self, seat: int) -> int:
        """A player's life total."""
        player = self.player(seat)
        return player.life if player is not None else 0

    @property
    def mine(self) -> list[str]:
        """My creatures."""
        return self.creatures.get(self.me, [])

    def enemies(self) -> list[str]:
        """The creatures of all opponents, in turn order."""
        return [key for seat in self.opponents for key in self.creatures.get(seat, [])]

    def controller(self, choice: Choice) -> int | None:
        """Whose it is: the player itself, or an object's controller."""
        match choice:
            case PlayerChoice():
                return choice.seat
            case ObjectChoice():
                thing = self.thing(choice.id)
                return thing.controller if thing is not None else None
            case _:
                return None

    def text(self, key: str) -> str:
        """Its own words: an ability's text, or the face's."""
        thing = self.thing(key)
        if thing is None:
            return ""
        face = self.table.face(thing)
        return thing.text or (face.text if face is not None else "")

    # --- worth -------------------------------------------------------------------------------------------------------

    def power(self, key: str) -> int:
        """Power, 0 for what has none."""
        return self.body(key).power

    def toughness(self, key: str) -> int:
        """Toughness less the damage already on it."""
        return self.body(key).toughness

    def has(self, key: str, keyword: str) -> bool:
        """Whether it has a keyword."""
        thing = self.thing(key)
        return thing is not None and keyword in thing.keywords

    def worth(self, key: str) -> float:
        """What an object is worth to its controller; a card, what it would be."""
        thing = self.thing(key)
        if thing is None:
            return 0.0
        face = self.table.face(thing)
        mana_value = face.mana_value if face is not None else 0
        if "creature" in thing.types:
            power = thing.power if thing.power is not UNSET else 0
            toughness = thing.toughness if thing.toughness is not UNSET else 0
            worth = power * 1.5 + toughness + mana_value * 0.3
            worth += sum(_KEYWORD_WORTH.get(word, 0.2) for word in thing.keywords)
            if face is not None and len(face.text) > 30:
                worth += 1
            return max(0.2, worth - (0.5 if thing.kind == "token" else 0))
        if "planeswalker" in thing.types:
            return 6.0 + (thing.loyalty if thing.loyalty is not UNSET else 3)
        if "land" in thing.types:
            return 1.5 if thing.zone == "battlefield" else 1.0
        return 2.0 + mana_value

    def card_worth(self, key: str) -> float:
        """What a card in hand is worth keeping for: lands while they are short, dear cards once they can be paid."""
        thing = self.thing(key)
        if thing is None:
            return 0.0
        if "land" in thing.types:
            return 8.0 - 1.3 * len(self.lands)
        face = self.table.face(thing)
        mana_value = face.mana_value if face is not None else 0
        late = max(0, mana_value - len(self.lands))
        return 2.0 + mana_value - 1.5 * late

    def threat(self, seat: int) -> float:
        """How dangerous a player looks: what it has on the battlefield, and its hand."""
        found = self._threats.get(seat)
        if found is None:
            player = self.player(seat)
            hand = player.hand_count if player is not None else 0
            found = self._threats[seat] = (
                sum(self.body(key).worth for key in self.creatures.get(seat, []))
                + sum(self.worth(key) for key in self.planeswalkers.get(seat, []))
                + hand * 0.8
            )
        return found

    # --- combat ------------------------------------------------------------------------------------------------------

    def body(self, key: str) -> Body:
        """What counts of a creature in combat, looked up once for each question."""
        found = self._bodies.get(key)
        if found is None:
            found = self._bodies[key] = self._body(key)
        return found

    def _body(self, key: str) -> Body:
        thing = self.thing(key)
        if thing is None:
            return Body()
        words = frozenset(thing.keywords)
        text = self.text(key).lower()
        power = max(0, thing.power) if thing.power is not UNSET else 0
        return Body(
            power=power,
            toughness=thing.toughness - thing.damage if thing.toughness is not UNSET else 0,
            strike=power * (2 if "double strike" in words else 1) * (2 if "infect" in words else 1),
            worth=self.worth(key),
            tapped=thing.tapped,
            flies="flying" in words,
            reaches="flying" in words or "reach" in words,
            first="first strike" in words or "double strike" in words,
            deathtouch="deathtouch" in words,
            indestructible="indestructible" in words,
            shrinks="wither" in words or "infect" in words,
            unblockable="unblockable" in words or "can't be blocked." in text,
            needs_two="menace" in words or "except by two or more" in text,
            only_one="can't be blocked by more than one" in text,
        )

    def may_block(self, blocker: str, attacker: str) -> bool:
        """Whether it looks as if `blocker`, untapped, can block `attacker`."""
        one, other = self.body(blocker), self.body(attacker)
        return not (one.tapped or other.unblockable or other.flies and not one.reaches)

    def needs_two(self, attacker: str) -> bool:
        """Whether one creature alone cannot block it."""
        return self.body(attacker).needs_two

    def only_one(self, attacker: str) -> bool:
        """Whether two creatures cannot block it together."""
        return self.body(attacker).only_one

    def kills(self, one: str, other: str) -> bool:
        """Whether `one`'s combat damage destroys `other`."""
        return _kills(self.body(one), self.body(other))

    def fight(self, one: str, other: str) -> tuple[bool, bool]:
        """Who dies when the two meet in combat: (`one`, `other`)."""
        ours, theirs = self.body(one), self.body(other)
        one_kills, other_kills = _kills(ours, theirs), _kills(theirs, ours)
        if ours.first and not theirs.first and one_kills:
            return False, True
        if theirs.first and not ours.first and other_kills:
            return True, False
        return other_kills, one_kills

    def strike(self, key: str) -> int:
        """Damage it deals unblocked; poison counts double."""
        return self.body(key).strike


class Body(Struct, frozen=True):
    """A creature in combat. `toughness` is less the damage on it, `strike` what it deals unblocked."""

    power: int = 0
    toughness: int = 0
    strike: int = 0
    worth: float = 0.0
    tapped: bool = False
    flies: bool = False
    reaches: bool = False
    first: bool = False
    deathtouch: bool = False
    indestructible: bool = False
    shrinks: bool = False
    """It deals its damage as -1/-1 counters (wither, infect), which indestructible does not stop."""
    unblockable: bool = False
    needs_two: bool = False
    only_one: bool = False


def _kills(one: Body, other: Body) -> bool:
    if other.indestructible and not one.shrinks:
        return False
    return one.power > 0 and (one.power >= other.toughness or one.deathtouch)
