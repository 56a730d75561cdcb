"""`apnap cards check`."""

from pathlib import Path

import pytest

from server.command.main import main
from server.oracle.house import DATA

SOUND = 'name = "A"\ntypes = "Artifact"\nkeywords = ["flash"]\n'


def test_the_house_set_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "check", *map(str, sorted(DATA.glob("*.toml")))]) == 0
    assert "267 cards read, 0 faults" in capsys.readouterr().out


def test_faults_are_named_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, broken = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "broken.toml"
    good.write_text(SOUND)
    bad.write_text(SOUND.replace("flash", "flush") + 'power = "1"\n')
    broken.write_text("= 3")
    assert main(["cards", "check", str(good), str(bad), str(broken)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "bad.toml: 'A': power: only creatures have a power"
    assert out[1] == "bad.toml: 'A': keywords[0]: 'flush' is no keyword"
    assert out[2].startswith("broken.toml: is no TOML")
    assert out[3] == "1 cards read, 3 faults"


def test_card_lists_are_checked_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text(
        '{"name": "A", "types": "Artifact", "text": "Flash"}\n{"name": "B", "types": "Artifact", "text": "Win."}\n'
    )
    assert main(["cards", "check", "--quiet", str(path)]) == 1
    assert capsys.readouterr().out == "list.jsonl: 'B': text: 'Win' is not understood in 'Win.'\n"


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "check", str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capsys.readouterr().err


TEXT = '[[card]]\nname = "A"\ntypes = "Artifact"\ntext = "Flash"\n'


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.toml", TEXT + TEXT.replace("Flash", "Hexproof"), "'A': the file has this name more than once"),
        (
            "a.toml",
            TEXT.replace("Flash", "<b>Flash</b>"),
            "'A': text: '<b>Flash</b>' is not understood in '<b>Flash</b>'",
        ),
        ("a.toml", TEXT.replace('"A"', '"A\\u0007"'), "a name is 1 to 140 printable characters"),
        ("a.toml", TEXT.replace("Flash", "Flash " * 20_000), "'A': is larger than 65536 bytes"),
        ("a.toml", TEXT.replace("Flash", "Draw a card. " * 400), "'A': a text of more than 4000 characters"),
        ("a.toml", TEXT.replace("Flash", "x" * 10_000_000), "a.toml: is larger than 4194304 bytes"),
        ("a.toml", TEXT.replace('name = "A"\n', ""), "a.toml: Object missing required field `name`"),
        ("a.toml", TEXT.replace('types = "Artifact"\n', ""), "'A': '' has no card type"),
        ("a.toml", TEXT + "power = 2\n", "'A': power: Expected `str | null`, got `int`"),
        ("a.toml", TEXT + 'colour = "red"\n', "'A': Object contains unknown field `colour`"),
        ("a.toml", "x = " + "[" * 500 + "]" * 500, "a.toml: is nested too deeply"),
        ("a.toml", "", "a.toml: holds no card"),
        ("a.json", "[" * 5000 + "]" * 5000, "a.json: is nested too deeply"),
        ("a.json", '[{"name": "A",\n "types": ]', "a.json: is no JSON: invalid character (at line 2, column 11)"),
        ("a.json", '[{"name": "A",\n', "a.json: is no JSON: Input data was truncated (at line 2, column 1)"),
        ("a.json", "[1]", "a.json: Expected `object`, got `int`"),
        ("a.csv", "name,types", "a.csv: is none of .toml, .json, .jsonl"),
    ],
)
def test_bad_files_are_named_with_the_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, says: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert main(["cards", "check", "--quiet", str(path)]) == 1
    assert says in capsys.readouterr().out


def test_other_encodings_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes(TEXT.replace("A", "\u00c9t\u00e9").encode("latin-1"))
    assert main(["cards", "check", "--quiet", str(path)]) == 1
    assert "latin.toml: is not UTF-8 (byte 17)" in capsys.readouterr().out


def test_every_unread_paragraph_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.toml"
    path.write_text(TEXT.replace("Flash", "Flash\\n{T}: Sing.\\n{T}: Draw a card.\\n{T}: Draw a cake."))
    assert main(["cards", "check", "--quiet", str(path)]) == 1
    assert capsys.readouterr().out == (
        "a.toml: 'A': text: 'Sing' is not understood in '{T}: Sing.'\n"
        "a.toml: 'A': text: 'cake' is not understood in '{T}: Draw a cake.'\n"
    )


def test_own_cards_and_imported_ones_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, data, rows = tmp_path / "own.toml", tmp_path / "data", tmp_path / "list.jsonl"
    own.write_text(TEXT)
    assert main(["cards", "show", "a", "--cards", str(own)]) == 0
    assert "printed back:\nFlash" in capsys.readouterr().out
    rows.write_text('{"name": "Grove Bell", "types": "Artifact", "text": "{T}: Draw a card."}\n')
    assert main(["cards", "import", str(rows), "--data", str(data)]) == 0
    capsys.readouterr()
    assert main(["cards", "show", "grove bell", "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("Grove Bell")
    assert main(["cards", "show", "Nobody", "--data", str(data)]) == 1
