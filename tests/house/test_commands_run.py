"""Every command of README and docs is typed here as it stands, but for its placeholders, and does what it should.

`RUN` says what is typed for each and what comes of it; `NOT_RUN` why another is not. What takes longer waits for `make test-all`.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import trustme
from msgspec import Struct

from server.command.main import main
from tests.house.commands_elsewhere import NOT_RUN, OTHERS
from tests.house.kettle import CARD, DECK, LED, UNREAD
from tests.house.test_docs import PAGES, ROOT, plain, told

APNAP = [sys.executable, "-m", "server.command.main"]
PATIENCE_S = 60


class Typed(Struct, frozen=True):
    """What is typed for a command ("": the command itself), its exit code, and a part of what it says (or writes: `file`)."""

    line: str = ""
    says: str = ""
    code: int = 0
    stdin: str = ""
    file: str = ""
    slow: bool = False
    serves: bool = False  # it goes on until it is stopped


ARENA = "apnap arena --rounds 1"
RUN: dict[str, Typed] = {
    "apnap --help": Typed(says="serve tables over websockets"),
    # --- the host's orders, at a server that runs
    "apnap admin backup FILE": Typed("apnap admin backup copied.sqlite3", file="copied.sqlite3"),
    "apnap admin backup before.sqlite3 --data drill": Typed(
        "apnap admin backup before.sqlite3 --data {data}", file="before.sqlite3"
    ),
    "apnap admin backup copy.sqlite3 --data drill": Typed(
        "apnap admin backup copy.sqlite3 --data {data}", file="copy.sqlite3"
    ),
    'apnap admin broadcast "text"': Typed(),
    "apnap admin close ROOM": Typed("apnap admin close {open}"),
    'apnap admin close ROOM "why"': Typed('apnap admin close {other} "why"'),
    "apnap admin export ROOM FILE": Typed("apnap admin export {room} game.jsonl", file="game.jsonl"),
    "apnap admin forget PERSON": Typed("apnap admin forget nobody", "nobody", 1),
    "apnap admin invite": Typed(says="{url}/#/link/"),
    'apnap admin kick PERSON "why"': Typed('apnap admin kick nobody "why"', "nobody connected", 1),
    "apnap admin login-link NAME": Typed("apnap admin login-link", says="{url}/#/link/"),
    "apnap admin move ROOM": Typed("apnap admin move nowhere", "there is no room", 1),
    "apnap admin nodes": Typed(says="1 nodes"),
    "apnap admin people": Typed(),
    "apnap admin reports": Typed(),
    "apnap admin reset NAME": Typed("apnap admin reset Ann", "account", 1),
    "apnap admin restore FILE": Typed("apnap admin restore {backup} --data fresh", "rooms are back"),
    "apnap admin restore before.sqlite3 --data drill": Typed(
        "apnap admin restore {backup} --data drill", "rooms are back"
    ),
    "apnap admin restore copy.sqlite3 --data drill": Typed(
        "apnap admin restore {backup} --data drill", "rooms are back"
    ),
    "apnap admin restore drill/apnap.sqlite3.replaced --data drill": Typed(
        "apnap admin restore {backup} --data drill", "rooms are back"
    ),
    "apnap admin rooms": Typed(says="{room}"),
    # --- bots against each other
    "apnap puzzles": Typed(),
    "apnap puzzles simple eager.py:Eager --variants 3": Typed("apnap puzzles simple eager.py:Eager", slow=True),
    "apnap arena eager.py:Eager random": Typed(f"{ARENA} eager.py:Eager random", slow=True),
    "apnap arena eager.py:Eager simple --seats 4": Typed(f"{ARENA} eager.py:Eager simple --seats 4 --json", slow=True),
    "apnap arena 'search 500 ms' simple --jobs 2 --keep games.jsonl --page rating.html": Typed(
        f"{ARENA} 'search 1 ms' simple --keep games.jsonl --page rating.html", file="rating.html", slow=True
    ),
    # --- measuring
    "apnap bench engine": Typed("apnap bench engine --quick", "ms", slow=True),
    "apnap bench engine --boards --kind NAME --json --quick": Typed(
        "apnap bench engine --boards --kind vanilla --json --quick", slow=True
    ),
    "apnap bench engine --fuzz N": Typed("apnap bench engine --fuzz 1", slow=True),
    "apnap bench engine --fuzz N --decks DECKS.jsonl --cards LIST": Typed(
        "apnap bench engine --fuzz 1 --decks led.jsonl --cards led_cards.jsonl", slow=True
    ),
    "apnap bench engine --fuzz N --oracle": Typed("apnap bench engine --fuzz 1 --oracle", slow=True),
    "apnap bench engine --fuzz N --cards LIST --having WORD": Typed(
        "apnap bench engine --fuzz 1 --cards mine.jsonl --having enters", slow=True
    ),
    "apnap bench engine --fuzz N --preset emperor": Typed("apnap bench engine --fuzz 1 --preset left", slow=True),
    "apnap bench engine --fuzz N --seed S --json": Typed("apnap bench engine --fuzz 1 --seed 2 --json", "{", slow=True),
    "apnap bench engine --json --house --quick": Typed(says="{", slow=True),
    "apnap bench env --drawn N --first N --jobs N": Typed(
        "apnap bench env --drawn 1 --first 1 --jobs 1", "no mask was empty", slow=True
    ),
    "apnap bench env --json": Typed("apnap bench env --json --house --games 1", "{", slow=True),
    "apnap bench env --json --house --games N": Typed("apnap bench env --json --house --games 2", "{", slow=True),
    "apnap bench heavy --json --seconds S --tables N": Typed(
        "apnap bench heavy --json --seconds 8 --tables 1", "{", slow=True
    ),
    "apnap bench restart --json --rooms N --quick": Typed(
        "apnap bench restart --json --rooms 2 --quick", "{", slow=True
    ),
    "apnap bench server": Typed("apnap bench server --quick --rooms 2", slow=True),
    "apnap bench server --json --rooms N --quick": Typed("apnap bench server --json --rooms 2 --quick", "{", slow=True),
    "apnap bench soak --json --rooms N --minutes M --pace S": Typed(
        "apnap bench soak --json --rooms 2 --minutes 0.1 --pace 0.1", "{", slow=True
    ),
    # --- cards and decks
    "apnap cards check FILE": Typed("apnap cards check mine.toml", "1 cards read, 0 faults"),
    "apnap cards check FILE.toml": Typed("apnap cards check mine.toml", "1 cards read, 0 faults"),
    "apnap cards check mine.toml": Typed(says="1 cards read, 0 faults"),
    "apnap cards coverage --decks DECKS --cards LIST": Typed(
        "apnap cards coverage --decks decks.jsonl --cards cards.json", "1"
    ),
    "apnap cards coverage FILE": Typed("apnap cards coverage cards.json", "1"),
    "apnap cards coverage LIST": Typed("apnap cards coverage cards.json", "1"),
    "apnap cards coverage cards.json": Typed(says="1"),
    "apnap cards frontier --decks DECKS --cards LIST": Typed(
        "apnap cards frontier --decks decks.jsonl --cards cards.json"
    ),
    "apnap cards frontier LIST": Typed("apnap cards frontier cards.json"),
    "apnap cards import FILE": Typed("apnap cards import cards.json", "1"),
    "apnap cards import cards.json": Typed(says="1"),
    "apnap cards import mine.jsonl": Typed(says="1"),
    "apnap cards keep ROOM": Typed("apnap cards keep {room}"),
    "apnap cards reword NAME WORDS": Typed(
        'apnap cards import cards.json --data own && apnap cards reword "Odd Kettle" "Flying" --data own'
    ),
    "apnap cards wordings": Typed(),
    "apnap cards show NAME": Typed('apnap cards show "Ember Lash"', "Instant"),
    'apnap cards show "Ember Lash"': Typed(says="Instant"),
    "apnap cards show NAME --cards FILE": Typed('apnap cards show "Kettle Drake" --cards mine.toml', "Flying"),
    'apnap cards show "Kettle Drake" --cards mine.toml': Typed(says="Flying"),
    "apnap deck check FILE": Typed("apnap deck check house.txt"),
    "apnap deck check mine.txt": Typed("apnap cards import mine.jsonl && apnap deck check mine.txt"),
    "apnap deck check FILE --cards LIST": Typed("apnap deck check mine.txt --cards mine.jsonl"),
    "apnap deck check mine.txt --cards mine.toml": Typed(),
    "apnap deck check --by-hand unread FILE": Typed(
        "apnap cards import cards.json && apnap deck check --by-hand unread odd.txt", "by hand"
    ),
    "apnap deck check --by-hand unread mine.txt": Typed(
        "apnap cards import cards.json && apnap deck check --by-hand unread odd.txt", "by hand"
    ),
    # --- settings, checks, the protocol
    "apnap config show": Typed(says="[listen]"),
    "apnap config show --config FILE": Typed("apnap config show --config set.toml", "set.toml"),
    "apnap doctor": Typed("apnap doctor --config set.toml --data fine", "ok"),
    "apnap doctor ADDRESS": Typed("apnap doctor {url}", "ok"),
    "apnap doctor https://table.example": Typed("apnap doctor {url}", "ok"),
    "apnap schema": Typed(says='"$defs"'),
    # --- playing; at a terminal of its own each is typed in tests/client
    "apnap play": Typed("apnap play {url} --plain", "Tables at"),
    "apnap play LINK": Typed("apnap play {link} --name Bea --plain", "Table {gathering}"),
    "apnap play 192.168.1.20:8802": Typed("apnap play {address} --plain", "Tables at"),
    "apnap play https://table.example/#/room/ID": Typed("apnap play {link} --plain", "Table {gathering}"),
    "apnap play --new 2 --best-of 3": Typed("apnap play --new 2 --best-of 3 {url} --plain", "Match, best of 3"),
    "apnap play --new 6 --bots --variant emperor": Typed(
        "apnap play --new 6 --bots --variant emperor {url} --plain", "with you"
    ),
    "apnap play --new 4 --bots": Typed("apnap play --new 4 --bots {url} --plain", "Take a mulligan?"),
    "apnap play ws://127.0.0.1:8802 --name Ann --new 4 --bots": Typed(
        "apnap play ws://{address} --name Ann --new 4 --bots --plain", "Take a mulligan?"
    ),
    "apnap play URL --account --name NAME": Typed(
        "apnap play {url} --account --name Nobody --plain", "password", 1, stdin="wrong\n"
    ),
    "apnap play https://table.example --ca authority.pem": Typed(
        "apnap play https://127.0.0.1:{tls} --ca authority.pem --plain", "Tables at", slow=True
    ),
    "apnap play https://table.example --fingerprint 64-HEXADECIMAL-DIGITS": Typed(
        "apnap play https://127.0.0.1:{tls} --fingerprint {digits} --plain", "Tables at", slow=True
    ),
    "apnap bot URL --room ID": Typed("apnap bot ws://{address} --room nosuchroom", "no", 1),
    "apnap bot ws://127.0.0.1:8802 --room ROOM": Typed("apnap bot ws://{address} --room nosuchroom", "no", 1),
    "apnap demo": Typed("apnap demo --seats 2 --seed 1", "views", slow=True),
    "apnap demo --variant two_headed_giant": Typed(
        "apnap demo --variant two_headed_giant --seed 1", "views", slow=True
    ),
    "apnap demo --log": Typed("apnap demo --log --seats 2 --seed 1", "Turn", slow=True),
    # --- games again
    "apnap export ROOM": Typed("apnap export {room}"),
    "apnap replay ROOM": Typed("apnap replay {room}", "conceded"),
    "apnap replay ROOM --data small": Typed("apnap replay {room} --data {data}", "conceded"),
    "apnap replay URL": Typed("apnap replay ws://{address}"),
    # --- rules
    "apnap rules": Typed(says="legend rule"),
    "apnap rules 119.3d": Typed(says="120.3d"),
    "apnap rules 801.7a --edition current": Typed(says="crosses the border"),
    "apnap rules coverage": Typed("apnap rules coverage --tests {root}/tests", slow=True),
    "apnap rules coverage --chapter 802 --edition current": Typed(
        "apnap rules coverage --tests {root}/tests --chapter 802 --edition current", "0 missing", slow=True
    ),
    "apnap rules coverage --write docs/rules.md": Typed(
        "apnap rules coverage --tests {root}/tests --write rules.md", file="rules.md", slow=True
    ),
    "apnap rules examples --edition current": Typed(
        "apnap rules examples --tests {root}/tests --edition current", slow=True
    ),
    "apnap scenario new": Typed("apnap scenario new doubt1.toml", file="doubt1.toml"),
    "apnap scenario new doubt.toml": Typed("apnap scenario new doubt2.toml", file="doubt2.toml"),
    "apnap scenario new FILE.toml --seats NAME --rules EDITION": Typed(
        "apnap scenario new doubt3.toml --seats A B --rules current", file="doubt3.toml"
    ),
    "apnap scenario run FILE": Typed("apnap scenario run sample.toml", "1"),
    "apnap scenario run FILE.toml": Typed("apnap scenario run sample.toml", "1"),
    "apnap scenario run doubt.toml": Typed("apnap scenario run sample.toml", "1"),
    "apnap scenario run FILE --cards CARDS --report OUT.json --only ID": Typed(
        "apnap scenario run sample.toml --cards mine.toml --report out.json --only sample", file="out.json"
    ),
    # --- serving
    "apnap serve": Typed("apnap serve --port {free} --data s1", "this computer", serves=True, slow=True),
    "apnap serve --config FILE": Typed(
        "apnap serve --config set.toml --data s2", "this computer", serves=True, slow=True
    ),
    "apnap serve --friends": Typed("apnap serve --friends --port {free} --data s3", "friends", serves=True, slow=True),
    "apnap serve --friends --port 9000": Typed(
        "apnap serve --friends --port {free} --data s4", "friends", serves=True, slow=True
    ),
    "apnap serve --friends --public-url https://table.example": Typed(
        "apnap serve --friends --public-url https://table.example --port {free} --data s5",
        "https://table.example",
        serves=True,
        slow=True,
    ),
    "apnap serve --friends --tls-cert chain.pem --tls-key key.pem": Typed(
        "apnap serve --friends --tls-cert chain.pem --tls-key key.pem --port {free} --data s6",
        "https://",
        serves=True,
        slow=True,
    ),
    "apnap serve --workers N": Typed("apnap serve --workers 2 --port {free} --data s7", "bot", serves=True, slow=True),
    "apnap serve --port 0 --data drill": Typed("apnap serve --port 0 --data {data}", "another server works on", 1),
    "apnap serve --port 8802 --data drill": Typed(
        "apnap serve --port {free} --data s7", "journals", serves=True, slow=True
    ),
    "apnap serve --public-url https://table.example.org": Typed(
        "apnap serve --public-url https://table.example.org --port {free} --data s8",
        "https://table.example.org",
        serves=True,
        slow=True,
    ),
    "apnap serve --tls-cert chain.pem --tls-key key.pem": Typed(
        "apnap serve --tls-cert chain.pem --tls-key key.pem --port {free} --data s9",
        "SHA-256",
        serves=True,
        slow=True,
    ),
}


def test_every_command_is_run_or_says_why_not() -> None:
    documented = {line for page in PAGES for line in told(page)}
    assert documented == RUN.keys() | NOT_RUN.keys()
    assert not RUN.keys() & NOT_RUN.keys()


def test_every_command_of_another_program_says_where_it_is_run() -> None:
    programs = r"(?:make|python|pip|podman|docker|cloudflared)"
    for page in PAGES:
        text = plain(page)
        blocks = [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
        lines = blocks + re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        for line in (re.sub(r"^[A-Z_]+=\S+ ", "", line.strip()) for line in lines):
            if re.match(programs + r" [a-z-]", line) and "PYTHON=" not in line:
                assert any(line.startswith(one) for one in OTHERS), f"{page}: {line}"


# --- where they run ----------------------------------------------------------------------------------------------------


@contextmanager
def process(words: list[str], folder: Path, env: dict[str, str]) -> Iterator[str]:
    """A server until the block ends; what it says at its start."""
    with subprocess.Popen(
        [*APNAP, *words],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    ) as running:
        assert running.stdout is not None
        said = ""
        try:
            for line in running.stdout:
                said += line
                if line.startswith("Ctrl-C"):
                    break
            yield said
        finally:
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=PATIENCE_S)
        assert running.returncode == 0


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        return probe.getsockname()[1]


def files(folder: Path) -> dict[str, str]:
    """What people have at hand; the fingerprint of the certificate among it."""
    folder.mkdir()
    card = "".join(f'{key} = """{value}"""\n' for key, value in CARD.items())
    (folder / "mine.toml").write_text(f"[[card]]\n{card}", encoding="utf-8")
    (folder / "mine.jsonl").write_text(json.dumps(CARD) + "\n")
    (folder / "cards.json").write_text(json.dumps([CARD, UNREAD]))
    (folder / "mine.txt").write_text(DECK)
    (folder / "odd.txt").write_text("4 Odd Kettle\n56 Mountain\n")
    (folder / "house.txt").write_text("4 Ember Lash\n56 Mountain\n")
    deck = {"id": "one", "format": "constructed", "main": {"Kettle Drake": 60}}
    (folder / "decks.jsonl").write_text(json.dumps(deck) + "\n")
    led = {"format": "commander", "main": {"Forest": 99}, "commander": ["Old Warden"]}
    (folder / "led.jsonl").write_text("".join(json.dumps({"id": f"led {n}", **led}) + "\n" for n in range(4)))
    (folder / "led_cards.jsonl").write_text("".join(json.dumps(card) + "\n" for card in LED))
    bots = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
    (folder / "eager.py").write_text(bots.partition("```python\n")[2].partition("```")[0])
    (folder / "set.toml").write_text("[listen]\nport = 0\n")
    assert main(["scenario", "new", str(folder / "sample.toml")]) == 0
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    authority.cert_pem.write_to_path(folder / "authority.pem")
    (folder / "chain.pem").write_bytes(b"".join(pem.bytes() for pem in certificate.cert_chain_pems))
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    der = ssl.PEM_cert_to_DER_cert(certificate.cert_chain_pems[0].bytes().decode())
    return {"digits": hashlib.sha256(der).hexdigest()}


class Stage(Struct):
    """A folder, a server beside it, and what stands for the placeholders."""

    folder: Path
    values: dict[str, str]

    def words(self, line: str) -> list[list[str]]:
        """A line as the words of its commands, placeholders filled."""
        values = {**self.values, "free": str(free_port())}
        filled = re.sub(r"\{(\w+)\}", lambda found: values[found[1]], line)
        return [shlex.split(part)[1:] for part in filled.split(" && ")]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """At the server: a finished game of Ann's, a room that gathers, and two to be closed."""
    folder = tmp_path_factory.mktemp("docs") / "stage"
    values = files(folder)
    data = folder / "data"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder), "APNAP_PEOPLE_ACCOUNTS": "open"}

    def ann(*words: str, stdin: str) -> None:
        done = subprocess.run(
            [*APNAP, "play", values["url"], "--plain", "--name", "Ann", *words],
            cwd=folder,
            env=env,
            input=stdin,
            text=True,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0

    with process(["serve", "--port", "0", "--data", str(data)], folder, env) as said:
        found = re.search(r"apnap serves at ws://(\S+)", said)
        assert found, said
        values |= {"root": str(ROOT), "address": found[1], "url": f"http://{found[1]}", "data": str(data)}
        ann("--new", "2", "--bots", stdin="concede\n1\n")
        for _ in range(3):
            ann("--new", "10", stdin="")
        rooms = json.loads(
            subprocess.check_output([*APNAP, "admin", "rooms", "--json", "--data", str(data)], cwd=folder, env=env)
        )
        ids = [room["id"] for room in rooms["rooms"] if room["state"] == "gathering"]
        (values["room"],) = [room["id"] for room in rooms["rooms"] if room["state"] != "gathering"]
        values["gathering"], values["open"], values["other"] = ids
        values["link"] = f"{values['url']}/#/room/{values['gathering']}"
        subprocess.check_call([*APNAP, "admin", "backup", "kept.sqlite3", "--data", str(data)], cwd=folder, env=env)
        values["backup"] = "kept.sqlite3"
        yield Stage(folder, values)


def _cases(*, slow: bool, serves: bool) -> list[str]:
    return [line for line, typed in RUN.items() if typed.slow == slow and typed.serves == serves]


def _plays(stage: Stage, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed = RUN[line]
    # Typed in another folder than the checkout, beside which they are.
    shared = Path(os.environ.get("APNAP_SHARED") or ROOT.parent / "shared").absolute()
    if line.startswith("apnap rules coverage") and not shared.is_dir():
        pytest.skip(f"no shared files: {shared} is not a folder (set APNAP_SHARED to where they are)")
    monkeypatch.setenv("APNAP_SHARED", str(shared))
    monkeypatch.chdir(stage.folder)
    monkeypatch.setenv("APNAP_DATA", stage.values["data"])
    monkeypatch.setenv("XDG_STATE_HOME", str(stage.folder))
    monkeypatch.setenv("LANG", "C.UTF-8")
    code = 0
    for words in stage.words(typed.line or line):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed.stdin))
        try:
            code = main(words)
        except SystemExit as left:
            code = int(left.code or 0)
    said = capsys.readouterr()
    text = said.out + said.err
    assert code == typed.code, text
    wanted = re.sub(r"\{(room|gathering|url)\}", lambda found: stage.values[found[1]], typed.says)
    assert wanted in text, text[-2000:]
    assert not typed.file or (stage.folder / typed.file).stat().st_size > 0


@pytest.mark.parametrize("line", _cases(slow=False, serves=False))
def test_a_command_of_the_docs(
    stage: Stage, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _plays(stage, line, capsys, monkeypatch)


@pytest.fixture(scope="module")
def with_tls(stage: Stage) -> Iterator[Stage]:
    """Another server, with a certificate."""
    words = [
        "serve",
        "--tls-cert",
        "chain.pem",
        "--tls-key",
        "key.pem",
        "--data",
        "tls",
        "--port",
        str(port := free_port()),
    ]
    with process(words, stage.folder, {**os.environ, "PYTHONPATH": str(ROOT)}):
        yield Stage(stage.folder, {**stage.values, "tls": str(port)})


@pytest.mark.slow
@pytest.mark.parametrize("line", _cases(slow=True, serves=False))
def test_a_command_of_the_docs_that_takes_longer(
    with_tls: Stage, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _plays(with_tls, line, capsys, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("line", _cases(slow=True, serves=True))
def test_a_command_of_the_docs_that_serves(stage: Stage, line: str) -> None:
    typed = RUN[line]
    (words,) = stage.words(typed.line or line)
    with ExitStack() as stack:
        said = stack.enter_context(process(words, stage.folder, {**os.environ, "PYTHONPATH": str(ROOT)}))
        assert typed.says in said
