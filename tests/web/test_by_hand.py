"""Two people at the page play cards that the server does not read: the palette, objections, corrections, other words."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as NotSeen

from tests.web.player import Player
from tests.web.test_everyone import violations

WHOSE = ("Odds", "Evens", "Primes")
CARDS: tuple[dict[str, str], ...] = (
    *(
        {
            "name": f"Verse of {of}",
            "cost": "{0}",
            "types": "Sorcery",
            "text": "Hum at target player until the moon turns.",
        }
        for of in WHOSE
    ),
    *(
        {
            "name": f"Kin of {of}",
            "cost": "{0}",
            "types": "Creature — Elf",
            "power": "2",
            "toughness": "2",
            "text": "Frobnicate while awake.",
        }
        for of in WHOSE
    ),
)
DECK = "\n".join([*(f"4 {card['name']}" for card in CARDS), "36 Forest"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that knows those cards."""
    data = tmp_path_factory.mktemp("hands")
    listed = data / "own.jsonl"
    listed.write_text("\n".join(map(json.dumps, CARDS)), encoding="utf-8")
    yield from serve(data, listed)


def serve(data: Path, listed: Path) -> Iterator[str]:
    """`apnap serve` with the cards of a list; decks of other than sixty cards as well."""
    words = [sys.executable, "-m", "server.command.main"]
    subprocess.run([*words, "cards", "import", str(listed), "--data", str(data)], check=True, stdout=subprocess.DEVNULL)
    command = [*words, "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "on this computer" in line)
        try:
            yield re.sub(r".*?(\S+)\s*$", r"\1", said) + "/"
        finally:
            process.terminate()
            process.wait(timeout=20)


def sit_down(ann: Player, ben: Player) -> None:
    """A table of two that plays by hand what is not read, with decks of one's own."""
    gather(ann, ben)
    begin(ann, ben)


def gather(ann: Player, ben: Player) -> None:
    """Both have sat down with their decks."""
    ann.visit()
    ann.press("another kind of table")
    ann.page.fill("input[name=seed]", "4")
    ann.page.get_by_label("Players").fill("2")
    ann.press("open it")
    ann.page.wait_for_selector(".gather")
    ben.sit_with(ann)
    for player in (ann, ben):
        bring(player)
    ben.page.wait_for_selector(".seats .mine >> text=ready")


def begin(ann: Player, ben: Player) -> None:
    """The game starts."""
    ann.press("start the game")
    for player in (ann, ben):
        player.page.wait_for_selector(".table")


def bring(player: Player, deck: str = DECK) -> None:
    """Play the list of one's own. Its cards are read for the first time, whole and then partly; where that takes the server too long
    one changes the list and asks again."""
    player.press("own list")
    for again in range(4):
        player.page.fill(".editor textarea", deck + "\n" * again)
        try:
            player.page.wait_for_selector(".verdict .fine >> text=by hand", timeout=20_000)
            break
        except NotSeen:
            continue
    player.press("play this deck")


def keep(*players: Player) -> None:
    """Everybody keeps the opening hand."""
    for _ in range(40):
        for player in players:
            dock = player.dock()
            if dock is not None and dock["kind"] == "priority":
                return
            if dock is not None and dock["kind"]:
                player.confirm()
                player.answered(dock["id"])
        players[0].page.wait_for_timeout(50)


def to_act(players: tuple[Player, Player]) -> tuple[Player, Player]:
    """Who can casts the verse, and everybody passes until it resolves: who does it, and the other one."""
    for _ in range(60):
        for me, other in (players, players[::-1]):
            dock = me.dock()
            if dock is None or not dock["kind"]:
                continue
            if dock["kind"] == "act":
                return me, other
            cast = [index for index, text in dock["actions"] if "Verse of" in text]
            if cast and not me.page.locator(".stack [data-ids]").count():
                me.page.click(f".actions [data-action='{cast[0]}']")
            elif dock["kind"] == "choose":
                me.page.click("[data-option='0']")
            else:
                me.page.click("[data-primary]:not([disabled])")
            me.answered(dock["id"])
        players[0].page.wait_for_timeout(50)
    raise AssertionError("nothing resolves")


def test_an_unread_card_is_played_from_the_palette(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    sit_down(ann, ben)
    me, other = to_act((ann, ben))
    page = me.page
    page.click("[data-act=life]")
    page.click("[data-way=lose]")
    page.locator(".palette select").select_option(label=other.name)
    page.get_by_label("How many").fill("3")
    assert page.input_value("input[name=act]") == f"{other.name} loses 3 life"
    assert violations(page) == []
    page.keyboard.press("Enter")
    for player in (me, other):
        player.page.wait_for_selector(".log .hand-line >> text=loses 3 life")
    page.click("[data-act=token]")
    page.get_by_label("What (in English)").fill("1/1 white Soldier creature")
    assert page.input_value("input[name=act]") == "create one 1/1 white Soldier creature token"
    page.click(".act .primary")
    page.wait_for_selector(".mat.own .tile >> text=Soldier")
    page.click("[data-done]")
    page.wait_for_selector(".dock[data-question=act]", state="detached")


def test_cards_of_a_deck_are_said_in_other_words_before_the_game(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    gather(ann, ben)
    ann.page.click(".beforehand summary")
    for of in WHOSE:
        ann.page.locator("[data-form=reword-deck] select").select_option(label=f"Kin of {of}: Frobnicate while awake.")
        ann.page.fill("[data-form=reword-deck] textarea", "Flying")
        ann.page.click("[data-form=reword-deck] .primary")
        ben.page.wait_for_selector(f"[data-rewording] >> text=Kin of {of}")
        assert violations(ann.page) == [] and violations(ben.page) == []
        ben.page.locator("[data-rewording]", has_text=of).locator("[data-agree]").click()
        for player in (ann, ben):
            player.page.locator("[data-rewording]", has_text=of).locator("text=All agree").wait_for()
    begin(ann, ben)
    keep(ann, ben)
    ann.page.locator(".hand .tile", has_text="Kin of").first.hover()
    ann.page.wait_for_selector(".zoom >> text=Flying")


def test_a_correction_and_other_words_are_proposed_and_agreed_to(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    sit_down(ann, ben)
    keep(ann, ben)
    ann.page.click(".mending > summary")
    ann.page.locator("[data-form=correct]").get_by_label("Player").select_option(label="Ben")
    ann.page.locator("[data-form=correct] input[type=number]").fill("7")
    assert violations(ann.page) == []
    ann.page.click("[data-form=correct] .primary")
    ben.page.wait_for_selector(".vote >> text=7")
    assert violations(ben.page) == []
    ben.page.click(".vote .primary")
    for player in (ann, ben):
        player.page.wait_for_selector(".log .hand-line >> text=is 7")
    ann.page.locator("[data-form=reword] input").first.focus()
    ann.page.locator(".hand .tile", has_text="Kin of").first.click()
    ann.page.wait_for_selector("[data-form=reword] >> text=Frobnicate")
    ann.page.fill("[data-form=reword] textarea", "This creature has flying.")
    ann.page.click("[data-form=reword] .primary")
    ben.page.wait_for_selector(".vote >> text=Frobnicate")
    ben.page.click(".vote .primary")
    for player in (ann, ben):
        player.page.wait_for_selector(".log .hand-line >> text=Frobnicate")
