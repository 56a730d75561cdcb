"""Every house spell and enchantment does in a game what its text says."""

import pytest

from tests.cards.table import Table
from tests.cards.test_house_play import CRAB, CUB, KITE, OGRE


@pytest.mark.parametrize(
    ("spell", "victim", "zone"),
    [
        ("Quiet Exile", CUB, "exile"),
        ("Snuff the Candle", CUB, "graveyard"),
        ("Shrivel on the Vine", CUB, "graveyard"),
        ("Return to Foam", CUB, "hand"),
        ("Day Without Shade", CUB, "graveyard"),
        ("Ember Lash", CUB, "graveyard"),
        ("Levy of Moss", "Banner of Dawn", "graveyard"),
        ("Crack the Foundations", "Hooked Glaive", "graveyard"),
        ("Choose Among Your Own", CUB, "graveyard"),
        ("Slagfall", CUB, "graveyard"),
        ("Thin Bones", CUB, "graveyard"),
        ("Choice of Weather", CUB, "graveyard"),
    ],
)
def test_removal(spell: str, victim: str, zone: str) -> None:
    table = Table(hand=[spell], theirs=[victim])
    answers = () if spell in ("Day Without Shade", "Slagfall") else (victim,)
    if spell == "Choose Among Your Own":
        answers = ("P1",)
    if spell == "Choice of Weather":
        answers = ("Choice of Weather deals 3 damage to target creature.",)
    table.cast(spell, *answers)
    assert table.zone_of(victim) == zone
    if spell == "Quiet Exile":
        assert table.life(1) == 23


def test_verdict_of_glass() -> None:
    table = Table(hand=["Verdict of Glass"], theirs=[CUB])
    assert "cast Verdict of Glass" not in table.actions()


def test_players_are_burnt_drained_and_milled() -> None:
    table = Table(hand=["Ember Lash", "Tithe of Veins", "Forget the Names", "Kiln Surge", "Arc and Echo"])
    table.cast("Ember Lash", "P1")
    assert table.life(1) == 17
    table.cast("Tithe of Veins")
    assert (table.life(0), table.life(1)) == (24, 15)
    table.cast("Forget the Names", "P1")
    assert len(table.state.players[1].graveyard) == 6
    table.cast("Kiln Surge", 4, "P1")
    assert table.life(1) == 11
    table.cast("Arc and Echo", "P1")
    assert (table.life(1), table.hand(0)) == (9, 1)


def test_split_the_flame() -> None:
    table = Table(hand=["Split the Flame"], theirs=[CUB])
    table.cast("Split the Flame", (CUB, "P1"), [3, 1])
    assert table.zone_of(CUB) == "graveyard"
    assert table.life(1) == 19


def test_prevention_and_redirection() -> None:
    table = Table(hand=["Sheltering Palm", "Turn the Spear", "Slagfall", "Slagfall"], theirs=[CRAB])
    table.cast("Sheltering Palm", "P0")
    table.cast("Slagfall")
    assert (table.life(0), table.life(1)) == (20, 18)
    table.cast("Turn the Spear", CRAB)
    table.cast("Slagfall")
    assert (table.life(0), table.life(1)) == (20, 16)
    found = table.find(CRAB)
    assert found is not None and found.damage == 4


def test_redirection_alone() -> None:
    table = Table(hand=["Turn the Spear", "Slagfall"], theirs=[CRAB])
    table.cast("Turn the Spear", CRAB)
    table.cast("Slagfall")
    assert (table.life(0), table.life(1)) == (20, 18)
    found = table.find(CRAB)
    assert found is not None and found.damage == 4


def test_hush_of_leaves() -> None:
    table = Table(hand=["Hush of Leaves", "Ember Lash"], mine=[OGRE])
    table.cast("Hush of Leaves")
    table.cast("Ember Lash", "P1")
    table.attack(OGRE)
    assert table.life(1) == 17


def test_cards_are_drawn_and_discarded() -> None:
    table = Table(
        hand=["Read the Currents", "Bargain at Midnight", "Thoughts for Coin", "Sift the Shallows"],
        their_hand=[CUB, OGRE, CRAB],
    )
    table.cast("Read the Currents")
    assert table.hand(0) == 6
    table.cast("Bargain at Midnight")
    assert (table.hand(0), table.life(0)) == (7, 18)
    table.cast("Thoughts for Coin", "P1")
    assert table.hand(1) == 1
    table.cast("Sift the Shallows")
    assert table.hand(0) == 6


@pytest.mark.parametrize(
    ("name", "token", "count", "pt"),
    [
        ("Muster the Watch", "Soldier", 2, (1, 1)),
        ("Emberclan Warren", "Goblin", 3, (1, 1)),
        ("Bloom Chorus", "Elemental", 2, (2, 2)),
    ],
)
def test_tokens(name: str, token: str, count: int, pt: tuple[int, int]) -> None:
    table = Table(hand=[name])
    table.cast(name)
    assert len(table.all(token)) == count
    assert table.pt(token) == pt


def test_emberclan_chief_leads_tokens() -> None:
    table = Table(hand=["Emberclan Warren"], mine=["Emberclan Chief"])
    table.cast("Emberclan Warren")
    assert table.pt("Goblin") == (2, 1)
    table.attack("Goblin", "Goblin", "Goblin")
    assert table.life(1) == 14


def test_pumps() -> None:
    table = Table(hand=["Sudden Thicket", "Drums of Emberhold", "Spread the Canker"], mine=[CUB, "Banner of Dawn"])
    assert table.pt(CUB) == (4, 3)
    table.cast("Sudden Thicket", CUB)
    assert table.pt(CUB) == (7, 6)
    table.cast("Drums of Emberhold")
    assert table.pt(CUB) == (9, 6)
    table.cast("Spread the Canker", CUB)
    assert table.pt(CUB) == (10, 7)
    assert {"trample", "wither", "deathtouch"} <= table.face(CUB).keywords
    table.to("precombat_main", 3)
    assert table.pt(CUB) == (4, 3)


@pytest.mark.parametrize(
    ("aura", "pt", "keywords"),
    [
        ("Mantle of Amber", (5, 4), {"vigilance"}),
        ("Pelt of the Forest", (15, 14), set[str]()),
        ("Battle Mark", (5, 2), {"first strike", "trample"}),
    ],
)
def test_auras_that_help(aura: str, pt: tuple[int, int], keywords: set[str]) -> None:
    table = Table(hand=[aura], mine=[CUB])
    table.cast(aura, CUB)
    assert table.pt(CUB) == pt
    assert keywords <= table.face(CUB).keywords


def test_chains_of_penance() -> None:
    table = Table(hand=["Chains of Penance"], mine=[OGRE], theirs=[CUB])
    table.cast("Chains of Penance", CUB)
    table.attack(OGRE)
    assert table.life(1) == 17


def test_anchor_of_kelp() -> None:
    table = Table(hand=["Anchor of Kelp"], theirs=[CUB])
    table.cast("Anchor of Kelp", CUB)
    table.to("precombat_main", 3)
    found = table.find(CUB)
    assert found is not None and found.tapped


def test_borrowed_loyalty() -> None:
    table = Table(hand=["Borrowed Loyalty"], theirs=[CUB])
    table.cast("Borrowed Loyalty", CUB)
    assert table.find(CUB, seat=0) is not None


def test_borrow_fury() -> None:
    table = Table(hand=["Borrow Fury"], theirs=[CUB])
    table.cast("Borrow Fury", CUB)
    table.attack(CUB)
    assert table.life(1) == 17
    table.to("precombat_main", 3)
    assert table.find(CUB, seat=1) is not None


def test_quarrel_of_beasts() -> None:
    table = Table(hand=["Quarrel of Beasts"], mine=[OGRE], theirs=[CUB])
    table.cast("Quarrel of Beasts", OGRE, CUB)
    assert table.zone_of(CUB) == "graveyard"
    assert table.zone_of(OGRE) == "graveyard"


def test_a_thousand_sores() -> None:
    table = Table(hand=["A Thousand Sores"], mine=[CUB], theirs=[OGRE, KITE])
    table.cast("A Thousand Sores")
    assert (table.pt(CUB), table.pt(OGRE), table.pt(KITE)) == ((3, 2), (2, 2), (1, 2))


def test_call_up_the_faithful() -> None:
    table = Table(hand=["Call Up the Faithful"], graveyard=[CUB])
    table.cast("Call Up the Faithful", CUB)
    assert table.find(CUB, seat=0) is not None


def test_root_out_the_path() -> None:
    table = Table(hand=["Root Out the Path"], library=["Forest"])
    before = len(table.all("Forest"))
    table.cast("Root Out the Path", "Forest")
    found = table.all("Forest")
    assert len(found) == before + 1
    assert table.state.objects[max(o.id for o in found)].tapped


def test_evergrowing_hydra() -> None:
    table = Table(hand=["Evergrowing Hydra"])
    table.cast("Evergrowing Hydra", 5)
    assert table.pt("Evergrowing Hydra") == (5, 5)


def test_wax_double() -> None:
    table = Table(hand=["Wax Double"], theirs=["Moot Wurm"])
    table.cast("Wax Double", True, "Moot Wurm")
    assert len(table.all("Moot Wurm")) == 2


def test_deny_the_tide() -> None:
    table = Table(hand=[CUB], their_hand=["Deny the Tide"])
    table.cast(CUB, resolve=False)
    table.cast("Deny the Tide", CUB, seat=1)
    assert table.zone_of(CUB) == "graveyard"


@pytest.mark.parametrize(("pays", "zone"), [(True, "battlefield"), (False, "graveyard")])
def test_ripple_of_doubt(pays: bool, zone: str) -> None:
    table = Table(hand=[CUB], their_hand=["Ripple of Doubt"])
    table.cast(CUB, resolve=False)
    table.cast("Ripple of Doubt", CUB, pays, seat=1)
    assert table.zone_of(CUB) == zone


def test_break_the_thread() -> None:
    table = Table(mine=["Forge Novice"], their_hand=["Break the Thread"])
    table.use("Forge Novice", "P1", resolve=False)
    table.cast("Break the Thread", seat=1)
    assert (table.life(1), table.hand(1)) == (20, 1)
