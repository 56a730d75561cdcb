"""Objects as viewers see them: their trees, made anew only when something about them has changed.

An object's tree is the same for all who may know which card it is, so there are at most two of each: with its face and,
for what is face down, without. A tree is a value; the same one again means that nothing has changed.
"""

from __future__ import annotations

from functools import lru_cache
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET

from protocol.patch import Json, Tree
from protocol.view import ObjectView
from server.cards.keywords import RING_BEARER, ROOM, TITLES
from server.knowledge.faces import face_of, letters_shared
from server.knowledge.hidden import PUBLIC_ZONES
from server.knowledge.numbers import number_text
from server.knowledge.questions import write_ref
from server.knowledge.rulings import Rulings, firm
from server.rules.model import NOTHING_RARE, Characteristics, Definition, Entry, Object, State, remember

WORDS = ("types", "colors", "keywords")
"""What a tree says of an object in lists of words."""
SAME = 4096
"""Lists of words that are shared."""
LEAST = 16
"""Objects whose trees are kept without looking whether they are needed."""


class Cached:
    """An object's trees and what they were made of. `open` is for who may know the card, `closed` for the others (the
    same unless it is face down); `face` the hash that `open` refers to, "" for none; `source` what is told of another object.
    """

    __slots__ = ("characteristics", "closed", "face", "firm", "key", "open", "source", "thing")

    def __init__(self, thing: Object, characteristics: Characteristics, state: State) -> None:
        self.thing = thing
        self.characteristics = characteristics
        self.key = number_text(thing.id)
        self.source = _source(thing, state)
        self.firm = firm(state, thing.id)
        self.open: Tree = _open_tree(thing, characteristics, state, firm=self.firm)
        self.closed = object_tree(thing, characteristics, state, known=False) if thing.face_down else self.open
        face = self.open.get("face")
        self.face = face if isinstance(face, str) else ""


class Objects:
    """The cache: object ids to trees. Belongs to one room."""

    def __init__(self, game: Rulings) -> None:
        self._game = game
        self._cache: dict[int, Cached] = {}
        self._most = LEAST
        """With so many it is time to look which of them are needed."""

    def kept(self, number: int) -> Cached | None:
        """The trees of an object as they were made last."""
        return self._cache.get(number)

    def get(self, state: State, thing: Object) -> Cached:
        """The trees of an object of this state."""
        known = self._cache.get(thing.id)
        # Looked at in every zone: an effect may give cards in hands and graveyards abilities, too.
        characteristics = self._game.characteristics(state, thing.id)
        if known is not None and known.thing is thing and known.characteristics is characteristics:
            if known.source == _source(thing, state) and known.firm == firm(state, thing.id):
                return known
        made = Cached(thing, characteristics, state)
        if known is not None:
            # An object may change in ways that nobody sees; then the tree stays the same value.
            if made.open == known.open:
                made.open = known.open
            made.closed = made.open if not thing.face_down else _same(made.closed, known.closed)
        self._cache[thing.id] = made
        return made

    def forget(self, state: State) -> None:
        """Drop what is not in the state any more, when a fifth of all could be that."""
        if len(self._cache) > self._most:
            self._cache = {key: value for key, value in self._cache.items() if key in state.objects}
            self._most = LEAST + len(self._cache) * 5 // 4


_alike: WeakKeyDictionary[Definition, dict[tuple[str, int, int, bool, bool, bool], Tree]] = WeakKeyDictionary()
"""Of definitions in use the trees of cards that are as printed and have nothing rare, by all else that they tell: what lies in hands is
such, and in a hundred rooms much alike.
"""


def _open_tree(thing: Object, it: Characteristics, state: State, *, firm: bool) -> Tree:
    """What who may know the card sees of it: the same value for all cards of which just the same is told."""
    definition = thing.definition
    if thing.rare is not NOTHING_RARE or it is not definition.base or thing.face_down or thing.zone == "command":
        return object_tree(thing, it, state, known=True)
    trees = _alike.get(definition)
    if trees is None:
        trees = _alike[definition] = {}
    key = (thing.zone, thing.owner, thing.controller, thing.tapped, thing.sick, firm)
    found = trees.get(key)
    if found is None:
        found = trees[key] = object_tree(thing, it, state, known=True)
    return found


def _same(new: Tree, old: Tree) -> Tree:
    return old if new == old else new


def object_tree(thing: Object, characteristics: Characteristics, state: State, *, known: bool) -> Tree:
    """An object's tree. Not `known`: it is face down and the viewer may not know which card it is."""
    view = _hidden(thing, characteristics) if not known else _view(thing, characteristics, state)
    tree: Tree = msgspec.to_builtins(view)
    for name in WORDS:
        if name in tree:
            tree[name] = _list_of(tuple(getattr(view, name)))
    return tree


@lru_cache(SAME)
def _list_of(words: tuple[str, ...]) -> list[Json]:
    """The one list of these words, which nobody changes: those of a hundred cards are much alike."""
    return list(words)


def _view(thing: Object, it: Characteristics, state: State) -> ObjectView:
    entry = thing.entry
    ability = entry is not None and entry.kind != "spell"
    return ObjectView(
        zone=thing.zone,
        owner=thing.owner,
        controller=thing.controller,
        kind=kind_of(thing),
        face=UNSET if ability else face_of(thing.definition),
        face_down=thing.face_down,
        tapped=thing.tapped,
        sick=thing.sick and "creature" in it.types and "haste" not in it.keywords,
        damage=thing.damage,
        power=UNSET if it.power is None else it.power,
        toughness=UNSET if it.toughness is None else it.toughness,
        loyalty=_loyalty(thing, it),
        counters=dict(thing.counters),
        colors=list(letters_shared(it.colors)),
        types=type_words(it),
        keywords=_shown_keywords(thing, it, state),
        attached_to=number_text(thing.attached_to) if thing.attached_to > 0 else UNSET,
        source=_source(thing, state),
        targets=[write_ref(ref) for slot in entry.targets for ref in slot] if entry is not None else [],
        x=entry.x if entry is not None and entry.x else UNSET,
        text=_text(thing, entry) if entry is not None and ability else "",
        tax=_tax(thing, state),
        title=TITLES.get(thing.definition.name, "") if thing.zone == "command" and thing.token else "",
        notes=_notes(thing, state),
    )


def _tax(thing: Object, state: State) -> int:
    """{2} for each time that the commander has been cast from the command zone (current 903.8)."""
    if thing.zone != "command" or not thing.commander:
        return 0
    return 2 * dict(state.players[thing.owner].commander_casts).get(thing.commander, 0)


def _hidden(thing: Object, it: Characteristics) -> ObjectView:
    """Face down: what anyone sees of it. On the battlefield and the stack it has the characteristics it is given there
    (707.2); elsewhere it has none that anyone may know.
    """
    if thing.zone not in ("battlefield", "stack"):
        return ObjectView(zone=thing.zone, owner=thing.owner, controller=thing.controller, face_down=True)
    return ObjectView(
        zone=thing.zone,
        owner=thing.owner,
        controller=thing.controller,
        kind="token" if thing.token else "card",
        face_down=True,
        tapped=thing.tapped,
        sick=thing.sick and "creature" in it.types and "haste" not in it.keywords,
        damage=thing.damage,
        power=UNSET if it.power is None else it.power,
        toughness=UNSET if it.toughness is None else it.toughness,
        counters=dict(thing.counters),
        colors=list(letters_shared(it.colors)),
        types=type_words(it),
        keywords=keyword_words(it),
        attached_to=number_text(thing.attached_to) if thing.attached_to > 0 else UNSET,
    )


def kind_of(thing: Object) -> str:
    """card, token, copy (of a spell), ability, emblem or dungeon."""
    entry = thing.entry
    if entry is not None:
        if entry.kind != "spell":
            return "ability"
        if entry.copied:
            return "copy"
    if thing.zone == "command" and any(what == ROOM for what, _ in thing.chosen):
        return "dungeon"
    if thing.token:
        return "emblem" if thing.zone == "command" else "token"
    if thing.zone == "command" and not thing.definition.card.types:
        return "emblem"
    return "card"


def type_words(it: Characteristics) -> list[str]:
    """Supertypes, types and subtypes in lower case, each sort in alphabetical order."""
    return [word.lower() for words in (it.supertypes, it.types, it.subtypes) for word in sorted(words)]


_keywords: dict[int, tuple[object, list[str]]] = {}


def _shown_keywords(thing: Object, it: Characteristics, state: State) -> list[str]:
    """The keywords, and that something is indestructible where that is no ability (700.4a)."""
    words = keyword_words(it)
    if thing.zone != "battlefield" or "indestructible" in words or not firm(state, thing.id):
        return words
    return sorted((*words, "indestructible"))


def keyword_words(it: Characteristics) -> list[str]:
    """Keywords as rules words, those with a quality in full ("protection from red")."""
    abilities = it.abilities
    known = _keywords.get(id(abilities))
    if known is not None and known[0] is abilities:
        return known[1]
    words: list[str] = []
    qualified = {a.keyword for _, a in abilities.keyword_abilities if a.quality is not None}
    for word in sorted(abilities.keywords):
        if word not in qualified:
            words.append(word)
            continue
        joint = " from " if word in ("protection", "hexproof") else " "
        for ability in abilities.quality(word):
            words.append(f"{word}{joint}{ability.quality.text}" if ability.quality is not None else word)
    return remember(_keywords, id(abilities), (abilities, words))[1]


def _loyalty(thing: Object, it: Characteristics) -> int | msgspec.UnsetType:
    if "planeswalker" not in it.types:
        return UNSET
    if thing.zone == "battlefield":
        return dict(thing.counters).get("loyalty", 0)
    return UNSET if it.loyalty is None else it.loyalty


def _source(thing: Object, state: State) -> str | msgspec.UnsetType:
    """The source of an ability, while everyone sees it: the only thing that a tree tells of another object."""
    entry = thing.entry
    if entry is None or entry.kind == "spell":
        return UNSET
    source = state.objects.get(entry.source)
    return number_text(source.id) if source is not None and source.zone in PUBLIC_ZONES else UNSET


def _text(thing: Object, entry: Entry) -> str:
    text = getattr(entry.ability, "text", "") if entry.ability is not None else ""
    return text or thing.definition.text or thing.definition.name


def _notes(thing: Object, state: State) -> dict[str, str]:
    notes = dict(thing.chosen)
    if notes.get(RING_BEARER):
        notes[RING_BEARER] = state.players[int(notes[RING_BEARER])].name
    if thing.entry is not None and thing.entry.kind != "spell":
        notes["name"] = thing.definition.name
    if thing.attached_to < 0:
        notes["attached to"] = state.players[-1 - thing.attached_to].name
    return notes
