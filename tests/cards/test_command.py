"""`apnap cards check`."""

from pathlib import Path

import pytest

from server.command.main import main
from server.oracle.house import DATA

SOUND = 'name = "A"\ntypes = "Artifact"\nkeywords = ["flash"]\n'


def test_the_house_set_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "check", *map(str, sorted(DATA.glob("*.toml")))]) == 0
    assert "255 cards read, 0 faults" in capsys.readouterr().out


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
    assert capsys.readouterr().out == "list.jsonl: 'B': the text is not read: Win\n"


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "check", str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capsys.readouterr().err
