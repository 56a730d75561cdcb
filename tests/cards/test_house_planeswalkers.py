"""Every house planeswalker does in a game what its text says."""

import pytest

from tests.cards.table import Table
from tests.cards.test_house_play import CUB, OGRE


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
