"""Verbs that move cards between zones, or look through those that stand in one (400, 401)."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.cards.forms.abilities import Ability, Card
from server.cards.forms.effects import AnyModification
from server.cards.forms.parts import VerbForm
from server.cards.nouns import Amount, Noun, Zone


class Move(VerbForm, tag="move", frozen=True):
    """Puts objects into a zone: exile, return to hand, onto the battlefield, on top or bottom of a library, shuffled in.

    `under` is who controls what enters the battlefield ("you", "owner"); `until` brings it back by a delayed effect when
    that duration ends; `link` remembers it for linked abilities of this object; `attacking`, `tapped`, `counter` say how it
    enters, attacking what `same_as` attacks or attacked; `face_down`; with `reveal` the cards are shown to all. `chosen` is
    remembered with the moved card as "the chosen creature"; `mark` is what the card is from then on ("plotted"). A double-faced
    card enters with its other face up if `transformed`; another card stays where it is. If `who` is said, each of those players
    chooses what `what` selects for that player, and it enters under that player's control; then all move at once (101.4).
    """

    what: Noun
    to: Zone
    bottom: bool = False
    position: int = 0
    shuffle: bool = False
    under: Noun | None = None
    tapped: bool = False
    attacking: bool = False
    counter: str = ""
    count: Amount = 1
    attached_to: Noun | None = None
    face_down: bool = False
    link: bool = False
    chosen: Noun | None = None
    same_as: Noun | None = None
    reveal: bool = False
    until: Literal["", "source leaves"] = ""
    mark: Literal["", "warped", "plotted", "foretold", "manifested", "cloaked"] = ""
    transformed: bool = False
    as_name: str = ""
    who: Noun | None = None


class Meld(VerbForm, tag="meld", frozen=True):
    """This object and one that `other` selects are exiled, then melded into the permanent that is called `into` (current 701.42), if
    they are two cards of one pair; else they stay exiled. It may enter `tapped`, and `attacking`."""

    other: Noun
    into: str
    tapped: bool = False
    attacking: bool = False


class Sacrifice(VerbForm, tag="sacrifice", frozen=True):
    """Each of `who` sacrifices what `what` selects for that player (701.14); so `action` is done (exploiting, current 702.110b).
    With `rest` the player keeps those and sacrifices what else of that kind they control ("chooses two creatures, then sacrifices
    the rest"), or keeps one of each of the `spared`."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    action: Literal["", "exploit"] = ""
    rest: bool = False
    spared: tuple[Noun, ...] = ()


class Discard(VerbForm, tag="discard", frozen=True):
    """Each of `who` discards: `count` cards (chosen by that player, `random`ly, or by `chooser`), of a kind, or the whole hand;
    with `up_to` as many of them as is liked (-1: any number)."""

    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    what: Noun | None = None
    random: bool = False
    all: bool = False
    up_to: bool = False
    chooser: Noun | None = None


class Draw(VerbForm, tag="draw", frozen=True):
    """Each of `who` draws cards, one after the other (120.2)."""

    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Mill(VerbForm, tag="mill", frozen=True):
    """Each of `who` puts the top cards of the library into the graveyard."""

    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class CreateToken(VerbForm, tag="create", frozen=True):
    """Each of `who` puts tokens onto the battlefield (110.5); or copies of what `copy_of` selects,
    `excepting` what these modifications say (706.9). With `whom` they attack that player or, unless it is that player `alone`,
    a planeswalker of that player; they are `blocking` what that selects (509.7). Those of `also` are created at the same time."""

    token: Card | None = None
    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    tapped: bool = False
    attacking: bool = False
    whom: Noun | None = None
    alone: bool = False
    blocking: Noun | None = None
    copy_of: Noun | None = None
    power: Amount | None = None
    toughness: Amount | None = None
    attached_to: Noun | None = None
    as_name: str = ""
    excepting: tuple[AnyModification, ...] = ()
    also: tuple[CreateToken, ...] = ()


class Search(VerbForm, tag="search", frozen=True):
    """`who` searches zones of `whose` for up to (hidden zone, 701.15b) `count` cards of a kind (-1: any number) and puts them
    somewhere; then shuffles. Those found are `alike` in a land type, or each of another name. Of `every` one of a kind those in
    zones that all see must be found (701.15b); `exactly` so many are, if there are, of what is simply a number of cards (701.15c).
    With `to` "found" they stay where they are and are known as "looked" to what follows. `link` remembers what is exiled for linked
    abilities of this object. `either`: who searches chooses which of the `places`, one or more, and shuffles the library only if it
    was among them."""

    what: Noun
    to: Zone | Literal["found"] = "hand"
    count: Amount = 1
    every: bool = False
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    whose: Noun | None = None
    places: tuple[Zone, ...] = ("library",)
    tapped: bool = False
    reveal: bool = False
    top: bool = False
    shuffle: bool = True
    as_name: str = ""
    alike: Literal["", "land type", "different names"] = ""
    link: bool = False
    either: bool = False
    exactly: bool = False


class FromOutside(VerbForm, tag="from outside", frozen=True):
    """`who` chooses what `what` says of the cards that they own outside the game, or with `exile` face up in exile as well, and puts
    them into the hand, or as `to` says on top of the library or shuffled into it (400.10b)."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    exile: bool = False
    reveal: bool = False
    to: Literal["hand", "top", "shuffled"] = "hand"


class Shuffle(VerbForm, tag="shuffle", frozen=True):
    """Each of `who` shuffles the library, or with `searched` each whose library the search before has searched."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    searched: bool = False


class Look(VerbForm, tag="look", frozen=True):
    """`who` looks at (or with `reveal` all see) what is selected: top cards, a hand. Later instructions know the cards as
    "looked", and those of them that are still where they were as "rest"; so too after `Mill`."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    reveal: bool = False
    as_name: str = ""


class RevealHand(VerbForm, tag="reveal hand", frozen=True):
    """Each of `who` reveals the hand; later instructions know the cards as "looked"."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Pick(VerbForm, tag="pick", frozen=True):
    """`who` chooses among what is selected and binds it as `as_name`; the rest is bound as "rest"."""

    what: Noun
    least: Amount = 1
    most: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    random: bool = False
    as_name: str = "it"


class PickEach(VerbForm, tag="each picks", frozen=True):
    """Each of `who` chooses what `what` selects for that player, one after the other: in turn order, or so that you are the `first`,
    or the next opponent is. Where they are `different` nobody chooses what was chosen before; who `may` can choose nothing. All of it
    is bound as "chosen this way", what else there was to choose from as "rest"."""

    what: Noun
    who: Noun
    first: Literal["", "you", "opponent"] = ""
    different: bool = False
    may: bool = False


class Separate(VerbForm, tag="separate", frozen=True):
    """One of `who` separates what is selected into two piles (700.3) and `chooser` chooses one of them, which is bound as "pile",
    the other as "rest"."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    chooser: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Scry(VerbForm, tag="scry", frozen=True):
    """Each of `who` scries (701.18)."""

    count: Amount
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Reorder(VerbForm, tag="reorder", frozen=True):
    """`who` puts what is selected back on top (or bottom) of its library in any order, or with `random` in a random one."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    bottom: bool = False
    random: bool = False


class Exchange(VerbForm, tag="exchange", frozen=True):
    """Exchanges control of two permanents, or life totals of two players (both selected by `left` if there is no
    `right`), or with "zones" a permanent with a card elsewhere that its controller picks (701.8). With "lives" you redistribute the
    life totals of any number of `left` (810.9f)."""

    left: Noun
    right: Noun | None = None
    what: Literal["control", "life", "lives", "zones"] = "control"


class PhaseOut(VerbForm, tag="phase out", frozen=True):
    """Permanents phase out (702.24)."""

    what: Noun


class PlayCard(VerbForm, tag="play", frozen=True):
    """`who` may cast what is selected (with `lands` play it), `free` without paying its mana cost, in a `way` ("madness"),
    as this resolves; only spells of the `kind`; at most `most` of it, or with `total` no more than that mana value
    together. `gives` are abilities that the spells have; with
    `copies` so many copies of each card are made where it is, and may be cast (706.12). `mana_as` lets mana be spent on them as
    though it were of any colour or type."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    free: bool = False
    way: str = ""
    lands: bool = False
    most: int = 0
    total: Amount | None = None
    kind: Noun | None = None
    gives: tuple[Ability, ...] = ()
    copies: int = 0
    mana_as: Literal["", "color", "type"] = ""


class TakeUntil(VerbForm, tag="take until", frozen=True):
    """`who` moves cards from the top of the library to a zone (shown to all; with "library" they are only revealed) until so
    many are what `what` describes, with a mana value less than `below` if that is given; these are bound as `as_name`, the
    others as "rest". `link` remembers all of them, exiled, for linked abilities of this object."""

    what: Noun
    to: Zone = "exile"
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    below: Amount | None = None
    as_name: str = "found"
    link: bool = False
