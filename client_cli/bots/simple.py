"""The simple bot: plays its lands and curves out, removes what threatens, attacks where it pays, blocks with sense.

It has no rules of its own: what it may do stands in the question, what cards do it reads roughly from their words. It
looks no move ahead.
"""

from __future__ import annotations

from msgspec import UNSET

from client_cli.bots.board import Board
from client_cli.bots.combat import attack, block
from client_cli.bots.in_control import answer_for_opponent
from client_cli.bots.random import damage_in_order
from client_cli.bots.reading import Reading, cost_colors, read, room_for_x
from client_cli.bots.targets import best_harm, colors_wanted, divide, help_to, in_combat, mode_score, pick, turns_fight
from client_cli.table import Table
from protocol.questions import (
    Action,
    Answer,
    AttackersQuestion,
    BlockersQuestion,
    ChooseQuestion,
    ConfirmAnswer,
    ConfirmQuestion,
    DamageQuestion,
    DivideQuestion,
    NumberAnswer,
    NumberQuestion,
    ObjectChoice,
    OrderAnswer,
    OrderQuestion,
    PaymentAnswer,
    PaymentQuestion,
    PriorityAnswer,
    PriorityQuestion,
    Question,
)

MOST_ACTIVATIONS = 3
"""How often the bot activates one ability in a turn: it looks no move ahead, so it must not go on for ever."""
MOST_ACTIONS = 40
"""How many things it does in a turn, all told."""
UNWANTED = frozenset({"new_targets", "redirect_to_planeswalker", "untap_instead_of_tap"})
"""What is declined unless the default says otherwise."""
_FIT_FOR_LAND = {"plains": "W", "island": "U", "swamp": "B", "mountain": "R", "forest": "G"}


class SimplePlayer:
    """Sensible play without looking ahead. The seed only breaks ties in the order of opponents, by way of the deal."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._turn = -1
        self._done: dict[tuple[str, int], int] = {}
        self._actions = 0

    def answer(self, table: Table, question: Question) -> Answer:
        """The answer that looks best."""
        board = Board(table, question.seat)
        if question.for_seat is not UNSET:  # 712.5
            if not board.with_me(question.for_seat):
                return answer_for_opponent(table, question)
            board = Board(table, question.for_seat)
        match question:
            case PriorityQuestion():
                return self._priority(board, question)
            case ChooseQuestion():
                return pick(board, question)
            case ConfirmQuestion():
                return _confirm(board, question)
            case NumberQuestion():
                return _number(board, question)
            case OrderQuestion():
                return _order(board, question)
            case DivideQuestion():
                return divide(board, question)
            case AttackersQuestion():
                return question.default if question.required else attack(board, question)
            case BlockersQuestion():
                return question.default if question.required else block(board, question)
            case DamageQuestion():
                return damage_in_order(question)
            case PaymentQuestion():
                return PaymentAnswer(index=0 if question.can_auto else 1 if question.actions else -1)
            case _:
                return question.default

    # --- priority ----------------------------------------------------------------------------------------------------

    def _priority(self, board: Board, question: PriorityQuestion) -> Answer:
        """The most promising action, or a pass."""
        if board.view.turn != self._turn:
            self._turn = board.view.turn
            self._done = {}
            self._actions = 0
        if self._actions >= MOST_ACTIONS:
            return PriorityAnswer(index=0)
        best, chosen = max(self._scores(board, question), default=(0.0, 0), key=lambda one: one[0])
        if best <= 0:
            chosen = 0
        if chosen:
            action = question.actions[chosen]
            key = (action.object or "", action.ability if action.ability is not UNSET else -1)
            self._done[key] = self._done.get(key, 0) + 1
            self._actions += 1
        return PriorityAnswer(index=chosen)

    def ranked(self, table: Table, question: PriorityQuestion) -> list[int]:
        """The actions by their numbers, the most promising first, without those for mana: what else could be thought of."""
        scores = self._scores(
            Board(table, question.seat if question.for_seat is UNSET else question.for_seat), question
        )
        return [i for _, i in sorted(scores, key=lambda one: -one[0])]

    def _scores(self, board: Board, question: PriorityQuestion) -> list[tuple[float, int]]:
        return [
            (self._score(board, action), i)
            for i, action in enumerate(question.actions)
            if i and not action.mana and action.type != "pass"
        ]

    def _score(self, board: Board, action: Action) -> float:
        key = action.object or ""
        thing = board.thing(key)
        if thing is None:
            return -1.0
        if action.type == "play_land":
            return 100.0 + _land_score(board, key)
        done = self._done.get((key, action.ability if action.ability is not UNSET else -1), 0)
        if not room_for_x(_cost(board, action), board.untapped_lands):
            return -1.0
        if action.type == "cast":
            return _cast_score(board, key) if done < MOST_ACTIVATIONS else -1.0
        if action.type == "activate":
            return _activate_score(board, key, action, done) if done < MOST_ACTIVATIONS else -1.0
        return -1.0


def _cost(board: Board, action: Action) -> str:
    """What an action costs, if there is an X in it; "" otherwise: the question offers only what can be paid."""
    face = board.face(action.object or "")
    if action.type == "cast":
        printed = face.cost if face is not None else ""
    else:  # the server puts the name before the ability's own words
        printed = action.text.removeprefix("" if face is None else f"{face.name}: ").partition(":")[0]
    return printed if "{x}" in printed.lower() else ""


def _main(board: Board) -> bool:
    """Our main phase, nothing on the stack: the time for nearly everything."""
    view = board.view
    return view.active in board.heads and view.step in ("precombat_main", "postcombat_main") and not view.stack


def _land_score(board: Board, key: str) -> float:
    """Better for a land whose colour we want and have little of."""
    thing = board.thing(key)
    wanted = colors_wanted(board)
    if thing is None:
        return 0.0
    letters = [letter for name, letter in _FIT_FOR_LAND.items() if name in thing.types]
    if not letters:
        face = board.face(key)
        letters = sorted(cost_colors(face.text)) if face is not None else []
    have = dict.fromkeys("WUBRG", 0)
    for land in board.lands:
        for name, letter in _FIT_FOR_LAND.items():
            other = board.thing(land)
            if other is not None and name in other.types:
                have[letter] += 1
    return max((wanted.get(letter, 0) / (1 + 2 * have[letter]) for letter in letters), default=0.0) + 0.1 * len(letters)


def _cast_score(board: Board, key: str) -> float:
    """How good it is to cast this now; not above 0: better not."""
    thing = board.thing(key)
    face = board.face(key)
    if thing is None:
        return -1.0
    types = thing.types
    text = face.text if face is not None else ""
    mana_value = face.mana_value if face is not None else 0
    reading = read(text, " ".join(types))
    main = _main(board)
    if "creature" in types:
        return 10.0 + board.worth(key) + mana_value if main or _end_before_me(board) else -1.0
    if "planeswalker" in types:
        return 26.0 if main else -1.0
    if "instant" in types or "sorcery" in types:
        return _spell_score(board, reading, mana_value, instant="instant" in types)
    if not main:
        return -1.0
    if reading.aura:
        return _aura_score(board, reading, text)
    return 8.0 + mana_value


def _end_before_me(board: Board) -> bool:
    """The end step of the player before us: the last moment to use what we have at instant speed."""
    order = [seat for seat in board.view.order if seat == board.me or seat in board.opponents]
    if board.view.step != "end" or board.me not in order or board.view.stack:
        return False
    return board.view.active == order[order.index(board.me) - 1] != board.me


def _aura_score(board: Board, reading: Reading, text: str) -> float:
    words = text.lower()
    if reading.harm or "gets -" in words or "can't" in words and "can't be blocked" not in words:
        best = max((board.worth(key) for key in board.enemies()), default=0.0)
        return 5.0 + best if best >= 4 else -1.0
    best = max((board.worth(key) for key in board.mine), default=0.0)
    return 5.0 + best / 2 if best >= 3 else -1.0


def _spell_score(board: Board, reading: Reading, mana_value: int, *, instant: bool) -> float:
    """Instants and sorceries. None is spent without something to show for it."""
    view = board.view
    if reading.spell:
        return _counter_score(board)
    if reading.sweeps:
        gain = mode_score(board, reading)
        return 12.0 + gain if _main(board) and gain >= 4 else -1.0
    if reading.targets and reading.harm:
        gain = best_harm(board, reading)
        if gain >= 100:
            return 200.0
        attacked = _attacked(board) and view.step in ("declare_attackers", "declare_blockers")
        if not (_main(board) or attacked and not view.stack):
            return -1.0
        enough = 2.5 + 0.4 * mana_value if reading.creature else 2.0
        # Damage that could only go to a player waits for more to do, unless the hand is full.
        if reading.damage and gain < enough:
            return 1.0 if _hand(board) >= 6 and board.view.step == "postcombat_main" else -1.0
        return 8.0 + gain if gain >= enough else -1.0
    if reading.targets and reading.creature and (reading.power > 0 or reading.toughness > 0):
        if instant:
            return _pump_score(board, reading)
        return 6.0 if board.mine and _main(board) and view.step == "precombat_main" else -1.0
    if reading.all_ours:
        return _rally_score(board)
    if not _main(board) and not (instant and _end_before_me(board)):
        return -1.0
    gain = mode_score(board, reading)
    if reading.draw or reading.tokens:
        return 9.0 + gain
    if reading.life:
        return 4.0 + gain if board.life(board.me) <= 12 or _hand(board) >= 6 else -1.0
    if reading.targets and reading.creature and not board.mine:
        return -1.0
    return 3.0 if not instant or _hand(board) >= 6 else -1.0


def _rally_score(board: Board) -> float:
    """What makes all of ours bigger, when several of them attack."""
    combat = board.view.combat
    if not combat or board.view.active not in board.heads or board.view.step != "declare_blockers":
        return -1.0
    return 10.0 if len(combat.attackers) >= 3 else -1.0


def _counter_score(board: Board) -> float:
    """Counter the top of the stack if it is an opponent's and worth it."""
    if not board.view.stack:
        return -1.0
    key = board.view.stack[-1]
    thing = board.thing(key)
    if thing is None or board.with_me(thing.controller) or thing.kind == "ability":
        return -1.0
    face = board.face(key)
    return 30.0 if face is not None and face.mana_value >= 2 else -1.0


def _hand(board: Board) -> int:
    player = board.player(board.me)
    return player.hand_count if player is not None else 0


def _attacked(board: Board) -> bool:
    combat = board.view.combat
    return bool(combat) and any(attack.defending_player in board.heads for attack in combat.attackers.values())


def _pump_score(board: Board, reading: Reading) -> float:
    """A combat trick pays after blocks, when it turns a fight or is the last damage needed."""
    if not board.view.combat or board.view.step != "declare_blockers" or board.view.stack:
        return -1.0
    return 15.0 if any(turns_fight(board, reading, key) for key in board.mine) else -1.0


def _activate_score(board: Board, key: str, action: Action, done: int) -> float:
    """Abilities that are no mana abilities."""
    thing = board.thing(key)
    if thing is None:
        return -1.0
    text = action.text or board.text(key)
    face = board.face(key)
    if face is not None:
        text = text.removeprefix(f"{face.name}: ")  # the server puts the name before the ability's own words
    words = text.lower()
    cost, _, effect = words.partition(":")
    reading = read(effect or words)
    main = _main(board)
    if "planeswalker" in thing.types:
        if not main:
            return -1.0
        price = _loyalty_price(cost)
        remaining = (thing.loyalty or 0) + price
        return 20.0 + mode_score(board, reading) + 0.3 * price - (3.0 if remaining <= 0 else 0.0)
    if words.startswith("equip"):
        return _equip_score(board, key, done) if main else -1.0
    penalty = (6.0 if "sacrifice" in cost else 0.0) + (2.0 if "discard" in cost or "pay" in cost else 0.0)
    if "regenerate" in effect:
        return 10.0 - penalty if done == 0 and _dying(board, key) else -1.0
    if (reading.power > 0 or reading.toughness > 0) and "until end of turn" in effect:
        if reading.targets:
            return _pump_score(board, reading) - penalty
        return 4.0 - penalty if in_combat(board, key) and board.view.step == "declare_blockers" else -1.0
    if not effect:
        return -1.0
    if reading.targets and reading.harm:
        gain = best_harm(board, reading)
        when = main or _end_before_me(board) or _attacked(board) and board.view.step == "declare_attackers"
        return 3.0 + gain - penalty if when and gain >= 0.6 + penalty and not board.view.stack else -1.0
    if main and board.view.step == "postcombat_main" or _end_before_me(board):
        gain = mode_score(board, reading) - penalty
        return 2.0 + gain if done == 0 and gain > 1.0 else -1.0
    return -1.0


def _loyalty_price(cost: str) -> int:
    """The loyalty a cost adds (or takes), as its text tells: "+1", "-3", "−x"."""
    digits = "".join(c for c in cost if c.isdigit())
    number = int(digits) if digits else 0
    return -number if "-" in cost or "−" in cost else number


def _equip_score(board: Board, key: str, done: int) -> float:
    """Put equipment on the best creature, once a turn, if it is not on one as good."""
    if done or not board.mine:
        return -1.0
    thing = board.thing(key)
    reading = read("target creature")
    best = max(help_to(board, reading, ObjectChoice(creature)) for creature in board.mine)
    if thing is not None and thing.attached_to is not UNSET:
        now = help_to(board, reading, ObjectChoice(thing.attached_to))
        return 5.0 if best > now + 4.0 else -1.0
    return 7.0


def _dying(board: Board, key: str) -> bool:
    """Whether a creature is about to die in combat."""
    combat = board.view.combat
    if not combat or board.view.step != "declare_blockers":
        return False
    for attacker, attacking in combat.attackers.items():
        if attacker == key:
            return any(board.kills(blocker, key) for blocker in attacking.blockers)
        if key in attacking.blockers:
            return board.kills(attacker, key)
    return False


# --- the other questions --------------------------------------------------------------------------------------------


def _confirm(board: Board, question: ConfirmQuestion) -> Answer:
    """Mulligans of hands without some lands and some spells; takes what is offered unless it costs too much."""
    purpose = question.purpose.replace(" ", "_")
    if purpose == "mulligan":
        return ConfirmAnswer(yes=_mulligan(board))
    if purpose in UNWANTED:
        return question.default
    words = " ".join(str(arg) for arg in question.prompt.args.values()).lower()
    if "life" in words and "pay" in purpose + words and board.life(board.me) <= 6:
        return ConfirmAnswer(yes=False)
    return ConfirmAnswer(yes=True)


def _mulligan(board: Board) -> bool:
    """Whether the hand is too bad to keep (103.4)."""
    player = board.player(board.me)
    hand = player.hand if player is not None else []
    lands = 0
    for key in hand:
        thing = board.thing(key)
        lands += thing is not None and "land" in thing.types
    return len(hand) > 5 and not 2 <= lands <= max(3, len(hand) - 2)


def _number(_board: Board, question: NumberQuestion) -> Answer:
    """As much as can be for X; otherwise what the default says, within the bounds."""
    if question.purpose == "x":
        return NumberAnswer(number=max(question.least, min(question.most, 1000)))
    return question.default


def _order(board: Board, question: OrderQuestion) -> Answer:
    """Blockers: those we kill most gladly first. Anything else as it stands."""
    if question.purpose.replace(" ", "_") == "damage_order":

        def key(i: int) -> tuple[float, int]:
            option = question.options[i]
            if not isinstance(option, ObjectChoice):
                return 0.0, i
            return -board.worth(option.id) / max(1, board.toughness(option.id)), i

        return OrderAnswer(order=tuple(sorted(range(len(question.options)), key=key)))
    return OrderAnswer(order=tuple(range(len(question.options))))
