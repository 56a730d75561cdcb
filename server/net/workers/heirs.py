"""Who is to have the rooms of a worker when it is no more: of one that does not run, which may be ended soon, others prepare them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from server.net.workers.messages import NOBODY


class Heirs:
    """See the module. Workers go by their numbers; `owners` says whose each room is, as long as it is somebody's."""

    def __init__(self) -> None:
        self._of: dict[str, int] = {}
        """Who prepares each of the rooms that may be another's soon."""

    def share(self, rooms: Sequence[str], among: Collection[int], owners: Mapping[str, int]) -> dict[int, list[str]]:
        """Which of these rooms are for each of the workers `among`: those that it prepares; and of the others as many as for anyone, for
        people wait while each takes up one after the other. What cannot be shared evenly is for who has fewest.
        """
        if not among:
            return {}
        asked, has = set(rooms), Counter(owners.values())
        takes = Counter(heir for room, heir in self._of.items() if room not in asked)
        shares: dict[int, list[str]] = {}
        for room in rooms:
            number = self._of.get(room, NOBODY)
            if number not in among:
                number = min(among, key=lambda one: (takes[one], has[one], one))
            takes[number] += 1
            shares.setdefault(number, []).append(room)
        return shares

    def foresee(
        self, rooms: Collection[str], orphans: Collection[str], among: Collection[int], owners: Mapping[str, int]
    ) -> dict[int, list[str]]:
        """These `rooms` are of workers that do not run now. Who is to be told what it prepares from now on, for it is something else than
        before; `orphans`, which have no worker any more, stay with who prepares them until they have another.
        """
        before, stay = self._of, {*rooms, *orphans}
        self._of = {room: heir for room, heir in before.items() if room in stay and heir in among}
        new = [room for room in rooms if room not in self._of]
        for heir, theirs in self.share(new, among, owners).items():
            self._of |= dict.fromkeys(theirs, heir)
        was, now = _by_heir(before), _by_heir(self._of)
        return {heir: now.get(heir, []) for heir in was.keys() | now.keys() if was.get(heir) != now.get(heir)}


def _by_heir(heirs: Mapping[str, int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for room, heir in heirs.items():
        found.setdefault(heir, []).append(room)
    return found
