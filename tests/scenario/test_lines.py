"""What a script's lines mean: each test is a small game whose outcome only the right meaning gives."""

from __future__ import annotations

from typing import Any

import pytest

from server.scenario import CardSource, Report, play, read

BEAR = {"name": "Cub", "cost": "{0}", "types": "Creature — Bear", "power": "2", "toughness": "2", "text": ""}
WALL = {"name": "Rampart", "cost": "{0}", "types": "Creature — Wall", "power": "0", "toughness": "6", "text": ""}


def creature(name: str, text: str, size: int = 2, types: str = "Creature — Bear") -> dict[str, str]:
    return {"name": name, "cost": "{0}", "types": types, "power": str(size), "toughness": str(size), "text": text}


def spell(name: str, text: str, types: str = "Instant", cost: str = "{0}") -> dict[str, str]:
    return {"name": name, "cost": cost, "types": types, "text": text}


def there(card: str, player: str = "A", zone: str = "battlefield", **more: Any) -> dict[str, Any]:
    return {"zone": zone, "player": player, "card": card, **more}


def do(line: str, player: str = "A", step: str = "precombat_main", **more: Any) -> dict[str, Any]:
    return {"turn": 1, "step": step, "player": player, "do": line, **more}


def attack(attacker: str, defender: str = "B", **more: Any) -> dict[str, Any]:
    return do("attack", step="declare_attackers", attacker=attacker, defender={"player": defender}, **more)


def block(blocker: str, attacker: str, player: str = "B") -> dict[str, Any]:
    return do("block", player, "declare_blockers", blocker=blocker, attacker=attacker)


def played(*cards: dict[str, Any], **keys: Any) -> Report:
    made: dict[str, Any] = {"id": "test", "cards": [BEAR, WALL, *cards], "until": {"turn": 1, "step": "end_turn"}}
    return play(read({**made, **keys}), CardSource())


def outcome(*cards: dict[str, Any], **keys: Any) -> tuple[str, str]:
    report = played(*cards, **keys)
    return report.outcome, report.why


PASSED = ("passed", "")


# --- declarations ----------------------------------------------------------------------------------------------------

RASH = creature("Rash Cub", "Rash Cub attacks each turn if able.")
DRAWS = creature("Bait", "All creatures able to block Bait do so.")


@pytest.mark.rule("508.1d")
def test_a_creature_that_must_attack_joins_the_lines() -> None:
    both = do("check", step="declare_attackers", check="attackers", names=["Cub", "Rash Cub"])
    script = [attack("Cub"), both]
    assert outcome(RASH, setup=[there("Cub"), there("Rash Cub")], script=script) == PASSED


@pytest.mark.rule("508.1d")
def test_nothing_joins_a_declaration_that_is_expected_to_be_illegal() -> None:
    """Without the other creature the declaration is illegal: that is what the line is there to show."""
    keys = {"setup": [there("Cub"), there("Rash Cub")], "script": [attack("Cub")], "expect_illegal": 0}
    life = [{"check": "life", "player": "B", "value": 18}]
    assert outcome(RASH, **keys, expect=life) == PASSED  # the game goes on with what must attack


@pytest.mark.rule("508.1c", "508.1d")
def test_no_creature_joins_that_need_not_attack() -> None:
    """A creature that can't attack alone is not helped by the runner."""
    shy = creature("Shy Cub", "Shy Cub can't attack alone.")
    keys = {"setup": [there("Cub"), there("Shy Cub")], "script": [attack("Shy Cub")]}
    assert outcome(shy, **keys)[0] == "illegal"


@pytest.mark.rule("508.1d")
def test_what_must_attack_joins_where_its_own_choice_and_the_lines_fit() -> None:
    """Two may attack at most: the line's creature and the one that must, not both of those that the default would take."""
    two = spell("Narrow Pass", "No more than one creature can attack each combat.", "Enchantment")
    keys = {"setup": [there("Narrow Pass"), there("Rash Cub", count=2)], "script": [attack("Rash Cub:1")]}
    script = [
        *keys["script"],
        do("check", "A", "declare_attackers", check="tapped_count", name="Rash Cub", tapped=True, count=1),
    ]
    assert outcome(two, RASH, setup=keys["setup"], script=script) == PASSED


@pytest.mark.rule("509.1c")
def test_creatures_that_must_block_join_the_lines() -> None:
    """The line's creature blocks another attacker; everything else that can block the bait does."""
    setup = [there("Bait"), there("Cub"), there("Rampart", "B", count=2)]
    script = [attack("Bait"), attack("Cub"), block("Rampart", "Bait")]
    now = do("check", "B", "declare_blockers", check="blockers", names=["Rampart", "Rampart"])
    assert outcome(DRAWS, setup=setup, script=[*script, now]) == PASSED


@pytest.mark.rule("509.1c")
def test_nothing_joins_blocks_that_are_expected_to_be_illegal() -> None:
    setup = [there("Bait"), there("Cub"), there("Rampart", "B", count=2)]
    script = [attack("Bait"), attack("Cub"), block("Rampart", "Bait")]
    assert outcome(DRAWS, setup=setup, script=script, expect_illegal=2) == PASSED


# --- bands -----------------------------------------------------------------------------------------------------------

LEADER = creature("Band Chief", "Banding")


@pytest.mark.rule("702.20c", "702.20h")
def test_attackers_of_one_label_are_one_band() -> None:
    """Who blocks one of the band blocks the other too: nothing gets through."""
    setup = [there("Band Chief"), there("Cub"), there("Rampart", "B")]
    script = [attack("Band Chief", band="left"), attack("Cub", band="left"), block("Rampart", "Cub")]
    life = [{"check": "life", "player": "B", "value": 20}]
    assert outcome(LEADER, setup=setup, script=script, expect=life) == PASSED
    loose = [attack("Band Chief"), attack("Cub"), block("Rampart", "Cub")]
    assert outcome(LEADER, setup=setup, script=loose, expect=life)[0] == "failed"


@pytest.mark.rule("702.20c")
def test_two_labels_are_two_bands() -> None:
    setup = [there("Band Chief", count=2), there("Cub", count=2), there("Rampart", "B")]
    script = [
        attack("Band Chief", band="one"), attack("Band Chief", band="two"),
        attack("Cub", band="one"), attack("Cub", band="two"), block("Rampart", "Cub"),
    ]  # fmt: skip
    assert outcome(LEADER, setup=setup, script=script, expect=[{"check": "life", "player": "B", "value": 16}]) == PASSED


@pytest.mark.rule("702.20c")
def test_a_band_that_may_not_be_formed_is_illegal() -> None:
    setup = [there("Cub", count=2)]
    script = [attack("Cub", band="left"), attack("Cub", band="left")]
    assert outcome(setup=setup, script=script)[0] == "illegal"


# --- casting and activating ------------------------------------------------------------------------------------------

ECHO = spell("Echoing Aid", "You gain 2 life.\nFlashback {0}")


@pytest.mark.rule("702.32a")
def test_a_cards_name_alone_is_any_way_in_which_it_can_be_cast() -> None:
    """As by flashback."""
    setup = [there("Echoing Aid", zone="graveyard")]
    life = [{"check": "life", "player": "A", "value": 22}]
    assert outcome(ECHO, setup=setup, script=[do("cast", card="Echoing Aid")], expect=life) == PASSED
    now = do("check", check="playable_ability", ability="Cast Echoing Aid", playable=True)
    assert outcome(ECHO, setup=setup, script=[now]) == PASSED


@pytest.mark.rule("702.32a")
def test_the_plain_way_comes_before_flashback() -> None:
    setup = [there("Echoing Aid", zone="graveyard"), there("Echoing Aid", zone="hand")]
    left = [
        {"check": "graveyard_count", "player": "A", "count": 2},
        {"check": "exile_count", "player": "A", "count": 0},
    ]
    assert outcome(ECHO, setup=setup, script=[do("cast", card="Echoing Aid")], expect=left) == PASSED


SLOW = [creature("Slow Cub", "Suspend 1—{0}"), creature("Slower Cub", "Suspend 12—{0}")]


@pytest.mark.rule("702.60a")
@pytest.mark.parametrize(
    ("word", "there_is"),
    [("Suspend 12", True), ("Suspend 12—{0}", True), ("Susp", True), ("Suspend 1", False), ("Suspend 3", False)],
)
def test_a_keyword_with_another_number_is_another_ability(word: str, there_is: bool) -> None:
    setup = [there("Slower Cub", zone="hand")]
    now = do("check", check="playable_ability", ability=word, playable=there_is)
    assert outcome(*SLOW, setup=setup, script=[now]) == PASSED
    line = outcome(*SLOW, setup=setup, script=[do("activate", ability=word)])
    assert line[0] == ("passed" if there_is else "illegal")


@pytest.mark.rule("702.32a")
def test_a_keyword_with_another_cost_is_another_ability() -> None:
    setup = [there("Echoing Aid", zone="graveyard")]
    assert outcome(ECHO, setup=setup, script=[do("activate", ability="Flashback {0}")]) == PASSED
    assert outcome(ECHO, setup=setup, script=[do("activate", ability="Flashback {1}")])[0] == "illegal"


VEILED = creature("Veiled Cub", "Morph {1}", 4)


@pytest.mark.rule("702.35d")
@pytest.mark.parametrize(
    ("words", "turned"),
    [("{1}:", True), ("{1}: Turn this", True), ("Turn this face-down permanent face up", True), ("{2}:", False)],
)
def test_a_cost_alone_begins_what_turns_a_permanent_face_up(words: str, turned: bool) -> None:
    setup = [there("Veiled Cub", zone="hand"), there("Forest", count=5)]
    script = [do("cast", card="Veiled Cub using morph"), do("wait_stack"), do("activate", ability=words)]
    assert outcome(VEILED, setup=setup, script=script)[0] == ("passed" if turned else "illegal")


@pytest.mark.rule("207.2c")
def test_an_ability_on_the_stack_is_found_by_its_text_without_its_ability_word() -> None:
    mourner = spell("Grave Bell", "Toll — Whenever a creature dies, you gain 1 life.", "Enchantment")
    end = spell("Sudden Ruin", "Destroy target creature.")
    aid = spell("Small Aid", "You gain 2 life.")
    setup = [there("Grave Bell"), there("Cub"), there("Sudden Ruin", zone="hand"), there("Small Aid", "B", "hand")]
    for words in ("Whenever a creature dies", "Toll — Whenever"):
        script = [
            do("cast", card="Sudden Ruin", targets=[{"name": "Cub"}]),
            do("cast", "B", card="Small Aid", while_on_stack=words),
        ]
        life = [{"check": "life", "player": "B", "value": 22}]
        assert outcome(mourner, end, aid, setup=setup, script=script, expect=life) == PASSED


# --- targets ---------------------------------------------------------------------------------------------------------

BLOWS = spell("Twin Blows", "Destroy target creature you control. Destroy target creature.")
TWO = [there("Cub"), there("Cub", "B"), there("Rampart", "B"), there("Twin Blows", zone="hand")]
GONE = [{"check": "graveyard_count", "player": "A", "name": "Cub", "count": 1}]


@pytest.mark.rule("601.2c")
def test_a_target_without_a_choice_takes_the_name_given_for_it() -> None:
    """The first target can be one creature only, so nobody is asked: its name does not fill the second slot."""
    script = [do("cast", card="Twin Blows", targets=[{"name": "Cub"}, {"name": "Rampart"}])]
    left = [{"check": "graveyard_count", "player": "B", "name": "Rampart", "count": 1}]
    assert outcome(BLOWS, setup=TWO, script=script, expect=[*GONE, *left]) == PASSED


@pytest.mark.rule("601.2c")
def test_two_equal_names_are_two_creatures_where_they_can_be() -> None:
    script = [do("cast", card="Twin Blows", targets=[{"name": "Cub"}, {"name": "Cub"}])]
    left = [{"check": "graveyard_count", "player": "B", "name": "Cub", "count": 1}]
    assert outcome(BLOWS, setup=TWO, script=script, expect=[*GONE, *left]) == PASSED


@pytest.mark.rule("601.2c")
def test_a_target_without_a_choice_may_stand_last() -> None:
    last = spell("Late Blow", "Destroy target creature. Destroy target Wall.")
    setup = [there("Cub"), there("Rampart", "B"), there("Late Blow", zone="hand")]
    script = [do("cast", card="Late Blow", targets=[{"name": "Cub"}, {"name": "Rampart"}])]
    assert outcome(last, setup=setup, script=script, expect=GONE) == PASSED
    script = [do("cast", card="Late Blow", targets=[{"name": "Cub"}, {"name": "Cub"}])]
    assert outcome(last, setup=setup, script=script)[0] == "illegal"


@pytest.mark.rule("603.3d")
def test_an_answer_for_a_target_without_a_choice_is_used_up() -> None:
    """Of a triggered ability: the wall is the only one, the creature to be tapped is asked for."""
    herald = creature(
        "Twin Herald", "When Twin Herald enters the battlefield, destroy target Wall. Tap target creature."
    )
    setup = [there("Twin Herald", zone="hand"), there("Rampart", "B"), there("Cub", "B")]
    names = [{"player": "A", "do": "target", "targets": [{"name": name}]} for name in ("Rampart", "Cub")]
    report = played(
        herald,
        setup=setup,
        script=[do("cast", card="Twin Herald"), *names],
        expect=[{"check": "tapped", "name": "Cub", "tapped": True}],
    )
    assert (report.outcome, report.why, report.unused) == ("passed", "", ())


@pytest.mark.rule("603.3d")
def test_an_answer_for_an_only_target_is_not_left_for_another_ability() -> None:
    """The first herald has one wall to tap; the second may choose."""
    herald = creature("Wall Herald", "When Wall Herald enters the battlefield, tap target Wall.")
    other = creature("Other Herald", "When Other Herald enters the battlefield, tap target creature.")
    setup = [
        there("Wall Herald", zone="hand"),
        there("Other Herald", zone="hand"),
        there("Rampart", "B"),
        there("Cub", "B"),
    ]
    names = [{"player": "A", "do": "target", "targets": [{"name": name}]} for name in ("Rampart", "Cub")]
    script = [do("cast", card="Wall Herald"), do("wait_stack"), do("cast", card="Other Herald"), *names]
    tapped = [{"check": "tapped", "name": "Cub", "tapped": True}]
    assert outcome(herald, other, setup=setup, script=script, expect=tapped) == PASSED


# --- checks ----------------------------------------------------------------------------------------------------------


def has(name: str, ability: str, it_has: bool) -> list[dict[str, Any]]:
    return [{"check": "ability", "name": name, "ability": ability, "has": it_has}]


@pytest.mark.rule("702.1")
def test_a_text_that_begins_with_a_keyword_is_not_that_keyword() -> None:
    text = "Flying creatures you control get +1/+1."
    gets = {"ability": "static", "what": "creatures you control with flying", "text": text}
    lord = {
        **{key: value for key, value in creature("Herd Caller", "").items() if key != "text"},
        "abilities": [{**gets, "mods": [{"mod": "adds P/T", "power": 1, "toughness": 1}]}],
    }
    assert outcome(lord, setup=[there("Herd Caller")], expect=has("Herd Caller", "flying", False)) == PASSED


@pytest.mark.rule("604.2")
def test_an_ability_whose_condition_does_not_hold_is_not_there() -> None:
    text = "As long as you control a Forest, Grove Cub gets +1/+1."
    cub = creature("Grove Cub", text)
    assert outcome(cub, setup=[there("Grove Cub")], expect=has("Grove Cub", text, False)) == PASSED
    setup = [there("Grove Cub"), there("Forest")]
    assert outcome(cub, setup=setup, expect=has("Grove Cub", text, True)) == PASSED


@pytest.mark.rule("613.1f")
def test_an_activated_ability_that_was_lost_is_not_there() -> None:
    priest = creature("Dawn Priest", "{T}: You gain 1 life.")
    hush = spell("Still Air", "All creatures lose all abilities.", "Enchantment")
    setup = [there("Dawn Priest")]
    assert outcome(priest, hush, setup=setup, expect=has("Dawn Priest", "{T}: You gain", True)) == PASSED
    setup.append(there("Still Air"))
    assert outcome(priest, hush, setup=setup, expect=has("Dawn Priest", "{T}: You gain", False)) == PASSED
