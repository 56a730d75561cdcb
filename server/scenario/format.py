"""The scenario format, version 1, as structs: one decoded object to a `Scenario`, or a fault with its path.

Unknown keys are faults. Unknown verbs (`do`) and checks are no faults but unsupported: somebody's newer scenario.
"""

from __future__ import annotations

from typing import Any, Literal, cast

import msgspec

from server.cards.nouns import Step
from server.rules.turn import variants
from server.scenario import checks
from server.scenario.errors import BadScenario, Unsupported


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The common base: unknown keys are refused."""


class Moment(Form, frozen=True):
    """A step of a turn; turns count from 1 over all seats."""

    turn: int
    step: Step


# --- setup ---------------------------------------------------------------------------------------------------------------


class Placement(Form, frozen=True):
    """Something that is there before the game begins."""

    zone: Literal["battlefield", "hand", "graveyard", "exile", "command", "library", "outside", "life", "poison"]
    player: str
    card: str = ""
    count: int = 1
    tapped: bool = False
    counters: dict[str, int] = {}
    attached_to: str = ""
    alias: str = ""
    clear: bool = False
    life: int | None = None
    poison: int | None = None


# --- script: actions -----------------------------------------------------------------------------------------------------


class TargetName(Form, frozen=True):
    """One target of an action or answer: an object's name, a player, or the end of an up-to choice."""

    name: str = ""
    player: str = ""
    amount: int | None = None
    mode: int | None = None
    skip: bool = False


class Defender(Form, frozen=True):
    """Whom an attacker attacks."""

    player: str = ""
    permanent: str = ""


class Line(Form, tag_field="do", frozen=True):
    """A script line."""


class ActionLine(Line, frozen=True):
    """A line that is done at a priority (or declaration) of a step."""

    turn: int
    step: Step
    player: str | None


class Cast(ActionLine, tag="cast", frozen=True):
    """Cast a card; its name may end in the way to cast it."""

    card: str
    targets: tuple[TargetName, ...] = ()
    while_on_stack: str = ""
    while_not_on_stack: str = ""


class Activate(ActionLine, tag="activate", frozen=True):
    """Activate the first ability whose text begins so."""

    ability: str
    targets: tuple[TargetName, ...] = ()
    while_on_stack: str = ""
    while_not_on_stack: str = ""


class ActivateMana(ActionLine, tag="activate_mana", frozen=True):
    """Activate a mana ability."""

    ability: str


class PlayLand(ActionLine, tag="play_land", frozen=True):
    """Play a land."""

    card: str


class Attack(ActionLine, tag="attack", frozen=True):
    """A creature attacks: part of the turn's one declaration. Lines with the same `band` are one band (702.20c)."""

    attacker: str
    defender: Defender | None = None
    band: str = ""


class Block(ActionLine, tag="block", frozen=True):
    """A creature blocks an attacker: part of one declaration."""

    blocker: str
    attacker: str


class WaitStack(ActionLine, tag="wait_stack", frozen=True):
    """Pass until the stack is empty, or once."""

    one: bool = False


class AddCounters(ActionLine, tag="add_counters", frozen=True):
    """Counters put on a permanent at once."""

    card: str
    counter: str
    count: int = 1


class Concede(ActionLine, tag="concede", frozen=True):
    """The player concedes."""


class CheckLine(ActionLine, tag="check", frozen=True):
    """A check made at that priority."""

    check: checks.Check


# --- script: answers -----------------------------------------------------------------------------------------------------


class AnswerLine(Line, frozen=True):
    """A line that answers a question of the player."""

    player: str


class Choose(AnswerLine, tag="choice", frozen=True):
    """yes or no, a number, a value; `skip` ends a choice or takes its default."""

    yes: bool | None = None
    x: int | None = None
    value: str | None = None
    skip: bool = False


class Targets(AnswerLine, tag="target", frozen=True):
    """Targets that no action gave."""

    targets: tuple[TargetName, ...]


class Mode(AnswerLine, tag="mode", frozen=True):
    """A printed mode's number, from 1."""

    mode: int = 0
    skip: bool = False


class FlipCoin(AnswerLine, tag="flip_coin", frozen=True):
    """How the player's next coin falls."""

    win: bool


class DieRoll(AnswerLine, tag="die_roll", frozen=True):
    """What the player's next die shows."""

    value: int


ACTIONS: dict[str, type[ActionLine]] = {
    "cast": Cast,
    "activate": Activate,
    "activate_mana": ActivateMana,
    "play_land": PlayLand,
    "attack": Attack,
    "block": Block,
    "wait_stack": WaitStack,
    "add_counters": AddCounters,
    "concede": Concede,
}
ANSWERS: dict[str, type[AnswerLine]] = {
    "choice": Choose,
    "target": Targets,
    "mode": Mode,
    "flip_coin": FlipCoin,
    "die_roll": DieRoll,
}


# --- the scenario --------------------------------------------------------------------------------------------------------


class Raw(Form, frozen=True):
    """The scenario's keys before its lines and checks are looked at."""

    id: str
    until: Moment
    rules: Literal["2009", "2011", "current"] = "2011"
    format: Literal["duel", "free-for-all", "commander", "brawl"] | None = None
    seats: tuple[str, ...] = ("A", "B")
    life: int | None = None
    attack: Literal["multiple", "left", "right", "single"] = "multiple"
    range: int | None = None
    ranges: tuple[int, ...] = ()
    variant: variants.Variant = "free_for_all"
    teams: tuple[int, ...] = ()
    first_draw: bool | None = None
    shuffle: bool = False
    cards: tuple[Any, ...] = ()
    rule: tuple[str, ...] | str = ()
    setup: tuple[Any, ...] = ()
    script: tuple[Any, ...] = ()
    expect: tuple[Any, ...] = ()
    expect_illegal: int | None = None
    goal: str = ""


class Scenario(msgspec.Struct, frozen=True):
    """A scenario, read. `head` holds the plain keys; lines keep their index in `script`."""

    head: Raw
    setup: tuple[Placement, ...]
    script: tuple[ActionLine | AnswerLine, ...]
    expect: tuple[checks.Check, ...]

    @property
    def id(self) -> str:
        """The scenario's unique text."""
        return self.head.id


def read(data: object) -> Scenario:
    """The scenario of a decoded object. Raises BadScenario with the path of the fault, Unsupported for what is not built."""
    head = convert(data, Raw, "")
    if len(head.seats) < 2 or len(dict.fromkeys(head.seats)) != len(head.seats):
        raise BadScenario("seats: at least two, all different")
    if len(head.seats) not in variants.SEATS[head.variant]:
        raise BadScenario(f"seats: {head.variant} is not played with {len(head.seats)}")
    for name, each in (("teams", head.teams), ("ranges", head.ranges)):
        if each and len(each) != len(head.seats):
            raise BadScenario(f"{name}: one for each seat")
    setup = tuple(convert(one, Placement, f"setup[{i}]") for i, one in enumerate(head.setup))
    script = tuple(_line(one, i) for i, one in enumerate(head.script))
    expect = tuple(_check(one, f"expect[{i}]") for i, one in enumerate(head.expect))
    _seats(head, setup, script)
    if head.goal and head.goal not in head.seats:
        raise BadScenario(f"goal: {head.goal!r} has no seat")
    wrong = head.expect_illegal
    if wrong is not None and not (0 <= wrong < len(script) and isinstance(script[wrong], ActionLine)):
        raise BadScenario("expect_illegal: is not the index of an action")
    return Scenario(head, setup, script, expect)


def convert(data: object, into: Any, path: str) -> Any:
    """A decoded object as a struct. Raises BadScenario with the path; at a field that is none, with those that there are."""
    try:
        return msgspec.convert(data, into)
    except msgspec.ValidationError as error:
        why, _, inner = str(error).partition(" - at `$")
        if not inner and "unknown field" in why:
            why = f"{why}; there are {', '.join(f'`{name}`' for name in into.__struct_fields__)}"
        place = (path + inner.rstrip("`")).lstrip(".")
        raise BadScenario(f"{place}: {why}" if place else why) from None


def _table(data: object, path: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadScenario(f"{path}: is no object")
    return cast("dict[str, Any]", data)


def _line(data: object, index: int) -> ActionLine | AnswerLine:
    path = f"script[{index}]"
    table = _table(data, path)
    do = table.get("do")
    if not isinstance(do, str):
        raise BadScenario(f"{path}: has no `do`")
    if do == "check":
        return _check_line(table, path)
    if "turn" in table or "step" in table:
        if do in ANSWERS:
            raise BadScenario(f"{path}: {do} answers a question; it has no turn and step")
        if do not in ACTIONS:
            raise Unsupported(f"{path}: the action {do!r} is not built")
        return convert(table, ACTIONS[do], path)
    if do in ACTIONS:
        raise BadScenario(f"{path}: {do} needs turn and step")
    if do not in ANSWERS:
        raise Unsupported(f"{path}: the answer {do!r} is not built")
    line = convert(table, ANSWERS[do], path)
    if (
        isinstance(line, Choose)
        and sum((line.yes is not None, line.x is not None, line.value is not None, line.skip)) != 1
    ):
        raise BadScenario(f"{path}: one of yes, x, value, skip")
    return line


def _check_line(table: dict[str, Any], path: str) -> CheckLine:
    """`player` is who waits for priority and, for checks that speak of somebody's things, also whose they are."""
    moment = {key: table[key] for key in ("turn", "step") if key in table}
    asked = {key: value for key, value in table.items() if key not in ("do", "turn", "step")}
    waits = asked.pop("player", None)
    if waits is not None and checks.speaks_of_player(asked.get("check")):
        asked["player"] = waits
    check = _check(asked, path)
    when = convert(moment, Moment, path)
    if waits is not None and not isinstance(waits, str):
        raise BadScenario(f"{path}.player: is no name")
    return CheckLine(turn=when.turn, step=when.step, player=waits, check=check)


def _check(data: object, path: str) -> checks.Check:
    table = _table(data, path)
    kind = table.get("check")
    if not isinstance(kind, str):
        raise BadScenario(f"{path}: has no `check`")
    if kind not in checks.CHECKS:
        raise Unsupported(f"{path}: the check {kind!r} is not built")
    if kind == "event":
        fields = {key: value for key, value in table.items() if key not in ("check", "kind")}
        return convert({"check": kind, "kind": table.get("kind"), "fields": fields}, checks.Happened, path)
    return convert(table, checks.CHECKS[kind], path)


def _seats(head: Raw, setup: tuple[Placement, ...], script: tuple[ActionLine | AnswerLine, ...]) -> None:
    """Every player named is at the table."""
    for i, one in enumerate(setup):
        if one.player not in head.seats:
            raise BadScenario(f"setup[{i}].player: {one.player!r} has no seat")
    for i, line in enumerate(script):
        if line.player is None and not isinstance(line, WaitStack | CheckLine):
            raise BadScenario(f"script[{i}].player: only wait_stack and check are for everyone")
        if line.player is not None and line.player not in head.seats:
            raise BadScenario(f"script[{i}].player: {line.player!r} has no seat")
