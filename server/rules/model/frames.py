"""What is left to do: the kinds of frames on the agenda, and what a step returns.

About eight kinds; a card never adds one. A frame is data, so that every moment of every game can be saved, forked and
replayed. A step reads the state and its frame, may ask, and returns a `Next`; the driver does the rest.
"""

from __future__ import annotations

from typing import Any, Literal

from server.cards.forms import Ability, Tree
from server.rules.definitions import Cost
from server.rules.model.events import Event
from server.rules.model.scope import Scope
from server.rules.model.state import NO_MANA, Frame, Pool, Ref, State, Struct, Triggered


class StartFrame(Frame, tag="start"):
    """Before the first turn: shuffling, drawing, mulligans (103)."""

    asked: tuple[int, ...] = ()
    going: tuple[int, ...] = ()


class TurnFrame(Frame, tag="turn"):
    """The turn structure (500 to 514); `at` is "next", "begin", "act", "priority" or "end" of the step in `State.turn`."""


class PriorityFrame(Frame, tag="priority"):
    """Players get priority in turn (116.3): `holder` has it, `passed` have passed in succession, from `began` on: -1 stands for the
    holder who has not passed yet. A team with shared turns passes when all of it have (805.5b).
    """

    holder: int = 0
    passed: int = 0
    once: bool = False
    began: int = -1


class AnnounceFrame(Frame, tag="announce"):
    """Casting a spell (601.2), activating an ability (602.2) or putting a triggered one on the stack (603.3).

    `before` is the state to return to if the announcement is taken back (716 in July 2011); `object` the card being cast
    (its id before, then on the stack) or the source; `trigger` the waiting triggered ability; `special` if it is a special action;
    `gives` what an effect that says to cast the spell gives it, `mana_as` as what it lets mana be spent; `side` which of its
    sides a card is cast as.

    `total` is the mana of the total cost once that is locked in (601.2e), `steps` how many mana abilities the payment has activated
    by itself. Of a mana ability activated so, `wanted` is the mana that it is to make, `picks` what to pay its costs with if the
    player has no other wish, `kept` what is needed for the payment itself. `helper` is the seat of who assists in paying,
    `most_x` the greatest X with which the permission fits by which the spell is cast, -1 if it asks for no value.
    """

    seat: int = 0
    object: Ref = 0
    ability: int = -1
    way: str = ""
    manual: bool = False
    trigger: Triggered | None = None
    before: State | None = None
    on_stack: Ref = 0
    free: bool = False
    special: bool = False
    gives: tuple[Ability, ...] = ()
    mana_as: Literal["", "color", "type"] = ""
    side: int = 0
    total: Cost | None = None
    steps: int = 0
    wanted: Pool = NO_MANA
    picks: tuple[Ref, ...] = ()
    kept: tuple[Ref, ...] = ()
    helper: int = -1
    most_x: int = -1


class ResolveFrame(Frame, tag="resolve"):
    """The object on top of the stack resolves (608)."""

    object: Ref = 0


class RunFrame(Frame, tag="run"):
    """Instructions are followed in order (608.2c): `program` from `place` on, for `scope`. `step` counts within a verb;
    `memory` is what the verb must remember from one of its steps to the next. What a part of another program `tells`: what
    comes after that part speaks of "all" that it spoke of, and with "outcome" also of whether anything was done; or of what "each"
    turn of it came to, or all turns "together"."""

    program: Tree = ()
    place: int = 0
    step: int = 0
    scope: Scope = Scope(0, 0)
    memory: tuple[Any, ...] = ()
    tells: Literal["", "all", "outcome", "each", "together"] = ""


class BatchFrame(Frame, tag="batch"):
    """Events that are about to happen at once: replaced, expanded, then done (`server.rules.happenings.batch`). `applied`: the effects
    that made them (614.5)."""

    events: tuple[Event, ...] = ()
    applied: tuple[str, ...] = ()


class CombatFrame(Frame, tag="combat"):
    """Declarations and damage of a combat phase; `at` names the position. `seats` are the players who are still to declare or
    assign; `attacks` and `blocks` what is declared and being paid for; `assigned` the damage assigned so far (510.1)."""

    seat: int = -1
    seats: tuple[int, ...] = ()
    attacks: tuple[tuple[int, Ref, int], ...] = ()
    blocks: tuple[tuple[int, int], ...] = ()
    assigned: tuple[Event, ...] = ()


class Next(Struct):
    """What a step comes to. `then` replaces its frame (None: it is finished); `batch` is done first, then the frames of
    `push` run, the last one first; `fields` are bookkeeping changes of the state, made at once. `told` happens with them: nothing
    looks at it."""

    then: Frame | None = None
    batch: tuple[Event, ...] = ()
    push: tuple[Frame, ...] = ()
    fields: dict[str, Any] | None = None
    state: State | None = None
    told: tuple[Event, ...] = ()
