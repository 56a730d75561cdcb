"""The small reads of a state that everybody needs: objects, players, counters, turn order, range of influence."""

from __future__ import annotations

from typing import cast

from server.cards.forms import Duration
from server.rules.model.errors import Defect
from server.rules.model.questions import Ref, player_ref, seat_of
from server.rules.model.state import MAIN_PHASES, Counters, Object, Player, State


def find(state: State, ref: Ref) -> Object | None:
    """The object with this id, or None if it is in no zone any more."""
    return state.objects.get(ref)


def permanent(state: State, ref: Ref) -> Object | None:
    """The object if it is on the battlefield and phased in, else None."""
    found = state.objects.get(ref)
    return found if found is not None and found.zone == "battlefield" and not found.rare.phased_out else None


def on_board(state: State, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Those that are still on the battlefield (609.2)."""
    return tuple(r for r in refs if permanent(state, r) is not None)


def by_name(state: State, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """All cards of a hand that nobody chose from, as they come into the graveyard: their owner may arrange them (404.3), and in the
    order of the hand they would tell in which order they were drawn.
    """
    return tuple(sorted(refs, key=lambda ref: state.objects[ref].definition.name))


def present(state: State, seat: int) -> bool:
    """Whether the player is still in the game."""
    return not state.players[seat].lost


def player(state: State, ref: Ref) -> Player:
    """The player of a player reference."""
    return state.players[seat_of(ref)]


def count(counters: Counters, kind: str) -> int:
    """How many counters of a kind; "" counts all."""
    if not kind:
        return sum(n for _, n in counters)
    for name, n in counters:
        if name == kind:
            return n
    return 0


def with_counters(counters: Counters, kind: str, change: int) -> Counters:
    """The counters with some of a kind added or removed; kinds stay in order of name, none at zero."""
    amounts = dict(counters)
    amounts[kind] = amounts.get(kind, 0) + change
    if amounts[kind] < 0:
        raise Defect(f"fewer than no {kind} counters")
    return tuple(sorted((name, n) for name, n in amounts.items() if n))


def turn_order(state: State, start: int | None = None) -> tuple[int, ...]:
    """The seats still in the game in turn order, from `start` (default: the active player): APNAP order (101.4)."""
    players = state.players
    first = (state.turn.active if start is None else start) % len(players)
    return tuple([p.seat for p in (*players[first:], *players[:first]) if not p.lost])


def opponents(state: State, seat: int) -> tuple[int, ...]:
    """The opponents of a player who are still in the game, in turn order after that player (102.2, 102.3, 808)."""
    n = len(state.players)
    others = tuple((seat + i) % n for i in range(1, n))
    return tuple(s for s in others if not state.players[s].lost and not same_team(state, s, seat))


def same_team(state: State, seat: int, other: int) -> bool:
    """Whether two seats are of one team; without teams each is one of its own (102.3)."""
    teams = state.options.teams
    return teams[seat] == teams[other] if teams else seat == other


def team(state: State, seat: int) -> tuple[int, ...]:
    """The seats of a player's team, the player's own among them, whether they are still in the game or not."""
    return tuple(p.seat for p in state.players if same_team(state, p.seat, seat))


def together(state: State, seat: int) -> tuple[int, ...]:
    """Who shares turns, life and poison with a player, the player among them: the primary player first (805.2); without shared turns
    the player alone. They are in the game together or out of it together (810.8a, b)."""
    return team(state, seat) if state.options.shared else (seat,)


def share_poison(state: State, seat: int) -> tuple[int, ...]:
    """Who has poison counters together with a player, the player among them (810.10; the team in no edition before 2011)."""
    return together(state, seat) if state.edition.shared_poison else (seat,)


def individual_life(state: State, ref: Ref) -> int:
    """A player's own life total for what asks for it: all that a team shares (810.9a), or in an edition an equal part of it, rounded up
    (2009 806.9a)."""
    life = player(state, ref).life
    heads = len(team(state, seat_of(ref))) if state.options.shared and state.edition.halved_life else 1
    return -(-life // heads)


def active_players(state: State) -> tuple[int, ...]:
    """Whose turn it is: the active player, or everybody of the active team (805.4a)."""
    return together(state, state.turn.active)


def is_active(state: State, seat: int) -> bool:
    """Whether it is this player's turn (102.1, 805.4a)."""
    active = state.turn.active
    return seat == active or (state.options.shared and same_team(state, seat, active))


def spokesman(state: State, seat: int) -> int:
    """Who declares for a player: the primary player of a team with shared turns (805.2), else the player."""
    return together(state, seat)[0]


def attacked_with(state: State, seat: int) -> tuple[int, ...]:
    """Who is attacked when this player is: everybody of a team that is attacked as a group (810.7a), the player last, whom combat
    damage is dealt to if nobody chooses (810.7f); elsewhere the player alone."""
    if not state.edition.teams_attacked:
        return (seat,)
    return (*(s for s in together(state, seat) if s != seat), seat)


def decider(state: State, seat: int) -> int:
    """Who makes a player's choices and decisions: whoever controls the player now by the last such effect (712.1a, 712.5), which
    controls the whole of a team with shared turns (805.8); else the player."""
    if not (state.effects and any(effect.until in CONTROLLED for effect in state.effects)):
        return seat
    theirs = tuple(player_ref(s) for s in together(state, seat))
    for effect in reversed(state.effects):
        if effect.until in CONTROLLED and any(ref in (effect.objects or ()) for ref in theirs):
            return effect.controller
    return seat


CONTROLLED: tuple[Duration, ...] = ("during their turn", "during their combat")
"""While effects that control players do so; before they wait for that turn or combat phase."""


WAITING: tuple[Duration, ...] = ("during their next turn", "during their next combat")
"""While effects wait for a turn or combat phase: they do nothing yet."""


def who_see_hand(state: State, seat: int) -> int:
    """Who may look at a player's hand at any time, a bit for each seat: the player and teammates (808.5, 809.7, 810.5); where teams
    alternate only those who sit next to each other, once nobody between them is in the game any more (811.5)."""
    if not state.options.teams:
        return 1 << seat
    order = turn_order(state, seat)
    alternating = state.options.adjacent and not state.options.emperors
    beside = (seat, *order[:2], *order[-1:])
    return sum(1 << other for other in team(state, seat) if not alternating or other in beside)


def in_range(state: State, seat: int, other: int) -> bool:
    """Whether `other` is within the range of influence of `seat` (801.2): so many seats left or right among the players who
    were in the game as the turn began (801.2c)."""
    options = state.options
    limit = options.ranges[seat] if options.ranges else options.range_of_influence
    if not limit or seat == other:
        return True
    order = state.turn.seats or tuple(p.seat for p in state.players)
    if other not in order or seat not in order:
        return False
    distance = abs(order.index(other) - order.index(seat))
    return min(distance, len(order) - distance) <= limit


def reaches(state: State, seat: int, ref: Ref) -> bool:
    """Whether an object or player is within a player's range of influence (801.2d): an object by its controller, or by its
    owner where nothing is controlled. What is in no zone any more is where it last was."""
    if not state.options.limited:
        return True
    if ref < 0:
        return in_range(state, seat, seat_of(ref))
    found = state.objects.get(ref)
    if found is None:
        last = state.last.get(ref)
        if last is None:
            return True
        found = last.object
    holder = found.controller if found.zone in ("battlefield", "stack") else found.owner
    return in_range(state, seat, holder)


def sorcery_time(state: State, seat: int) -> bool:
    """Whether the player could cast a sorcery: own main phase, empty stack (307.1)."""
    return is_active(state, seat) and state.turn.step in MAIN_PHASES and not state.stack


def in_time(state: State, seat: int, timing: str) -> bool:
    """Whether it is the time in the turn that an ability names for its activation (602.5); at sorcery's speed is never while
    something is paid for.
    """
    turn, combat = state.turn, state.combat
    mine = is_active(state, seat)
    match timing:
        case "":
            return True
        case "your turn":
            return mine
        case "upkeep":
            return mine and turn.step == "upkeep"
        case "combat":
            return combat is not None
        case "after blockers":
            return combat is not None and combat.blocks_declared
        case "before attackers":
            return mine and turn.step in ("untap", "upkeep", "draw", "precombat_main", "begin_combat")
        case _:
            return False


def emblems(state: State) -> tuple[Ref, ...]:
    """What works from the command zone: emblems and the like. A commander there is a card, of whose abilities only those work that
    say so (112.6b)."""
    return tuple(
        oid
        for oid in state.command
        if not state.objects[oid].commander or state.objects[oid].definition.base.abilities.in_command
    )


def works_in_command(found: Object, index: int) -> bool:
    """Whether the ability of that index of something in the command zone works there."""
    if is_companion(found):
        return False
    return not found.commander or index in found.definition.base.abilities.in_command


#: Whence a card comes that its owner brings into the game (400.10b), and why it moves. It is no zone.
OUTSIDE = "outside"


#: What is noted on a companion that its owner has yet to take from outside the game (current 702.139a). Nothing else is out there, so
#: it lies in the command zone, face up, where nothing of it works and nobody may cast it.
COMPANION = ("companion", "")


def is_companion(found: Object) -> bool:
    """Whether it is a companion that is outside the game."""
    return found.zone == "command" and COMPANION in found.chosen


def commander_number(seat: int, index: int, seats: int) -> int:
    """The number of a seat's commander among so many seats; `index` is 1 for the second of partners (current 702.124d)."""
    return 1 + seat + index * seats


def commander_owner(number: int, seats: int) -> int:
    """The seat whose commander has that number."""
    return (number - 1) % seats


def picked_at_random(state: State) -> tuple[Ref, ...]:
    """What `PickAtRandom` came to in the batch just done."""
    return tuple(
        ref for picked in state.results if isinstance(picked, tuple) for ref in cast("tuple[Ref, ...]", picked)
    )
