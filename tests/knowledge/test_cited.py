"""The rules that the log and refusals cite: in both editions each number is there, and speaks of what has happened.

The words that the texts must have are chosen here by hand, apart from the table that is tested.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.view import Event
from server.command.numbering import current_number
from server.command.scenario import scenarios_of
from server.knowledge.citations import BY_EVENT, cited
from server.knowledge.events import WRITERS, Scene
from server.rules.model import EDITIONS, Rule, player_ref, votes
from server.rules.model import events as e
from server.scenario import CardSource, read
from server.scenario.runner import Game
from tests.rulebook import Rulebook

A = player_ref(0)
#: What happens, and words that the rule must have: the one of 2011 and the current one ("": it has none).
TOLD: list[tuple[e.Event, str, str]] = [
    (e.Move(subject=1), "moves from one zone to another", "moves from one zone to another"),
    (e.Move(subject=1, to="battlefield", cause="begin"), "opening hand", "begin the game with that card"),
    (e.Move(subject=1, cause="countered"), "counter a spell", "counter a spell"),
    (e.Move(subject=1, to="battlefield", cause="create"), "token", "create one or more tokens"),
    (e.Move(subject=1, cause="cycling"), "discard a card", "discard a card"),
    (e.Move(subject=1, cause="destroy"), "destroy a permanent", "destroy a permanent"),
    (e.Move(subject=1, cause="discard"), "discard a card", "discard a card"),
    (e.Move(subject=1, to="hand", cause="draw"), "player draws a card", "player draws a card"),
    (e.Move(subject=1, to="hand", cause="opening"), "player draws a card", "player draws a card"),
    (e.Move(subject=1, to="exile", cause="end turn"), "end the turn", "end the turn"),
    (e.Move(subject=1, to="exile", cause="end combat"), "", "ends the combat phase"),
    (e.Move(subject=1, to="hand", cause="companion"), "", "companion"),
    (e.Move(subject=1, to="exile", cause="exile"), "exile an object", "exile an object"),
    (e.Move(subject=1, to="hand", cause="exile"), "from one zone to another", "from one zone to another"),
    (e.Move(subject=1, to="exile", cause="foretell"), "", "foretell"),
    (e.Move(subject=1, cause="mill"), "from one zone to another", "mill"),
    (e.Move(subject=1, to="library", cause="mulligan"), "mulligan", "mulligan"),
    (e.Move(subject=1, to="battlefield", cause="play"), "play a land", "play a land"),
    (e.Move(subject=1, to="exile", cause="plot"), "", "plot"),
    (e.Move(subject=1, cause="resolve"), "final part of an instant or sorcery", "final part of an instant or sorcery"),
    (e.Move(subject=1, to="battlefield", cause="resolve"), "resolving is a permanent spell", "is a permanent spell"),
    (e.Move(subject=1, cause="sacrifice"), "sacrifice a permanent", "sacrifice a permanent"),
    (e.Move(subject=1, to="hand", cause="search"), "search for a card", "search for a card"),
    (e.Move(subject=1, to="exile", cause="suspend"), "suspend", "suspend"),
    (e.Move(subject=1, cause="no legal targets"), "targets are still legal", "targets are still legal"),
    (e.Move(subject=1, cause="toughness"), "toughness 0 or less", "toughness 0 or less"),
    (e.Move(subject=1, cause="no loyalty"), "loyalty 0", "loyalty 0"),
    (e.Move(subject=1, cause="planeswalker uniqueness"), "planeswalkers that share a planeswalker type", ""),
    (e.Move(subject=1, cause="legend rule"), '"legend rule."', "“legend rule.”"),
    (e.Move(subject=1, cause="world rule"), "world supertype", "world supertype"),
    (e.Move(subject=1, cause="attachment"), "aura is attached to an illegal", "aura is attached to an illegal"),
    (e.Destroy(subject=1), "destroy a permanent", "destroy a permanent"),
    (e.Destroy(subject=1, cause="lethal damage"), "lethal damage", "lethal damage"),
    (e.Destroy(subject=1, cause="deathtouch"), "source with deathtouch", "source with deathtouch"),
    (e.StepEntered(step="untap"), "a turn consists of five phases", "a turn consists of five phases"),
    (e.Cast(subject=A), "the spell becomes cast", "the spell becomes cast"),
    (e.Activated(subject=A), "to activate an ability", "to activate an ability"),
    (e.AbilityOnStack(subject=A), "ability has triggered", "ability has triggered"),
    (e.Countered(subject=1), "counter a spell", "counter a spell"),
    (e.Countered(subject=1, cause="no legal targets"), "targets are still legal", "targets are still legal"),
    (e.AttackersDeclared(), "declares attackers", "declares attackers"),
    (e.BlockersDeclared(), "declares blockers", "declares blockers"),
    (e.RemovedFromCombat(subject=1), "removed from combat", "removed from combat"),
    (e.Damage(subject=1, object=A), "damage is dealt", "damage is dealt"),
    (e.Prevented(subject=1), "prevention effects", "prevention effects"),
    (e.DamageHappened(), "the damage event occurs", "the damage event occurs"),
    (e.MarkDamage(subject=1), "marked on that creature", "marked on that creature"),
    (e.LoseLife(subject=A), "gain life or lose life", "gain life or lose life"),
    (e.LoseLife(subject=A, cause="damage"), "causes that player to lose that much life", "to lose that much life"),
    (e.LoseLife(subject=A, cause="pay"), "pay an amount of life", "pay an amount of life"),
    (e.GainLife(subject=A), "gain life or lose life", "gain life or lose life"),
    (e.GainLife(subject=A, cause="lifelink"), "source with lifelink", "source with lifelink"),
    (e.PutCounters(subject=1), "a counter is a marker", "a counter is a marker"),
    (e.PutCounters(subject=1, cause="damage"), "wither and/or infect", "wither and/or infect"),
    (e.PutCounters(subject=A, cause="damage"), "get that many poison counters", "that many poison counters"),
    (e.PutCounters(subject=A, cause="toxic"), "a counter is a marker", "toxic"),
    (e.PutCounters(subject=1, cause="lore"), "a counter is a marker", "lore counter"),
    (e.RemoveCounters(subject=1), "a counter is a marker", "a counter is a marker"),
    (e.RemoveCounters(subject=1, cause="damage"), "many loyalty counters", "many loyalty counters"),
    (e.RemoveCounters(subject=1, cause="annihilate"), "+1/+1 counter and a -1/-1", "+1/+1 counter and a -1/-1"),
    (e.Reveal(subject=A, seats=0b11), "reveal a card", "reveal a card"),
    (e.Reveal(subject=A, seats=0b01), "", "look at one or more cards"),
    (e.Shuffle(subject=A), "shuffle a library", "shuffle a library"),
    (e.SearchLibrary(subject=A), "search for a card", "search for a card"),
    (e.Scried(subject=A), "scry", "scry"),
    (e.Loses(subject=A, cause="effect"), "effect may state that a player loses", "state that a player loses"),
    (e.Loses(subject=A, cause="life"), "0 or less life", "0 or less life"),
    (e.Loses(subject=A, cause="library"), "library with no cards", "library with no cards"),
    (e.Loses(subject=A, cause="poison"), "ten or more poison", "ten or more poison"),
    (e.Loses(subject=A, cause="commander"), "21 or more combat damage", "21 or more combat damage"),
    (e.Loses(subject=A, cause="concede"), "concede", "concede"),
    (e.Wins(subject=A), "opponents have left the game", "opponents have all left the game"),
    (e.Wins(subject=A, by=1), "effect may state that a player wins", "effect may state that a player wins"),
    (e.Acted(subject=A, by=1), "instructions in the order written", "instructions in the order written"),
    (e.GameDrawn(), "lose simultaneously", "lose simultaneously"),
    (e.GameDrawn(cause="loop"), "loop", "loop"),
    (e.Restarts(subject=A), "restarts the game", "restarts the game"),
    (e.Designated(subject=A, cause="monarch"), "", "becomes the monarch"),
    (e.Designated(subject=A, cause="initiative"), "", "takes the initiative"),
    (e.Ceases(subject=1, object=A, cause="completed"), "", "completes a dungeon"),
    (e.Subgame(), "created by an effect", "created by an effect"),
    (e.Subgame(cause="over"), "at the end of a subgame", "at the end of a subgame"),
    (e.GameDrawn(cause="effect"), "effect may state that the game is a draw", "that the game is a draw"),
    (e.Mulligan(subject=A), "mulligan", "mulligan"),
    (e.ExtraTurn(subject=A), "extra turns", "extra turns"),
    (e.Attach(subject=1, object=2), "to attach an aura", "to attach an aura"),
    (e.Attach(subject=1), "unattach", "unattach"),
    (e.ControlChanged(subject=1), "control-changing", "control-changing"),
    (e.DieRolled(subject=A), "", "die"),
    (e.CoinFlipped(subject=A), "flip a coin", "flip a coin"),
    (e.Regenerated(subject=1), "regenerates a permanent", "regenerates a permanent"),
    (e.TurnedOver(subject=1, cause="transform"), "transform", "transform"),
    (e.TurnedOver(subject=1, cause="flip"), "flipping a permanent", "flipping a permanent"),
    (e.TurnedOver(subject=1, cause="bestow"), "", "bestow"),
    (e.TurnFaceUp(subject=1), "turn it face up", "turn it face up"),
    (e.PhaseOut(subject=1), "phases out", "phases out"),
    (e.PhaseIn(subject=1), "phases in", "phases in"),
    (votes.Votes(subject=-1, value="feast"), "", "vote"),
    (votes.Decides(subject=-1, yes=True), "multiple players", "multiple players"),
]
#: What refusals cite besides.
REFUSED: dict[Rule, tuple[str, str]] = {
    Rule.DIVIDING: ("divide or distribute", "divide or distribute"),
    Rule.TOTAL_COST_PAID: ("pays the total cost", "pays the total cost"),
    Rule.CHOSEN_ATTACKERS: ("chosen creatures must be untapped", "chosen creatures must be untapped"),
    Rule.ATTACKED_PLAYER: ("each of the chosen creatures", "each of the chosen creatures"),
    Rule.ATTACK_RESTRICTION: ("can't attack", "can't attack"),
    Rule.ATTACK_REQUIREMENT: ("must attack", "attacks if able"),
    Rule.ATTACK_COSTS_PAID: ("pays all costs", "pay all costs"),
    Rule.GOADED: ("must attack", "goad"),
    Rule.CHOSEN_BLOCKERS: ("chosen creatures must be untapped", "chosen creatures must be untapped"),
    Rule.BLOCK_RESTRICTION: ("can't block", "can't block"),
    Rule.BLOCK_REQUIREMENT: ("must block", "must block"),
    Rule.BLOCK_COSTS_PAID: ("pays all costs", "pay all costs"),
    Rule.COMBAT_DAMAGE: ("assigns its combat damage", "assigns its combat damage"),
    Rule.DAMAGE_OF_POWER: ("equal to its power", "equal to its power"),
    Rule.DAMAGE_TO_BLOCKERS: ("blocked creature assigns", "blocked creature assigns"),
    Rule.DAMAGE_TO_TEAM: ("chooses only one of the defending players", ""),
    Rule.TEAMS_SIT_TOGETHER: ("sitting in adjacent seats", "sitting in adjacent seats"),
    Rule.BAND: ("with banding", "with banding"),
    Rule.BAND_ATTACKS_TOGETHER: ("creatures in a band", "creatures in a band"),
}
#: A piece of the key of a line of the log, and what the rule that it cites must speak of.
SAID = {
    "activate": "activate",
    "attack": "attackers",
    "attached": "attach",
    "block": "blockers",
    "cast": "cast",
    "countered": "counter",
    "counters": "counter",
    "create": "token",
    "damage": "damage",
    "destroy": "destroy",
    "discard": "discard",
    "draw": "draw",
    "life": "life",
    "mark": "marked",
    "mill": "mill|zone",
    "phased": "phase",
    "prevented": "prevent",
    "regenerated": "regenerat",
    "removed_from_combat": "removed from combat",
    "reveal": "reveal",
    "sacrifice": "sacrifice",
    "scry": "scry",
    "search": "search",
    "shuffle": "shuffle",
    "trigger": "trigger",
    "turned_face_up": "face up",
    "loses": "lose",
    "wins": "win",
}
#: What the rules of 2009-10-01 say in other words, and what they have no rule about.
OTHERWISE_IN_2009 = {
    Rule.END_THE_TURN: "ending the turn",
    Rule.WITHERED_CREATURE: "wither",
    Rule.EMPTY_LIBRARY: "empty library",
    Rule.TEAMS_SIT_TOGETHER: "sits together on one side",
    **dict.fromkeys((Rule.INFECTED_PLAYER, Rule.TRANSFORMING, Rule.SHUFFLING, Rule.RESTARTING), ""),
}
SCENARIOS = Path(__file__).parents[1] / "scenarios"
PLAYED = ("damage", "combat", "keywords", "doing", "state-based", "stack", "tokens", "replacement", "house_cards")


@pytest.fixture(scope="module")
def books(shared: Path) -> dict[str, Rulebook]:
    """The rules of each edition."""
    return {edition: Rulebook(shared, edition) for edition in EDITIONS}


def _name(event: e.Event) -> str:
    return (
        f"{event.__struct_config__.tag} {event.cause or getattr(event, 'step', '')} {getattr(event, 'to', '')}".strip()
    )


@pytest.mark.parametrize(("event", "in_2011", "now"), TOLD, ids=[_name(row[0]) for row in TOLD])
def test_an_event_is_told_by_the_rule_about_it(
    books: dict[str, Rulebook], event: e.Event, in_2011: str, now: str
) -> None:
    rule = cited(event, 2)
    assert rule is not None
    _speaks_of(books, rule, in_2011, now)


@pytest.mark.parametrize("rule", REFUSED, ids=lambda rule: rule.name)
def test_a_refusal_cites_the_rule_about_it(books: dict[str, Rulebook], rule: Rule) -> None:
    _speaks_of(books, rule, *REFUSED[rule])


def _speaks_of(books: dict[str, Rulebook], rule: Rule, in_2011: str, now: str) -> None:
    in_2009 = OTHERWISE_IN_2009.get(rule, in_2011)
    for edition, words in (("2009", in_2009), ("2011", in_2011), ("current", now)):
        number = EDITIONS[edition].number(rule)
        assert bool(number) == bool(words), f"{rule} has no number, or should have none"
        if number:
            assert words in books[edition].about(number), f"{rule} is {number}: {books[edition].about(number)[:90]}"


def test_every_row_of_the_table_and_every_rule_is_tried_here() -> None:
    assert set(BY_EVENT) == {*WRITERS, e.Destroy}, "the log tells events, and the table has rules for just these"
    tried = {cited(event, 2) for event, _, _ in TOLD}
    assert {rule for rules in BY_EVENT.values() for rule in rules.values()} == tried
    assert set(Rule) == {*tried, *REFUSED}, "no rule is there that nothing cites"
    assert len(Rule) == len(Rule.__members__), "two rules of the same numbers are one"


def test_no_number_stands_beside_the_table() -> None:
    """Code that cites a rule for people names it. What states and decks hold as keys are numbers still."""
    root = Path(__file__).parents[2]
    keys = {"306.5b", "804.2", "306.7", "714.3a", "903.9b", "100.2a", "903.5b"}
    tables = ("server/rules/editions/citations.py", "server/command/numbering.py")
    for path in sorted(path for floor in ("server", "protocol", "client_cli") for path in (root / floor).rglob("*.py")):
        if not path.as_posix().endswith(tables):
            said = {n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)}
            numbers = {one for one in said if isinstance(one, str) and re.fullmatch(r"[1-9]\d\d\.\d+[a-z]?", one)}
            docstrings = {one for one in numbers if f'"""{one}' in path.read_text("utf-8")}
            assert numbers - docstrings <= keys, f"{path}: {numbers - docstrings - keys}"


# --- as it is played -------------------------------------------------------------------------------------------------------


YOUNGER_THAN_2009 = ("look", "die_rolled", "counters_infect", "shuffle", "transformed")


def _played() -> Iterator[tuple[str, dict[str, object]]]:
    for name in PLAYED:
        for _, data in scenarios_of(SCENARIOS / f"{name}.jsonl"):
            if isinstance(data, dict):
                yield str(data["id"]), data


def _lines(data: dict[str, object], edition: str) -> list[Event]:
    game = Game(read({**data, "rules": edition}), CardSource())
    try:
        game.run()
    except Exception:  # what is expected may differ in the other edition; what was told until then is looked at
        pass
    lines = Scene(game.state, game.state).write(game.log)
    return [line.public for line in lines if line.public is not None]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_the_log_of_a_game_cites_is_about_what_it_says(books: dict[str, Rulebook], edition: str) -> None:
    """By the sentence that is said: games of many kinds, in either edition."""
    seen: set[str] = set()
    for place, (name, data) in enumerate(_played()):
        if place % 3 and "state-based" not in name:
            continue
        for line in _lines(data, edition):
            key = line.key.removeprefix("event.")
            seen.add(key)
            if line.rule:
                about = books[edition].about(line.rule)
                for piece, words in SAID.items():
                    if re.match(rf"{piece}(_|s?$)", key):
                        assert re.search(words, about), f"{name}: {line.key} by {line.rule}: {about[:90]}"
            else:
                younger = {"2011": ("look", "die_rolled"), "2009": YOUNGER_THAN_2009, "current": ()}[edition]
                assert key == "chosen" or key.startswith("step.") or key in younger, line
    assert len(seen) > 40, sorted(seen)


@pytest.mark.parametrize(
    ("edition", "numbers"), [("2011", ("704.5g", "701.14a", "701.7a")), ("current", ("704.5g", "701.21a", "701.9a"))]
)
def test_lethal_damage_a_sacrifice_and_a_discard(edition: str, numbers: tuple[str, ...]) -> None:
    texts = {
        "Small Bolt": "Small Bolt deals 2 damage to target creature.",
        "Small Rite": "As an additional cost to cast this spell, sacrifice a creature.\nDiscard a card.",
    }
    cards = [{"name": name, "types": "Instant", "cost": "{0}", "text": text} for name, text in texts.items()]
    bear = {"name": "Plain Cub", "types": "Creature — Bear", "cost": "{0}", "power": "2", "toughness": "2"}
    fodder = {**bear, "name": "Other Cub", "toughness": "5"}
    there = [("hand", "Small Bolt"), ("hand", "Small Rite"), ("hand", "Plain Cub")]
    there += [("battlefield", "Plain Cub"), ("battlefield", "Other Cub")]
    main = {"turn": 1, "step": "precombat_main", "player": "A"}
    data: dict[str, object] = {
        "id": "cited",
        "cards": [*cards, bear, fodder],
        "setup": [{"zone": zone, "player": "A", "card": card} for zone, card in there],
        "script": [
            {**main, "do": "cast", "card": "Small Bolt", "targets": [{"name": "Plain Cub"}]},
            {**main, "do": "wait_stack"},
            {**main, "do": "cast", "card": "Small Rite"},
            {**main, "do": "wait_stack"},
        ],
        "until": {"turn": 1, "step": "begin_combat"},
        "expect": [],
    }
    by = {line.key: line.rule for line in _lines(data, edition)}
    assert tuple(by[f"event.{key}"] for key in ("destroy", "sacrifice", "discard")) == numbers


# --- numbers that are asked for --------------------------------------------------------------------------------------------


def test_what_the_command_finds_in_the_current_edition_says_about_the_same(books: dict[str, Rulebook]) -> None:
    """`apnap rules NUMBER`: of the numbers of 2011 nearly all, and all that the log and refusals cite."""
    old, new = books["2011"], books["current"]
    numbers = [number for number in old.texts if "." in number and number < "900"]
    same = [number for number in numbers if current_number(number) in new and _alike(old, new, number)]
    assert len(same) > 0.9 * len(numbers)
    younger = (Rule.TOKEN, Rule.MILLING, Rule.GOADED, Rule.TOXIC, Rule.LORE_COUNTERS, Rule.OPENING_HAND)
    for rule in Rule:
        if rule.in_2011 and rule.current and rule not in younger:
            assert current_number(rule.in_2011) == rule.current


def _alike(old: Rulebook, new: Rulebook, number: str) -> bool:
    ours, theirs = (
        re.findall("[a-z]+", book.texts[at].lower()) for book, at in ((old, number), (new, current_number(number)))
    )
    return difflib.SequenceMatcher(None, ours, theirs).ratio() > 0.5
