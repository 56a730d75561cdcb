"""What an ability that was read may not say: a name, a player or mana of which nothing in it tells."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from server.cards import nouns
from server.cards.forms import (
    THIS,
    Ability,
    ActivatedAbility,
    AddMana,
    Bind,
    ChooseWord,
    Damage,
    EndTurn,
    Exists,
    ForEach,
    If,
    InsteadIf,
    Move,
    Pattern,
    Sacrifice,
    SacrificeCost,
    SpellAbility,
    TriggeredAbility,
)
from server.cards.nouns import Noun
from server.oracle.abilities.linked_abilities import parts_of
from server.oracle.abilities.players_asked_about import speaks_of_one_asked_about
from server.oracle.engine import walk


class Stopped(Exception):
    """A text is not read: the word that stopped it."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def check_names(abilities: list[Ability]) -> None:
    """Refuses "that name" (color, type) in an ability by which none was chosen: it would be that of something."""
    for ability in abilities:
        parts = tuple(walk(ability))
        for said, word in (("with that name", "name"), ("of that type", "type"), ("of that color", "color")):
            told = any(isinstance(part, Noun) and said in part.text for part in parts)
            if told and not any(isinstance(part, ChooseWord) and part.what.endswith(word) for part in parts):
                raise Stopped(f"that {word}")


def check_defenders(abilities: list[Ability]) -> None:
    """Refuses an X of "their" cards where the defending player alone is spoken of: that of the trigger is who attacks."""
    for ability in (part for one in abilities for part in walk(one) if isinstance(part, TriggeredAbility)):
        told = [
            noun.text
            for verb in ability.do
            if isinstance(verb, Bind)
            for noun in walk(verb.amount)
            if isinstance(noun, Noun)
        ]
        defends = any(
            isinstance(part, nouns.DefendingPlayer)
            for noun in walk(ability.do)
            for part in parts_of(getattr(noun, "reading", None))
        )
        if defends and any(" their " in text or "that player" in text for text in told):
            raise Stopped("their")


def check_instead(abilities: list[Ability]) -> None:
    """Refuses "its" in what is done instead if something was done this way (what it is of is not spoken of), and who was asked about."""
    for part in (part for ability in abilities for part in walk(ability) if isinstance(part, InsteadIf)):
        done = any(isinstance(noun, Noun) and noun.text.endswith("this way") for noun in walk(part.condition))
        if done and any(noun == Noun("it") for noun in walk(part.instead)):
            raise Stopped("its")
    if any(map(speaks_of_one_asked_about, abilities)):
        raise Stopped("that player")


def check_ability(ability: Ability) -> None:
    """Refuses what one ability of any kind may not say by itself."""
    if isinstance(ability, ActivatedAbility | SpellAbility):
        _player(ability)
    if isinstance(ability, ActivatedAbility):
        _mana(ability)
    if isinstance(ability, TriggeredAbility | ActivatedAbility | SpellAbility):
        _found(ability)
        _thrown(ability)
    if isinstance(ability, TriggeredAbility):
        _leaving(ability)
        _sacrificed(ability)


def _player(ability: Any) -> None:
    """Refuses "that player" where no player was spoken of (a program of its own has none but its targets), and a rest after the end."""
    known = False
    returned = [verb for verb in ability.do if isinstance(verb, Move) and verb.to == "hand"]  # to "that player"
    if any(isinstance(verb, EndTurn) for verb in ability.do[:-1]):
        raise Stopped("end")  # it takes what is resolving off the stack (713.1a), and what is left of that with it
    asked = {id(noun) for part in walk(ability.do) if (told := getattr(part, "condition", None)) for noun in walk(told)}
    for part in walk((ability.do, ability.modes)):
        known = known or _names_players(part) or part in returned
        if not isinstance(part, Noun):
            continue
        if "that player" in part.text and not known:
            raise Stopped("that player")
        reading = part.reading
        known = known or id(part) not in asked and any(isinstance(one, nouns.Players) for one in parts_of(reading))


def _sacrificed(ability: TriggeredAbility) -> None:
    """Refuses "the sacrificed creature" where it was sacrificed for the spell, of which the permanent's ability knows nothing."""
    parts = tuple(walk(ability))
    told = any(isinstance(part, Noun) and part.text.startswith("the sacrificed ") for part in parts)
    if told and not any(
        isinstance(part, Sacrifice | SacrificeCost) or isinstance(part, Pattern) and part.event == "sacrifice"
        for part in parts
    ):
        raise Stopped("sacrificed")


def _thrown(ability: Any) -> None:
    """Refuses "then sacrifice it" after damage that one creature dealt to another: it is the one that dealt it."""
    for verbs in (ability.do, *(mode.do for mode in ability.modes)):
        for first, second in pairwise(verbs):
            dealt = isinstance(first, Damage) and first.source == Noun("$dealer")
            if dealt and isinstance(second, Sacrifice) and second.what == Noun("it"):
                raise Stopped("it")


def _leaving(ability: TriggeredAbility) -> None:
    """Refuses "that player" in "when {this} leaves the battlefield, ...", where it is who was spoken of as {this} entered (607.2)."""
    own = (one.event == "zone change" and one.from_ == "battlefield" and _is_this(one.subject) for one in ability.when)
    if ability.when and all(own):
        _player(ability)


def _found(ability: TriggeredAbility | ActivatedAbility | SpellAbility) -> None:
    """Refuses "if you control a Swamp, destroy it" where nothing was spoken of before: it is that Swamp, and no tree of ours says so."""
    verbs, condition = ability.do, getattr(ability, "condition", None)
    spoken = walk((getattr(ability, "when", ()), getattr(ability, "cost", ())))
    if isinstance(ability, ActivatedAbility) or not isinstance(condition, Exists):
        first = verbs[0] if verbs else None
        verbs, condition = (first.then, first.condition) if isinstance(first, If) else ((), None)
    if isinstance(condition, Exists) and not any(isinstance(part, Noun) and part.text != "you" for part in spoken):
        named = next((part for part in walk(verbs) if isinstance(part, Noun)), None)
        if named == Noun("it"):
            raise Stopped("it")


def _is_this(noun: Noun | None) -> bool:
    return noun is not None and noun.text == THIS


def _mana(ability: ActivatedAbility) -> None:
    """Refuses mana "for each" of several without a target: a mana ability (605.1a) adds what it makes at once."""
    each = [part for verb in ability.do if isinstance(verb, ForEach) for part in walk(verb.then)]
    aimed = any(isinstance(part, Noun) and isinstance(part.reading, nouns.Target) for part in walk(ability.do))
    if any(isinstance(part, AddMana) for part in each) and not aimed:
        raise Stopped("add")


def _names_players(part: Any) -> bool:
    """Whether an instruction says who acts, so that it may speak of that player."""
    if isinstance(part, ChooseWord):
        return part.what in ("player", "opponent")
    who = getattr(part, {ForEach: "of", Damage: "to"}.get(type(part), "who"), None)
    if not isinstance(who, Noun):
        return False
    kind = nouns.kind_of(who.reading)
    if kind is not None and kind.players is not None and kind.objects is None:
        return True
    spoken = nouns.ControllerOf | nouns.OwnerOf | nouns.DefendingPlayer | nouns.Each | nouns.Players | nouns.Named
    return not isinstance(part, Damage) and isinstance(who.reading, spoken)
