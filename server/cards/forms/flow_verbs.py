"""Verbs that hold other verbs, or choose what is followed next: conditions, choices, dice, delayed triggers (608.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from server.cards.forms.abilities import Mode
from server.cards.forms.effects import Pattern
from server.cards.forms.parts import AnyCondition, Costs, Duration, Form, VerbForm
from server.cards.nouns import Amount, Noun

if TYPE_CHECKING:
    from server.cards.forms.trees import Tree


class Again(VerbForm, tag="again", frozen=True):
    """The whole program is followed once more ("repeat this process")."""


class Vote(VerbForm, tag="vote", frozen=True):
    """Each player votes for one of the words, the controller first; "WORD votes" is how many votes each got. Or for one of the things
    that `among` means. In `secret` nobody knows how another votes until all have."""

    options: tuple[str, ...] = ()
    among: Noun | None = None
    secret: bool = False


class FlipCoin(VerbForm, tag="flip", frozen=True):
    """`who` flips a coin and calls it: `won` or `lost` is done (705)."""

    won: Tree = ()
    lost: Tree = ()
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    count: int = 1


class Row(Form, frozen=True):
    """What is done at results from `least` to `most` of a die."""

    least: int
    most: int
    do: Tree


class RollDie(VerbForm, tag="roll", frozen=True):
    """Rolls a die (706 of the current edition) and follows the row of the table that has the result; "that much" and "the
    result" of later instructions are the result."""

    sides: int = 6
    rows: tuple[Row, ...] = ()


class If(VerbForm, tag="if", frozen=True):
    """If the condition holds, `then`; else `otherwise`. With `trailing` the condition stands behind, and "it" is what `then`
    names first ("destroy target creature if it's tapped")."""

    condition: AnyCondition
    then: Tree
    otherwise: Tree = ()
    trailing: bool = False


class InsteadIf(VerbForm, tag="instead if", frozen=True):
    """`first`, but if the condition holds `instead` of it (614.15), which may speak of what `first` would have been done to."""

    first: Tree
    condition: AnyCondition
    instead: Tree


class May(VerbForm, tag="may", frozen=True):
    """`who` may do `then`, having paid `cost` (`times` over) if there is one; else (or if it can't be done) `otherwise`."""

    then: Tree = ()
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    cost: Costs = ()
    otherwise: Tree = ()
    times: Amount = 1


class Unless(VerbForm, tag="unless", frozen=True):
    """`then` happens unless one of `who` pays the cost, `times` over (117.12)."""

    cost: Costs
    then: Tree
    who: Noun = msgspec.field(default_factory=lambda: Noun("its controller"))
    times: Amount = 1


class ForEach(VerbForm, tag="for each", frozen=True):
    """For each thing that `of` selects, `then` with "it" meaning that thing; with `times` so often. Of players you are the first
    where it goes round `from_you`. What each pays of any amount of mana comes together as "paid"."""

    then: Tree
    of: Noun | None = None
    times: Amount = 1
    from_you: bool = False


class Either(VerbForm, tag="either", frozen=True):
    """`who` chooses one of several programs as the instruction is followed (not a mode)."""

    options: tuple[Mode, ...]
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Delayed(VerbForm, tag="delayed", frozen=True):
    """Makes a delayed triggered ability (603.7): `when` it happens (`once`, or all the while of `duration`), `then`."""

    when: tuple[Pattern, ...]
    then: Tree
    once: bool = True
    duration: Duration = "forever"
    text: str = ""


class Reflexive(VerbForm, tag="when you do", frozen=True):
    """A reflexive trigger: an ability with own targets that triggers on the instruction just done."""

    then: Tree
    text: str = ""


class Bind(VerbForm, tag="bind", frozen=True):
    """Gives a name to a selection or an amount for later instructions ("where X is ...": name "X")."""

    as_name: str
    what: Noun | None = None
    amount: Amount | None = None


class ByHand(VerbForm, tag="by hand", frozen=True):
    """A printed text that the server does not read: its controller does what it says, one act after the other. `targets` are what
    it says to target, as far as that is read; they are chosen as it is announced (601.2c)."""

    text: str
    targets: tuple[Noun, ...] = ()
