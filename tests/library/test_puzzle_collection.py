"""The puzzles that come with apnap: each goal is proved, variants are the same puzzle, and bots are scored by what they solve."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations
from typing import Any

import msgspec
import pytest

from apnap import puzzles
from apnap.arena.bots import UnknownBot
from apnap.puzzles.collection import raw
from apnap.puzzles.variants import BASICS, COLORS, LETTERS, recoloured
from server.scenario import CardSource, play, read

ALL = raw()
SAMPLED = ALL[::6]
BY_HEART: dict[str, Any] = {
    "id": "by-heart",
    "rules": "current",
    "goal": "A",
    "seats": ["A", "B"],
    "setup": [
        {"zone": "battlefield", "player": "A", "card": "Emberclan Runner"},
        {"zone": "battlefield", "player": "A", "card": "Mountain", "count": 2},
        {"zone": "hand", "player": "A", "card": "Ember Lash"},
        {"zone": "battlefield", "player": "B", "card": "Dusk Prowler"},
        {"zone": "library", "player": "A", "card": "Swamp", "count": 5},
        {"zone": "library", "player": "B", "card": "Swamp", "count": 5},
        {"zone": "life", "player": "B", "life": 3},
    ],
    "until": {"turn": 1, "step": "end_turn"},
    "expect": [{"check": "won", "player": "A"}],
}


def of(puzzle: dict[str, Any]) -> str:
    return str(puzzle["id"])


def test_there_are_forty_of_several_kinds_each_by_its_own_name() -> None:
    assert len(ALL) == len({one["id"] for one in ALL}) == 40
    kinds = {(len(one["seats"]), one["until"]["turn"]) for one in ALL}
    assert {(2, 1), (2, 2), (4, 1)} <= kinds, "duels and tables of four, to win and to live on"


@pytest.mark.parametrize("puzzle", SAMPLED, ids=of)
def test_the_goal_of_a_puzzle_is_proved(puzzle: dict[str, Any]) -> None:
    assert play(read(puzzle), CardSource()).outcome == "passed"


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ALL, ids=of)
def test_the_goal_of_every_puzzle_and_of_its_variants_is_proved(puzzle: dict[str, Any]) -> None:
    for one in (puzzle, *(puzzles.variant(puzzle, seed) for seed in (1, 2, 3))):
        assert play(read(one), CardSource()).outcome == "passed", one["id"]


@pytest.mark.parametrize("puzzle", ALL[3::13], ids=of)
def test_a_variant_is_the_same_puzzle_in_other_clothes(puzzle: dict[str, Any]) -> None:
    one = puzzles.variant(puzzle, 1)
    assert one == puzzles.variant(puzzle, 1) != puzzles.variant(puzzle, 2)
    names = {line["card"] for line in puzzle["setup"] if "card" in line}
    others = {line["card"] for line in one["setup"] if "card" in line}
    assert len(names) == len(others) and not (names & others) - {*BASICS}
    assert not {*puzzle["seats"]} & {*one["seats"]}
    assert play(read(one), CardSource()).outcome == "passed"


def test_a_card_keeps_its_text_under_its_new_name_and_colours() -> None:
    (goblin, burn, cat) = puzzles.variant(BY_HEART, 1)["cards"]
    assert goblin["text"] == f"{goblin['name']} attacks each turn if able."
    assert burn["text"] == f"{burn['name']} deals 3 damage to target creature or player."
    assert (goblin["power"], goblin["toughness"]) == ("2", "1") and "power" not in burn
    red, black = goblin["cost"], cat["cost"].removeprefix("{2}")
    assert burn["cost"] == "{1}" + red != "{1}" + black


def test_the_others_of_a_variant_sit_in_any_order_and_the_first_stays() -> None:
    cards = {"A": 5, "B": 6, "C": 7, "D": 8}
    setup = [{"zone": "library", "player": who, "card": "Swamp", "count": n} for who, n in cards.items()]
    four = {**BY_HEART, "seats": [*cards], "setup": setup}
    found: set[tuple[int, ...]] = set()
    for one in (puzzles.variant(four, seed) for seed in range(80)):
        counts = {line["player"]: line["count"] for line in one["setup"]}
        found.add(tuple(counts[seat] for seat in one["seats"]))
    assert found == {(5, *rest) for rest in permutations((6, 7, 8))}


def test_the_colours_of_a_variant_are_a_permutation() -> None:
    found = {card["cost"] for seed in range(40) for card in puzzles.variant(BY_HEART, seed)["cards"][:1]}
    assert found == {"{W}", "{U}", "{B}", "{R}", "{G}"}


def test_a_colour_is_another_one_also_where_it_is_part_of_a_word() -> None:
    among = {**BY_HEART, "setup": [*BY_HEART["setup"], {"zone": "hand", "player": "A", "card": "Snuff the Candle"}]}
    for seed in range(8):
        *_, cat, snuff = puzzles.variant(among, seed)["cards"]
        letter = cat["cost"][-2]
        color = dict(zip(LETTERS, COLORS, strict=True))[letter]
        assert (snuff["cost"], snuff["text"]) == (f"{{1}}{{{letter}}}", f"Destroy target non{color} creature.")


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("Nonblack creatures have swampwalk.", "Nonred creatures have mountainwalk."),
        ("{W/U}, {2/B}: White and blue.", "{U/B}, {2/R}: Blue and black."),
        ("A Plains is no Swamp, and an Island is one.", "An Island is no Mountain, and a Swamp is one."),
        ("Nonforest lands of Greenwood are a Swamp.", "Nonplains lands of Greenwood are a Mountain."),
    ],
)  # fmt: skip
def test_words_of_colours_are_whole_ones(said: str, becomes: str) -> None:
    assert recoloured(said, (1, 2, 3, 4, 0)) == becomes


class Speechless:
    """Has no answer to anything."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def think(self, known: Any, decks: Any) -> Any:
        del decks
        raise LookupError(known.seat)


def test_who_is_scored_is_asked_and_its_failures_are_counted() -> None:
    solved = puzzles.score("simple", [read(BY_HEART)])
    assert (solved.solved, solved.missed, solved.failures) == (("by-heart",), (), 0)
    failed = puzzles.score(f"{__name__}:{Speechless.__name__}", [read(BY_HEART)])
    assert failed.failures > 0 and failed.missed == ("by-heart",)


def test_where_a_bot_leads_to_what_is_too_large_it_has_missed_the_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apnap.puzzles.scoring.Solver", lambda puzzle: puzzles.Solver(puzzle, most=5))
    assert puzzles.score("simple", [read(BY_HEART)]).missed == ("by-heart",)


def test_what_a_bot_is_told_of_the_decks_are_the_cards_of_the_puzzle() -> None:
    mine, others = puzzles.decks(read(BY_HEART))
    assert [card.name for card in mine].count("Swamp") == 5 and len(mine) == 9
    assert {card.name for card in others} == {"Dusk Prowler", "Swamp"}


def test_there_is_no_score_for_a_bot_that_there_is_not() -> None:
    with pytest.raises(UnknownBot):
        puzzles.score("nobody", [read(BY_HEART)])


def command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "server.command.main", "puzzles", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_the_command_lists_them_and_scores_bots() -> None:
    first, second = (one["id"] for one in ALL[:2])
    listed = command("--only", first)
    assert listed.returncode == 0 and listed.stdout.startswith(f"{first}: A is to ")
    scored = command("simple", "random", "--only", first, "--only", second, "--json")
    found = msgspec.json.decode(scored.stdout, type=list[puzzles.Solved])
    assert [one.bot for one in found] == ["simple", "random"]
    assert all({*one.solved, *one.missed} == {first, second} for one in found)
    table = command("simple", "--only", first, "--variants", "2").stdout
    assert f"{first}~1" in table and f"{first}~2" in table


@pytest.mark.parametrize(
    ("words", "says"), [(("--only", "none"), "there is no puzzle none"), (("nobody",), "there is no bot 'nobody'")]
)
def test_what_there_is_not_is_named(words: tuple[str, ...], says: str) -> None:
    done = command(*words)
    assert done.returncode == 2 and says in done.stderr
