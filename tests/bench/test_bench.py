"""`apnap bench`: what it prints, and that the load plays whole games against a real server."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import msgspec
import pytest

from protocol.messages import Refused
from protocol.refusals import Code
from server.bench import boards, engine, fuzz, invariants, soak
from server.bench.bare import percentiles
from server.bench.child import serving
from server.bench.decks import CURVE, bench_deck, bench_decks, house_decks, piles
from server.bench.engine import deal
from server.bench.load import Load, LoadError, Table
from server.bench.parts import JOURNAL, OTHER, PARTS, Sampler, Watch
from server.bench.presets import PRESETS, led, led_decks
from server.command.main import main
from server.rules import Options, characteristics
from server.rules.model import evolve
from server.rules.model import questions as q


def test_the_engine_s_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", "--json", "--quick"]) == 0
    said = capsys.readouterr()
    figures = json.loads(said.out)
    assert list(figures) == ["duel", "four_seats", "combat_ms", "fork_us", "game_mib"]
    for pace in (figures["duel"], figures["four_seats"]):
        assert list(pace) == ["decisions_per_s", "games_per_s"] and min(pace.values()) > 0
    assert figures["combat_ms"] > 0 and 0 < figures["game_mib"] < 1 and figures["fork_us"] < 20
    assert "reference" in said.err


def test_decisions_on_big_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", "--boards", "--json", "--quick", "--kind", "vanilla"]) == 0
    said = capsys.readouterr()
    measured = json.loads(said.out)
    assert [(board["name"], board["each"]) for board in measured] == [
        ("vanilla", 100),
        ("vanilla", 200),
        ("50 spells", 50),
    ]
    assert all(board["most_ms"] >= board["mean_ms"] > 0 for board in measured)
    assert "at reference speed" in said.err


def test_a_board_is_what_it_is_called() -> None:
    state = boards.table("keyword lords", 100)
    assert len(state.battlefield) == 400
    mine = [oid for oid in state.battlefield if state.objects[oid].controller == 1]
    ruled = [characteristics(state, oid) for oid in mine]
    assert sum(bool(c.abilities.continuous) for c in ruled) == 40
    assert max(c.power or 0 for c in ruled) == 6 + 40  # the largest Beast without abilities, and forty leaders
    assert all({"trample", "vigilance", "first strike"} <= c.keywords for c in ruled if "creature" in c.types)


def test_the_plain_deck() -> None:
    deck = bench_deck()
    assert len(deck) == 60
    assert sum("Land" in card.types for card in deck) == 24
    assert sum("Creature" in card.types and not card.abilities for card in deck) == 28 == 4 * len(CURVE)
    assert sum(card.types == "Instant" for card in deck) == 8


def test_decks_by_seed() -> None:
    assert house_decks(4, 1) == house_decks(4, 1)
    assert all(len(deck) == 60 for deck in (*house_decks(4, 1), *piles(4, 1)))


def test_the_big_combat() -> None:
    """Twelve attack three players, twelve block, everyone is asked, creatures die."""
    state = engine.combat_state()
    assert isinstance(state.pending, q.PriorityQuestion)
    assert engine.run_combat(state) >= 20
    assert [len([o for o in state.objects.values() if o.zone == "battlefield" and o.owner == s]) for s in range(4)] == [
        18,
        10,
        10,
        10,
    ]


def test_fuzz_says_what_it_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", "--fuzz", "2", "--seats", "2", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "2 random games" in said and "none broken" in said and "replayed" in said
    assert main(["bench", "engine", "--fuzz", "1", "--seats", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 1 and report["failures"] == [] and report["views"] > report["decisions"]


def test_the_oracle_alone_looks_at_each_state_of_the_same_game() -> None:
    whole = fuzz.fuzz_game(5, 2, bench_decks(2))
    alone = fuzz.fuzz_game(5, 2, bench_decks(2), run=fuzz.Run(oracle=True))
    assert (alone.decisions, alone.turns, alone.failures) == (whole.decisions, whole.turns, ())
    assert (alone.checked, alone.views, alone.tried, alone.hashes) == (alone.decisions + 1, 0, 0, 0)
    seldom = fuzz.fuzz_game(5, 2, bench_decks(2), run=fuzz.Run(oracle=True, every=20))
    assert seldom.decisions == whole.decisions and seldom.checked < alone.checked / 10


def test_the_oracle_finds_an_effect_that_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = boards.table("lords", 10)
    first = invariants.board(state)
    assert not invariants.followed(state)
    ruled = next(iter(first.changed))
    without = {oid: c for oid, c in first.changed.items() if oid != ruled}
    stale = copy.copy(first)
    stale.changed = without
    monkeypatch.setattr(invariants, "board", lambda _: stale)
    assert [f"object {ruled} is followed as None" in said for said in invariants.followed(state)] == [True]


@pytest.mark.parametrize(
    "words",
    [
        ["--fuzz", "0"],
        ["--fuzz", "1", "--seats", "11"],
        ["--fuzz", "1", "--jobs", "0"],
        ["--fuzz", "1", "--preset", "bridge"],
        ["--boards", "--kind", "walls"],
    ],
)
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", *words]) == 2
    assert "apnap bench: " in capsys.readouterr().err


def test_illegal_answers_are_made_for_every_kind() -> None:
    questions: list[q.AnyQuestion] = [
        q.PriorityQuestion(0),
        q.ChooseQuestion(0, options=(q.Choice(1), q.Choice(2)), least=1, most=2),
        q.ConfirmQuestion(0),
        q.NumberQuestion(0, most=3),
        q.OrderQuestion(0, options=(q.Choice(1), q.Choice(2))),
        q.DivideQuestion(0, amount=2, options=(q.Choice(1), q.Choice(2))),
        q.AttackersQuestion(0, attackers=(q.CanAttack(1, (-2,)),)),
        q.BlockersQuestion(0, blockers=(q.CanBlock(1, (2,)),)),
        q.DamageQuestion(0, assigners=(q.Assigner(1, 2, (3, -2), (2, 0)),)),
        q.PaymentQuestion(0),
    ]
    assert all(invariants.illegal_answers(question) for question in questions)


def test_percentiles() -> None:
    assert percentiles([]) == (0.0, 0.0)
    assert percentiles([i / 1000 for i in range(1, 101)]) == (51.0, 100.0)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("server.rules.turn.game:submit", "rules"),
        ("server.net.line:Line.send", "sockets: sending"),
        ("server.net.websocket:Websocket.receive", "messages: frames, reading"),
        ("server.knowledge.views:Views.update", "views, patches"),
        ("collections:UserDict.__contains__", ""),
    ],
)
def test_by_what_is_done_a_sample_has_its_part(name: str, part: str) -> None:
    assert Sampler(Path("samples"))._part(name) == part


def test_the_load_plays_against_a_server() -> None:
    """Every client of two rooms decodes and patches what it is sent, without a gap, for a while."""
    with serving() as (child, host, port):
        assert child.rss_kib() < 100 * 1024, "a server that nobody plays at has read no card itself"
        load = Load(host, port)
        load.open(2)
        watch = Watch(child.process.pid, child.samples)
        watch.begin()
        assert load.saturate(1.0) > 0
        spent = watch.end().parts
        assert sum(spent.values()) > 0 and spent.keys() <= {*PARTS.values(), JOURNAL, OTHER}
        found = load.steady(50, 1.0)
        assert found and min(found) > 0
        assert load.sizes.views and load.sizes.patches
        assert all(client.tree["turn"] for table in load.tables for client in table.clients)
        assert 0 < load.storm() < 30, "everyone drops and comes back"
        assert len(load.sizes.rejoins) == 8 and max(load.sizes.rejoins) < 8 * 1024
        assert load.saturate(0.5) > 5, "and all play on"
        load.close()


def test_a_game_that_had_to_wait_for_its_beginning_has_not_stood_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy server ends games faster than it begins new ones: what a table waited is not counted against its next game."""
    with serving() as (_, host, port):
        load = Load(host, port)
        load.open(1)
        table = load.tables[0]
        table.moved_at = 0.0
        monkeypatch.setattr(table, "asked", lambda *_: None)
        monkeypatch.setattr(table, "patched", lambda *_: None)
        table.again()
        assert table.moved_at > 0.0
        load.close()


def test_the_clock_may_have_ended_the_game_before_an_answer_came() -> None:
    """With clocks a late answer is nothing that a load stops for; without them the load has made a mistake."""
    late = Refused(re="m1", code=Code.GAME_OVER, sentence="The game is over.")
    Table(Load("127.0.0.1", 1, clock_ms=5000), 0).refused(late)
    with pytest.raises(LoadError, match="game_over"):
        Table(Load("127.0.0.1", 1), 0).refused(late)


def test_whoever_is_asked_gives_up_before_a_board_that_has_outgrown_them(monkeypatch: pytest.MonkeyPatch) -> None:
    played = fuzz.fuzz_game(5, 2)
    monkeypatch.setattr(fuzz, "OVERGROWN", 6)
    given_up = fuzz.fuzz_game(5, 2)
    assert (played.overgrown, given_up.overgrown) == (False, True) and given_up.failures == ()
    assert given_up.decisions < played.decisions
    report = fuzz.Report(1, given_up.decisions, 1, 1, 1, 1, 1.0, 1, (), overgrown=1)
    assert any("1 given up" in line for line in report.lines())


def test_a_soak_looks_for_growth_only_once_rooms_are_of_all_ages() -> None:
    samples = [soak.Sample(at_s=30.0 * n, games=5 * n, rss_kib=100.0 * n, files=9) for n in range(1, 6)]
    assert [sample.games for sample in soak.steady_of(samples, 8)] == [20, 25]
    assert soak.steady_of(samples, 20) == [], "and in a short run never"


def test_a_short_soak(capsys: pytest.CaptureFixture[str]) -> None:
    """Three rooms for some seconds: nobody stands still, everything is measured."""
    assert main(["bench", "soak", "--json", "--rooms", "3", "--minutes", "0.1", "--pace", "0.02"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["stuck"] == 0 and figures["answers"] > 20 and figures["still_s"] < 15
    assert figures["paced"]["p99_ms"] >= figures["paced"]["p50_ms"] > 0
    assert len(figures["samples"]) >= 10 and all(sample["rss_kib"] >= 0 for sample in figures["samples"])
    assert main(["bench", "soak", "--pace", "0"]) == 2


def test_with_people_s_usual_stops_an_answer_is_followed_by_more() -> None:
    """The room passes where nobody stops, so that each client is sent several moments for one answer."""
    with serving() as (_, host, port):
        each: list[float] = []
        for usual in (False, True):
            load = Load(host, port, usual_stops=usual)
            load.open(1)
            assert load.saturate(0.5) > 0
            each.append(len(load.sizes.patches) / load.answers / 4)
            load.close()
    assert each[1] > 1.5 * each[0] > 0


@pytest.mark.slow
def test_the_server_s_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "server", "--json", "--quick", "--rooms", "1", "--rooms", "3"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [each["rooms"] for each in figures["saturation"]] == [1, 3]
    assert figures["latency"]["p50_ms"] > 0 and figures["bytes"]["patch"] > 0 and len(figures["echo"]) == 2
    assert figures["usual"]["patches"] > 1 and figures["usual"]["saturation"]["rooms"] == 3


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_table_of_each_kind_begins_and_keeps_every_law(name: str) -> None:
    table = PRESETS[name]
    options = table.options(Options(edition="2011"), table.seats)
    decks = led_decks(table.seats, 1) if table.begin is led else fuzz.decks_of(1, table.seats)
    played = fuzz.fuzz_game(1, table.seats, decks, options, fuzz.Run(table.begin, enough=60, every=10))
    assert not played.failures and played.decisions == 60


def test_heads_that_differ_in_life_and_a_team_without_its_emperor_break_a_law() -> None:
    giant = deal(house_decks(4, 1), 1, PRESETS["two-headed-giant"].options(Options(), 4))
    assert not invariants.sound(giant)
    torn = msgspec.structs.replace(giant.players[0], life=29)
    assert "differ" in invariants.sound(evolve(giant, players=(torn, *giant.players[1:])))[0]
    guarded = deal(house_decks(6, 1), 1, PRESETS["emperor"].options(Options(), 6))
    gone = msgspec.structs.replace(guarded.players[1], lost="life")
    left = evolve(guarded, players=(guarded.players[0], gone, *guarded.players[2:]))
    assert any("without its emperor" in fault for fault in invariants.sound(left))


@pytest.mark.parametrize(
    "words", ["--rooms 0", "--turns 0", "--rate 0", "--rate nan", "--seconds 0", "--seconds inf", "--cores --rooms -1"]
)
def test_a_measurement_of_nothing_or_without_end_is_refused(capsys: pytest.CaptureFixture[str], words: str) -> None:
    assert main(["bench", "cluster", *words.split()]) == 2
    assert "1 or more" in capsys.readouterr().err
