"""`apnap cards import`, `apnap deck check`, and that a table finds what was imported."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from protocol.refusals import Refusal
from server.command.decks import house_decks
from server.command.library import open_library
from server.command.main import main
from server.storage.cards import CardStore

BEAR = {
    "name": "Grove Bear",
    "cost": "{1}{G}",
    "types": "Creature — Bear",
    "power": "2",
    "toughness": "2",
    "text": "Trample",
}
SAGE = {
    "name": "Strange Sage",
    "cost": "{U}",
    "types": "Creature — Human",
    "power": "1",
    "toughness": "1",
    "text": "Xyzzy.",
}
FRENCH = {
    "object": "card", "lang": "fr", "name": "Grove Wolf", "printed_name": "Loup du bosquet", "layout": "normal",
    "mana_cost": "{G}", "type_line": "Creature — Wolf", "oracle_text": "Reach", "power": "1", "toughness": "1",
}  # fmt: skip
MELD = FRENCH | {
    "name": "Quest // Rest",
    "printed_name": "Quête",
    "layout": "meld",
    "card_faces": [{"name": "Quest"}, {"name": "Rest"}],
}
DECK = "Deck\n52 Forest (M10) 1\n4 Grove Bear (M10) 2\n4 Loup du bosquet (M10) 3\n"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("APNAP_DATA", str(folder))
    return folder


def written(path: Path, *cards: object) -> str:
    path.write_text("\n".join(json.dumps(card) for card in cards))
    return str(path)


def test_import_reports(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(
        tmp_path / "own.jsonl", BEAR, SAGE, BEAR | {"name": "B", "text": "<b>Reach</b>"}, BEAR | {"name": "C"}
    )
    assert main(["cards", "import", path]) == 0
    out = capsys.readouterr().out
    assert f"{path}: refused: card 3 'B': `text` holds HTML: <b>\n" in out
    assert "3 cards, 1 refused\n2 playable (66.7 %), 1 unread\n3 new, 0 changed, 0 as they were\n" in out
    assert out.endswith("       1  Xyzzy\n") or "1  Xyzzy" in out
    assert main(["cards", "import", "--json", path]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["total"], report["playable"], report["unread"], report["same"]) == (3, 2, 1, 3)
    assert report["reasons"][0]["cards"] == 1
    assert len(report["fingerprint"]) == 64
    assert (data / "cards.sqlite3").exists()


def test_two_texts_for_a_name(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "own.jsonl", BEAR, BEAR | {"text": "Reach"})
    assert main(["cards", "import", path]) == 1
    assert (
        "refused: card 2 'Grove Bear': the list has this name more than once, with different texts"
        in capsys.readouterr().out
    )
    assert CardStore(data).find("Grove Bear") == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"name": "A", "types": "Land"}\n{"name": ]', "line 2, column 10: is no JSON"),
        (b"[1]", "is no card list"),
        (b"", "is empty"),
        (b"\xff\xfe[\x00", "is UTF-16"),
        (b'[{"name": "\xe9t\xe9", "types": "Land"}]', "not UTF-8"),
    ],
)
def test_a_bad_file_changes_nothing(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], text: bytes, says: str
) -> None:
    assert main(["cards", "import", written(tmp_path / "good.jsonl", BEAR)]) == 0
    bad = tmp_path / "bad.json"
    bad.write_bytes(json.dumps(BEAR | {"text": "Reach"}).encode() + b"\n" + text if text[:1] == b"{" else text)
    capsys.readouterr()
    assert main(["cards", "import", str(bad)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"apnap: {bad}: ")
    assert err.endswith("; nothing of it was kept\n")
    assert says.replace("line 2", "line 3") in err
    store = CardStore(data)
    assert [card.entry.text for card in store.find("Grove Bear")] == ["Trample"]
    assert len(store.sources()) == 1
    store.close()


def test_missing_files(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "import", str(tmp_path / "none"), written(tmp_path / "good.jsonl", BEAR)]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main(["cards", "import", str(tmp_path)]) == 2
    assert main(["deck", "check", str(tmp_path / "none")]) == 2
    assert main(["deck", "check", "--cards", str(tmp_path / "none"), str(tmp_path / "none")]) == 2


def test_killed_in_the_middle_it_leaves_the_earlier_cards(tmp_path: Path, data: Path) -> None:
    assert main(["cards", "import", written(tmp_path / "good.jsonl", BEAR)]) == 0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "server.command.main", "cards", "import", str(pipe)]
    for stop, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        run = subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            text=True,
            # Started by a job in the background, it would never hear of Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        with pipe.open("w") as file:
            for number in range(3000):
                file.write(json.dumps(BEAR | {"name": f"Bear {number}"}) + "\n")
            file.write(json.dumps(BEAR | {"text": "Reach"}) + "\n")
            file.flush()
            time.sleep(0.3)
            err = _stopped(run, stop)
        assert run.returncode == code
        assert stop == signal.SIGKILL or "what was imported before is as it was" in err
        store = CardStore(data)
        assert store.count() == 1
        assert [card.entry.text for card in store.find("Grove Bear")] == ["Trample"]
        store.close()


def _stopped(run: subprocess.Popen[str], stop: signal.Signals) -> str:
    """What it said on standard error. A person whose Ctrl-C came at a bad moment presses it again."""
    for _ in range(4):
        run.send_signal(stop)
        try:
            return run.communicate(timeout=15)[1]
        except subprocess.TimeoutExpired:
            continue
    run.kill()
    raise AssertionError("it does not stop")


# --- decks ------------------------------------------------------------------------------------------------------------


def test_decks_are_checked_against_imported_cards(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = tmp_path / "bears.txt"
    deck.write_text(DECK)
    assert main(["deck", "check", str(deck)]) == 1
    out = capsys.readouterr().out
    assert f"{deck}:3: there is no card named 'Grove Bear'\n" in out
    assert f"{deck}:4: there is no card named 'Loup du bosquet'\n{deck}: not legal: 2 faults\n" in out
    own, french = written(tmp_path / "own.jsonl", BEAR, SAGE), written(tmp_path / "scryfall.json", FRENCH, MELD)
    assert main(["deck", "check", str(deck), "--cards", own, "--cards", french]) == 0
    assert main(["cards", "import", own, french]) == 0
    capsys.readouterr()
    assert main(["deck", "check", str(deck)]) == 0
    assert capsys.readouterr().out == f"{deck}: legal: 60 cards (MTGA)\n"
    deck.write_text(DECK + "1 Strange Sage (M10) 4\n1 Quest (ELD) 1\nSideboard\n16 Forest (M10) 1\n")
    assert main(["deck", "check", str(deck)]) == 1
    out = capsys.readouterr().out
    assert f"{deck}:5: 'Strange Sage' cannot be played yet" in out
    assert f"{deck}:6: 'Quest // Rest' cannot be played yet" in out
    assert "layout meld" in out
    assert f"{deck}: a sideboard has at most 15 cards" in out


def test_a_misspelt_name_is_told_with_names_like_it(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = tmp_path / "bears.txt"
    deck.write_text("57 Forest\n2 Grove Baer\n1 Thornhide Cubb\n")
    own = written(tmp_path / "own.jsonl", BEAR, SAGE)
    assert main(["deck", "check", str(deck), "--cards", own]) == 1
    out = capsys.readouterr().out
    assert f"{deck}:2: there is no card named 'Grove Baer'; is 'Grove Bear' meant?\n" in out
    assert f"{deck}:3: there is no card named 'Thornhide Cubb'; is 'Thornhide Cub' meant?\n" in out


LEGAL = FRENCH | {"lang": "en", "legalities": {"modern": "legal", "vintage": "restricted", "pauper": "banned"}}


@pytest.mark.parametrize(
    ("format_", "faults"),
    [
        ("constructed", []),
        ("modern", []),
        ("pauper", [":1: 'Grove Wolf' is banned in pauper"]),
        ("vintage", [":1: 'Grove Wolf' is restricted in vintage: one copy, not 2"]),
        ("legacy", [":1: 'Grove Wolf' is not legal in legacy", ":2: 'Wastes' is not legal in legacy"]),
    ],
)
def test_formats_judge_decks_by_what_imported_lists_say(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], format_: str, faults: list[str]
) -> None:
    land = {"name": "Wastes", "object": "card", "layout": "normal", "type_line": "Basic Land", "oracle_text": ""}
    legal = {"modern": "legal", "vintage": "legal", "pauper": "legal", "legacy": "not_legal"}
    deck = tmp_path / "wolves.txt"
    deck.write_text("2 Grove Wolf\n58 Wastes\n")
    assert main(["cards", "import", written(tmp_path / "list.json", LEGAL, land | {"legalities": legal})]) == 0
    plain = {"name": "Grove Wolf", "types": "Creature — Wolf", "text": "Reach", "power": "1", "toughness": "1"}
    assert main(["cards", "import", written(tmp_path / "plain.jsonl", plain)]) == 0, "it takes nothing back"
    capsys.readouterr()
    assert main(["deck", "check", str(deck), "--format", format_]) == bool(faults)
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if " in " in line] == [f"{deck}{fault}" for fault in faults]


def test_a_format_that_no_list_speaks_of_is_not_judged(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = tmp_path / "forest.txt"
    deck.write_text("60 Forest\n")
    assert main(["deck", "check", str(deck), "--format", "modern"]) == 1
    assert "no card list here says what is legal in modern" in capsys.readouterr().out
    assert main(["deck", "check", str(deck), "--format", "constructed"]) == 0


def test_a_deck_names_a_whole_card_of_which_the_list_has_each_half(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    halves = [{"name": name, "cost": "{R}", "types": "Instant", "text": "Draw a card."} for name in ("Low Fog", "Gale")]
    cards, deck = written(tmp_path / "halves.jsonl", *halves), tmp_path / "deck.txt"
    deck.write_text("56 Forest\n4 Low Fog/Gale\n")
    assert main(["deck", "check", str(deck), "--cards", cards]) == 0
    deck.write_text("56 Forest\n4 Low Fog // Storm\n")
    assert main(["deck", "check", str(deck), "--cards", cards]) == 1
    assert "there is no card named 'Low Fog // Storm'" in capsys.readouterr().out


def test_card_files_in_toml(tmp_path: Path, data: Path) -> None:
    cards, deck = tmp_path / "own.toml", tmp_path / "deck.txt"
    cards.write_text('[[card]]\nname = "Glass Sphere"\ntypes = "Artifact"\nkeywords = ["flash"]\n')
    deck.write_text("56 Forest\n4 Glass Sphere\n")
    assert main(["deck", "check", "--cards", str(cards), str(deck)]) == 0
    cards.write_text("= 3")
    assert main(["deck", "check", "--cards", str(cards), str(deck)]) == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("60 Forêt\n".encode("latin-1"), ":1: is not UTF-8"),
        ("60 Forest".encode("utf-16"), "is UTF-16"),
        (b"60 Forest\n4 Bear\x00\n", ":2: holds the control character U+0000"),
        (b"4 Forest\n" * 50_000, "is larger than"),
        (b"<Deck>", "is no XML"),
    ],
)
def test_files_that_are_no_decks(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], content: bytes, says: str
) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_bytes(content)
    assert main(["deck", "check", str(deck)]) == 1
    assert says in capsys.readouterr().out


async def test_a_table_finds_cards_that_are_imported_while_it_runs(tmp_path: Path, data: Path) -> None:
    library = open_library(data, following=True)
    decks = house_decks(library)
    with pytest.raises(Refusal, match="line 3: there is no card named 'Grove Bear'"):
        await decks.read(DECK)
    files = written(tmp_path / "own.jsonl", BEAR, SAGE), written(tmp_path / "scryfall.json", FRENCH)
    assert main(["cards", "import", *files]) == 0
    deck = await decks.read(DECK)
    assert [card.name for card in deck.cards[51:57]] == ["Forest", *["Grove Bear"] * 4, "Grove Wolf"]
    library.close()


def test_a_name_of_several_cards_is_not_guessed(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = FRENCH | {"name": "Hill Wolf", "type_line": "Creature — Wolf"}
    deck = tmp_path / "deck.txt"
    deck.write_text("56 Forest\n4 Loup du bosquet\n")
    assert main(["deck", "check", str(deck), "--cards", written(tmp_path / "list", FRENCH, other)]) == 1
    assert ":2: 'Loup du bosquet' could be several cards: Grove Wolf, Hill Wolf" in capsys.readouterr().out
