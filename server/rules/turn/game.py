"""A game from outside: start it, answer its questions, concede."""

from __future__ import annotations

from collections.abc import Callable

from server.cards.forms import Card
from server.cards.loading import chosen_colors
from server.rules.casting import remind
from server.rules.characteristics import COLOR_LETTERS
from server.rules.happenings import deploying, leave, main_game, sit_apart, starting_player
from server.rules.model import (
    EDITIONS,
    AnyAnswer,
    Defect,
    Illegal,
    Object,
    Options,
    Player,
    PriorityQuestion,
    Rule,
    StartFrame,
    State,
    Struct,
    Take,
    Turn,
    commander_number,
    define,
    events,
    evolve,
    lookup,
    rare,
    with_rare,
)
from server.rules.turn import driver, legal, priority

#: Raised by one whenever the same inputs could give another game: journals name it.
RULES_VERSION = 2

Events = tuple[events.Event, ...]


class Seat(Struct):
    """Who sits down: a name and a deck, as the cards were read; `commander` are the cards that lead it (903.3), `companion`
    the one that is revealed outside the game (current 103.2b), `dungeons` those that it ventures into (current 309.2), `outside` the
    sideboard (400.10a)."""

    name: str
    deck: tuple[Card, ...] = ()
    commander: tuple[Card, ...] = ()
    companion: tuple[Card, ...] = ()
    dungeons: tuple[Card, ...] = ()
    outside: tuple[Card, ...] = ()


def start(options: Options, seats: tuple[Seat, ...], first: int | None = None) -> tuple[State, Events]:
    """A new game, run to its first question. `first` is the starting player's seat; by default chance decides (103.2).

    Raises ValueError for an unknown edition or fewer than two seats, Illegal for a table at which nobody can play."""
    if len(seats) < 2 or options.edition not in EDITIONS:
        raise ValueError("a game needs two seats or more, and an edition that exists")
    if sit_apart(options):
        sentence = "Players who have their turns together sit side by side, in seats that follow one another."
        raise Illegal("sit_apart", sentence, Rule.TEAMS_SIT_TOGETHER)
    counter = 0
    if first is None:
        counter, first = starting_player(options, 0, range(len(seats)))
    state = deal(options, seats, first)
    log: list[events.Event] = []
    state = evolve(state, chance=counter, agenda=(StartFrame(),))
    state = driver.advance(state, log)
    return state, tuple(log)


def deal(options: Options, seats: tuple[Seat, ...], first: int) -> State:
    """The state before the first shuffle: every deck is a library, in the order of its list; commanders are face up in the
    command zone (903.6).
    """
    objects: dict[int, Object] = {}
    players: list[Player] = []
    command: list[int] = []
    next_id = 1
    for number, seat in enumerate(seats):
        library: list[int] = []
        for card in seat.deck:
            objects[next_id] = Object(next_id, define(card), number, number, "library", base=number)
            library.append(next_id)
            next_id += 1
        colors = chosen_colors(seat.commander, seat.deck)
        for index, card in enumerate(seat.commander):
            command.append(next_id)
            leads = commander_number(number, index, len(seats))
            led = Object(next_id, define(card), number, number, "command", base=number, rare=rare(commander=leads))
            # Current 903.4b: the color that was chosen as the deck was built.
            word = next((name for name, letter in COLOR_LETTERS.items() if letter == colors[index]), "")
            objects[next_id] = with_rare(led, chosen=(("color", word),)) if word else led
            next_id += 1
        for card in seat.companion[:1]:
            command.append(next_id)
            objects[next_id] = Object(
                next_id, define(card), number, number, "command", base=number, rare=rare(chosen=(lookup.COMPANION,))
            )
            next_id += 1
        dungeons, outside = (tuple(map(define, cards)) for cards in (seat.dungeons, seat.outside))
        made = Player(number, seat.name, options.life, library=tuple(library), dungeons=dungeons, outside=outside)
        players.append(made)
    effects = deploying(len(seats), next_id) if options.deploy else ()
    return State(
        options=options,
        edition=EDITIONS[options.edition],
        players=tuple(players),
        objects=objects,
        command=tuple(command),
        effects=effects,
        agenda=(),
        next_id=next_id + len(effects),
        turn=Turn(active=first, step="cleanup", last_normal=(first - 1) % len(seats)),
    )


def submit(
    state: State, seat: int, answer: AnyAnswer, passes: Callable[[State, int], bool] | None = None
) -> tuple[State, Events]:
    """The state after a player's answer to the open question, and what happened. Who `passes` (by a state and whose priority it is)
    is not asked for priority from then on: the game goes on as if they had been and had passed.

    Raises Illegal, with the state as it was, if it is not that player's question or the answer is not legal."""
    question = state.pending
    if question is None:
        raise Illegal("no_question", "No question is open.")
    if question.seat != seat:
        raise Illegal("not_your_question", "Another player is asked.")
    legal.check(state, question, answer)
    stop = None if passes is None else priority.lets_go(passes)
    log: list[events.Event] = []
    state = remind(driver.answer(state, answer, log, stop), log)
    while stop is not None and state.pending is None and state.result is None:
        more: list[events.Event] = []
        state = remind(driver.let_go(state, more, stop), more)
        log.extend(more)
    return state, tuple(log)


def pass_unlisted(state: State) -> tuple[State, Events]:
    """What `submit` gives for a pass of who is asked for priority, but that for whoever gets it next nothing is listed but to pass: for
    games that are played again, where it is known that they passed. Listing what they could do takes as long as all the rest of a pass.

    Raises Illegal, with the state as it was, if nobody is asked for priority."""
    question = state.pending
    if not isinstance(question, PriorityQuestion):
        raise Illegal("no_question", "Nobody has priority.")
    log: list[events.Event] = []
    stop = priority.lets_go(lambda _state, _seat: True)
    state = remind(driver.answer(state, Take(0), log, stop), log)
    if state.pending is None and state.result is None:
        state = driver.ask_to_pass(state)
    return state, tuple(log)


def concede(state: State, seat: int) -> tuple[State, Events]:
    """The state after a player concedes (104.3a), at any time. Raises Illegal if the player is not in the game."""
    if state.result is not None or not 0 <= seat < len(state.players) or main_game(state).players[seat].lost:
        raise Illegal("not_playing", "Only a player who is in the game can concede.", Rule.CONCEDING)
    log: list[events.Event] = []
    state = leave.concede(state, seat, log)
    if state.result is None and state.pending is None:
        state = driver.advance(state, log)
    return state, tuple(log)


def go_on(state: State) -> State:
    """A state that has no open question, run on to the next one. Raises Defect if the agenda is broken."""
    return driver.advance(state, [])


def ask_again(state: State) -> State:
    """The state with its open question asked anew, as a later version of the rules may have other legal answers for it.

    Raises Defect if these rules do not stop at a question where the state does."""
    if state.pending is None:
        return state
    log: list[events.Event] = []
    asked = driver.advance(evolve(state, pending=None, questions=state.questions - 1), log)
    if log or asked.pending is None or asked.pending.seat != state.pending.seat:
        raise Defect(f"question {state.pending.number} is not asked by these rules")
    return asked
