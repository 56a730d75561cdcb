"""What is bound by name in a `Scope`: names that the rules themselves give, by what they hold, and names that texts give.

The values stand in snapshots, in journals' hashes and, many of them, in texts ("$other", "that player"), so they stay; what
begins with "#" no text can say.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType, TypeAlias

Label = NewType("Label", str)
"""A name that a text gives (`as_name`), or that speaks of what was done or paid ("destroyed this way", "sacrificed")."""


class BoundRefs(StrEnum):
    """Names of objects and players."""

    IT = "it"
    """What was spoken of last."""
    PLAYER = "player"
    CREATURE = "creature"
    CARD = "card"
    TOKEN = "token"
    SPELL = "spell"
    SOURCE = "source"
    """What deals the damage, or whose spell or ability did what triggered."""
    RECIPIENT = "recipient"
    OTHER = "other"
    """The second object of an event."""
    DEFENDING = "defending"
    """The defending player (802.2a)."""
    ACTIVE = "#active"
    """Which player of the active team "the active player" is (805.9)."""
    FOLLOW = "follow"
    """What moved just now, and is found where it went (400.7)."""
    LOOKED = "looked"
    SEARCHED = "#searched"
    """Whose library was searched by the search before."""
    REST = "rest"
    PILE = "pile"
    NO_CARD = "#no card"
    """Bound if no card was there to be milled or discarded, of which "it" would speak."""
    EXCESS = "excess"
    """Creatures dealt excess damage (current 120.4a)."""
    ACTOR = "actor"
    """Who does a keyword action."""
    WHO = "who"
    """For whom a rule of a resolved spell or ability holds."""
    OFFERED = "offered"
    """The permanent sacrificed or tapped for a spell as it was announced."""
    PROMISED = "promised"
    CHOSEN_SOURCE = "chosen source"
    AFFECTED = "#affected"
    """The one object that a continuous effect is being applied to."""
    TARGET = "#target"
    LOOP = "#loop"
    """What "it" was as a turn of a loop began."""
    GATHERED = "#gathered"
    """What the turns of a loop so far came to."""
    OF_EACH = "#of each"
    """The players who did the last instruction, each as often as it came to for that player."""
    PREFERRED = "#preferred"
    """What a payment that activates a mana ability has chosen for its costs."""
    PREVENTED_TO = "#prevented to"
    """To whom damage was prevented, where the shield speaks of anyone."""
    SPENT_ON = "#spent on"
    """The source whose damage a spent shield still applies to in the batch under way."""
    SPENT_FOR = "#spent for"
    """The same, by who is dealt the damage."""


class BoundNumber(StrEnum):
    """Names of numbers; of what is so or not, 1 and 0."""

    X = "X"
    AMOUNT = "amount"
    """How much the last event or instruction came to."""
    DID = "did"
    """Whether anything happened."""
    ANY_DID = "any did"
    """In how many turns of a loop anything happened."""
    WON = "won"
    RESULT = "result"
    """Of a die."""
    PAID = "paid"
    SPENT = "spent"
    AGAIN = "#again"
    """Of a trigger beyond the first of an event (current 603.2d), the how manieth it is."""
    EXCESS_DAMAGE = "excess damage"
    MOST_DISCARDED = "most discarded"
    """Of the players the most cards that one discarded."""
    SPELLS_BEFORE = "spells before"
    INSTANTS_BEFORE = "instants before"
    ABILITY_INDEX = "ability index"
    TAPPED_FOR_MANA = "tapped for mana"
    RESOLVING = "#resolving"
    """A cost is paid as something resolves."""


class BoundWord(StrEnum):
    """Names of texts."""

    ZONE = "zone"
    CHOSEN_MANA = "chosen mana"
    PRODUCED = "produced"
    """The letters of the mana that a source made."""
    WANTED_MANA = "wanted mana"
    """The letters of the mana that a payment which activates a mana ability wants of it."""
    APPLIED = "#applied"
    """The keys of the effects that have been applied to what a program does instead (614.5), with spaces between."""


NOT_WON = Label("players who did not win")
BindingName: TypeAlias = BoundRefs | BoundNumber | BoundWord | Label


def chosen_name(what: str) -> Label:
    """The name of what was chosen as something resolved: a colour, a type, a player, a number."""
    return Label(f"chosen {what}")


def votes_for(word: str) -> Label:
    """The name of how many votes a word got."""
    return Label(f"{word} votes")


VOTED_FOR = Label("voted for")
"""What got votes, each so often as it got one."""
MOST_VOTES = Label("most votes")


def ballot(number: int) -> Label:
    """The name of who voted for one of the choices."""
    return Label(f"#ballot {number}")


def instead_of(word: str) -> Label:
    """The name of what was done so by what replaced part of an instruction (614.6), with the words for it ("destroyed this way")."""
    return Label(f"#instead {word}")
