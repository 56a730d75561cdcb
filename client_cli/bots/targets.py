"""How the simple bot picks: targets, cards to discard or sacrifice, modes, words."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from client_cli.bots.board import Board
from client_cli.bots.reading import Reading, cost_colors, read
from protocol.questions import (
    Answer,
    Choice,
    ChooseAnswer,
    ChooseQuestion,
    DivideAnswer,
    DivideQuestion,
    ObjectChoice,
    PlayerChoice,
    WordChoice,
)

LOSING = frozenset(
    {"discard", "sacrifice", "exile", "bottom", "put_back", "return", "tap", "pay", "cost", "library", "graveyard"}
)
"""Purposes for which what one picks of one's own is lost."""
_COLOR_WORDS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def source_reading(board: Board, source: str | None) -> Reading:
    """What the asking object's words say."""
    if source is None:
        return read("")
    thing = board.thing(source)
    if thing is None:
        return read("")
    return read(board.text(source), " ".join(thing.types))


def harm_to(board: Board, reading: Reading, choice: Choice) -> float:
    """How much we like it that a harmful effect strikes this: high for an opponent's best, negative for our own."""
    seat = board.controller(choice)
    if seat is None:
        return 0.0
    sign = -1.0 if seat is not None and board.with_me(seat) else 1.0
    if isinstance(choice, PlayerChoice):
        life = max(1, board.life(choice.seat))
        if reading.damage:
            damage = reading.damage if reading.damage > 0 else 3
            if damage >= life:
                return sign * 200.0
            return sign * (damage * 0.4 + max(0.0, 20 - life) * 0.05)
        if reading.edict:
            return sign * min(map(board.worth, board.creatures.get(choice.seat, [])), default=0.0)
        player = board.player(choice.seat)
        hand = player.hand_count if player is not None else 0
        return sign * (1.0 + min(hand, 4) + 0.05 * board.threat(choice.seat))
    assert isinstance(choice, ObjectChoice)
    thing = board.thing(choice.id)
    worth = board.worth(choice.id)
    if thing is not None and thing.zone == "stack":
        worth = 2.0 + worth
    elif reading.damage > 0 and thing is not None:
        if "creature" in thing.types and board.toughness(choice.id) > reading.damage:
            worth *= 0.1
        elif "planeswalker" in thing.types and "creature" not in thing.types:
            loyalty = thing.loyalty or 0
            worth *= min(1.0, reading.damage / max(1, loyalty))
    elif reading.toughness < 0 and board.toughness(choice.id) > -reading.toughness:
        worth *= 0.15
    if thing is not None and thing.tapped and not (reading.kills or reading.damage or reading.toughness):
        worth *= 0.2
    if thing is not None and not thing.tapped and "attack" not in board.view.step and worth > 0:
        worth += 0.1
    return sign * worth


def help_to(board: Board, reading: Reading, choice: Choice) -> float:
    """How much we like it that a helpful effect falls on this: our best creature, ourselves."""
    seat = board.controller(choice)
    if seat is None:
        return 0.0
    sign = 1.0 if seat is not None and board.with_me(seat) else -1.0
    if isinstance(choice, PlayerChoice):
        return sign * 3.0
    assert isinstance(choice, ObjectChoice)
    thing = board.thing(choice.id)
    worth = board.worth(choice.id)
    if thing is not None and thing.zone == "battlefield":
        if thing.sick:
            worth *= 0.8
        if in_combat(board, choice.id):
            worth += 25.0 if turns_fight(board, reading, choice.id) else 5.0
        if "defender" in thing.keywords:
            worth *= 0.5
    return sign * worth


def in_combat(board: Board, key: str) -> bool:
    """Whether it attacks or blocks."""
    combat = board.view.combat
    if not combat:
        return False
    return key in combat.attackers or any(key in attack.blockers for attack in combat.attackers.values())


def turns_fight(board: Board, reading: Reading, key: str) -> bool:
    """Whether a bonus to power and toughness saves one of ours in its fight, or has it win, or deals the last damage."""
    combat = board.view.combat
    if not combat:
        return False
    for attacker, attacking in combat.attackers.items():
        if attacker == key and not attacking.blocked:
            seat = attacking.defending_player
            life = board.life(seat) if seat is not UNSET else 1000
            return board.strike(key) + reading.power >= life > board.strike(key)
        if key != attacker and key not in attacking.blockers:
            continue
        for other in attacking.blockers if key == attacker else [attacker]:
            dies, kills = board.fight(key, other)
            if dies and board.power(other) < board.toughness(key) + reading.toughness:
                return True
            if not dies and not kills and board.power(key) + reading.power >= board.toughness(other):
                return True
    return False


def value(board: Board, reading: Reading, choice: Choice) -> float:
    """How much we like the source's effect on this choice."""
    return harm_to(board, reading, choice) if reading.harm else help_to(board, reading, choice)


def pick(board: Board, question: ChooseQuestion) -> Answer:
    """Pick among objects, players or words, as the purpose asks."""
    options = question.options
    if not options or question.most == 0:
        return ChooseAnswer(picks=())
    if all(isinstance(option, WordChoice) for option in options):
        return _pick_words(board, question)
    scores = _scores(board, question)
    ranked = sorted(range(len(options)), key=lambda i: (-scores[i], i))
    count = max(question.least, sum(1 for score in scores if score > 0))
    if "target" in question.purpose and question.most > 1:
        count = min(count, max(question.least, 1, _few(board, question, ranked)))
    return ChooseAnswer(picks=tuple(ranked[: min(count, question.most)]))


def _few(board: Board, question: ChooseQuestion, ranked: list[int]) -> int:
    """How many of the ranked targets divided damage is enough to kill; all for anything else."""
    reading = source_reading(board, question.source or None)
    if not reading.divided or reading.damage <= 0:
        return len(ranked)
    left, count = reading.damage, 0
    for i in ranked:
        option = question.options[i]
        need = board.toughness(option.id) if isinstance(option, ObjectChoice) else left
        if need > left:
            break
        left -= need
        count += 1
    return count


def _scores(board: Board, question: ChooseQuestion) -> list[float]:
    """How much we want each option picked."""
    if "target" in question.purpose or question.purpose in ("attach", "enchant", "vote"):
        reading = source_reading(board, question.source or None)
        if question.aim is not UNSET:  # the server knows better than our reading of the words
            reading = replace(reading, harm=question.aim == "harm")
        owners = {board.controller(option) for option in question.options}
        if owners <= {board.me}:
            # Only our own to pick from: when that is meant as harm, lose the least; mostly it is meant as help.
            if reading.harm and reading.creature and not reading.own and question.least == 0:
                return [-1.0 for _ in question.options]
            return [abs(help_to(board, reading, option)) for option in question.options]
        return [value(board, reading, option) for option in question.options]
    losing = any(word in question.purpose for word in LOSING) and question.purpose != "library order"
    if question.purpose == "scry":  # what is picked goes to the bottom
        return [2.0 - board.card_worth(o.id) if isinstance(o, ObjectChoice) else 0.0 for o in question.options]
    if question.purpose == "mulligan in part":  # of lands and spells what there is more of goes
        things = [board.thing(o.id) if isinstance(o, ObjectChoice) else None for o in question.options]
        land = [thing is not None and "land" in thing.types for thing in things]
        return [1.0 if one == (2 * sum(land) > len(land)) else -1.0 for one in land]
    scores: list[float] = []
    for option in question.options:
        mine = board.controller(option) == board.me
        if isinstance(option, ObjectChoice):
            thing = board.thing(option.id)
            hidden = thing is not None and thing.zone in ("hand", "library")
            worth = board.card_worth(option.id) if hidden else board.worth(option.id)
            worth = max(0.1, worth + 20) if hidden else worth
        elif isinstance(option, PlayerChoice):
            worth = board.threat(option.seat)
        else:
            worth = 0.0
        scores.append(-worth if losing and mine else worth)
    return scores


def _pick_words(board: Board, question: ChooseQuestion) -> Answer:
    """Modes by their words, colours by what we have, anything else as the default has it."""
    words = [option for option in question.options if isinstance(option, WordChoice)]
    if question.purpose in ("mode", "modes"):
        scores = [mode_score(board, read(word.text)) for word in words]
        ranked = sorted(range(len(words)), key=lambda i: (-scores[i], i))
        count = max(question.least, min(question.most, sum(1 for score in scores if score > 1)))
        return ChooseAnswer(picks=tuple(sorted(ranked[:count])))
    if question.purpose == "vote" and question.source:
        scores = [_outcome(board, question.source, word.word) for word in words]
        return ChooseAnswer(picks=(scores.index(max(scores)),)) if len(set(scores)) > 1 else question.default
    letters = [_COLOR_WORDS.get(word.word.lower(), word.word if word.word in "WUBRG" else "") for word in words]
    if all(letters) and question.least <= 1 <= question.most:
        counts = colors_wanted(board)
        best = max(range(len(letters)), key=lambda i: (counts.get(letters[i], 0), -i))
        return ChooseAnswer(picks=(best,))
    return question.default


def _outcome(board: Board, source: str, word: str) -> float:
    """How much we like what a word that may be voted for does: for who cast it what its sentence says, for the others the contrary."""
    said = [part for part in board.text(source).split(".") if f"{word} gets" in part or f"{word} vote" in part]
    score = mode_score(board, read(". ".join(said[-1:])))
    thing = board.thing(source)
    return score if thing is not None and board.with_me(thing.controller) else -score


def mode_score(board: Board, reading: Reading) -> float:
    """How good an effect would be right now, whatever it costs."""
    if reading.sweeps:
        limit = reading.damage if reading.damage > 0 else -reading.toughness if reading.toughness < 0 else 99
        theirs = sum(board.worth(key) for key in board.enemies() if board.toughness(key) <= limit)
        mine = sum(board.worth(key) for key in board.mine if board.toughness(key) <= limit)
        if reading.others_only:
            mine = 0.0
        return theirs / max(1, len(board.opponents)) * 1.5 - mine
    score = reading.draw * 2.5 + min(reading.life, 10) * (0.6 if board.life(board.me) < 12 else 0.25) + reading.tokens
    if reading.targets and reading.harm:
        return score + best_harm(board, reading)
    if reading.targets and reading.creature:
        return score + (2.0 + 0.3 * max(map(board.worth, board.mine)) if board.mine else -2.0)
    return score + 1.0


def best_harm(board: Board, reading: Reading) -> float:
    """The value of the best target a harmful effect may find among opponents, as far as its words tell."""
    options: list[Choice] = []
    if reading.creature:
        options += [ObjectChoice(key) for key in board.enemies()]
    if reading.player:
        options += [PlayerChoice(seat) for seat in board.opponents]
    if reading.spell:
        options += [
            ObjectChoice(key) for key in board.view.stack if board.controller(ObjectChoice(key)) in board.opponents
        ]
    if not (reading.creature or reading.player or reading.spell):
        options += [
            ObjectChoice(key)
            for key in board.view.battlefield
            if board.controller(ObjectChoice(key)) in board.opponents
        ]
    return max((harm_to(board, reading, option) for option in options), default=-5.0)


def colors_wanted(board: Board) -> dict[str, int]:
    """How often each colour stands in the costs of our hand and permanents."""
    counts: dict[str, int] = {}
    player = board.player(board.me)
    for key in [*(player.hand if player is not None else []), *board.mine]:
        face = board.face(key)
        for letter in sorted(cost_colors(face.cost)) if face is not None else []:
            counts[letter] = counts.get(letter, 0) + 1
    return counts


def divide(board: Board, question: DivideQuestion) -> Answer:
    """Damage: enough to kill each, the best first, what is left on a player or the best. Help: all on the first."""
    count = len(question.options)
    rest = question.amount - question.least_each * count
    if count == 0 or rest < 0:
        return question.default
    amounts = [question.least_each] * count
    reading = source_reading(board, question.source or None)
    scores = [value(board, reading, option) for option in question.options]
    for i in sorted(range(count), key=lambda i: (-scores[i], i)):
        option = question.options[i]
        if isinstance(option, ObjectChoice) and reading.harm:
            more = min(rest, max(0, board.toughness(option.id) - amounts[i]))
            amounts[i] += more
            rest -= more
    best = max(range(count), key=lambda i: (isinstance(question.options[i], PlayerChoice), scores[i], -i))
    amounts[best] += rest
    return DivideAnswer(amounts=tuple(amounts))
