"""What a viewer sees of the table: typed, and the same as the plain tree that patches work on.

No field is ever null: absent means none (or the default written here). Objects and players are maps by string; arrays
of ids stand only where order matters. Hidden cards are counts and have no ids. The log is events, never part of the
view. A card's face travels once, by its content hash. On the wire a view is a plain tree, because merge patches apply
to trees; `read` and `write` go between the two.
"""

import base64
import hashlib
from typing import TypeAlias, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

from protocol.base import Step
from protocol.patch import Tree
from protocol.questions import Arg, Choice

PHASES = ("beginning", "precombat_main", "combat", "postcombat_main", "ending")
"""Phases of a turn (500.1)."""

STEPS: tuple[Step, ...] = get_args(Step)
"""Steps of a turn; a main phase, which has no steps, stands here under its own name. `first_strike_damage` is the
first of two combat damage steps (510.5).
"""

ZONES = ("library", "hand", "battlefield", "graveyard", "stack", "exile", "command", "sideboard")
"""Zones (400.1), and the sideboard, which is outside the game."""

COLORS = ("W", "U", "B", "R", "G")
"""Colours, by their letters. `C` in a mana pool is colourless mana."""


class RoomView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A room of a dungeon as printed: its name, what it does, and the names of the rooms to which arrows lead from it."""

    name: str
    text: str = ""
    leads_to: list[str] = []


class Face(Struct, frozen=True, omit_defaults=True, kw_only=True, weakref=True):
    """A card's or token's characteristics as printed (or as copied), sent once and named by `face_hash`.

    `cost` is mana symbols ("{2}{R}"), absent for none; `types` the type line; `power` and `toughness` are texts ("*"
    exists). `faces` are the card's other faces, or of a split card (" // " in its name) both halves; these have none.
    `by_hand` are the paragraphs of the text that the server does not read and the table plays by hand.
    """

    name: str
    cost: str = ""
    mana_value: int = 0
    types: str = ""
    text: str = ""
    power: str = ""
    toughness: str = ""
    loyalty: str = ""
    colors: list[str] = []
    faces: list["Face"] = []
    by_hand: list[str] = []
    rooms: list[RoomView] = []
    """Those of a dungeon, the topmost first (current 309.4); where its owner is, `notes` of the object say ("room")."""


class ObjectView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An object this viewer can see (109.1): its state and its characteristics as computed now.

    `kind` is card, token, copy (of a spell), ability (on the stack), emblem or dungeon. `face` is absent for what is face down
    and for abilities. `power` and `toughness` are present for creatures (and creature cards), `loyalty` for
    planeswalkers. `types` are all supertypes, types and subtypes in lower case ("legendary", "creature", "bear"),
    `keywords` rules words ("first strike", "protection from red"). `text` is the ability's own words for an ability
    on the stack.
    """

    zone: str
    owner: int
    controller: int
    kind: str = "card"
    face: str | UnsetType = UNSET
    face_down: bool = False
    tapped: bool = False
    sick: bool = False
    """True for a creature that came under its controller's control this turn and has no haste (302.6)."""
    damage: int = 0
    power: int | UnsetType = UNSET
    toughness: int | UnsetType = UNSET
    loyalty: int | UnsetType = UNSET
    counters: dict[str, int] = {}
    colors: list[str] = []
    types: list[str] = []
    keywords: list[str] = []
    attached_to: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    targets: list[Choice] = []
    x: int | UnsetType = UNSET
    text: str = ""
    tax: int = 0
    """Generic mana that casting a commander from the command zone costs more (current 903.8)."""
    title: str = ""
    """What its controller is or has by it: "monarch" (current 724) or "initiative" (current 725)."""
    notes: dict[str, str] = {}
    """Choices made for it that matter ("color": "red"), by rules word."""


class PlayerView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A player. Counts are of cards. `hand` holds the ids of the cards this viewer may know; your own hand is whole.

    `graveyard` is in order, top card last. `mana` is what is in the pool, by letter. `lost` once the player has left
    the game.
    """

    name: str
    life: int
    hand_count: int = 0
    library_count: int = 0
    counters: dict[str, int] = {}
    hand: list[str] = []
    graveyard: list[str] = []
    mana: dict[str, int] = {}
    lost: bool = False
    lands_left: int = 0
    """How many lands the player may still play this turn."""
    commander_damage: dict[str, int] = {}
    """Combat damage dealt to the player by each commander, by the seat of its owner (903.14a)."""
    controlled_by: int | UnsetType = UNSET
    """The seat that makes the player's choices and decisions, where another player does (712.5)."""


class AttackView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An attacking creature: what it attacks, which player defends (802.2a), and who blocks it, in damage assignment
    order.
    """

    defender: Choice
    defending_player: int | UnsetType = UNSET
    blocked: bool = False
    blockers: list[str] = []
    band: int | UnsetType = UNSET


class CombatView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The combat under way: attackers by id. A blocker that blocks several attackers stands under each."""

    attackers: dict[str, AttackView] = {}


class Standing(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How a player ended: `place` from 1, `reason` a key of the catalogue ("lost.life"), `turn` when it left."""

    seat: int
    place: int
    reason: str = ""
    turn: int = 0


class Result(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How the game ended: the winners' seats (none: a draw, 104.4) and everyone's standing, best first. `by_hand`: something was
    done by hand, so that it counts for no rating."""

    winners: list[int] = []
    standings: list[Standing] = []
    by_hand: bool = False


class View(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """All that one viewer may know of the table.

    `you` is the viewer's seat, absent for a spectator. `order` lists the seats in turn order. `priority` is who has
    it. `waiting_for` lists the seats that are asked something, where that is public. `stack` has its top last;
    `battlefield` is in timestamp order.
    """

    turn: int
    phase: str
    step: str
    active: int
    players: dict[str, PlayerView]
    edition: str = "2011"
    order: list[int] = []
    teams: list[int] = []
    """The team of each seat (808); absent: each for itself."""
    emperors: list[int] = []
    """The seats with whom their teams win and lose (809.5)."""
    ranges: list[int] = []
    """The range of influence of each seat, in seats to each side (801.2); absent: unlimited."""
    shared_turns: bool = False
    """Whether a team has its turns, life and poison counters together (805, 810)."""
    subgame: int = 0
    """In how many games a subgame is played (715), each within the one before, of which nothing is shown meanwhile; absent: none."""
    you: int | UnsetType = UNSET
    priority: int | UnsetType = UNSET
    waiting_for: list[int] = []
    objects: dict[str, ObjectView] = {}
    battlefield: list[str] = []
    stack: list[str] = []
    exile: list[str] = []
    command: list[str] = []
    combat: CombatView | UnsetType = UNSET
    result: Result | UnsetType = UNSET


class Event(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that happened, as this viewer may see it: a line of the log and the cue for an animation.

    `kind` is the engine's word ("damage", "draw", "cast"), `rule` the number of the rule that made it happen in the
    room's edition, `key` and `args` its sentence in the catalogue. Ids of objects in `args` may be gone from the
    view; names stand beside them as text.
    """

    kind: str
    key: str = ""
    rule: str = ""
    args: dict[str, Arg] = {}


Faces: TypeAlias = dict[str, Face]
"""Faces by content hash."""


def face_hash(face: Face) -> str:
    """The name under which a face is sent: 64 bits of the SHA-256 of its JSON, as 11 letters of URL-safe base64."""
    return base64.urlsafe_b64encode(hashlib.sha256(msgspec.json.encode(face)).digest()[:8]).decode().rstrip("=")


def write(view: View) -> Tree:
    """The plain tree of a view: dicts with string keys, lists, strings, ints, bools; nothing null."""
    tree: Tree = msgspec.to_builtins(view)
    return tree


def read(tree: Tree) -> View:
    """The view a tree says. Unknown fields are ignored. Raises `msgspec.ValidationError` naming the path of what does
    not fit.
    """
    return msgspec.convert(tree, View)


def digest(tree: Tree) -> str:
    """A short fingerprint of a tree, the same on both ends: 16 hex digits of the SHA-256 of its JSON with sorted keys
    and no spaces.
    """
    return hashlib.sha256(msgspec.json.encode(tree, order="deterministic")).hexdigest()[:16]
