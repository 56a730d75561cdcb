"""Whole views as they cross the wire: what is said elsewhere, or of another object, too, is not written again.

A view is a plain tree, to which patches apply; packed it is a fourth of the size. Only whole views are packed. In a packed view

- an object's `zone` may be absent: it is the zone in whose list its id stands (`battlefield`, `stack`, `exile`, `command`, or a
  player's `hand` and `graveyard`); so may its `owner`: in a hand or graveyard it is that player;
- `controller` may be absent: it is the owner;
- an object with a `face` and without `types` has power, toughness, loyalty, colours and types as `printed` on its face;
- `shared` lists parts of objects; an object with `as` has all fields of `shared[as]`, and its own over them. An object that
  has nothing but `as` is written as that number, one that has nothing but a `face` as that text.

Laws (tested): `unpack(pack(view, faces), faces) == view`; `unpack(view, faces) == view`.
"""

from collections.abc import Mapping

import msgspec

from protocol.patch import Json, Tree
from protocol.view import Face

TABLE_ZONES = ("battlefield", "stack", "exile", "command")
"""Zones whose ids stand in a list of the view."""
OWN_ZONES = ("hand", "graveyard")
"""Zones whose ids stand in a list of each player."""
NUMBERS = ("power", "toughness", "loyalty")
PRINTED = (*NUMBERS, "colors", "types")
"""Fields that a card has from its face while nothing changes them."""
SHARED = frozenset(("owner", "face", "kind", "keywords", *PRINTED))
"""Fields that cards of the same name and player have in common, mostly."""

SPARE = 1000
"""Objects that are remembered beyond twice those of a view: of other viewers' hands, and those that were."""
_NOWHERE: Tree = {}


def printed(face: Face) -> Tree:
    """Power, toughness, loyalty, colours and types of an object that is as its face says."""
    left, _, right = face.types.partition(" — ")
    out: Tree = {"types": [*left.lower().split(), *sorted(right.lower().split())]}
    if face.colors:
        out["colors"] = [*face.colors]
    for name in NUMBERS:
        number: str = getattr(face, name)
        if number.isascii() and number.isdigit():
            out[name] = int(number)
    return out


def pack(view: Tree, faces: Mapping[str, Face]) -> Tree:
    """The view as it is written for a reader who has these faces, all that the view refers to."""
    return Packer().pack(view, faces)


class _Packed:
    """One object of a view, packed: the `thing`, what its list said of it, what it has of `SHARED` and what it has besides."""

    __slots__ = ("alike", "common", "own", "place", "short", "thing")

    def __init__(self, thing: Tree, place: Tree, faces: Mapping[str, Face]) -> None:
        bare = _without_what_is_known(thing, place, faces)
        self.thing = thing
        self.place = place
        self.common = {name: value for name, value in bare.items() if name in SHARED}
        self.own = {name: value for name, value in bare.items() if name not in SHARED}
        self.alike = msgspec.json.encode(self.common)
        self.short = _short(bare, "face")


class Packer:
    """Packs one view after the other, in which most objects are the same values: those it has packed before it does not pack again, so
    that the next view of a table of a thousand objects takes a fourth of the time. Objects of views must not be changed.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Packed] = {}
        """By the identity of the object, which is kept."""

    def forget(self) -> None:
        """Of what was packed, to remember nothing: it takes more than the objects do."""
        self._known.clear()

    def pack(self, view: Tree, faces: Mapping[str, Face]) -> Tree:
        """See `pack`."""
        objects = view.get("objects")
        if not isinstance(objects, dict):
            return view
        if len(self._known) > 2 * len(objects) + SPARE:
            self._known.clear()
        places = _places(view)
        found: dict[str, _Packed] = {}
        alike: dict[bytes, list[str]] = {}
        for key, thing in objects.items():
            if isinstance(thing, dict):
                place = places.get(key, _NOWHERE)
                known = self._known.get(id(thing))
                if known is None or known.thing is not thing or known.place != place:
                    known = self._known[id(thing)] = _Packed(thing, place, faces)
                found[key] = known
                alike.setdefault(known.alike, []).append(key)
        shared: list[Json] = []
        packed: dict[str, Json] = {key: one.short for key, one in found.items()}
        for keys in alike.values():
            common = found[keys[0]].common
            if len(keys) > 1 and common:
                number = len(shared)
                for key in keys:
                    own = found[key].own
                    packed[key] = {"as": number, **own} if own else number
                shared.append(common)
        return {**view, **({"shared": shared} if shared else {}), "objects": packed}


def unpack(view: Tree, faces: Mapping[str, Face]) -> Tree:
    """The plain tree of a view that may be packed; `faces` are those known, and those that came with it."""
    objects = view.get("objects")
    if not isinstance(objects, dict):
        return view
    listed = view.get("shared")
    shared: list[Json] = listed if isinstance(listed, list) else []
    places = _places(view)
    whole: Tree = {key: _whole(thing, shared, places.get(key, {}), faces) for key, thing in objects.items()}
    out: Tree = {**view, "objects": whole}
    out.pop("shared", None)
    return out


def _whole(thing: Json, shared: list[Json], place: Tree, faces: Mapping[str, Face]) -> Tree:
    """An object as it was before it was packed."""
    own: Tree = thing if isinstance(thing, dict) else {"face" if isinstance(thing, str) else "as": thing}
    number = own.get("as")
    common = shared[number] if isinstance(number, int) and number < len(shared) else None
    made: Tree = {**place, **(common if isinstance(common, dict) else {}), **own}
    made.pop("as", None)
    face = made.get("face")
    if "types" not in made and isinstance(face, str) and face in faces:
        made.update(printed(faces[face]))
    if "owner" in made:
        made.setdefault("controller", made["owner"])
    return made


def _without_what_is_known(thing: Tree, place: Tree, faces: Mapping[str, Face]) -> Tree:
    """An object without the fields that `unpack` finds elsewhere."""
    out = {name: value for name, value in thing.items() if name not in place or place[name] != value}
    if thing.get("controller") == thing.get("owner"):
        out.pop("controller", None)
    face = thing.get("face")
    if isinstance(face, str) and face in faces:
        said = printed(faces[face])
        if all(thing.get(name) == said.get(name) for name in PRINTED):
            out = {name: value for name, value in out.items() if name not in PRINTED}
    return out


def _places(view: Tree) -> dict[str, Tree]:
    """What the lists of a view say of the objects whose ids stand in them."""
    places: dict[str, Tree] = {}
    for zone in TABLE_ZONES:
        places.update(dict.fromkeys(_ids(view.get(zone)), {"zone": zone}))
    players = view.get("players")
    for seat, player in players.items() if isinstance(players, dict) else ():
        if isinstance(player, dict):
            for zone in OWN_ZONES:
                places.update(dict.fromkeys(_ids(player.get(zone)), {"zone": zone, "owner": int(seat)}))
    return places


def _ids(listed: Json) -> list[str]:
    return [key for key in listed if isinstance(key, str)] if isinstance(listed, list) else []


def _short(thing: Tree, name: str) -> Json:
    """The object, or the value of the one field that it has, if it is that."""
    return thing[name] if len(thing) == 1 and name in thing else thing
