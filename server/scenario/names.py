"""Names and texts as scripts write them: compared without case, spaces, dashes, reminder text and a last full stop."""

from __future__ import annotations

import re
from functools import lru_cache

from server.cards import forms
from server.cards.loading import names_of
from server.rules.casting import FACE_UP, face_up_costs
from server.rules.characteristics import characteristics
from server.rules.model import Action, Object, Ref, State, object_or_last, seat_of

_REMINDER = re.compile(r"\([^()]*\)")
_LEFT_OUT = re.compile(r"[\s\-‐-―−]+")
_SELF = re.compile(
    r"\bthis (?:creature|permanent|artifact|enchantment|land|planeswalker|token|card|spell|aura|equipment|vehicle)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(.*\S):(\d+)")


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """A text as it is compared."""
    bare = _REMINDER.sub("", text).replace("’", "'").replace("{this}", "~")
    return _LEFT_OUT.sub("", bare).rstrip(".").casefold()


@lru_cache(maxsize=65536)
def own_text(text: str, name: str) -> str:
    """A text as it is compared, with the object's own name, full or short, written as one sign."""
    made = plain(_SELF.sub("{this}", text))
    if not name:
        return made
    made = made.replace(plain(name), "~")
    short = name.split(",")[0]
    if short != name and len(short) > 2:
        made = made.replace(plain(short), "~")
    return made


_ABILITY_WORD = re.compile(r"[^—{}:.]+ — ")


def begins(text: str, wanted: str, name: str) -> bool:
    """Whether an object's text, or one of its lines, begins so. An ability word before it (207.2c) may be left out."""
    start = own_text(wanted, name)
    lines = text.split("\n")
    bare = (_ABILITY_WORD.sub("", line, count=1) for line in lines if _ABILITY_WORD.match(line))
    return bool(start) and any(is_beginning(start, own_text(line, name)) for line in (*lines, *bare))


def is_beginning(start: str, text: str) -> bool:
    """Whether a compared text begins with another, which does not end within a number: `Suspend 1` is not `Suspend 10`."""
    rest = text[len(start) :]
    return text.startswith(start) and not (start[-1:].isdigit() and rest[:1].isdigit())


def numbered(name: str) -> tuple[str, int | None]:
    """ "Bear:2" is the third Bear: the name and the index, None without one."""
    found = _NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, None)


def name_of(state: State, found: Object) -> str:
    """What an object is called. A token without a name of its own is called by its subtypes, and `Token` by current 111.4."""
    here = found.zone in ("battlefield", "stack")
    name = characteristics(state, found.id).name if here and found.id in state.objects else found.definition.name
    if not found.token:
        return name
    card = found.definition.card
    bare = name.removesuffix(" Token")
    if bare in (" ".join(_subtypes(card)), *card.types.split()) or not bare:
        return f"{bare} Token" if state.edition.name == "current" else bare
    return name


def _subtypes(card: forms.Card) -> tuple[str, ...]:
    _, _, subtypes = card.types.partition("—")
    return tuple(subtypes.split())


def is_called(state: State, found: Object, name: str) -> bool:
    """Whether an object has this name (a face's or half's too)."""
    wanted = plain(name)
    if plain(name_of(state, found)) == wanted:
        return True
    card = found.definition.card
    if not card.faces:
        return False
    named = names_of(card)  # where it is no permanent, any face's name will do
    return wanted in [plain(one) for one in (named[:1] if found.zone == "battlefield" else named)]


def casts(state: State, action: Action, name: str) -> bool:
    """Whether an action casts or plays what goes by this name: a card, one face or half, or both halves ("fused A // B")."""
    found = state.objects[action.object]
    if not found.definition.card.faces:
        return is_called(state, found, name)
    if not action.side:
        return plain(name) in [plain(one) for one in names_of(found.definition.card)[:2]]
    side = found.definition.sides[action.side - 1]
    fused = "fused " if action.side > len(found.definition.card.faces) else ""
    return plain(fused + side.name) == plain(name)


def text_of(ability: object) -> str:
    """An ability's text, printed or made from its costs."""
    text = getattr(ability, "text", "")
    if text:
        return text
    if isinstance(ability, forms.ActivatedAbility):
        return f"{', '.join(cost_text(c) for c in ability.cost)}: {'. '.join(_verb(v) for v in ability.do)}"
    return ""


_POOL = re.compile(r" to your mana pool| to their mana pool")
_COLORS = re.compile(r"\{[WUBRGC]\}(?:, \{[WUBRGC]\})*,? or \{[WUBRGC]\}|one mana of any color", re.IGNORECASE)


def mana_texts(ability: object) -> list[tuple[str, str]]:
    """A mana ability's text in today's words, and then once for each colour that may be chosen, with that colour alone (as
    tables show a land that "{T}: Add {R} or {G}" says): pairs of a text and the colour's letter, "" for the whole."""
    whole = _POOL.sub("", text_of(ability))
    choice = _COLORS.search(whole)
    if choice is None:
        return [(whole, "")]
    letters = re.findall(r"\{([WUBRGC])\}", choice[0]) or "WUBRG"
    return [(whole, ""), *((_COLORS.sub("{" + letter + "}", whole, count=1), letter) for letter in letters)]


def cost_text(cost: forms.AnyCost) -> str:
    """A cost as it is printed, near enough to find an ability by."""
    if isinstance(cost, forms.ManaCost):
        return cost.mana
    if isinstance(cost, forms.TapCost):
        return "{T}"
    if isinstance(cost, forms.UntapCost):
        return "{Q}"
    if isinstance(cost, forms.LoyaltyCost):
        return "-X" if cost.x else f"+{cost.change}" if cost.change > 0 else str(cost.change)
    if isinstance(cost, forms.LifeCost):
        return f"Pay {cost.amount} life"
    if isinstance(cost, forms.SacrificeCost):
        return f"Sacrifice {cost.what.text}"
    if isinstance(cost, forms.DiscardCost):
        return f"Discard {cost.what.text}"
    if isinstance(cost, forms.ExileCost):
        return f"Exile {cost.what.text}"
    return type(cost).__name__


def _verb(verb: object) -> str:
    if isinstance(verb, forms.AddMana):
        return f"Add {verb.mana}" if verb.mana else "Add one mana of any color"
    if isinstance(verb, forms.Draw):
        return "Draw a card" if verb.count == 1 else f"Draw {verb.count} cards"
    return str(verb.__struct_config__.tag).capitalize() if isinstance(verb, forms.VerbForm) else ""


def ref_is(state: State, ref: Ref, name: str) -> bool:
    """Whether a player or object goes by this name: `PlayerB` or `B`; an object's name, or on the stack the beginning of its
    name or text."""
    if ref < 0:
        seat = state.players[seat_of(ref)].name
        return plain(name) in (plain(seat), plain("Player" + seat))
    found = state.objects.get(ref)
    if found is None:
        return False
    if found.zone == "stack":
        return on_stack_as(state, found, name)
    return is_called(state, found, name)


_ABILITY = "stack ability ("


def on_stack_as(state: State, found: Object, wanted: str) -> bool:
    """Whether a spell or ability on the stack begins so, by its name or text; what a permanent will say is not yet there. "stack ability
    (TEXT" is an ability alone."""
    name = name_of(state, found)
    ability = found.entry.ability if found.entry is not None else None
    if wanted.startswith(_ABILITY):
        return ability is not None and _says(
            state, found, ability, wanted.removeprefix(_ABILITY).removesuffix(")"), name
        )
    if plain(name).startswith(plain(wanted)):
        return True
    if ability is not None:
        return _says(state, found, ability, wanted, name)
    spell = found.definition.base.types & {"instant", "sorcery"}
    return bool(spell) and begins(found.definition.text, wanted, name)


def _says(state: State, found: Object, ability: forms.Ability, wanted: str, name: str) -> bool:
    """Whether an ability begins so; a delayed one has no text of its own, but its source has a sentence for it (603.7)."""
    if begins(text_of(ability), wanted, name):
        return True
    source = object_or_last(state, found.entry.source) if found.entry is not None else None
    if source is None or getattr(ability, "text", ""):
        return False
    sentences = (line for text in source.definition.text.split("\n") for line in text.split(". "))
    return any(begins(sentence, wanted, name) for sentence in sentences)


def special_is(state: State, action: Action, wanted: str) -> bool:
    """Whether a special action is what a script's word or text means: the beginning of its keyword's text, or of "COST: Turn this
    face-down permanent face up"."""
    if not action.way.startswith(FACE_UP):
        return keyword_is(state, action, wanted)
    price = face_up_costs(state, action.object)[action.way]
    start, turned = plain(wanted), plain("Turn this face-down permanent face up")
    if all(isinstance(part, forms.ManaCost) for part in price):
        cost = plain(", ".join(cost_text(part) for part in price))
        return is_beginning(start, f"{cost}:{turned}") or is_beginning(start, turned)
    return is_beginning(start.rpartition(":")[2], turned)  # the words of other costs may differ


def keyword_is(state: State, action: Action, wanted: str) -> bool:
    """Whether a script's text means the keyword with which something is cast or exiled from a hand: the word, as far as it goes, or
    the beginning of its text ("Suspend 5—{G}")."""
    if not way_is(action.way, wanted):
        return False
    abilities = state.objects[action.object].definition.base.abilities
    texts = [plain(ability.text) for ability in abilities.quality(action.way) if ability.text]
    start = plain(wanted)
    return not texts or plain(action.way).startswith(start) or any(is_beginning(start, text) for text in texts)


FACE_DOWN_WORDS = ("morph", "megamorph", "disguise", "face down")


def way_is(way: str, wanted: str) -> bool:
    """Whether a way to cast, or a special action, is what a script's word or text means."""
    text = plain(wanted)
    if way == "face down":
        return any(text.startswith(plain(word)) for word in FACE_DOWN_WORDS)
    if way.startswith(FACE_UP):
        return text.endswith("faceup")
    return bool(way and text) and (text.startswith(plain(way)) or plain(way).startswith(text))


def could(state: State, action: Action, wanted: str) -> bool:
    """Whether an action is what `playable_ability` names."""
    found = state.objects.get(action.object)
    if found is None:
        return False
    if action.type in ("cast", "play_land"):
        word = "Cast " if action.type == "cast" else "Play "
        if not wanted.startswith(word):
            return keyword_is(state, action, wanted)
        name, way = split_way(wanted[len(word) :])
        if casts(state, action, wanted[len(word) :]):
            return True
        return bool(way) and casts(state, action, name) and way_is(action.way, way)
    if action.type == "activate" and action.ability >= 0:
        ability = characteristics(state, action.object).abilities.all[action.ability]
        return begins(text_of(ability), wanted, found.definition.name)
    return action.type == "special" and special_is(state, action, wanted)


def is_plain(state: State, action: Action) -> bool:
    """Whether a card's name alone means this way to cast it before others: the ordinary one, one that its own text permits for a
    cost more ("by paying 3 life in addition to paying its other costs"), or an alternative cost from the hand."""
    return (
        not action.way
        or permitted(action)
        or (state.objects[action.object].zone == "hand" and action.way != "face down")
    )


def permitted(action: Action) -> bool:
    """Whether it is cast from where its own text permits it."""
    return action.way.startswith("from ")


def split_way(card: str) -> tuple[str, str]:
    """ "NAME using WORD" and "NAME with WORD": the name and the way."""
    for word in (" using ", " with "):
        name, found, way = card.rpartition(word)
        if found:
            return name, way
    return card, ""
