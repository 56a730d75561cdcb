"""Settings: defaults, file, environment, options, in that order; what cannot be is refused with where it came from."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_type_hints

import pytest

from protocol.words import LANGUAGES, say
from server.command.main import main
from server.command.settings import BadSettings, find, keys, value_of
from server.settings import Settings


def written(folder: Path, text: str) -> Path:
    file = folder / "apnap.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_later_sources_are_stronger(tmp_path: Path) -> None:
    file = written(tmp_path, 'name = "Friday table"\n[listen]\nport = 1000\nhost = "::"\n')
    environ = {"APNAP_LISTEN_PORT": "2000", "APNAP_LIMITS_ROOMS": "7", "APNAP_SHARED": "is not ours"}
    found = find(file, environ, {"limits.rooms": 9})
    settings = found.settings
    assert (settings.name, settings.listen.host, settings.listen.port, settings.limits.rooms) == (
        "Friday table",
        "::",
        2000,
        9,
    )
    assert found.origins == {
        "name": str(file), "listen.host": str(file), "listen.port": "environment", "limits.rooms": "option"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[listen]\nprot = 1\n", "unknown field `prot`"),
        ("[listen]\nport = 99999\n", "`$.listen.port`"),
        ("[limits]\nrooms = 0\n", "`$.limits.rooms`"),
        ('[log]\nformat = "xml"\n', "`$.log.format`"),
        ('[listen]\ntls_cert = "a.pem"\n', "go together"),
        ('[listen]\npublic_url = "table.example"\n', "https://table.example"),
        ('[listen]\npublic_url = "http://table.example:x"\n', "https://table.example"),
        ("[listen\n", "line 1"),
        ("listen = 3\n", "`$.listen`"),
        ('[store]\naddress = "mysql://ann:secret@db"\n', "a PostgreSQL database: postgresql://USER@HOST:PORT/NAME"),
        ("[store]\nstandby = true\n", "which store.address names"),
        ('[store]\nnode = "10.0.0.2:8803"\n', "one database, which store.address names"),
        (
            '[store]\naddress = "postgresql:///apnap"\nnode = "10.0.0.2:99999"\n',
            "from 1 to 65535; not '10.0.0.2:99999'",
        ),
        ('[store]\nnode = "10.0.0.2"\n', "HOST:PORT, such as 10.0.0.2:8803"),
        ('[page]\npictures = "https://pictures.example"\n', "such as https://pictures.example/{name}.jpg; not 'https:"),
        ('[store]\nnode_url = "https://two.table.example"\n', "one node of several, which store.node says"),
        ('[store]\nnode_url = "wss://two.table.example"\n', "not 'wss://two.table.example'"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    file = written(tmp_path, text)
    with pytest.raises(BadSettings, match="apnap.toml") as caught:
        find(file, {})
    assert said in str(caught.value)
    assert "regex" not in str(caught.value) and "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        (
            "--store",
            "mysql://db",
            "apnap serve: option: store.address (--store) nomme une base PostgreSQL : postgresql://",
        ),
        ("--node", "10.0.0.2", "apnap serve: option: store.node (--node) dit où les autres nœuds joignent celui-ci"),
    ],
)
def test_a_form_is_told_in_the_language_of_who_starts_the_server(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
    value: str,
    said: str,
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["serve", "--data", str(tmp_path), option, value]) != 0
    assert said in capsys.readouterr().err


def test_every_setting_of_a_form_has_a_sentence_that_names_it() -> None:
    found = {key for key in keys() if "pattern=" in str(hint_of(key))}
    assert found == {"page.pictures", "store.address", "store.node", "store.node_url"}
    for key in found:
        for lang in LANGUAGES:
            assert key in say(f"setting.{key.replace('.', '_')}", lang).split()


def hint_of(key: str) -> object:
    section, _, field = key.rpartition(".")
    kind = type(getattr(Settings(), section)) if section else Settings
    return get_type_hints(kind, include_extras=True)[field]


def test_a_misspelt_variable_is_refused() -> None:
    with pytest.raises(BadSettings, match="APNAP_LISTEN_PROT"):
        find(None, {"APNAP_LISTEN_PROT": "1"})


def test_what_is_shown_is_a_file_that_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_LISTEN_ORIGINS", '["https://a.example", "https://b.example"]')
    assert main(["config", "show"]) == 0
    shown = capsys.readouterr().out
    assert 'origins = ["https://a.example", "https://b.example"]  # environment' in shown
    monkeypatch.delenv("APNAP_LISTEN_ORIGINS")
    again = find(written(tmp_path, shown), {}).settings
    assert again.listen.origins == ("https://a.example", "https://b.example")
    assert all(value_of(again, key) == value_of(Settings(), key) for key in keys() if key != "listen.origins")
    assert set(tomllib.loads(shown)) >= {"listen", "limits", "log"}


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("postgresql://ann:secret@db.example/apnap", "postgresql://ann:***@db.example/apnap"),
        ("postgresql:///apnap?user=ann&password=secret", "postgresql:///apnap?user=ann&password=***"),
        ("postgresql:///apnap?sslpassword=secret&user=ann", "postgresql:///apnap?sslpassword=***&user=ann"),
    ],
)
def test_the_password_of_a_database_is_shown_to_nobody(
    address: str, seen: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_STORE_ADDRESS", address)
    for more in ([], ["--json"]):
        assert main(["config", "show", *more]) == 0
        shown = capsys.readouterr().out
        assert "secret" not in shown
        assert seen in shown


def test_serving_with_bad_settings_says_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--config", str(written(tmp_path, "[limits]\nroms = 3\n"))]) == 2
    assert "roms" in capsys.readouterr().err
    assert main(["serve", "--port", "70000"]) == 2
    assert "option: " in capsys.readouterr().err
    assert main(["serve", "--standby"]) == 2
    assert "store.address" in capsys.readouterr().err


def test_every_setting_is_explained_in_the_file_that_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    from server.command.config_words import WORDS
    from server.command.settings import keys

    assert set(WORDS) == set(keys())
    assert main(["config", "show"]) == 0
    shown = capsys.readouterr().out
    assert tomllib.loads(shown)["listen"]["port"] == 8802
    assert all(f"# {words}\n{key.rpartition('.')[2]} = " in shown for key, words in WORDS.items())


def test_who_stands_by_may_say_for_which_database_elsewhere(tmp_path: Path) -> None:
    file = written(tmp_path, "[store]\nstandby = true\n")
    assert find(file, {"APNAP_STORE_ADDRESS": "postgresql:///apnap"}).settings.store.standby
