"""What a card's words mean to a bot, roughly: does it harm or help what it targets, and how much.

Bots have no rules of their own and see only the printed text, so this reads for a few tell-tale words. A card it
misreads is played badly, never illegally.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_COUNT = r"(\d+|x|a|an|one|two|three|four|five|six|seven)"

_HARM = re.compile(
    r"destroy|exile (?:up to \w+ )?(?:another )?target|deals? (?:\d+|x|that much|damage)|damage equal|gets? -|"
    r"-\d+/-\d+ counter|return (?:up to \w+ )?(?:another )?target .* to (?:its|their) owner|on (?:top|the bottom) of (?:its|their) owner|"
    r"discards?|sacrifices|loses|mills?|gain control|exchange control|can't (?:attack|block)|doesn't untap|"
    r"(?<!prevent the next )\bdealt to target|you control enchanted|counter target|(?<!un)tap (?:up to \w+ )?target|fights?|puts? the top .* into (?:his or her|their) graveyard|poison",
)
_HELP = re.compile(
    r"gets? \+|gains? (?!control)|\+\d+/\+\d+ counter|regenerate|prevent|untap|draws?|"
    r"can't be (?:blocked|countered|the target)|attach|from your graveyard|you control",
)
_TARGETS = re.compile(r"target|enchant(?:ed)? |equipped ")
_DAMAGE = re.compile(r"deals? " + _COUNT + r" damage")
_PUMP = re.compile(r"gets? ([+-])(\d+|x)/([+-])(\d+|x)")
_DRAW = re.compile(r"draws? " + _COUNT + r" (?:additional )?cards?")
_GAIN = re.compile(r"you gain " + _COUNT + r" life")
_TOKENS = re.compile(r"(?:creates?|puts?) " + _COUNT + r" .*?(\d+)/(\d+) .*?tokens?")
_REMINDER = re.compile(r"\([^()]*\)")
_SWEEP = re.compile(
    r"(?:destroy|exile|return|tap) (?:all|each)|damage to each|counter on each creature (?:you don't|your opponents)|(?:all|each) (?:other )?creatures? gets? -|each (?:player|opponent) sacrifices"
)


class Reading(Struct, frozen=True):
    """What was made out of a text. `harm`: what it targets suffers from it; `targets`: it has targets at all."""

    harm: bool
    targets: bool
    creature: bool
    """It can target a creature."""
    player: bool
    """It can target a player."""
    spell: bool
    """It targets a spell on the stack."""
    kills: bool
    """It removes a creature whatever its size."""
    damage: int
    """-1 for X."""
    power: int
    toughness: int
    draw: int
    life: int
    tokens: int
    """Power and toughness of all tokens it makes, added up."""
    sweeps: bool
    """It strikes everything at once."""
    aura: bool
    divided: bool
    """Its damage is divided."""
    edict: bool
    """The player it targets sacrifices a creature."""
    all_ours: bool
    """It makes all our creatures bigger until end of turn."""
    others_only: bool
    """What it does to many it does not do to ours."""
    own: bool
    """What it targets must be ours."""


@lru_cache(maxsize=2048)
def read(text: str, types: str = "") -> Reading:
    """Read a card's or ability's words."""
    words = _REMINDER.sub("", text.lower()).replace("\n", " ")
    kinds = types.lower()
    aura = "aura" in kinds or words.startswith("enchant ")
    sentences = [part for part in re.split(r"(?<=[.;:])\s", words) if part]
    aimed = [part for part in sentences if _TARGETS.search(part)] or sentences
    harm = any(_harmful(part) for part in aimed)
    targets = aura or bool(re.search(r"\btarget\b", words))
    joined = " ".join(aimed)
    pumps = _PUMP.search(words)
    power = toughness = 0
    if pumps:
        power = _number(pumps[2]) * (-1 if pumps[1] == "-" else 1)
        toughness = _number(pumps[4]) * (-1 if pumps[3] == "-" else 1)
    damage = _DAMAGE.search(words)
    return Reading(
        harm=harm,
        targets=targets,
        creature=bool(
            re.search(
                r"target (?:(?!player|opponent)[\w-]+ ){0,5}?(?:creature|permanent)|any target|enchant creature|equip|target creatures",
                joined,
            )
        ),
        player=bool(re.search(r"target (?:player|opponent)|or player|any target", joined)),
        spell=bool(re.search(r"counter target|target (?:[\w-]+ )*spell", joined)),
        kills=bool(
            re.search(
                r"(?:destroy|exile|return|gain control of|on top of|tap) (?:up to \w+ )?(?:another )?target (?:[\w-]+ )*(?:creature|permanent)|can't attack or block",
                joined,
            )
        ),
        damage=(-1 if damage[1] == "x" else _number(damage[1])) if damage else 0,
        power=power,
        toughness=toughness,
        draw=sum(_number(found[1]) for found in _DRAW.finditer(words)),
        life=sum(_number(found[1]) for found in _GAIN.finditer(words)),
        tokens=sum(max(1, _number(found[1])) * (int(found[2]) + int(found[3])) for found in _TOKENS.finditer(words)),
        sweeps=bool(_SWEEP.search(words)),
        aura=aura,
        divided="divided" in words,
        edict="sacrifices a creature" in words,
        all_ours="creatures you control get +" in words and "until end of turn" in words,
        others_only=bool(re.search(r"you don't control|opponents? controls?", words)),
        own=bool(re.search(r"target (?:[\w-]+ )*you control", joined)) and "don't control" not in joined,
    )


def _harmful(sentence: str) -> bool:
    """Whether what a sentence does first is harm."""
    harm, help_ = _HARM.search(sentence), _HELP.search(sentence)
    if harm is None:
        return False
    return help_ is None or harm.start() <= help_.start() or "prevent" not in sentence and "damage" in harm[0]


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word, 0)


_SYMBOL = re.compile(r"\{([^}]*)\}")


def room_for_x(cost: str, lands: int) -> bool:
    """Whether X could be 1 at least where so many lands pay, one mana each; True where there is no X."""
    symbols = [symbol.lower() for symbol in _SYMBOL.findall(cost)]
    fixed = sum(int(symbol) if symbol.isdigit() else symbol not in ("x", "t", "q") for symbol in symbols)
    return lands >= fixed + symbols.count("x")


def cost_colors(cost: str) -> frozenset[str]:
    """The colours' letters in a mana cost."""
    return frozenset(letter for symbol in _SYMBOL.findall(cost) for letter in symbol if letter in "WUBRG")
