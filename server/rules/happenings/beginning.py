"""What a game begins with, be it the first, one that is restarted or one within another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.model import Floating, Options, State, chance

NOT_IN_GAME = "outside"
"""What a player has lost by who is not in the game (506.3c) because it began without them: one that was restarted, or within another. What
lies outside the game (400.10) is another thing, though snapshots have one word for both."""


def is_of_many(state: State) -> bool:
    """Whether it is a multiplayer game, which began with more than two players (800.1)."""
    return sum(p.lost != NOT_IN_GAME for p in state.players) > 2


def starting_player(options: Options, counter: int, seats: Sequence[int]) -> tuple[int, int]:
    """(next chance counter, seat) of the starting player (103.2): any of these players, an emperor (809.4), of a team that has none
    the one in the middle (808.4), of one with shared turns the first (805.3)."""
    if not options.teams:
        counter, number = chance.draw(options.seed, counter, len(seats))
        return counter, seats[number]
    teams = tuple(dict.fromkeys(options.teams[seat] for seat in seats))
    counter, number = chance.draw(options.seed, counter, len(teams))
    members = _side_by_side(tuple(seat for seat in seats if options.teams[seat] == teams[number]), len(options.teams))
    if options.shared:
        return counter, members[0]
    emperor = next((seat for seat in members if seat in options.emperors), None)
    return counter, members[len(members) // 2] if emperor is None else emperor


def _side_by_side(members: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Of a team that sits together its players from right to left (808.2), also where it sits across the first seat."""
    first = next((seat for seat in members if (seat - 1) % seats not in members), members[0])
    return tuple(sorted(members, key=lambda seat: (seat - first) % seats))


def sit_apart(options: Options) -> bool:
    """Whether turns are shared by players who do not sit side by side, or sit so across the first seat (805.1)."""
    teams = options.teams
    changes = sum(left != right for left, right in pairwise(teams))
    return options.shared and bool(teams) and changes != len(set(teams)) - 1


# --- deploying creatures (804) -----------------------------------------------------------------------------------------------

DEPLOY = forms.ActivatedAbility(
    cost=(forms.TapCost(),),
    do=(
        forms.Bind(as_name="taker", what=Noun("target teammate")),
        forms.Effect(what=Noun(forms.THIS), mods=(forms.GainControl(by=Noun("$taker")),), duration="forever"),
    ),
    timing="sorcery",
    text="{T}: Target teammate gains control of {this}. Activate only as a sorcery.",
)
"""What each creature has (804.2)."""


def deploying(seats: int, first: int) -> tuple[Floating, ...]:
    """The effects by which each creature has it: one for each seat, as none reaches further than its controller does (801.10).
    `first` is the id of the first of them.
    """
    ability = forms.Continuous(
        what=Noun("creatures you control"), mods=(forms.GainAbilities(abilities=(DEPLOY,)),), text="804.2"
    )
    return tuple(
        Floating(id=first + seat, ability=ability, controller=seat, source=0, timestamp=0, until="forever")
        for seat in range(seats)
    )
