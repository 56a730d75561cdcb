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
    objects = view.get("objects")
    if not isinstance(objects, dict):
        return view
    places = _places(view)
    bare: dict[str, Tree] = {}
    alike: dict[bytes, list[str]] = {}
    for key, thing in objects.items():
        if isinstance(thing, dict):
            bare[key] = _without_what_is_known(thing, places.get(key, {}), faces)
            alike.setdefault(msgspec.json.encode(_shared(bare[key])), []).append(key)
    shared: list[Json] = []
    packed: dict[str, Json] = {key: _short(thing, "face") for key, thing in bare.items()}
    for keys in alike.values():
        common = _shared(bare[keys[0]])
        if len(keys) > 1 and common:
            for key in keys:
                own = {name: value for name, value in bare[key].items() if name not in common}
                packed[key] = _short({"as": len(shared), **own}, "as")
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
        places.update((key, {"zone": zone}) for key in _ids(view.get(zone)))
    players = view.get("players")
    for seat, player in players.items() if isinstance(players, dict) else ():
        if isinstance(player, dict):
            for zone in OWN_ZONES:
                places.update((key, {"zone": zone, "owner": int(seat)}) for key in _ids(player.get(zone)))
    return places


def _ids(listed: Json) -> list[str]:
    return [key for key in listed if isinstance(key, str)] if isinstance(listed, list) else []


def _shared(thing: Tree) -> Tree:
    return {name: value for name, value in thing.items() if name in SHARED}


def _short(thing: Tree, name: str) -> Json:
    """The object, or the value of the one field that it has, if it is that."""
    return thing[name] if len(thing) == 1 and name in thing else thing
