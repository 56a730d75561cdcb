"""How long people who look on take to see what happens, so that a seated bot waits until they have: bots alone play their turns in
no time. The page shows what happens in beats (`client_web/src/stage`). A seated bot is told of the table only when it is asked,
without the log: what has happened is read from what has changed meanwhile.
"""

from __future__ import annotations

import random

import trio

from protocol.questions import Answer, Question
from protocol.view import CombatView, View

THINKS = (0.3, 0.9)
"""Seconds between which a bot waits when all has been seen."""
MOST = 6.0
"""Seconds after which what has happened counts as seen, however much it was: the page is 2.5 behind at most, then one looks."""
TURN, PLAYED, FIGHT, LAND, WENT = 4.0, 1.95, 1.0, 0.55, 0.7
"""Seconds for which a turn with its draw is seen, and the table that the turn before has left; something that is cast or put on the
stack; a declaration or damage; lands that come; permanents that go.
"""


def _declared(combat: CombatView | None) -> tuple[set[str], set[str]]:
    """Those that attack and that block."""
    attackers = combat.attackers if combat is not None else {}
    return set(attackers), {blocker for one in attackers.values() for blocker in one.blockers}


def seconds(before: View, after: View) -> float:
    """How long it takes to see what led from one view to the other."""
    if before is after:
        return 0
    lay, lies = {*before.battlefield}, {*after.battlefield}
    came = [after.objects[id].types for id in lies - lay if id in after.objects]
    lands = sum("land" in types for types in came)
    played = len(came) - lands + len({*after.stack} - {*before.stack})
    told = TURN * max(0, after.turn - before.turn) + PLAYED * played + LAND * bool(lands) + WENT * bool(lay - lies)
    pairs = zip(_declared(before.combat or None), _declared(after.combat or None), strict=True)
    told += FIGHT * sum(bool(now - then) for then, now in pairs)
    return told + FIGHT * any(player.life != after.players[seat].life for seat, player in before.players.items())


class Watched:
    """People look on: before an answer that they see, what was before is seen, then a moment is thought. None before one that does
    nothing, as a pass.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._told: View | None = None
        self._at = 0.0
        """When the table was as `_told`, in trio's time."""
        self._due = 0.0
        """When all that was told will have been seen."""

    def wait(self, view: View, question: Question, answer: Answer) -> float:
        """Seconds to wait before the answer is given. To be asked for each answer."""
        now = trio.current_time()
        if self._told is not None:
            self._due = min(max(self._due, self._at) + seconds(self._told, view), now + MOST)
        wait = 0 if answer == question.default else max(0.0, self._due - now) + self._chance.uniform(*THINKS)
        self._told, self._at = view, now + wait
        return wait
