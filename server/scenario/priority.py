"""What a player does with priority: the next line of this step, or to pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cards.loading import names_of
from server.rules.characteristics import characteristics
from server.rules.model import State
from server.rules.model import questions as q
from server.scenario.acting import Acting
from server.scenario.answers import Mark
from server.scenario.errors import Refused, Unsupported
from server.scenario.format import (
    ActionLine,
    Activate,
    ActivateMana,
    AddCounters,
    Attack,
    Block,
    Cast,
    CheckLine,
    Concede,
    PlayLand,
    WaitStack,
)
from server.scenario.names import (
    begins,
    casts,
    is_plain,
    keyword_is,
    mana_texts,
    numbered,
    on_stack_as,
    permitted,
    plain,
    special_is,
    split_way,
    text_of,
    way_is,
)

if TYPE_CHECKING:
    from server.scenario.runner import Game


def answer(game: Game, question: q.PriorityQuestion) -> None:
    """Does the first line that waits for this priority; checks take none. Raises Refused for an illegal line."""
    seat = question.whose
    while True:
        found = _next_line(game, seat)
        if found is None:
            game.submit(q.Take(0))
            return
        index, line = found
        if isinstance(line, CheckLine):
            game.done.add(index)
            game.check(line.check, f"script[{index}]")
        elif isinstance(line, WaitStack):
            if _waits(game, index, line, seat):
                game.submit(q.Take(0))
                return
        else:
            _do(game, question, index, line)
            return


def _next_line(game: Game, seat: int) -> tuple[int, ActionLine] | None:
    turn, name = game.state.turn, game.seats[seat]
    for index, line in game.actions:
        if index in game.done or line.turn != turn.number or line.step != turn.step:
            continue
        if isinstance(line, Attack | Block):
            continue
        if line.player == name or (line.player is None and seat not in game.waited[index]):
            return index, line
    return None


def _waits(game: Game, index: int, line: WaitStack, seat: int) -> bool:
    """Whether the player passes for a `wait_stack`; it is over for this player when the stack is empty, or after one pass."""
    busy = bool(game.state.stack)
    if not busy or line.one:
        if line.player is None:
            game.waited[index].add(seat)
        else:
            game.done.add(index)
    return busy


def _do(game: Game, question: q.PriorityQuestion, index: int, line: ActionLine) -> None:
    seat = question.whose
    if isinstance(line, AddCounters):
        game.done.add(index)
        game.add_counters(index, line)
    elif isinstance(line, Concede):
        game.done.add(index)
        game.concede(seat)
    elif isinstance(line, PlayLand):
        game.done.add(index)
        game.submit(q.Take(_land(game.state, question, index, line)))
    elif isinstance(line, Cast | Activate | ActivateMana):
        if not isinstance(line, ActivateMana) and not _time(game.state, line):
            game.submit(q.Take(0))
            return
        if isinstance(line, ActivateMana) and game.state.stack and not _mana_there(game, question, line):
            game.submit(q.Take(0))  # what makes the mana may still be on the stack
            return
        game.done.add(index)
        _announce(game, question, index, line)


def _mana_there(game: Game, question: q.PriorityQuestion, line: ActivateMana) -> bool:
    """Whether the mana ability can be activated now."""
    try:
        _ability(game, question, 0, line)
    except Refused:
        return False
    return True


def _time(state: State, line: Cast | Activate) -> bool:
    """Whether what must (not) be on the stack is (not) there."""
    there = [state.objects[i] for i in state.stack]
    if line.while_on_stack and not any(on_stack_as(state, o, line.while_on_stack) for o in there):
        return False
    return not (line.while_not_on_stack and any(on_stack_as(state, o, line.while_not_on_stack) for o in there))


def _announce(game: Game, question: q.PriorityQuestion, index: int, line: Cast | Activate | ActivateMana) -> None:
    """Begins a spell or ability; what follows is answered from the line's targets. If it proves illegal, nothing of it has
    happened."""
    before: tuple[State, Mark, int] = (game.state, game.answers.mark(), len(game.log))
    try:
        place = _cast(game, question, index, line) if isinstance(line, Cast) else _ability(game, question, index, line)
        action = question.actions[place]
        game.acting = Acting(index, line, question.whose, len(game.log), action.mana or action.type == "special")
        game.color = _color(game.state, action, line) if isinstance(line, ActivateMana) and action.mana else ""
        game.submit(q.Take(place))
        while game.acting is not None and game.state.pending is not None:
            game.answer(game.state.pending)
    except Refused as fault:
        if fault.line == index and index == game.scenario.head.expect_illegal:
            game.acting = None
            game.state, mark, logged = before
            game.answers.back_to(mark)
            del game.log[logged:]
        raise


def _land(state: State, question: q.PriorityQuestion, index: int, line: PlayLand) -> int:
    for place, action in enumerate(question.actions):
        if action.type == "play_land" and casts(state, action, line.card):
            return place
    raise Refused(index, f"{line.card} cannot be played as a land now")


def _cast(game: Game, question: q.PriorityQuestion, index: int, line: Cast) -> int:
    """The action that casts the card: in the way that is named, else in the first way that is chosen, else plainly, else in
    any way that is open."""
    ways = _ways(game, question, line.card)
    name, way = split_way(line.card)
    if not ways and way:
        ways = [(place, a) for place, a in _ways(game, question, name) if way_is(a.way, way)]
        if ways:
            return ways[0][0]
    # Alternative costs that the card's name does not name are asked, in order.
    first = [(place, a) for place, a in ways if is_plain(game.state, a)]
    for place, action in first:
        if action.way and action.object == first[0][1].object and game.answers.yes(question.whose):
            return place
    for place, action in first:
        if not action.way or permitted(action):
            return place
    if ways:  # no other way is open
        return (first or ways)[0][0]
    if not _in_game(game, line.card) and not _in_game(game, name):
        raise Unsupported(f"{line.card!r} is neither a card of this game nor a face of one that is known")
    raise Refused(index, f"{line.card} cannot be cast now")


def _in_game(game: Game, name: str) -> bool:
    """Whether something goes by this name, in whatever zone. A list may have a face as a card of its own, so that the card
    that was put into the game is not known to have it."""
    bare = numbered(name.removeprefix("fused "))[0]
    if bare.startswith("@"):
        return True
    faces = (n for found in game.state.objects.values() for n in names_of((found.printed or found.definition).card))
    return plain(bare) in {plain(one) for one in (*game.names.values(), *faces)}


def _ways(game: Game, question: q.PriorityQuestion, card: str) -> list[tuple[int, q.Action]]:
    bare, number = numbered(card)
    alias = game.aliases.get(card[1:]) if card.startswith("@") else None
    found = [
        (place, a)
        for place, a in enumerate(question.actions)
        if a.type == "cast" and (a.object == alias or casts(game.state, a, bare))
    ]
    if number is not None:
        ids = sorted(dict.fromkeys(a.object for _, a in found))
        found = [(place, a) for place, a in found if number < len(ids) and a.object == ids[number]]
    return found


def _ability(game: Game, question: q.PriorityQuestion, index: int, line: Activate | ActivateMana) -> int:
    """The first ability that begins so and can be activated."""
    state, wanted = game.state, line.ability
    for place, action in enumerate(question.actions):
        if isinstance(line, ActivateMana) and not action.mana:
            continue
        found = state.objects.get(action.object)
        if found is None or action.type in ("pass", "play_land"):
            continue
        if action.type == "activate":
            ability = characteristics(state, action.object).abilities.all[action.ability]
            texts = [text for text, _ in mana_texts(ability)] if action.mana else [text_of(ability)]
            if any(begins(text, wanted, found.definition.name) for text in texts):
                return place
        elif special_is(state, action, wanted) if action.type == "special" else keyword_is(state, action, wanted):
            return place
    raise Refused(index, f"no ability {wanted!r} can be activated now")


def _color(state: State, action: q.Action, line: ActivateMana) -> str:
    """The letter of the one colour that a line's text names of those that may be chosen, "" if it names them all."""
    ability = characteristics(state, action.object).abilities.all[action.ability]
    name = state.objects[action.object].definition.name
    fitting = [letter for text, letter in mana_texts(ability) if begins(text, line.ability, name)]
    return fitting[0] if len(fitting) == 1 else ""
