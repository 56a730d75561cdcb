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
        ("his or her", "their"),
        ("him or her", "them"),
        ("he or she controls", "they control"),
        ("that attacking player", "that player"),
        ("target face-up exiled card", "target face-up card in exile"),
        *(
            (f"enchanted {one} is put into a graveyard ,", f"enchanted {one} dies ,")
            for one in ("artifact", "land", "permanent", "Plains", "Island", "Swamp", "Mountain", "Forest")
        ),
        ("he or she owns", "they own"),
        ("he or she", "they"),
        ("himself or herself", "themselves"),
        ("can not", "can't"),
        ("cannot", "can't"),
        ("creature or player", "creature or player"),
        ("to your mana pool", ""),
        ("to your manapool", ""),
        ("at the beggining of", "at the beginning of"),
        ("each of your opponents discards", "each opponent discards"),
        ("to you mana pool", ""),
        ("to their mana pool", ""),
        ("to his or her mana pool", ""),
        ("shuffle his or her library", "shuffle"),
        ("shuffles his or her library", "shuffles"),
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
        ("is put into a graveyard from the battlefield", "dies"),
        ("are put into a graveyard from the battlefield", "die"),
        ("once during each of your turns", "once on each of your turns"),
        ("only any time you could cast a sorcery", "only as a sorcery"),
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
        ("under the control of that card 's owner", "under its owner 's control"),
        ("is indestructible this turn", "is indestructible until end of turn"),
        ("under you control", "under your control"),
        ("all other cards revealed this way", "the rest"),
        ("the other cards revealed this way", "the rest"),
        ("all other revealed cards", "the rest"),
        ("when you discard a card this way ,", "when you do ,"),
        ("if it has madness ,", "if it's a card with madness ,"),
        ("instead that player skips that draw and you draw a card", "instead you draw a card"),
        ("at random from their hand", "from their hand at random"),
        ("at random from his or her hand", "from their hand at random"),
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


def same_wording(words: list[str]) -> list[str]:
    """Old wordings put into the one that the grammar reads."""
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
