"""Wordings that mean one thing: old ones and new, long ones and short, put into the one that the grammar reads."""

from __future__ import annotations

from server.oracle.engine.grammar import Words

# What "her" may own, besides meaning the card itself.
OWNED = ("power", "toughness", "controller", "owner", "mana", "base", "counters", "loyalty", "abilities", "other")

# Old and new wording that mean one thing: what stands at the left is read as what stands at the right.
SAME: tuple[tuple[Words, Words], ...] = tuple(
    (tuple(old.split()), tuple(new.split()))
    for old, new in (
        ("enters the battlefield tapped and under your control", "enters tapped under your control"),
        ("enters tapped and under your control", "enters tapped under your control"),
        ("enters the battlefield", "enters"),
        ("enters battlefield ,", "enters ,"),
        ("unless that spell 's controller pays", "unless its controller pays"),
        (". the tokens are goaded", ". those tokens are goaded"),
        *(
            (
                f"mana of the chosen color , {who} {many}one mana of that color",
                f"mana of the chosen color , {who} {many}one mana of the chosen color",
            )
            for who in ("its controller adds", "add")
            for many in ("", "an additional ")
        ),
        ("can't be countered by spells or abilities", "can't be countered"),
        *((f"{said} it can't be regenerated .", ". it can't be regenerated .") for said in (", and", "and")),
        *(
            (f"{it} unblockable {when}", f"{'it ' * (it != 'is')}can't be blocked {when}")
            for it in ("is", "it's")
            for when in ("this turn", "this combat", "until end of turn")
        ),
        ("any time you could cast an instant if you pay", "as though it had flash if you pay"),
        ("enter the battlefield", "enter"),
        ("entered the battlefield", "entered"),
        ("entering the battlefield", "entering"),
        ("cast nonland cards from your hand", "cast spells from your hand"),
        ("first Strike", "first strike"),
        ("spells that you cast", "spells you cast"),
        ("the number of your opponents with", "the number of opponents with"),
        ("investigate once for each", "investigate for each"),
        *(
            (f"you may {verb} {the}cards exiled this way", f"you may {verb} all cards exiled this way")
            for verb in ("play", "cast")
            for the in ("", "the ")
        ),
        ("converted mana cost", "mana value"),
        ("converted mana costs", "mana value"),
        ("mana values", "mana value"),
        ("that attacking player", "that player"),
        ("target face-up exiled card", "target face-up card in exile"),
        *(
            (f"enchanted {one} is put into a graveyard ,", f"enchanted {one} dies ,")
            for one in ("artifact", "land", "permanent", "Plains", "Island", "Swamp", "Mountain", "Forest")
        ),
        *(
            (
                f"if a player has more {much} than each other player , that player",
                f"if a player has more {much} than each other player , {who}",
            )
            for much, who in (
                ("life", "the player with the most life"),
                ("cards in hand", "the player who has the most cards in hand"),
            )
        ),
        ("battlefield , then put them back in any order", "battlefield . put them back in any order"),
        ("hand , then put them back in any order", "hand . put them back in any order"),
        (
            "creature and is unblockable . it's still a land .",
            "creature . it's still a land . it can't be blocked this turn .",
        ),
        (
            "chooses a creature they control . other creatures they control can't block",
            "chooses a creature they control . creatures they control other than that creature can't block",
        ),
        *(
            (
                f"{color} creatures can't attack unless their controller sacrifices a land for each {color} creature they control "
                "that's attacking",
                f"each {color} creature can't attack unless its controller sacrifices a land",
            )
            for color in ("white", "blue", "black", "red", "green")
        ),
        # What old lists say in other words.
        ("was spent to cast {this} , and", "was spent to cast {this} ."),
        ("a spell you've cast is countered", "a spell you cast is countered"),
        ("a player kicks a spell", "a player casts a kicked spell"),
        ("exile one face down", "exile one of them face down"),
        ("put another +1/+1 counter on", "put a +1/+1 counter on"),
        (
            "can't be blocked this turn except by two or more creatures",
            "can't be blocked except by two or more creatures this turn",
        ),
        *(
            (said, put)
            for put in ("put that many +1/+1 counters on that creature",)
            for said in (
                "for each 1 damage prevented this way , put a +1/+1 counter on that creature",
                "put a +1/+1 counter on that creature for each 1 damage prevented this way",
            )
        ),
        (
            ", and put a +1/+1 counter on that creature for each 1 damage prevented this way",
            ". put that many +1/+1 counters on that creature",
        ),
        (
            "puts that many cards from the top of their library into their graveyard",
            "mills that many cards",
        ),
        (
            "puts the top half of their library , rounded down , into their graveyard",
            "mills cards equal to half the number of cards in their library , rounded down",
        ),
        *(
            (
                f"half their library , rounded {way}",
                f"cards equal to half the number of cards in their library , rounded {way}",
            )
            for way in ("up", "down")
        ),
        *(
            (f"draw half X cards , rounded {way}", f"draw cards equal to half X , rounded {way}")
            for way in ("up", "down")
        ),
        *(
            (f"gain half X life , rounded {way}", f"gain life equal to half X , rounded {way}")
            for way in ("up", "down")
        ),
        *(
            (
                f"put the exiled {card} onto the battlefield under {whose} 's control",
                f"return the exiled {card} to the battlefield under {whose} 's control",
            )
            for card, whose in (("card", "its owner"), ("cards", "their owners"), ("cards", "their owner"))
        ),
        (
            "onto the battlefield from your hand or graveyard with",
            "from your hand or graveyard onto the battlefield with",
        ),
        ("with a cycling ability", "with cycling"),
        ("with cycling abilities", "with cycling"),
        ("for each card returned to your hand this way", "for each card you own returned this way"),
        ("you may choose a new target for the copy", "you may choose new targets for the copy"),
        *(
            (
                f"{you} copy {what} and may choose {some} for the copy",
                f"{you} copy {what} and you may choose new targets for the copy",
            )
            for you in ("you may", ",")
            for what in ("{this}", "it", "that spell")
            for some in ("a new target", "new targets")
        ),
        (
            "permanent , spell , or card not on the battlefield would be put into a graveyard ,",
            "card or token would be put into a graveyard from anywhere ,",
        ),
        ("onto the battlefield under your control tapped", "onto the battlefield tapped under your control"),
        (
            "enchanted artifact 's activated abilities can't be activated . if enchanted artifact is a creature , it can't attack or block",
            "enchanted artifact can't attack or block , and its activated abilities can't be activated",
        ),
        (
            "at the beginning of the next end step and you skip your",
            "at the beginning of the next end step . you skip your",
        ),
        *((f"cost up to {{{n}}} less", f"cost {{{n}}} less") for n in range(1, 4)),
        ("that targets one or more creatures", "that targets a creature"),
        ("an effect would put one or more tokens onto the battlefield", "an effect would create one or more tokens"),
        ("it puts twice that many of those tokens onto the battlefield", "it creates twice that many of those tokens"),
        *(
            (f"put {count} of those tokens onto the battlefield", f"create {count} of those tokens")
            for count in ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "that many")
        ),
        *(
            (f"{verb} placed on", f"{verb} put on")
            for verb in ("counter is", "counters are", "counter was", "counters be", "be", "are", "counters")
        ),
        ("an effect would place one or more counters", "an effect would put one or more counters"),
        ("it places twice that many of those counters", "it puts twice that many of those counters"),
        ("name a card other than a creature or land card", "choose a noncreature , nonland card name"),
        ("cast cards with the chosen name", "cast spells with the chosen name"),
        ("if it's the named card", "if that card has the chosen name"),
        ("if that card is the named card", "if that card has the chosen name"),
        ("reveal the named card , then put that card", "reveal a card with the chosen name , then put that card"),
        ("reveal the named card", "reveal a card with the chosen name"),
        ("the named card can't be cast", "spells with the chosen name can't be cast"),
        (", then put that card into your hand . exile the rest", ". put that card into your hand and exile the rest"),
        ("of an opponent 's choice that they control", "of an opponent 's choice they control"),
        (
            "you may play the top card of your library .",
            "you may play lands and cast spells from the top of your library .",
        ),
        *(
            (
                f"you may cast the top card of your library if it's {one}",
                f"you may cast {many} spells from the top of your library",
            )
            for one, many in (("a creature card", "creature"), ("an instant or sorcery card", "instant and sorcery"))
        ),
        ("can't cast cards in graveyards or libraries", "can't cast spells from graveyards or libraries"),
        ("for the first time in a turn", "for the first time each turn"),
        ("add {X}{1}", "add an amount of {C} equal to X plus one"),
        ("as the token enters the battlefield", ""),
        ("is put onto the battlefield from a graveyard", "enters from a graveyard"),
        ("except it's still", "except it's"),
        ("gain life equal that", "gain life equal to that"),
        ("may cast creature and enchantment cards as though", "may cast creature and enchantment spells as though"),
        ("may play creature cards as though", "may cast creature spells as though"),
        ("a MAGIC subgame", "a Magic subgame"),
        ("those creatures also are indestructible this turn", "those creatures gain indestructible until end of turn"),
        ("chooses from the permanents they control", "chooses from among the permanents they control"),
        ("can not", "can't"),
        ("cannot", "can't"),
        ("creature or player", "creature or player"),
        ("to your mana pool", ""),
        ("to your manapool", ""),
        ("at the beggining of", "at the beginning of"),
        ("each of your opponents discards", "each opponent discards"),
        ("to you mana pool", ""),
        ("to their mana pool", ""),
        ("shuffle their library", "shuffle"),
        ("shuffles their library", "shuffles"),
        ("shuffle your library", "shuffle"),
        ("card into their library , then shuffles their library", "card into their library , then shuffles"),
        ("of your choice", ""),
        ("of their choice", ""),
        ("of that player 's choice", ""),
        ("attacking or blocking creature", "attacking or blocking creature"),
        # What a token has it was made with (110.5b): no effect gives it that.
        ("creature token . it has", "creature token with"),
        ("creature tokens . they have", "creature tokens with"),
        ("creature token onto the battlefield . it has", "creature token onto the battlefield with"),
        ("creature tokens onto the battlefield . they have", "creature tokens onto the battlefield with"),
        ("creature token with flying . it has", "creature token with flying and"),
        ("is put into a graveyard from the battlefield", "dies"),
        ("are put into a graveyard from the battlefield", "die"),
        ("once during each of your turns", "once on each of your turns"),
        ("only any time you could cast a sorcery", "only as a sorcery"),
        ("only any time you could cast an instant", "only as an instant"),
        ("only if it 's your turn", "only during your turn"),
        ("your opponent can't", "your opponents can't"),
        ("loses all abilities", "loses all abilities"),
        ("removed from the game", "exiled"),
        ("from each color", "from all colors"),
        ("all the cards in your hand", "your hand"),
        ("all the cards from your hand", "your hand"),
        ("all the cards in their hand", "their hand"),
        ("can't have or gain", "can't have"),
        ("double Strike", "double strike"),
        ("base power and base toughness", "base power and toughness"),
        ("power and toughness are equal to", "power and toughness are each equal to"),
        ("with power and toughness equal to", "with power and toughness each equal to"),
        ("under the control of that card 's owner", "under its owner 's control"),
        ("is indestructible this turn", "is indestructible until end of turn"),
        ("under you control", "under your control"),
        ("all other cards revealed this way", "the rest"),
        ("the other cards revealed this way", "the rest"),
        ("all other revealed cards", "the rest"),
        ("when you discard a card this way ,", "when you do ,"),
        ("if you pay ,", "if you do ,"),
        ("protection from each opponent", "protection from each of your opponents"),
        ("gets protection from each opponent", "gains protection from each of your opponents"),
        ("if it has madness ,", "if it's a card with madness ,"),
        ("instead that player skips that draw and you draw a card", "instead you draw a card"),
        ("at random from their hand", "from their hand at random"),
        ("at random from your graveyard", "from your graveyard at random"),
        ("at random from your hand", "from your hand at random"),
        ("at random in your graveyard", "in your graveyard at random"),
        # A card that is somebody is spoken of as such.
        *((f"her {owned}", f"{{this}} 's {owned}") for owned in OWNED),
        ("him", "{this}"),
        ("he", "{this}"),
        ("he's", "{this} is"),
        ("she", "{this}"),
        ("she's", "{this} is"),
        ("his", "{this} 's"),
        ("her", "{this}"),
        ("himself", "{this}"),
        ("herself", "{this}"),
    )
    if tuple(old.split()) != tuple(new.split())
)
_SAME_BY_WORD: dict[str, list[tuple[Words, Words]]] = {}
for _old, _new in SAME:
    _SAME_BY_WORD.setdefault(_old[0], []).append((_old, _new))


_SOMEBODY: dict[Words, str] = {
    ("his", "or", "her"): "their",
    ("him", "or", "her"): "them",
    ("he", "or", "she"): "they",
    ("himself", "or", "herself"): "themselves",
}
_VERBS = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "doesn't": "don't",
    "isn't": "aren't",
    "hasn't": "haven't",
}


def _with_they(words: list[str]) -> list[str]:
    """The words with "they" for "he or she", and its verb with it."""
    found: list[str] = []
    i = 0
    while i < len(words):
        three = tuple(words[i : i + 3])
        if three in _SOMEBODY:
            found.append(_SOMEBODY[three])
            i += 3
            if three == ("he", "or", "she") and i < len(words):
                found.append(_plain(words[i]))
                i += 1
            continue
        found.append(words[i])
        i += 1
    return found


def _plain(verb: str) -> str:
    """The verb that "they" do ("reveals": "reveal")."""
    if verb in _VERBS:
        return _VERBS[verb]
    if not verb.endswith("s") or verb == "this":
        return verb
    if verb.endswith(("sses", "xes", "ches", "shes")):
        return verb[:-2]
    return verb[:-3] + "y" if verb.endswith("ies") else verb[:-1]


def same_wording(words: list[str]) -> list[str]:
    """Old wordings put into the one that the grammar reads."""
    if "or" in words:
        words = _with_they(words)
    found: list[str] = []
    i = 0
    while i < len(words):
        for old, new in _SAME_BY_WORD.get(words[i], ()):
            if tuple(words[i : i + len(old)]) == old:
                found.extend(new)
                i += len(old)
                break
        else:
            found.append(words[i])
            i += 1
    return found
