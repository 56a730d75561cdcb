"""The runner judges rightly: every outcome, where it names the fault, and what the command prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from server.command.main import main
from server.scenario import BadScenario, CardSource, Report, Unsupported, play, read

BOLT = {
    "name": "Jolt",
    "types": "Instant",
    "cost": "{0}",
    "abilities": [{"ability": "spell", "do": [{"do": "damage", "amount": 3, "to": "target creature or player"}]}],
}
BEAR = {"name": "Bear", "types": "Creature — Bear", "cost": "{0}", "power": "2", "toughness": "2"}
CHARM = {
    "name": "Charm",
    "types": "Instant",
    "cost": "{0}",
    "abilities": [{"ability": "spell", "do": [{"do": "may", "then": [{"do": "gain life", "amount": 1}]}]}],
}


def cast(card: str = "Jolt", **more: Any) -> dict[str, Any]:
    return {"turn": 1, "step": "precombat_main", "player": "A", "do": "cast", "card": card, **more}


def game(**keys: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": "test",
        "cards": [BOLT, BEAR, CHARM],
        "setup": [
            {"zone": "hand", "player": "A", "card": "Jolt", "count": 2},
            {"zone": "hand", "player": "A", "card": "Charm"},
            {"zone": "battlefield", "player": "B", "card": "Bear", "count": 2},
        ],
        "until": {"turn": 1, "step": "end_turn"},
    }
    return {**made, **keys}


def played(**keys: Any) -> Report:
    return play(read(game(**keys)), CardSource())


def test_passed() -> None:
    report = played(script=[cast(targets=[{"player": "B"}])], expect=[{"check": "life", "player": "B", "value": 17}])
    assert report == Report("test", "passed")


def test_failed_names_the_first_expectation_that_does_not_hold() -> None:
    report = played(
        expect=[{"check": "life", "player": "A", "value": 20}, {"check": "life", "player": "B", "value": 17}]
    )
    assert (report.outcome, report.why) == ("failed", "expect[1]: life of B is 20, not 17")


@pytest.mark.rule("107.2")
def test_what_is_no_creature_has_a_size_of_nothing_where_one_is_asked_for() -> None:
    stone = {"name": "Stone", "types": "Artifact", "cost": "{0}"}
    setup = [{"zone": "battlefield", "player": "A", "card": "Stone"}]

    def outcome(size: int) -> str:
        expect = {"check": "power_toughness", "name": "Stone", "power": size, "toughness": size}
        return played(cards=[stone], setup=setup, expect=[expect]).outcome

    assert [outcome(0), outcome(1)] == ["passed", "failed"]


def test_failed_when_a_moment_never_came() -> None:
    report = played(script=[{**cast(targets=[{"player": "B"}]), "turn": 2}])
    assert report.outcome == "failed"
    assert report.why == "script[0]: the moment to cast (turn 2, precombat_main) never came"


def test_failed_when_a_condition_on_the_stack_was_never_met() -> None:
    assert played(script=[cast(targets=[{"player": "B"}], while_on_stack="Charm")]).outcome == "failed"


def test_failed_check_in_the_script() -> None:
    line = {
        "turn": 1, "step": "upkeep", "player": "B", "do": "check", "check": "permanent_count", "name": "Bear", "count": 1,
    }  # fmt: skip
    report = played(script=[line])
    assert (report.outcome, report.why) == ("failed", "script[0]: permanent_count of B Bear is 2, not 1")


@pytest.mark.parametrize(
    "line",
    [
        cast("Bear"),
        cast(targets=[{"name": "Charm"}]),
        {"turn": 1, "step": "declare_attackers", "player": "A", "do": "attack", "attacker": "Bear"},
        {"turn": 1, "step": "upkeep", "player": "A", "do": "activate", "ability": "{T}: Draw"},
        {"turn": 1, "step": "upkeep", "player": "A", "do": "play_land", "card": "Forest"},
    ],
)
def test_illegal_lines(line: dict[str, Any]) -> None:
    assert played(script=[line]).outcome == "illegal"
    assert played(script=[line], expect_illegal=0).outcome == "passed"


def test_an_illegal_line_leaves_no_trace() -> None:
    script = [cast(targets=[{"name": "Wolf"}]), cast(targets=[{"player": "B"}])]
    expect = [
        {"check": "hand_count", "player": "A", "name": "Jolt", "count": 1},
        {"check": "event", "kind": "cast", "count": 1},
    ]
    report = played(script=script, expect_illegal=0, expect=expect)
    assert (report.outcome, report.why) == ("passed", "")


def test_a_legal_line_that_should_be_illegal_fails() -> None:
    report = played(script=[cast(targets=[{"player": "B"}])], expect_illegal=0)
    assert (report.outcome, report.why) == ("failed", "script[0]: was accepted as legal")


def test_a_target_taken_without_a_question_must_be_the_named_one() -> None:
    setup = [{"zone": "hand", "player": "A", "card": "Slay"}, {"zone": "battlefield", "player": "B", "card": "Bear"}]
    slay = {
        "name": "Slay", "types": "Instant", "cost": "{0}",
        "abilities": [{"ability": "spell", "do": [{"do": "destroy", "what": "target creature"}]}],
    }  # fmt: skip
    keys = {"setup": setup, "cards": [slay, BEAR]}
    assert played(script=[cast("Slay", targets=[{"name": "Bear"}])], **keys).outcome == "passed"
    assert played(script=[cast("Slay", targets=[{"name": "Wolf"}])], **keys).outcome == "illegal"


def test_unsupported_names_the_card_and_the_word() -> None:
    strange = {
        "name": "Oddity",
        "types": "Creature — Bear",
        "power": "1",
        "toughness": "1",
        "text": "Flying\nGlorbs twice.",
    }
    setup = [{"zone": "hand", "player": "A", "card": "Oddity"}]
    report = played(cards=[strange], setup=setup)
    assert (report.outcome, report.why) == ("unsupported", "'Oddity' is not fully read: Glorbs")
    report = played(setup=[{"zone": "hand", "player": "A", "card": "Nobody's Card"}])
    assert report.outcome == "unsupported"
    assert "Nobody's Card" in report.why


def test_a_face_that_no_card_of_the_game_is_known_to_have_is_unsupported() -> None:
    """A list may have a card's second face as an entry of its own and not say whose it is."""
    report = played(script=[cast("Other Half")])
    assert (report.outcome, report.why[:12]) == ("unsupported", "'Other Half'")


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ({"lives": 3}, "lives"),
        ({"setup": [{"zone": "hand", "player": "A", "card": "Jolt", "tap": True}]}, "setup[0]"),
        ({"setup": [{"zone": "hand", "player": "Z", "card": "Jolt"}]}, "setup[0].player"),
        ({"script": [{**cast(), "colour": "red"}]}, "script[0]"),
        ({"script": [cast(targets=[{"nam": "Bear"}])]}, "script[0].targets[0]"),
        ({"script": [{"player": "A", "do": "choice"}]}, "script[0]"),
        ({"expect": [{"check": "life", "player": "A", "value": 1, "min": 0}]}, "expect[0]"),
        ({"until": {"turn": 1, "step": "lunch"}}, "until.step"),
        ({"expect_illegal": 3}, "expect_illegal"),
    ],
)
def test_faults_are_named_with_their_path(keys: dict[str, Any], path: str) -> None:
    with pytest.raises(BadScenario) as caught:
        read(game(**keys))
    assert path in str(caught.value)


def test_a_field_that_is_none_is_refused_with_those_that_there_are() -> None:
    line = {"turn": 1, "step": "upkeep", "player": "A", "do": "activate", "card": "Jolt"}
    with pytest.raises(BadScenario, match=r"unknown field `card`; there are `turn`, .*`ability`"):
        read(game(script=[line]))


@pytest.mark.parametrize(
    "keys",
    [
        {"script": [{"turn": 1, "step": "upkeep", "player": "A", "do": "juggle"}]},
        {"script": [{"player": "A", "do": "sing"}]},
        {"expect": [{"check": "mood", "player": "A"}]},
    ],
)
def test_unknown_verbs_and_checks_are_unsupported(keys: dict[str, Any]) -> None:
    with pytest.raises(Unsupported):
        read(game(**keys))


def test_an_event_of_a_kind_that_there_is_not_is_unsupported() -> None:
    """None of it would always have happened, so that a game that says so could not fail."""
    report = played(expect=[{"check": "event", "kind": "zone change", "count": 0}])
    assert (report.outcome, report.why) == ("unsupported", "there is no event 'zone change'")


def test_unused_answers_are_told_and_do_no_harm() -> None:
    yes = {"player": "A", "do": "choice", "yes": True}
    report = played(script=[cast("Charm"), yes, yes], expect=[{"check": "life", "player": "A", "value": 21}])
    assert (report.outcome, report.unused) == ("passed", (2,))


def test_an_answer_may_stand_before_its_action() -> None:
    script = [{"player": "A", "do": "choice", "yes": True}, cast("Charm")]
    assert played(script=script, expect=[{"check": "life", "player": "A", "value": 21}]).outcome == "passed"


def test_a_target_answer_serves_an_action_without_targets() -> None:
    script = [cast(), {"player": "A", "do": "target", "targets": [{"name": "Bear"}]}]
    assert played(script=script, expect=[{"check": "graveyard_count", "player": "B", "count": 1}]).outcome == "passed"


def test_the_third_of_a_name_and_an_alias() -> None:
    setup = [
        {"zone": "hand", "player": "A", "card": "Jolt"},
        {"zone": "battlefield", "player": "B", "card": "Bear", "count": 2},
        {"zone": "battlefield", "player": "B", "card": "Bear", "counters": {"+1/+1": 3}, "alias": "big"},
    ]
    expect = [{"check": "damage_received", "name": "@big", "damage": 3}]
    for name in ("Bear:2", "@big"):
        assert played(setup=setup, script=[cast(targets=[{"name": name}])], expect=expect).outcome == "passed"


def test_a_scenario_is_played_the_same_every_time() -> None:
    keys: dict[str, Any] = {
        "shuffle": True,
        "setup": [{"zone": "library", "player": p, "card": c, "count": 9} for p in "AB" for c in ("Jolt", "Bear")],
        "until": {"turn": 6, "step": "draw"},
        "expect": [{"check": "hand_count", "player": "A", "name": "Jolt", "count": 99}],
    }
    assert played(**keys).why == played(**keys).why


# --- the command -----------------------------------------------------------------------------------------------------


UNKNOWN = [{"zone": "hand", "player": "A", "card": "Nobody Wrote This"}]


def run(*words: str) -> int:
    return main(["scenario", "run", *words])


def test_the_command_prints_a_line_for_what_did_not_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        game(id="good"),
        game(id="bad", expect=[{"check": "life", "player": "A", "value": 3}]),
        game(id="odd", setup=UNKNOWN),
        game(id="typo", lives=3),
        game(id="rash", script=[cast("Bear")]),
    ]
    path, out = tmp_path / "some.jsonl", tmp_path / "report.json"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + "{not json\n", "utf-8")
    assert run(str(path), "--report", str(out)) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "passed 1, failed 1, illegal 1, unsupported 1, error 2 of 6"
    assert [line.split()[:2] for line in printed[:-1]] == [
        ["failed", "bad:"],
        ["unsupported", "odd:"],
        ["error", "typo:"],
        ["illegal", "rash:"],
        ["error", "some.jsonl:6:"],
    ]
    reports = json.loads(out.read_text("utf-8"))
    assert [r["outcome"] for r in reports] == ["passed", "failed", "unsupported", "error", "illegal", "error"]
    assert reports[0] == {"id": "good", "outcome": "passed", "why": "", "unused": []}


def test_unsupported_alone_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(game(setup=UNKNOWN)), "utf-8")
    assert run(str(path)) == 0
    assert run(str(path), "--only", "another") == 2
    assert run(str(tmp_path / "none.json")) == 2
    assert "passed 0, failed 0, illegal 0, unsupported 1, error 0 of 1" in capsys.readouterr().out


def test_cards_come_from_lists_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = tmp_path / "cards.jsonl"
    cards.write_text(
        json.dumps(
            {"name": "Listed Hawk", "types": "Creature — Bird", "power": "1", "toughness": "1", "text": "Flying"}
        )
        + "\n"
    )
    path = tmp_path / "one.json"
    one = {
        "id": "listed",
        "setup": [{"zone": "battlefield", "player": "A", "card": "Listed Hawk"}],
        "until": {"turn": 1, "step": "upkeep"},
        "expect": [{"check": "ability", "name": "Listed Hawk", "ability": "flying", "has": True}],
    }
    path.write_text(json.dumps(one), "utf-8")
    assert run(str(path), "--cards", str(cards)) == 0
    assert capsys.readouterr().out == "passed 1, failed 0, illegal 0, unsupported 0, error 0 of 1\n"


def test_cards_come_from_files_of_trees_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = tmp_path / "cards.toml"
    cards.write_text(
        """
[[card]]
name = "Written Hawk"
types = "Creature — Bird"
power = "1"
toughness = "1"
keywords = ["flying"]

[[card]]
name = "Printed Hawk"
types = "Creature — Bird"
power = "1"
toughness = "1"
text = "Flying"
""",
        "utf-8",
    )
    names = ("Written Hawk", "Printed Hawk")
    one = {
        "id": "from a file",
        "setup": [{"zone": "battlefield", "player": "A", "card": name} for name in names],
        "until": {"turn": 1, "step": "upkeep"},
        "expect": [{"check": "ability", "name": name, "ability": "flying", "has": True} for name in names],
    }
    path = tmp_path / "one.json"
    path.write_text(json.dumps(one), "utf-8")
    assert run(str(path), "--cards", str(cards)) == 0
    assert capsys.readouterr().out.startswith("passed 1,")
    cards.write_text("[[card]]\nname = 3\n", "utf-8")
    assert run(str(path), "--cards", str(cards)) == 2
    assert "cards.toml" in capsys.readouterr().err


@pytest.mark.parametrize("seats", [("A", "B"), ("Ann", "Bob", 'Cy "the" Third', "Dora")])
def test_a_new_scenario_passes_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seats: tuple[str, ...]
) -> None:
    path = tmp_path / "mine.toml"
    assert main(["scenario", "new", str(path), "--seats", *seats]) == 0
    assert len(path.read_text("utf-8").splitlines()) < 40
    capsys.readouterr()
    assert run(str(path), "--only", "mine") == 0
    assert capsys.readouterr().out == "passed 1, failed 0, illegal 0, unsupported 0, error 0 of 1\n"


def test_a_new_scenario_is_toml_by_name_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", "new", str(tmp_path / "other.jsonl")]) == 2
    assert not (tmp_path / "other.jsonl").exists()
    assert "must end in .toml" in capsys.readouterr().err


def test_a_new_scenario_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("kept", "utf-8")
    assert main(["scenario", "new", str(path)]) == 2
    assert path.read_text("utf-8") == "kept"
    assert main(["scenario", "new", str(tmp_path / "other.toml"), "--seats", "A", "A"]) == 2
    assert "different names" in capsys.readouterr().err
