"""The phrase itself, as a card form holds it: its text and its reading."""

from __future__ import annotations

from collections.abc import Callable

from server.cards.nouns.amounts import (
    CardsIn,
    ColorsSpent,
    CommanderCasts,
    Count,
    CountersOn,
    Devotion,
    Distinct,
    DungeonsCompleted,
    Happened,
    LifeOf,
    LowestLife,
    ManaSpent,
    Minus,
    Most,
    Plus,
    Speed,
    StartingLife,
    StatOf,
    ThatMuch,
    Times,
    TimesPaid,
    TurnCount,
    Votes,
    X,
)
from server.cards.nouns.predicates import (
    Alike,
    All,
    Among,
    Any,
    AttachedTo,
    ColorCount,
    ControlledBy,
    DealtDamageBy,
    DealtDamageTo,
    EvenValue,
    FoughtThisTurn,
    FromSource,
    HasColor,
    HasCounter,
    HasKeyword,
    HasName,
    HasSubtype,
    HasSupertype,
    HasType,
    HasX,
    InCombatWith,
    IsA,
    LiesIn,
    ManaCostIs,
    NoAbilities,
    Not,
    OfChosen,
    Other,
    OwnedBy,
    SharesColor,
    SharesCreatureType,
    SharesName,
    SharesType,
    StatIs,
    Status,
    Targets,
    Together,
    TotalAtMost,
    WasCastFrom,
)
from server.cards.nouns.selections import (
    Attached,
    Both,
    Choose,
    ControllerOf,
    DefendingPlayer,
    Each,
    Foremost,
    It,
    Last,
    Linked,
    Named,
    OwnerOf,
    PairedWith,
    Players,
    Superlative,
    Target,
    Things,
    This,
    Top,
    You,
)


class Noun:
    """A noun phrase of rules English with its reading; equal to another of the same text.

    `Noun("each creature you control").reading` is an `Each`. Raises `NounError` (a ValueError that names the first word
    that was not understood) when it is made from a phrase that the grammar does not read.

    A phrase that says "target" more than once ("target creature and target land") has that many `slots`, nouns of their own
    (601.2c).
    """

    __slots__ = ("reading", "slots", "text")
    text: str
    reading: Reading
    slots: tuple[Noun, ...]

    def __init__(self, text: str, reading: Reading | None = None) -> None:
        self.text = text
        self.reading = _reader[0](text) if reading is None else reading
        parts = self.reading.parts if isinstance(self.reading, Both) else ()
        targets = tuple(part for part in parts if isinstance(part, Target))
        self.slots = tuple(Noun(text, part) for part in targets) if len(targets) > 1 else ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Noun) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Noun({self.text!r})"


class NounError(ValueError):
    """A phrase that the noun grammar does not read; the message names the word."""


_reader: list[Callable[[str], Reading]] = []


def reads_nouns(reader: Callable[[str], Reading]) -> Callable[[str], Reading]:
    """Enters what reads a phrase: the grammar, which builds these structs and so cannot be imported here."""
    _reader[:] = [reader]
    return reader


Reading = (
    You
    | Players
    | DefendingPlayer
    | ControllerOf
    | OwnerOf
    | This
    | It
    | Named
    | Attached
    | Linked
    | PairedWith
    | Things
    | Each
    | Target
    | Choose
    | Top
    | Both
    | Last
    | Superlative
    | Foremost
)

Predicate = (
    HasType
    | HasSupertype
    | HasSubtype
    | IsA
    | HasColor
    | ColorCount
    | HasKeyword
    | ControlledBy
    | OwnedBy
    | StatIs
    | Status
    | HasCounter
    | HasName
    | SharesName
    | SharesCreatureType
    | SharesColor
    | SharesType
    | OfChosen
    | ManaCostIs
    | NoAbilities
    | Other
    | Among
    | InCombatWith
    | FoughtThisTurn
    | FromSource
    | EvenValue
    | HasX
    | AttachedTo
    | DealtDamageBy
    | DealtDamageTo
    | WasCastFrom
    | Targets
    | LiesIn
    | Together
    | Alike
    | TotalAtMost
    | Not
    | All
    | Any
)

Amount = (
    int
    | X
    | Count
    | StatOf
    | CountersOn
    | LifeOf
    | LowestLife
    | DungeonsCompleted
    | Votes
    | Speed
    | StartingLife
    | CommanderCasts
    | CardsIn
    | ThatMuch
    | TimesPaid
    | TurnCount
    | Happened
    | ColorsSpent
    | ManaSpent
    | Devotion
    | Times
    | Plus
    | Minus
    | Most
    | Distinct
)


def kind_of(reading: Reading) -> Things | None:
    """The kind that a phrase describes, however it selects from it: "a creature", "creatures", "each creature" are one.

    Patterns, cost changes and protections ask for this. None for what is no kind ("it", "{this}", "you").
    """
    match reading:
        case Things():
            return reading
        case Players():
            return Things(players=reading)
        case Each(of) | Target(of) | Choose(of) | Superlative(of):
            return of
        case _:
            return None
