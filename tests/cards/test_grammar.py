"""The noun grammar: what phrases mean, and that it refuses what it does not know by the word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cards import nouns as n
from server.cards.grammar.noun_phrases import read_noun

CREATURE = n.HasType(type="creature")
LAND = n.HasType(type="land")
YOURS = n.ControlledBy(by=n.You())
CREATURES = n.Things(objects=CREATURE)
PLANESWALKER = n.HasType(type="planeswalker")
OPPONENT = n.Players(which="opponent")


def things(*parts: n.Predicate, **more: object) -> n.Things:
    return n.Things(objects=parts[0] if len(parts) == 1 else n.All(parts=parts), **more)  # pyright: ignore[reportArgumentType]


READINGS: dict[str, n.Reading] = {
    "{this}": n.This(),
    "it": n.It(),
    "them": n.It(what=n.THEM),
    "that creature": n.It(what="creature"),
    "those creatures": n.It(what="creature"),
    "that player": n.It(what="player"),
    "the sacrificed creature": n.It(what="sacrificed"),
    "you": n.You(),
    "$seen": n.Named(name="seen"),
    "opponent": OPPONENT,
    "an opponent": n.Choose(of=n.Things(players=OPPONENT)),
    "your opponents": n.Each(of=n.Things(players=OPPONENT)),
    "each opponent": n.Each(of=n.Things(players=OPPONENT)),
    "each other player": n.Each(of=n.Things(players=n.Players(which="other"))),
    "each other opponent": n.Each(of=n.Things(players=n.Players(which="opponent", besides=n.It(what="player")))),
    "another target player": n.Target(of=n.Things(players=n.Players(besides=n.It(what="player"))), other=True),
    "you and another target player": n.Both(
        parts=(n.You(), n.Target(of=n.Things(players=n.Players(besides=n.You())), other=True))
    ),
    "each player": n.Each(of=n.Things(players=n.Players())),
    "target opponent": n.Target(of=n.Things(players=OPPONENT)),
    "target creature": n.Target(of=CREATURES),
    "target creature's controller": n.ControllerOf(of=n.Target(of=CREATURES)),
    "that creature's owner": n.OwnerOf(of=n.It(what="creature")),
    "up to two target creatures": n.Target(of=CREATURES, least=0, most=2),
    "one or two target creatures": n.Target(of=CREATURES, least=1, most=2),
    "any number of target creatures": n.Target(of=CREATURES, least=0, most=-1),
    "another target creature": n.Target(of=CREATURES, other=True),
    "each of two target creatures": n.Target(of=CREATURES, least=2, most=2),
    "target player or planeswalker": n.Target(
        of=n.Things(objects=PLANESWALKER, players=n.Players()), or_planeswalker=True
    ),
    "target attacking or blocking creature": n.Target(
        of=things(n.Any(parts=(n.Status(status="attacking"), n.Status(status="blocking"))), CREATURE)
    ),
    "target tapped nonblack creature an opponent controls": n.Target(
        of=things(
            n.Status(status="tapped"),
            n.Not(part=n.HasColor(mask=4)),
            CREATURE,
            n.ControlledBy(by=n.Players(which="opponent")),
        )
    ),
    "target creature with power 3 or greater": n.Target(
        of=things(CREATURE, n.StatIs(stat="power", compare=">=", amount=3))
    ),
    "creatures with converted mana cost X or less": n.Each(
        of=things(CREATURE, n.StatIs(stat="mana value", compare="<=", amount=n.X()))
    ),
    "target noncreature spell": n.Target(of=things(n.Not(part=CREATURE), n.IsA(sort="spell"), zone="stack")),
    "target activated or triggered ability": n.Target(of=things(n.IsA(sort="ability"), zone="stack")),
    "target instant or sorcery card in your graveyard": n.Target(
        of=things(
            n.Any(parts=(n.HasType(type="instant"), n.HasType(type="sorcery"))),
            n.IsA(sort="card"),
            n.OwnedBy(by=n.You()),
            zone="graveyard",
        )
    ),
    "each other Goblin creature you control": n.Each(
        of=things(n.Other(), n.HasSubtype(subtype="Goblin"), CREATURE, YOURS)
    ),
    "Elves you control": n.Each(of=things(n.HasSubtype(subtype="Elf"), YOURS)),
    "attacking creatures you control": n.Each(of=things(n.Status(status="attacking"), CREATURE, YOURS)),
    "creatures of the chosen color": n.Each(of=things(CREATURE, n.OfChosen(what="color"))),
    "two lands you control": n.Choose(of=things(LAND, YOURS), count=2),
    "an artifact or creature": n.Choose(of=things(n.Any(parts=(n.HasType(type="artifact"), CREATURE)))),
    "a card from your hand": n.Choose(of=things(n.IsA(sort="card"), n.OwnedBy(by=n.You()), zone="hand")),
    "a basic land card": n.Choose(
        of=things(n.HasSupertype(supertype="basic"), LAND, n.IsA(sort="card"), anywhere=True)
    ),
    "enchanted creature": n.Attached(),
    "enchanted creature's controller": n.ControllerOf(of=n.Attached()),
    "defending player": n.DefendingPlayer(),
    "the top three cards of your library": n.Top(count=3),
    "the top card of that player's library": n.Top(of=n.It(what="player")),
    "target opponent's hand": n.Each(
        of=things(n.IsA(sort="card"), n.OwnedBy(by=n.Target(of=n.Things(players=OPPONENT))), zone="hand")
    ),
    "creature or player": n.Things(objects=CREATURE, players=n.Players()),
    "a source an opponent controls": n.Choose(
        of=things(n.IsA(sort="source"), n.ControlledBy(by=OPPONENT), anywhere=True)
    ),
    "Goblin spells": things(n.HasSubtype(subtype="Goblin"), n.IsA(sort="spell"), zone="stack"),
    "creature dealt damage by {this} this turn": things(CREATURE, n.DealtDamageBy(by=n.This())),
    "creature defending player controls": things(CREATURE, n.ControlledBy(by=n.DefendingPlayer())),
    "the creature with the greatest power": n.Superlative(of=CREATURES, stat="power"),
    "a creature with the least toughness": n.Superlative(of=CREATURES, stat="toughness", greatest=False, tie="choose"),
    "the exiled cards": n.Linked(),
    "each creature and each player": n.Both(parts=(n.Each(of=CREATURES), n.Each(of=n.Things(players=n.Players())))),
    "you and target opponent": n.Both(parts=(n.You(), n.Target(of=n.Things(players=OPPONENT)))),
    "{this} or another creature you control": n.Choose(
        of=things(n.Any(parts=(n.Among(of=n.This()), n.All(parts=(n.Other(), CREATURE, YOURS)))))
    ),
    "{this} from your graveyard": n.This(),
    "one of them": n.Choose(of=things(n.Among(of=n.It(what=n.THEM)), anywhere=True)),
    "tapped artifact or creature": things(
        n.Status(status="tapped"), n.Any(parts=(n.HasType(type="artifact"), CREATURE))
    ),
    "artifact or tapped creature": things(
        n.Any(parts=(n.HasType(type="artifact"), n.All(parts=(n.Status(status="tapped"), CREATURE))))
    ),
}


@pytest.mark.parametrize("phrase", READINGS)
def test_reads(phrase: str) -> None:
    assert read_noun(phrase) == READINGS[phrase]


@pytest.mark.parametrize("phrase", ["any target", "target creature or player"])
@pytest.mark.rule("114.1", "306.7")
def test_any_target_is_marked_because_the_editions_differ(phrase: str) -> None:
    reading = read_noun(phrase)
    assert isinstance(reading, n.Target)
    assert reading.any_target
    assert reading.of == n.Things(objects=n.Any(parts=(CREATURE, PLANESWALKER)), players=n.Players())


@pytest.mark.parametrize(
    ("phrase", "word"),
    [
        ("target blorg creature", "blorg"),
        ("each creature you despise", "despise"),
        ("a foo", "foo"),
        ("creature with flyng", "flyng"),
        ("target creature with power many", "many"),
        ("creature in the soup", "soup"),
    ],
)
def test_names_the_word_that_it_does_not_know(phrase: str, word: str) -> None:
    with pytest.raises(n.NounError, match=f"'{word}'"):
        read_noun(phrase)


@pytest.mark.parametrize("phrase", ["", " ", "target", "each", "x" * 300, "a " * 90, "its " * 45, "that " * 30 + "'s"])
def test_refuses_what_is_no_phrase(phrase: str) -> None:
    with pytest.raises(n.NounError):
        read_noun(phrase)


WORDS = sorted({word for phrase in READINGS for word in phrase.replace("'s", " 's").split()} | {"or", "and", ","})


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join))
def test_any_words_are_read_or_refused(phrase: str) -> None:
    try:
        read_noun(phrase)
    except n.NounError as error:
        assert str(error)


def test_kind_of_is_the_same_for_every_determiner() -> None:
    for phrase in ("a creature", "creature", "creatures", "each creature", "target creature"):
        assert n.kind_of(read_noun(phrase)) == CREATURES
    assert n.kind_of(read_noun("it")) is None
    assert n.kind_of(read_noun("opponent")) == n.Things(players=OPPONENT)
