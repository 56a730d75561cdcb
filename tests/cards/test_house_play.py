"""Every house creature, land and artifact does in a game what its text says. Fails here may be the card's or the engine's."""

import pytest

from server.cards.grammar import parse_types
from server.oracle.house import BASIC_NAMES, house_card, house_cards
from tests.cards.table import Table

CUB = "Thornhide Cub"  # 3/2
OGRE = "Cragback Ogre"  # 3/3
CRAB = "Coral Sentinel"  # 1/5
KITE = "Dawnfeather Kite"  # 2/3 flying

# --- creatures that only fight -------------------------------------------------------------------------------------------

PLAIN = [
    card.name
    for card in house_cards().values()
    if parse_types(card.types)[1][-1] == "creature" and card.cost and "{X}" not in card.cost
]


@pytest.mark.parametrize("name", PLAIN)
def test_every_creature_can_be_cast(name: str) -> None:
    table = Table(hand=[name], theirs=[OGRE])
    assert f"cast {name}" in table.actions()
    table.cast(name)
    face = house_card(name)
    assert face is not None
    if face.toughness != "0":
        assert table.pt(name) == (int(face.power), int(face.toughness))
    assert set(face.keywords) <= table.face(name).keywords if face.toughness != "0" else True


def test_first_strike_and_double_strike() -> None:
    table = Table(mine=["Chapel Squire", "Twinblade Duelist"], theirs=[CUB])
    table.attack("Chapel Squire", "Twinblade Duelist", blocks={CUB: "Chapel Squire"})
    assert table.zone_of("Chapel Squire") == "battlefield"
    assert table.zone_of(CUB) == "graveyard"
    assert table.life(1) == 16


def test_protection_from_black() -> None:
    table = Table(hand=["Thin Bones", "Shrivel on the Vine"], theirs=["Seraph of the Ninth Bell"])
    assert not {"cast Thin Bones", "cast Shrivel on the Vine"} & set(table.actions())


def test_lifelink_vigilance_and_the_marshal() -> None:
    table = Table(mine=["Oathsworn Paladin", "Gatefield Marshal", "Lanternwatch Recruit"])
    assert table.pt("Lanternwatch Recruit") == (3, 2)
    assert table.pt("Gatefield Marshal") == (2, 2)
    table.attack("Oathsworn Paladin", "Lanternwatch Recruit")
    assert (table.life(0), table.life(1)) == (23, 14)
    found = table.find("Lanternwatch Recruit")
    assert found is not None and not found.tapped


def test_deathtouch_intimidate_and_cant_block() -> None:
    table = Table(mine=["Sewer Swarm", "Dusk Prowler"], theirs=["Gutter Revenant", "Hollow-Oak Colossus"])
    table.attack("Sewer Swarm", "Dusk Prowler", blocks={"Hollow-Oak Colossus": "Sewer Swarm"})
    assert table.zone_of("Hollow-Oak Colossus") == "graveyard"
    assert table.life(1) == 18


def test_trample_and_wither_and_infect() -> None:
    table = Table(mine=["Moot Wurm", "Cankered Boar", "Sporemaw"], theirs=[CUB, CRAB])
    table.attack("Moot Wurm", "Cankered Boar", "Sporemaw", blocks={CUB: "Moot Wurm", CRAB: "Sporemaw"})
    assert table.life(1) == 17
    assert dict(table.state.players[1].counters) == {"poison": 3}
    assert table.pt(CRAB) == (-2, 2)


def test_evasion() -> None:
    table = Table(mine=["Fog Courier", "Cliffside Brute"], theirs=[OGRE, CUB])
    table.attack("Fog Courier", "Cliffside Brute")
    assert table.life(1) == 15


def test_cliffside_brute_is_blocked_by_two_or_none() -> None:
    table = Table(mine=["Cliffside Brute"], theirs=[OGRE, CUB])
    table.attack("Cliffside Brute", blocks={OGRE: "Cliffside Brute", CUB: "Cliffside Brute"})
    assert table.zone_of("Cliffside Brute") == "graveyard"


def test_emberclan_runner_must_attack() -> None:
    table = Table(mine=["Emberclan Runner"])
    table.to("end_combat")
    assert table.life(1) == 18


def test_reach_blocks_fliers() -> None:
    table = Table(mine=[KITE], theirs=["Canopy Watcher"])
    table.attack(KITE, blocks={"Canopy Watcher": KITE})
    assert table.life(1) == 20


@pytest.mark.parametrize("name", ["Undertow Serpent", "Silverhorn Stag"])
def test_hexproof_and_shroud(name: str) -> None:
    table = Table(hand=["Shrivel on the Vine"], theirs=[name])
    assert "cast Shrivel on the Vine" not in table.actions()


def test_persist() -> None:
    table = Table(hand=["Snuff the Candle", "Ember Lash"], mine=["Barrow Guard"])
    table.cast("Ember Lash", "Barrow Guard")
    assert table.pt("Barrow Guard") == (2, 2)


# --- triggers ----------------------------------------------------------------------------------------------------------


def test_almsgiver() -> None:
    table = Table(hand=[CUB, "Almsgiver of Ashlan"], mine=["Almsgiver of Ashlan"])
    table.cast(CUB)
    assert table.life(0) == 21


def test_enters_triggers() -> None:
    table = Table(
        hand=["Tidepool Adept", "Drowned Archivist", "Tidecall Ambusher", "Caller of the Moot"], theirs=[OGRE]
    )
    table.cast("Drowned Archivist")
    assert table.hand(0) == 4
    table.cast("Tidecall Ambusher", OGRE)
    found = table.find(OGRE)
    assert found is not None and found.tapped
    table.cast("Caller of the Moot")
    assert table.pt("Wolf") == (2, 2)
    table.cast("Tidepool Adept")


def test_flash() -> None:
    table = Table(hand=["Tidecall Ambusher"], theirs=[OGRE])
    table.to("end_combat")
    assert "cast Tidecall Ambusher" in table.actions()


def test_hag_of_rotwater() -> None:
    table = Table(hand=["Hag of Rotwater"], theirs=[OGRE])
    table.cast("Hag of Rotwater", OGRE)
    assert table.pt(OGRE) == (1, 1)


def test_mourning_collector() -> None:
    table = Table(hand=["Ember Lash", "Ember Lash"], mine=["Mourning Collector", CUB])
    table.cast("Ember Lash", CUB, "P1")
    assert (table.life(0), table.life(1)) == (21, 19)
    table.cast("Ember Lash", "Mourning Collector", "P1")
    assert (table.life(0), table.life(1)) == (22, 18)


def test_whisper_thief() -> None:
    table = Table(mine=["Whisper Thief"], their_hand=[CUB, OGRE])
    table.attack("Whisper Thief")
    assert table.hand(1) == 1


def test_carrion_baron() -> None:
    table = Table(mine=["Carrion Baron"])
    assert table.life(0) == 19


def test_spite_imp() -> None:
    table = Table(hand=["Ember Lash"], mine=["Spite Imp"])
    table.cast("Ember Lash", "Spite Imp", "P1")
    assert table.life(1) == 17


def test_ashmaw_hellion() -> None:
    table = Table(mine=["Ashmaw Hellion"])
    table.attack("Ashmaw Hellion")
    assert table.life(1) == 12


def test_storm_tinker() -> None:
    table = Table(hand=["Sift the Shallows", CUB], mine=["Storm Tinker"], seats=3)
    table.cast("Sift the Shallows")
    table.cast(CUB)
    assert (table.life(0), table.life(1), table.life(2)) == (20, 19, 19)


def test_gardener_of_miracles_and_font() -> None:
    table = Table(hand=["Harvest Song"], mine=["Gardener of Miracles", "Font of Quiet Days", CUB])
    table.cast("Harvest Song")
    assert table.life(0) == 28
    assert table.pt("Gardener of Miracles") == (3, 3)


def test_wild_covenant() -> None:
    table = Table(mine=["Wild Covenant", CUB])
    assert table.pt(CUB) == (4, 3)


# --- activated abilities -----------------------------------------------------------------------------------------------


def test_forge_novice_and_mercy_acolyte() -> None:
    table = Table(mine=["Forge Novice", "Mercy Acolyte"], theirs=[CUB])
    table.use("Mercy Acolyte", CUB)
    table.use("Forge Novice", CUB)
    found = table.find(CUB)
    assert found is not None and found.damage == 0


def test_bulwark_may_attack() -> None:
    table = Table(mine=["Bulwark of Ashlan"])
    table.use("Bulwark of Ashlan")
    table.attack("Bulwark of Ashlan")
    assert table.life(1) == 18


def test_scholar_loots() -> None:
    table = Table(hand=[CUB], mine=["Scholar of the Ebb"])
    table.use("Scholar of the Ebb", CUB)
    assert table.hand(0) == 1
    assert table.zone_of(CUB) == "graveyard"


def test_deathless_thrall() -> None:
    table = Table(hand=["Day Without Shade"], mine=["Deathless Thrall"], theirs=[CUB])
    table.use("Deathless Thrall")
    table.cast("Day Without Shade")
    found = table.find("Deathless Thrall")
    assert found is not None and found.tapped
    assert table.zone_of(CUB) == "graveyard"


def test_blood_priest() -> None:
    table = Table(mine=["Blood Priest of Harrow", CUB])
    table.use("Blood Priest of Harrow", CUB)
    assert table.pt("Blood Priest of Harrow") == (3, 3)
    assert "activate Blood Priest of Harrow" not in table.actions()


def test_slag_drake() -> None:
    table = Table(mine=["Slag Drake"])
    table.use("Slag Drake")
    table.use("Slag Drake")
    assert table.pt("Slag Drake") == (5, 4)


@pytest.mark.parametrize("name", ["Sapling Warden", "Grove Mystic", "Waywarden's Lantern"])
def test_mana_makers(name: str) -> None:
    table = Table(mine=[name], lands=False)
    table.use(name, "G")
    assert table.state.players[0].pool == (0, 0, 0, 0, 1, 0)


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("Sunlit Orchard", "G"),
        ("Rotwater Fen", "G"),
        ("Stormglass Spire", "R"),
        ("Valley of Second Thoughts", "W"),
        ("Chapel Crypt", "W"),
    ],
)
def test_lands_of_two_colours(name: str, letter: str) -> None:
    table = Table(hand=[name], mine=[name], lands=False)
    table.act("play_land", name)
    assert [o.tapped for o in table.all(name)] == [False, True] or [o.tapped for o in table.all(name)] == [True, False]
    table.use(name, letter)
    pool = table.state.players[0].pool
    assert pool["WUBRG".index(letter)] == sum(pool) == 1


def test_utility_lands() -> None:
    table = Table(mine=["Hidden Cenote", "Cinderpit"], library=["Forest"])
    table.use("Cinderpit", "P1", nth=1)
    assert table.life(1) == 18
    before = len(table.all("Forest"))
    table.use("Hidden Cenote", "Forest")
    assert len(table.all("Forest")) == before + 1


def test_cycling() -> None:
    table = Table(hand=["Valley of Second Thoughts"])
    table.use("Valley of Second Thoughts")
    assert table.zone_of("Valley of Second Thoughts") == "graveyard"
    assert table.hand(0) == 1


def test_quiet_crossroads() -> None:
    table = Table(mine=["Quiet Crossroads"])
    assert table.actions().count("activate Quiet Crossroads") == 1


def test_physicians_bell_and_wheel() -> None:
    table = Table(mine=["Physician's Bell", "Wheel of Unlearning"])
    table.use("Physician's Bell")
    assert (table.life(0), table.hand(0)) == (23, 1)
    table.use("Wheel of Unlearning", "P1")
    assert len(table.state.players[1].graveyard) == 3


def test_windup_beetle() -> None:
    table = Table(hand=["Windup Beetle"])
    table.cast("Windup Beetle")
    assert table.pt("Windup Beetle") == (2, 2)
    table.use("Windup Beetle")
    assert table.pt("Windup Beetle") == (1, 1)
    assert "flying" in table.face("Windup Beetle").keywords


def test_equipment() -> None:
    table = Table(mine=["Hooked Glaive", "Cloak of Ravens", CUB])
    table.use("Hooked Glaive", CUB)
    table.use("Cloak of Ravens", CUB)
    assert table.pt(CUB) == (5, 3)
    assert "flying" in table.face(CUB).keywords


def test_amulet_of_small_mercies() -> None:
    table = Table(hand=["Slagfall"], mine=["Amulet of Small Mercies"])
    table.cast("Slagfall")
    assert (table.life(0), table.life(1)) == (19, 18)


def test_spellwrights_desk() -> None:
    table = Table(hand=["Ember Lash"], mine=["Spellwright's Desk", "Mountain"], lands=False)
    table.cast("Ember Lash", "P1")
    assert table.life(1) == 17


# --- planeswalkers -----------------------------------------------------------------------------------------------------


def test_every_card_is_spoken_of() -> None:
    from pathlib import Path

    scenarios = Path(__file__).parents[1] / "scenarios"
    places = [
        scenarios / "house_cards.jsonl",
        scenarios / "faces.jsonl",
        *Path(__file__).parent.glob("test_house_*.py"),
    ]
    text = "".join(place.read_text() for place in places)
    silent = set(PLAIN) | set(BASIC_NAMES)
    assert not [name for name in house_cards() if name not in text and name not in silent and name != "Iron Effigy"]
