"""The state of a game: a value. Everything in it is frozen; a change makes a new state that shares the rest.

Nothing here decides anything; the floors of the rules that do are `driver` (whose turn it is to run), `steps` and
`verbs` (what is proposed), `apply` (what is done). `State.memo` is a cache that belongs to this very value and is no
part of it: characteristics, indexes and matches are kept there and shared with the next state where they still hold.
"""

from __future__ import annotations

from typing import Any, Literal, dataclass_transform

import msgspec

from server.cards.forms import Ability, AddMana, AnyCondition, Duration, Tree
from server.cards.nouns import Step, Zone
from server.rules.definitions import Characteristics, Definition
from server.rules.editions import Edition
from server.rules.model.questions import AnyAnswer, AnyQuestion, Ref

COMBAT_STEPS: tuple[Step, ...] = (
    "begin_combat",
    "declare_attackers",
    "declare_blockers",
    "combat_damage",
    "end_combat",
)
MAIN_PHASES: tuple[Step, ...] = ("precombat_main", "postcombat_main")
Pool = tuple[int, int, int, int, int, int]
NO_MANA: Pool = (0, 0, 0, 0, 0, 0)
Counters = tuple[tuple[str, int], ...]
Bindings = tuple[tuple[str, "tuple[Ref, ...] | int | str"], ...]


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Struct(msgspec.Struct, frozen=True, gc=False):
    """The common base of everything in a state."""


class Options(Struct):
    """The options of a game (800.2 and the room's): who is attacked how, range of influence, life, teams, seed.

    `attack`: "multiple" (802), "left", "right" (803) or "single". `range_of_influence`: seats to each side (801), 0
    for all; `ranges`: of each seat, where they differ (801.2a). `first_draw`: whether the first turn has a draw; None: as
    103.7a has it, only with more than two players. `teams`: a team number for each seat, empty for free-for-all. `adjacent`: only
    who sits immediately next may be attacked (809.3c, 811.4); `deploy`: creatures may be deployed (804); `emperors`: the seats with
    whom their teams win and lose (809.5); `shared`: a team has its turns, life and poison together (805, 810). `seed` is any text.
    """

    edition: str = "2011"
    format: str = "free-for-all"
    life: int = 20
    attack: Literal["multiple", "left", "right", "single"] = "multiple"
    range_of_influence: int = 0
    ranges: tuple[int, ...] = ()
    teams: tuple[int, ...] = ()
    adjacent: bool = False
    deploy: bool = False
    emperors: tuple[int, ...] = ()
    shared: bool = False
    first_draw: bool | None = None
    hand_size: int = 7
    mulligans: bool = True
    seed: str = "0"

    @property
    def led(self) -> bool:
        """Whether decks are led by commanders (903), as in Brawl (current 903.12)."""
        return self.format in ("commander", "brawl")

    @property
    def limited(self) -> bool:
        """Whether ranges of influence are limited (801)."""
        return bool(self.range_of_influence or self.ranges)


class Entry(Struct):
    """What a spell or ability on the stack has announced (601.2b to e) and was told by the event that triggered it.

    `program` is what it does once modes are chosen; `targets` holds a tuple of references for each target slot, in the
    order in which the slots stand in the program; `divisions` an amount for each target of a divided slot.
    `paid` counts the optional costs paid, by name; `x` is the announced X; `spliced` are the cards in hand whose text was added;
    `held` are the conditions that held as the spell became cast, of those that its text asks for.
    """

    program: Tree = ()
    source: Ref = 0
    ability: Ability | None = None
    index: int = -1
    modes: tuple[int, ...] = ()
    targets: tuple[tuple[Ref, ...], ...] = ()
    divisions: tuple[tuple[int, ...], ...] = ()
    x: int = 0
    paid: tuple[tuple[str, int], ...] = ()
    way: str = ""
    cast_from: str = ""
    caster: int = -1
    mana_as: Literal["", "color", "type"] = ""
    granted: tuple[Ability, ...] = ()
    bindings: Bindings = ()
    kind: Literal["spell", "activated", "triggered", "loyalty"] = "spell"
    loyalty: bool = False
    copied: bool = False
    free: bool = False
    spliced: tuple[Ref, ...] = ()
    mana_spent: Pool = NO_MANA
    bled: tuple[bool, ...] = ()
    spent_from: tuple[tuple[str, int], ...] = ()
    held: tuple[AnyCondition, ...] = ()


class Component(Struct):
    """A card or token that represents a merged permanent together with others (current 729.2); `commander` as of an `Object`."""

    definition: Definition
    owner: int
    token: bool = False
    commander: int = 0


class Rare(Struct):
    """What most objects have nothing of: a game has some two hundred cards in libraries and hands, and all of them have `NOTHING_RARE`.

    `commander` is the number of a commander (903.3), which it keeps in every zone; 0 for every other card. `phased_with` is the
    permanent with which it phased out indirectly (702.24f). `merged` are all components of a merged permanent, the topmost first
    (current 729.2). `paired` is the creature that it is paired with (current 702.95b). `turned` is when it was last transformed or
    flipped.
    """

    phased_out: bool = False
    token: bool = False
    damage: int = 0
    deathtouched: bool = False
    counters: Counters = ()
    attached_to: Ref = 0
    attachments: tuple[Ref, ...] = ()
    chosen: tuple[tuple[str, str], ...] = ()
    linked: tuple[Ref, ...] = ()
    entry: Entry | None = None
    stamp: int = 0
    printed: Definition | None = None
    used_loyalty: int = 0
    phased_with: Ref = 0
    commander: int = 0
    merged: tuple[Component, ...] = ()
    paired: Ref = 0
    turned: int = 0


NOTHING_RARE = Rare()
"""That of every object that has nothing of it: one value, so that an object takes half of the memory."""


class Object(Struct):
    """A card, token, spell, permanent or ability on the stack, in the one zone in which it is (109).

    `id` is new after each change of zone (400.7). `controller` is who controls it now (108.4, control-changing effects
    included; `settle` keeps it so) and `base` who would without them. `known` is a mask of the seats that may see its face
    though its zone is hidden. `since` is the turn in which it came under that control. `sick` since its controller has not controlled it
    continuously since the turn began (302.6). What is `rare` is read of the object as well; `changed` sets fields of either.
    """

    id: Ref
    definition: Definition
    owner: int
    controller: int
    zone: Zone
    timestamp: int = 0
    base: int = -1
    tapped: bool = False
    face_down: bool = False
    sick: bool = False
    known: int = 0
    entered: int = 0
    since: int = 0
    rare: Rare = NOTHING_RARE

    @property
    def phased_out(self) -> bool:
        return self.rare.phased_out

    @property
    def token(self) -> bool:
        return self.rare.token

    @property
    def damage(self) -> int:
        return self.rare.damage

    @property
    def deathtouched(self) -> bool:
        return self.rare.deathtouched

    @property
    def counters(self) -> Counters:
        return self.rare.counters

    @property
    def attached_to(self) -> Ref:
        return self.rare.attached_to

    @property
    def attachments(self) -> tuple[Ref, ...]:
        return self.rare.attachments

    @property
    def chosen(self) -> tuple[tuple[str, str], ...]:
        return self.rare.chosen

    @property
    def linked(self) -> tuple[Ref, ...]:
        return self.rare.linked

    @property
    def entry(self) -> Entry | None:
        return self.rare.entry

    @property
    def stamp(self) -> int:
        return self.rare.stamp

    @property
    def printed(self) -> Definition | None:
        return self.rare.printed

    @property
    def used_loyalty(self) -> int:
        return self.rare.used_loyalty

    @property
    def phased_with(self) -> Ref:
        return self.rare.phased_with

    @property
    def commander(self) -> int:
        return self.rare.commander

    @property
    def merged(self) -> tuple[Component, ...]:
        return self.rare.merged

    @property
    def paired(self) -> Ref:
        return self.rare.paired

    @property
    def turned(self) -> int:
        return self.rare.turned


class Marked(Struct):
    """One mana in a pool of which more than its colour matters (106.6): the verb that made it says what it may be spent on
    and what follows, `kinds` are subtypes of its source."""

    color: int
    source: Ref
    verb: AddMana | None = None
    kinds: tuple[str, ...] = ()


class Player(Struct):
    """A player: life, counters, mana, and the zones of their own as tuples of object ids (library: the last is the top).

    `upkeeps` are the turns of the player's last upkeep but one and of the last one (echo, 702.28a).

    `commander_casts` is how often commanders (by number) were cast from the command zone by this player, `commander_damage` how
    much combat damage each dealt to this player. `dungeons` are those that the player brought, outside the game, as the cards `outside`
    are (400.10a); `completed` the names of the dungeons completed, in order (current 309)."""

    seat: int
    name: str
    life: int
    hand: tuple[Ref, ...] = ()
    library: tuple[Ref, ...] = ()
    graveyard: tuple[Ref, ...] = ()
    counters: Counters = ()
    pool: Pool = NO_MANA
    marked: tuple[Marked, ...] = ()
    lands_played: int = 0
    lost: str = ""
    won: bool = False
    drew_empty: bool = False
    mulligans: int = 0
    kept: bool = False
    max_hand: int = 7
    upkeeps: tuple[int, int] = (0, 0)
    commander_casts: tuple[tuple[int, int], ...] = ()
    commander_damage: tuple[tuple[int, int], ...] = ()
    dungeons: tuple[Definition, ...] = ()
    completed: tuple[str, ...] = ()
    outside: tuple[Definition, ...] = ()


class Turn(Struct):
    """Where the game is: the turn's number, its active player, step, what still comes, and turns to be taken.

    `seats` are the players who were in the game as the turn began (801.2c). `steps` are the steps still to come this
    turn; `extra` the seats that take extra turns, the next one last. Turns are counted through a restart of the game (714), which
    `began` after that many. `declined`: who took back the announcement of a spell with whose help this turn.
    """

    number: int = 0
    active: int = 0
    step: Step = "untap"
    steps: tuple[Step, ...] = ()
    extra: tuple[int, ...] = ()
    is_extra: bool = False
    phase: int = 0
    skips: tuple[tuple[str, int], ...] = ()
    seats: tuple[int, ...] = ()
    last_normal: int = 0
    began: int = 0
    declined: tuple[tuple[int, int], ...] = ()


class Attacker(Struct):
    """An attacking creature: whom it attacks, and the defending player remembered as it became attacking (508.5, 802.2a);
    `first` is who that was before it came to attack somebody else, where that still counts.

    `blockers` in damage assignment order; `blocked` stays true when the blockers are gone (509.1h). `band` is a number
    shared by a band, 0 for none. `declared` is false for one put onto the battlefield attacking (508.4).
    """

    id: Ref
    defender: Ref
    player: int
    blocked: bool = False
    blockers: tuple[Ref, ...] = ()
    band: int = 0
    declared: bool = True
    first: int = -1

    @property
    def defending(self) -> int:
        """The seat that "defending player" means of this creature (508.5)."""
        return self.first if self.first >= 0 else self.player


class Blocker(Struct):
    """A blocking creature and the attackers that it blocks, in damage assignment order."""

    id: Ref
    attackers: tuple[Ref, ...]
    declared: bool = True


class Combat(Struct):
    """The combat phase under way. `struck`: creatures that dealt first-strike damage in the first step (510.5)."""

    attacker: int
    attackers: tuple[Attacker, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    defenders: tuple[int, ...] = ()
    blocks_declared: bool = False
    first_step: tuple[Ref, ...] | None = None


class Floating(Struct):
    """A continuous, replacement, prevention or rule effect that does not come from a static ability (611.2).

    `ability` is the effect as a static ability would have it (Continuous, Replacement, PlayerRule, CostChange);
    `objects` are those it was locked to (611.2c), None if it follows a description. `uses` left (0: any number), `amount`
    left of a shield of a number. `until`: duration, with `turn` and `seat` for those that need them.
    """

    id: int
    ability: Ability
    controller: int
    source: Ref
    timestamp: int
    until: Duration
    objects: tuple[Ref, ...] | None = None
    uses: int = 0
    amount: int = -1
    turn: int = 0
    bindings: Bindings = ()
    entry: Entry | None = None


class DelayedTrigger(Struct):
    """A delayed triggered ability waiting for its event (603.7)."""

    id: int
    ability: Ability
    controller: int
    source: Ref
    once: bool
    until: Duration
    turn: int = 0
    bindings: Bindings = ()
    entry: Entry | None = None


class Triggered(Struct):
    """A triggered ability waiting to be put on the stack (603.3): the ability, its source and what the event told it."""

    ability: Ability
    source: Ref
    controller: int
    bindings: Bindings
    index: int = -1
    entry: Entry | None = None
    definition: Definition | None = None
    stamp: int = 0


class LastKnown(Struct):
    """Last known information of an object that left its zone (608.2g), and the object that it became (0: none), with
    `others` if it was a merged permanent (current 729.3c). `combat` is the combat that it left with the battlefield, `goaded` whether
    it was (current 701.15a)."""

    object: Object
    characteristics: Characteristics
    became: Ref = 0
    defending: int = -1
    attacked: Ref = 0
    others: tuple[Ref, ...] = ()
    combat: Combat | None = None
    goaded: bool = False


class Loop(Struct):
    """What the game was like at a moment to which it may come back again and again (`loops`): its shape, what is counted in it,
    how often it came again and whether more was counted then. `at` is the number of resolutions in a row without anything but
    passes so far, `asked` that of questions, `chance` that of numbers drawn; `seats` control what has resolved since, or its source."""

    shape: str
    amounts: tuple[tuple[str, int], ...]
    chance: int
    asked: int
    at: int
    repeats: int = 0
    growing: bool = False
    seats: tuple[int, ...] = ()


class Result(Struct):
    """How the game ended: the winners' seats (none: a draw) and why."""

    winners: tuple[int, ...]
    why: str


class Frame(Struct, tag_field="frame"):
    """What is left to do: a position in a program of steps, and the answers given to the step under way.

    `answers` feed the step when it starts again; `results` are the events that the last pushed batch came to.
    """

    at: str = ""
    answers: tuple[AnyAnswer, ...] = ()


class State(Struct):
    """A whole game. `agenda` ends with the frame that runs next; `pending` is the question that is open, if any.

    `known_then` is what objects were as they did what `history` tells of them under the same key, where that is kept.

    `fixed_chance` is what chance gives next in a game played as a scenario: ("coin", player, 1 if won) and ("die", player,
    result); where nothing fits, chance decides."""

    options: Options
    edition: Edition
    players: tuple[Player, ...]
    objects: dict[int, Object]
    agenda: tuple[Frame, ...]
    battlefield: tuple[Ref, ...] = ()
    stack: tuple[Ref, ...] = ()
    exile: tuple[Ref, ...] = ()
    command: tuple[Ref, ...] = ()
    turn: Turn = Turn()
    combat: Combat | None = None
    effects: tuple[Floating, ...] = ()
    delayed: tuple[DelayedTrigger, ...] = ()
    waiting: tuple[Triggered, ...] = ()
    last: dict[int, LastKnown] = {}
    history: dict[tuple[str, int], int] = {}
    known_then: dict[tuple[str, int], LastKnown] = {}
    hurt: tuple[tuple[int, Ref], ...] = ()
    pending: AnyQuestion | None = None
    questions: int = 0
    next_id: int = 1
    clock: int = 0
    chance: int = 0
    result: Result | None = None
    passes: int = 0
    loop: Loop | None = None
    results: tuple[Any, ...] = ()
    strays: tuple[Ref, ...] = ()
    fixed_chance: tuple[tuple[str, Ref, int], ...] = ()
    main: State | None = None
    memo: dict[Any, Any] = {}
