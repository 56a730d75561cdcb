"""Laws of packed views."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.packing import Packer, pack, printed, unpack
from protocol.patch import Tree
from protocol.view import Face

SEATS = (0, 1, 2)
FACES = {
    "aa": Face(name="Plain", types="Basic Land — Plain"),
    "bb": Face(name="Bear", types="Creature — Wolf Bear", power="2", toughness="2", colors=["G"]),
    "cc": Face(name="Star", types="Creature — Star", power="*", toughness="1"),
}
LOOKS: list[Tree] = [
    {"face": "aa", **printed(FACES["aa"])},
    {"face": "bb", **printed(FACES["bb"])},
    {"face": "bb", **printed(FACES["bb"]), "power": 3, "keywords": ["flying"]},
    {"face": "cc", **printed(FACES["cc"]), "power": 4},
    {"face": "cc", "types": ["creature"]},
    {"face": "dd", "types": ["instant"]},
    {"face_down": True},
    {},
]


@st.composite
def views(draw: st.DrawFn) -> Tree:
    """Cards in any zone, with few looks; lists say where they are, mostly."""
    players: dict[str, dict[str, list[str]]] = {str(seat): {"hand": [], "graveyard": []} for seat in SEATS}
    lists: dict[str, list[str]] = {"battlefield": [], "stack": []}
    objects: dict[str, Tree] = {}
    for number in range(draw(st.integers(0, 12))):
        zone = draw(st.sampled_from(["battlefield", "stack", "hand", "graveyard", "library"]))
        owner, controller = draw(st.sampled_from(SEATS)), draw(st.sampled_from(SEATS))
        look = draw(st.sampled_from(LOOKS))
        objects[str(number)] = {"zone": zone, "owner": owner, "controller": controller, **look}
        if draw(st.booleans()):
            objects[str(number)]["tapped"] = True
        place = lists.get(zone) if zone in lists else players[str(owner)].get(zone)
        if place is not None and draw(st.integers(0, 9)):
            place.append(str(number))
    return {"turn": 1, "players": players, "objects": objects, **lists}  # type: ignore[dict-item]


@given(views())
def test_a_packed_view_is_the_same_view(view: Tree) -> None:
    assert unpack(pack(view, FACES), FACES) == view


@given(st.lists(views(), min_size=2, max_size=4), st.booleans())
def test_views_packed_one_after_the_other_are_packed_as_by_themselves(several: list[Tree], again: bool) -> None:
    """Also where objects are the same values as in the view before, but stand elsewhere."""
    packer = Packer()
    for view in several:
        if again:
            objects = view["objects"]
            before: Tree = several[0]["objects"]  # type: ignore[assignment]
            view = {**view, "objects": {**objects, **before}}  # type: ignore[dict-item]
        assert packer.pack(view, FACES) == pack(view, FACES)


@given(views())
def test_a_plain_view_unpacks_to_itself(view: Tree) -> None:
    for thing in view["objects"].values():  # type: ignore[union-attr]
        if "face" in thing:  # type: ignore[operator]
            thing.setdefault("types", ["creature"])  # type: ignore[union-attr]
    assert unpack(view, FACES) == view


def test_what_is_known_is_not_written() -> None:
    """As printed, in a hand: the face is all; what two have in common is written once."""
    bear = {"face": "bb", **printed(FACES["bb"])}
    grown: Tree = {**bear, "power": 3, "owner": 1, "controller": 1, "zone": "battlefield"}
    hand: Tree = {**bear, "owner": 0, "controller": 0, "zone": "hand"}
    view: Tree = {
        "players": {"0": {"hand": ["1"]}, "1": {}},
        "objects": {"1": hand, "2": grown, "3": {**grown, "tapped": True}},
        "battlefield": ["2", "3"],
    }
    packed = pack(view, FACES)
    assert packed["shared"] == [{**bear, "power": 3, "owner": 1}]
    assert packed["objects"] == {"1": "bb", "2": 0, "3": {"as": 0, "tapped": True}}


def test_types_are_printed_in_the_order_of_the_view() -> None:
    assert printed(FACES["bb"]) == {
        "types": ["creature", "bear", "wolf"],
        "colors": ["G"],
        "power": 2,
        "toughness": 2,
    }
