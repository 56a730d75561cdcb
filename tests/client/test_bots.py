"""The bots: legal answers to everything, the same ones again, quickly; and some sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.bots import LEVELS, make
from client_cli.bots.reading import read, room_for_x
from protocol.questions import (
    Action,
    Answer,
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    Blocker,
    BlockersAnswer,
    BlockersQuestion,
    ChooseAnswer,
    ChooseQuestion,
    ConfirmAnswer,
    ConfirmQuestion,
    ObjectChoice,
    PlayerChoice,
    PriorityAnswer,
    PriorityQuestion,
    Question,
    WordChoice,
)
from tests.client.legal import legal, questions
from tests.client.tables import Setting, base
from tests.pace import fastest


def middle_of_a_game() -> Setting:
    setting = Setting(turn=9)
    for seat in range(4):
        for name in ("Forest", "Mountain"):
            setting.land(name, seat)
        setting.creature("Bear", 2, 2, seat)
        setting.creature("Bird", 1, 1, seat, "flying")
        setting.creature("Wurm", 6, 6, seat, tapped=seat == 2)
    setting.card("Bolt", "instant", "Bolt deals 3 damage to target creature or player.")
    setting.card("Blade", "artifact equipment", "Equipped creature gets +2/+0.\nEquip {1}", zone="battlefield")
    setting.card(
        "Sage", "planeswalker", "+1: Draw a card.\n-2: Sage deals 2 damage to target creature.", zone="battlefield"
    )
    setting.land("Forest", zone="hand")
    return setting


SETTING = middle_of_a_game()
IDS = list(SETTING.battlefield)
HAND = list(SETTING.hand)


@pytest.mark.parametrize("level", LEVELS)
@given(question=questions(IDS, HAND), seed=st.integers(0, 5))
def test_every_question_gets_a_legal_answer_the_same_again(level: str, question: Question, seed: int) -> None:
    table = SETTING.table()
    answer = make(level, seed).answer(table, question)
    assert legal(question, answer), answer
    assert make(level, seed).answer(SETTING.table(), question) == answer


@pytest.mark.parametrize("level", LEVELS)
def test_a_decision_takes_less_than_two_milliseconds(level: str) -> None:
    setting = Setting(turn=30)
    for seat in range(4):
        for i in range(12):
            setting.creature(f"C{i}", 1 + i % 4, 1 + i % 3, seat)
            setting.land("Forest", seat)
    attackers = tuple(Attacker(key, tuple(map(PlayerChoice, (1, 2, 3)))) for key in setting.battlefield[0:24:2])
    question = AttackersQuestion(**base("attackers", AttackersAnswer(attacks=())), attackers=attackers)
    player = make(level, 1)
    tables = iter([setting.table(question) for _ in range(20)])  # a table read once is remembered
    assert fastest(lambda: player.answer(next(tables), question), rounds=20) < 0.002


# --- attacking and blocking ---------------------------------------------------------------------------------------


def attack(setting: Setting, *keys: str, seats: tuple[int, ...] = (1, 2, 3)) -> dict[str, int]:
    """Whom the simple bot attacks with which."""
    attackers = tuple(Attacker(key, tuple(map(PlayerChoice, seats))) for key in keys)
    question = AttackersQuestion(**base("attackers", AttackersAnswer(attacks=())), attackers=attackers)
    answer = make("simple").answer(setting.table(), question)
    assert isinstance(answer, AttackersAnswer)
    return {keys[i]: seats[j] for i, j in answer.attacks}


def block(setting: Setting, attackers: list[str], *keys: str) -> list[tuple[str, str]]:
    """Who of ours blocks which."""
    question = BlockersQuestion(
        **base("blockers", BlockersAnswer(blocks=())), blockers=tuple(Blocker(key, tuple(attackers)) for key in keys)
    )
    answer = make("simple").answer(setting.table(), question)
    assert isinstance(answer, BlockersAnswer)
    return [(keys[i], key) for i, key in answer.blocks]


def test_attacks_whoever_cannot_block() -> None:
    setting = Setting()
    bear = setting.creature("Bear", 2, 2)
    for seat in (1, 2):
        setting.creature("Wall", 0, 5, seat)
        setting.creature("Giant", 4, 4, seat, tapped=False)
    assert attack(setting, bear) == {bear: 3}


def test_kills_a_player_it_can_kill() -> None:
    setting = Setting()
    setting.players[2]["life"] = 3
    setting.creature("Giant", 4, 4, 2)
    ours = [setting.creature("Bear", 2, 2) for _ in range(3)]
    assert attack(setting, *ours) == dict.fromkeys(ours, 2)


def test_stays_home_before_a_bigger_army() -> None:
    setting = Setting()
    setting.players[0]["life"] = 6
    bear = setting.creature("Bear", 2, 2)
    for _ in range(3):
        setting.creature("Giant", 4, 4, 1)
    assert attack(setting, bear) == {}


@pytest.mark.parametrize(
    ("cost", "lands", "attacks"), [("{2}", 0, 0), ("{2}", 3, 1), ("{2}", 4, 2), ("{1}{W}", 6, 3), ("pay 1 life", 6, 0)]
)
def test_attacks_with_as_many_as_its_lands_pay_for(cost: str, lands: int, attacks: int) -> None:
    setting = Setting()
    setting.players[1]["life"] = 6
    ours = [setting.creature("Bear", 2, 2) for _ in range(3)]
    for _ in range(lands):
        setting.land("Plains")
    question = AttackersQuestion(
        **base("attackers", AttackersAnswer(attacks=())),
        attackers=tuple(Attacker(key, (PlayerChoice(1),), (cost,)) for key in ours),
    )
    answer = make("simple").answer(setting.table(), question)
    assert isinstance(answer, AttackersAnswer) and len(answer.attacks) == attacks


def test_blocks_with_as_many_as_its_lands_pay_for() -> None:
    setting = Setting()
    attacker = setting.creature("Bear", 2, 2, 1)
    guard = setting.creature("Giant", 4, 4)
    question = BlockersQuestion(
        **base("blockers", BlockersAnswer(blocks=())), blockers=(Blocker(guard, (attacker,), cost="{1}"),)
    )
    assert make("simple").answer(setting.table(), question) == BlockersAnswer(blocks=())
    setting.land("Plains")
    assert make("simple").answer(setting.table(), question) == BlockersAnswer(blocks=((0, attacker),))


def test_attacks_a_planeswalker_it_can_finish() -> None:
    setting = Setting()
    bear = setting.creature("Bear", 2, 2)
    sage = setting.card("Sage", "planeswalker", "", 1, zone="battlefield", loyalty=2)
    question = AttackersQuestion(
        **base("attackers", AttackersAnswer(attacks=())),
        attackers=(Attacker(bear, (PlayerChoice(1), PlayerChoice(2), ObjectChoice(sage))),),
    )
    assert make("simple").answer(setting.table(), question) == AttackersAnswer(attacks=((0, 2),))


def test_blocks_where_it_wins_and_lets_small_damage_through() -> None:
    setting = Setting(active=1, step="declare_blockers")
    bear, giant = setting.creature("Bear", 2, 2), setting.creature("Giant", 4, 4)
    theirs, wurm = setting.creature("Ogre", 3, 3, 1), setting.creature("Wurm", 6, 6, 1)
    for key in (theirs, wurm):
        setting.attack(key, 0)
    assert block(setting, [theirs, wurm], bear, giant) == [(giant, theirs)]


def test_throws_creatures_in_the_way_of_deadly_damage_only() -> None:
    setting = Setting(active=1, step="declare_blockers")
    bird = setting.creature("Bird", 1, 1)
    wurm = setting.creature("Wurm", 6, 6, 1)
    setting.attack(wurm, 0)
    assert block(setting, [wurm], bird) == []
    setting.players[0]["life"] = 6
    assert block(setting, [wurm], bird) == [(bird, wurm)]


def test_two_block_what_one_cannot_stop() -> None:
    setting = Setting(active=1, step="declare_blockers")
    one, other = setting.creature("Bear", 2, 2), setting.creature("Bear", 2, 2)
    ogre = setting.creature("Ogre", 3, 3, 1, "trample")
    setting.attack(ogre, 0)
    assert sorted(block(setting, [ogre], one, other)) == [(one, ogre), (other, ogre)]


@pytest.mark.rule("509.1b")
def test_two_do_not_block_what_only_one_may() -> None:
    setting = Setting(active=1, step="declare_blockers")
    one, other = setting.creature("Bear", 2, 2), setting.creature("Bear", 2, 2)
    text = "Sly Ogre can't be blocked by more than one creature."
    ogre = setting.card("Sly Ogre", "creature", text, 1, zone="battlefield", power=3, toughness=3)
    setting.attack(ogre, 0)
    assert block(setting, [ogre], one, other) == []


# --- spells -------------------------------------------------------------------------------------------------------


def take(setting: Setting, *actions: Action) -> int:
    """The index of the action the simple bot takes; 0: none."""
    question = PriorityQuestion(**base("priority", PriorityAnswer(index=0)), actions=(Action(type="pass"), *actions))
    answer = make("simple").answer(setting.table(), question)
    assert isinstance(answer, PriorityAnswer)
    return answer.index


def target(setting: Setting, source: str, *options: ObjectChoice | PlayerChoice) -> Answer:
    question = ChooseQuestion(
        **base("target", ChooseAnswer(picks=(0,))), options=options, least=1, most=1, source=source
    )
    return make("simple").answer(setting.table(), question)


def cast(key: str) -> Action:
    return Action(type="cast", object=key)


BOLT = ("Bolt", "instant", "Bolt deals 3 damage to target creature or player.")


def test_land_first_then_the_biggest_creature() -> None:
    setting = Setting()
    land = setting.land("Forest", zone="hand")
    bear = setting.creature("Bear", 2, 2, zone="hand")
    giant = setting.creature("Giant", 4, 4, zone="hand")
    assert take(setting, cast(bear), Action(type="play_land", object=land), cast(giant)) == 2
    assert take(setting, cast(bear), cast(giant)) == 2


def test_burn_waits_for_something_to_burn() -> None:
    setting = Setting()
    bolt = setting.card(*BOLT, mana_value=1)
    assert take(setting, cast(bolt)) == 0
    bird = setting.creature("Griffin", 3, 3, 2, "flying")
    wall = setting.creature("Wall", 0, 7, 3)
    assert take(setting, cast(bolt)) == 1
    options = (PlayerChoice(0), PlayerChoice(1), ObjectChoice(wall), ObjectChoice(bird))
    assert target(setting, bolt, *options) == ChooseAnswer(picks=(3,))


def test_burn_finishes_a_player() -> None:
    setting = Setting()
    setting.players[3]["life"] = 3
    bolt = setting.card(*BOLT, mana_value=1)
    assert take(setting, cast(bolt)) == 1
    assert target(setting, bolt, PlayerChoice(1), PlayerChoice(3), PlayerChoice(0)) == ChooseAnswer(picks=(1,))


def test_removal_takes_the_best_of_others_and_never_its_own() -> None:
    setting = Setting()
    kill = setting.card("Doom", "instant", "Destroy target creature.", mana_value=2)
    mine = setting.creature("Wurm", 6, 6)
    assert take(setting, cast(kill)) == 0
    small, big = setting.creature("Bear", 2, 2, 1), setting.creature("Giant", 4, 4, 3)
    assert take(setting, cast(kill)) == 1
    assert target(setting, kill, *map(ObjectChoice, (mine, small, big))) == ChooseAnswer(picks=(2,))


def test_help_goes_to_its_own() -> None:
    setting = Setting()
    aura = setting.card("Might", "enchantment aura", "Enchant creature\nEnchanted creature gets +2/+2.")
    theirs, mine = setting.creature("Giant", 4, 4, 1), setting.creature("Bear", 2, 2)
    assert take(setting, cast(aura)) == 1
    assert target(setting, aura, ObjectChoice(theirs), ObjectChoice(mine)) == ChooseAnswer(picks=(1,))


def test_counterspells_only_against_others() -> None:
    setting = Setting(active=1)
    counter = setting.card("No", "instant", "Counter target spell.")
    assert take(setting, cast(counter)) == 0
    setting.creature("Giant", 4, 4, 1, zone="stack")
    assert take(setting, cast(counter)) == 1


def test_a_trick_when_it_turns_a_fight() -> None:
    setting = Setting(step="declare_blockers")
    growth = setting.card("Growth", "instant", "Target creature gets +3/+3 until end of turn.", mana_value=1)
    bear, ogre = setting.creature("Bear", 2, 2), setting.creature("Ogre", 3, 3, 1)
    assert take(setting, cast(growth)) == 0
    setting.attack(bear, 1, ogre)
    assert take(setting, cast(growth)) == 1


@pytest.mark.parametrize(("lands", "taken"), [(1, 0), (2, 1)])
def test_nothing_is_cast_or_used_for_an_x_of_nothing(lands: int, taken: int) -> None:
    made = Setting(turn=9)
    for _ in range(lands):
        made.land("Forest", 0)
    hydra = made.creature("Hydra", 0, 0, zone="hand", cost="{X}{G}")
    assert take(made, cast(hydra)) == taken
    made.creature("Bird", 1, 1, 1)
    well = made.card("Well", "artifact", "", zone="battlefield")
    text = "Well: {X}{G}, {T}: Well deals X damage to any target."
    assert take(made, Action(type="activate", object=well, ability=0, text=text)) == taken


@pytest.mark.parametrize(
    ("cost", "lands", "room"),
    [
        ("{X}{G}", 1, False),
        ("{X}{G}", 2, True),
        ("{X}{X}{2}", 3, False),
        ("{X}{X}{2}", 4, True),
        ("{X}{G/W}, {T}", 2, True),
    ],
)
def test_how_many_lands_an_x_of_one_takes(cost: str, lands: int, room: bool) -> None:
    assert room_for_x(cost, lands) == room


def test_mulligan() -> None:
    question = ConfirmQuestion(**base("mulligan", ConfirmAnswer(yes=True)))
    for lands, keep in ((0, False), (1, False), (3, True), (5, True), (7, False)):
        setting = Setting(turn=0)
        for i in range(7):
            if i < lands:
                setting.land("Forest", zone="hand")
            else:
                setting.creature("Bear", 2, 2, zone="hand")
        assert make("simple").answer(setting.table(), question) == ConfirmAnswer(yes=not keep)


@pytest.mark.rule("903.8")
def test_a_mulligan_in_part_is_of_what_there_is_too_much_of() -> None:
    for lands in (1, 6):
        setting = Setting(turn=0)
        held = [setting.land("Forest", zone="hand") for _ in range(lands)]
        spells = [setting.creature("Bear", 2, 2, zone="hand") for _ in range(7 - lands)]
        options = tuple(ObjectChoice(id=key) for key in (*held, *spells))
        question = ChooseQuestion(
            **base("mulligan in part", ChooseAnswer(picks=(0,))), options=options, least=1, most=7
        )
        answer = make("simple").answer(setting.table(), question)
        assert isinstance(answer, ChooseAnswer)
        assert sorted(answer.picks) == (list(range(6)) if lands == 6 else list(range(1, 7)))


def test_discards_what_it_needs_least() -> None:
    setting = Setting()
    for _ in range(7):
        setting.land("Forest")
    land = setting.land("Forest", zone="hand")
    wurm = setting.creature("Wurm", 6, 6, zone="hand")
    question = ChooseQuestion(
        **base("discard", ChooseAnswer(picks=(0,))), options=(ObjectChoice(wurm), ObjectChoice(land)), least=1, most=1
    )
    assert make("simple").answer(setting.table(), question) == ChooseAnswer(picks=(1,))


def test_does_not_use_an_ability_for_ever() -> None:
    setting = Setting(step="declare_blockers")
    wall = setting.creature("Wall", 1, 5, text="")
    ogre = setting.creature("Ogre", 9, 9, 1)
    setting.attack(wall, 1, ogre)
    pump = Action(type="activate", object=wall, ability=0, text="Wall: {R}: Wall gets +1/+0 until end of turn.")
    question = PriorityQuestion(**base("priority", PriorityAnswer(index=0)), actions=(Action(type="pass"), pump))
    player, table = make("simple"), setting.table()
    taken = [player.answer(table, question) for _ in range(10)]
    assert PriorityAnswer(index=1) in taken
    assert taken[-1] == PriorityAnswer(index=0)


@pytest.mark.parametrize(
    ("text", "harm", "creature", "player"),
    [
        ("Destroy target creature.", True, True, False),
        ("It deals 3 damage to target creature or player.", True, True, True),
        ("It deals 3 damage to any target.", True, True, True),
        ("Target creature gets -2/-2 until end of turn.", True, True, False),
        ("Target creature gets +2/+2 until end of turn.", False, True, False),
        ("Target player draws two cards.", False, False, True),
        ("Target player discards two cards.", True, False, True),
        ("Prevent the next 3 damage that would be dealt to target creature or player this turn.", False, True, True),
        ("Return target creature to its owner's hand.", True, True, False),
        ("Untap target creature.", False, True, False),
        ("Tap target creature.", True, True, False),
        ("Counter target spell.", True, False, False),
        ("Enchant creature\nEnchanted creature can't attack or block.", True, True, False),
        ("Target creature gains flying until end of turn.", False, True, False),
        ("Gain control of target creature.", True, True, False),
        ("Destroy target creature. You gain 3 life.", True, True, False),
        ("Target player sacrifices a creature.", True, False, True),
        (
            "The next 3 damage that would be dealt to you this turn is dealt to target creature instead.",
            True,
            True,
            False,
        ),
        ("Enchant creature\nYou control enchanted creature.", True, True, False),
        (
            "It deals 4 damage divided as you choose among any number of target creatures and/or players.",
            True,
            True,
            True,
        ),
        ("Destroy target attacking or blocking creature.", True, True, False),
    ],
)
def test_reading(text: str, harm: bool, creature: bool, player: bool) -> None:
    found = read(text)
    assert (found.harm, found.creature, found.player) == (harm, creature, player)


def test_whether_it_helps_or_harms_is_the_servers_word_and_not_what_the_text_seems_to_say() -> None:
    setting = Setting()
    mine = setting.creature("Wurm", 6, 6)
    theirs = setting.creature("Wyvern", 5, 5, 1)
    source = setting.card("Riddle", "instant", "Hum at target creature.")
    options = (ObjectChoice(mine), ObjectChoice(theirs))
    picked: list[Answer] = []
    for aim in ("help", "harm"):
        question = ChooseQuestion(
            **base("target", ChooseAnswer(picks=(0,))), options=options, least=1, most=1, source=source, aim=aim
        )
        picked.append(make("simple").answer(setting.table(), question))
    assert picked == [ChooseAnswer(picks=(0,)), ChooseAnswer(picks=(1,))]


# --- teams ----------------------------------------------------------------------------------------------------------


def test_nobody_attacks_or_hurts_a_teammate() -> None:
    setting = Setting()
    bear = setting.creature("Bear", 2, 2)
    setting.players[2]["life"] = 1
    assert attack(setting, bear) == {bear: 2}
    setting.more = {"teams": [0, 1, 0, 1]}
    assert attack(setting, bear) in ({bear: 1}, {bear: 3})


def test_an_emperor_of_others_is_attacked_first_and_one_self_keeps_a_guard() -> None:
    setting = Setting(6)
    giant = setting.creature("Giant", 5, 5)
    assert attack(setting, giant, seats=(3, 4)) == {giant: 3}
    setting.more = {"teams": [0, 0, 0, 1, 1, 1], "emperors": [1, 4]}
    assert attack(setting, giant, seats=(3, 4)) == {giant: 4}
    mine = Setting(6)
    bear = mine.creature("Bear", 2, 2)
    mine.creature("Ox", 5, 1, 3, tapped=True)
    mine.players[0]["life"] = 14
    assert attack(mine, bear, seats=(3,)) == {bear: 3}
    mine.more = {"teams": [0, 0, 0, 1, 1, 1], "emperors": [0, 4]}
    assert attack(mine, bear, seats=(3,)) == {}


def test_a_head_blocks_for_the_team() -> None:
    setting = Setting()
    bird = setting.creature("Bird", 1, 1)
    ox = setting.creature("Ox", 5, 5, 2)
    setting.attack(ox, 1)
    for seat in range(2):
        setting.players[seat]["life"] = 4
    assert block(setting, [ox], bird) == []
    setting.more = {"teams": [0, 0, 1, 1], "shared_turns": True}
    assert block(setting, [ox], bird) == [(bird, ox)]


def test_a_head_plays_in_the_turn_of_its_team() -> None:
    setting = Setting(active=1)
    setting.land("Mountain")
    setting.land("Mountain")
    troll = setting.creature("Troll", 2, 2, zone="hand")
    play = Action(type="cast", object=troll, text="Troll")
    assert take(setting, play) == 0
    setting.more = {"teams": [0, 0, 1, 1], "shared_turns": True}
    assert take(setting, play) == 1


OUTCOMES = "If joy gets more votes, draw three cards. If grief gets more votes, discard three cards."


@pytest.mark.parametrize(("caster", "wanted"), [(0, 1), (1, 0)])
def test_a_simple_bot_votes_for_what_suits_it(caster: int, wanted: int) -> None:
    setting = Setting(turn=9)
    text = "Each player votes for grief or joy. " + OUTCOMES
    moot = setting.card("Moot", "sorcery", text, zone="stack", seat=caster)
    words = tuple(WordChoice(word=word, text=word) for word in ("grief", "joy"))
    fields = base("vote", ChooseAnswer(picks=(0,)))
    question = ChooseQuestion(**fields, source=moot, options=words, least=1, most=1)
    assert make("simple").answer(setting.table(), question) == ChooseAnswer(picks=(wanted,))
