"""Every house card does in a game what its text says. Fails here may be the card's or the engine's."""

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


# --- spells ------------------------------------------------------------------------------------------------------------


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


# --- counterspells -----------------------------------------------------------------------------------------------------


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


# --- planeswalkers -----------------------------------------------------------------------------------------------------


def test_maelin() -> None:
    table = Table(mine=["Maelin, Keeper of the Lamp", CUB])
    table.use("Maelin, Keeper of the Lamp", CUB)
    assert table.pt(CUB) == (4, 3)
    table.to("precombat_main", 3)
    assert table.pt(CUB) == (3, 2)
    table.use("Maelin, Keeper of the Lamp", nth=1)
    assert table.pt("Knight") == (2, 2)


def test_maelins_emblem() -> None:
    table = Table(mine=["Maelin, Keeper of the Lamp", CUB], loyalty=7)
    table.use("Maelin, Keeper of the Lamp", nth=2)
    assert table.pt(CUB) == (5, 4)
    assert "flying" in table.face(CUB).keywords
    assert table.find("Maelin, Keeper of the Lamp") is None


def test_vesh() -> None:
    table = Table(mine=["Vesh, Who Counts the Waves"], loyalty=6, hand=[CUB], theirs=[OGRE])
    table.use("Vesh, Who Counts the Waves", nth=2)
    assert len(table.state.players[1].graveyard) == 15
    table = Table(mine=["Vesh, Who Counts the Waves"], theirs=[OGRE])
    table.use("Vesh, Who Counts the Waves", OGRE, nth=1)
    assert table.zone_of(OGRE) == "hand"


def test_sethra() -> None:
    name = "Sethra, the Hollow Queen"
    table = Table(mine=[name], theirs=[OGRE])
    table.use(name, "P1")
    assert (table.life(0), table.life(1)) == (22, 18)
    table = Table(mine=[name], theirs=[OGRE])
    table.use(name, OGRE, nth=1)
    assert table.zone_of(OGRE) == "graveyard"
    table = Table(mine=[name], loyalty=8, graveyard=[CUB, OGRE, "Ember Lash"])
    table.use(name, nth=1)  # there is nothing for the second ability to destroy
    assert table.find(CUB, seat=0) is not None and table.find(OGRE, seat=0) is not None
    assert table.zone_of("Ember Lash") == "graveyard"


def test_orrick() -> None:
    name = "Orrick Furnacehand"
    table = Table(mine=[name])
    table.use(name, "P1")
    assert table.life(1) == 19
    table = Table(mine=[name], theirs=[OGRE])
    table.use(name, OGRE, nth=1)
    assert table.zone_of(OGRE) == "graveyard"
    table = Table(mine=[name, CUB], loyalty=7, theirs=[OGRE])
    table.use(name, nth=2)
    assert (table.life(0), table.life(1)) == (20, 14)
    assert (table.zone_of(CUB), table.zone_of(OGRE)) == ("battlefield", "graveyard")


def test_ilvara() -> None:
    name = "Ilvara, Voice of Roots"
    table = Table(mine=[name, "Sapling Warden"])
    table.use("Forest")
    table.use("Island")
    table.use(name, ("Forest", "Island"))
    assert not any(o.tapped for o in table.state.objects.values())
    table = Table(mine=[name])
    table.use(name, nth=1)
    assert table.pt("Beast") == (3, 3)
    table = Table(mine=[name, CUB], loyalty=6)
    table.use(name, nth=2)
    assert table.pt(CUB) == (7, 6)


def test_tovasz() -> None:
    name = "Tovasz, Orchard Warden"
    table = Table(mine=[name, CUB])
    table.use(name)
    assert table.life(0) == 23
    table = Table(mine=[name, CUB])
    table.use(name, nth=1)
    assert table.pt(CUB) == (4, 3)
    table = Table(mine=[name], loyalty=8)
    table.use(name, nth=2)
    assert table.pt("Avatar") == (10, 10)


def test_brannoc() -> None:
    name = "Brannoc, Storm Engineer"
    table = Table(mine=[name])
    table.use(name)
    assert table.pt("Thopter") == (1, 1)
    assert table.face("Thopter").colors == 0
    table = Table(mine=[name])
    table.use(name, "P1", nth=1)
    assert table.life(1) == 18
    table = Table(mine=[name], loyalty=7)
    table.use(name, nth=2)
    assert table.hand(0) == 7


@pytest.mark.rule("306.7", "114.1")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_burn_and_planeswalkers_in_both_editions(edition: str) -> None:
    table = Table(hand=["Ember Lash"], theirs=["Orrick Furnacehand"], edition=edition)
    if edition == "2011":
        table.cast("Ember Lash", "P1", True)
    else:
        table.cast("Ember Lash", "Orrick Furnacehand")
    found = table.find("Orrick Furnacehand")
    assert found is not None and dict(found.counters) == {"loyalty": 1}
    assert table.life(1) == 20


def test_every_card_is_spoken_of_above() -> None:
    from pathlib import Path

    scenarios = Path(__file__).parents[1] / "scenarios"
    text = Path(__file__).read_text() + "".join(
        (scenarios / name).read_text() for name in ("house_cards.jsonl", "faces.jsonl")
    )
    silent = set(PLAIN) | set(BASIC_NAMES)
    assert not [name for name in house_cards() if name not in text and name not in silent and name != "Iron Effigy"]
