"""Whether an event is one that a pattern describes, for triggers and for replacement effects alike.

`names` says by which pattern names an event can be found, so that abilities are looked up by name and not asked one by one;
`match` tells whether all parts fit, and what the event binds for the ability: "it", "player", "amount", "source" ...
"""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.forms import Pattern
from server.cards.nouns import Noun
from server.rules.characteristics import characteristics, fits, holds, refs, select
from server.rules.functioning.ballots import ballots
from server.rules.functioning.doers import doer, shuffled
from server.rules.functioning.rooms import dungeon_completed, of_dungeons, room_entered
from server.rules.model import (
    LORE,
    READ_AHEAD,
    Abilities,
    Bindings,
    BoundNumber,
    BoundRefs,
    BoundWord,
    Counted,
    Object,
    Ref,
    Scope,
    State,
    all_of,
    events,
    evolve,
    in_text,
    lookup,
    object_or_last,
    player_ref,
    rare,
    remember,
    seat_of,
    this_turn,
    walk,
)


def names(event: events.Event) -> tuple[str, ...]:
    """The pattern names under which an event can be found."""
    if isinstance(event, events.Move):
        return _move_names(event)
    if isinstance(event, events.Damage):
        return ("damage", "damage dealt to")
    if isinstance(event, events.CreateTokens):
        return ("token created",)
    if isinstance(event, events.AddMana):
        return ("mana added", "tapped for mana") if event.tapped else ("mana added",)
    if isinstance(event, events.TurnedOver):
        return ("transformed",) if event.cause == "transform" else ()
    if isinstance(event, events.Blocks):  # what enters blocking has not blocked (509.7)
        return ("becomes blocked by",) if event.cause == "put" else ("blocks", "becomes blocked by")
    if isinstance(event, events.Attacks):
        return ("attacks", "attacks alone") if event.amount == 1 else ("attacks",)
    if isinstance(event, events.Chosen | events.Ceases):
        return of_dungeons(event)
    return (event.__struct_config__.tag,)  # type: ignore[return-value]


def _move_names(event: events.Move) -> tuple[str, ...]:
    cause = event.cause
    if cause == "sacrifice":
        return ("zone change", "sacrifice")
    if cause == "discard":
        return ("zone change", "discard")
    if cause == "venture":
        return ("room entered",)
    if cause == "cycling":
        return ("zone change", "discard", "cycled")
    if not event.became:
        return ("zone change",)  # drawing and making tokens are replaced as such, before they are moves
    if cause == "draw":
        return ("zone change", "draw")
    if cause == "copy" and event.to == "stack":
        return ("zone change", "copied")
    if event.from_ == "" and event.to == "battlefield" and event.subject == 0:
        return ("zone change", "token created")
    if event.to == "battlefield":
        return ("zone change", "attached")
    return ("zone change",)


def match(state: State, pattern: Pattern, event: events.Event, name: str, scope: Scope) -> Bindings | None:
    """What the event binds for an ability with this pattern, or None if it does not fit.

    `scope` is the ability's: its source, its controller and its own bindings. `name` is the pattern name under which the
    event was found.
    """
    if isinstance(event, events.Loses):
        state = _still_there(state, event.subject)
    parts = MATCHERS.get(name, _plain)(state, pattern, event)
    if parts is None:
        return None
    subject, obj, by = parts
    tokens = isinstance(event, events.CreateTokens)  # of which no object exists yet
    if not (_fit(state, pattern.subject, subject, scope) and (tokens or _fit(state, pattern.object, obj, scope))):
        return None
    by = doer(state, pattern, event, by)
    if not _fit(state, pattern.by, by, scope):
        return None
    if pattern.reached and not _reaches(event, pattern.reached):
        return None
    if pattern.nth and name == "counters put":
        if not _reached(state, pattern, event):
            return None
    elif pattern.nth < 0:
        if _is_first_of_draw_step(state, event, subject):
            return None
    elif pattern.nth and pattern.nth != _ordinal(state, event, name, subject):
        return None
    found = _bindings(state, event, name, subject, obj, by)
    if isinstance(event, events.Move) and pattern.subject is not None and _says_whose(pattern.subject):
        # 400.3: "whenever a creature is put into an opponent's graveyard, that player ..." is its owner.
        own = object_or_last(state, subject)
        found = (*found, (BoundRefs.PLAYER, (player_ref(own.owner),))) if own is not None else found
    found = (*found, *_bearer(state, pattern, scope), *_spoken_of(state, pattern, event, subject, obj))
    if isinstance(event, events.Move) and pattern.subject is not None and pattern.subject.text.startswith("enchanted "):
        # 400.7e (current 400.7f): the Aura, too, is found in the graveyard into which it is put with that or after it.
        found = (*found, (BoundRefs.FOLLOW, (event.subject, scope.source)))
    if pattern.condition is not None:
        told = Scope(scope.source, scope.controller, scope.entry, (*found, *scope.bindings))
        if not holds(state, pattern.condition, told):
            return None
    if isinstance(event, events.Blocks) and pattern.object is not None:
        # "whenever enchanted creature blocks a creature": that creature is the other of the two.
        other = subject if scope.source == obj or scope.source != subject and _is_any(pattern.subject) else obj
        found = (*found, (BoundRefs.CREATURE, (other,)))
        if scope.source not in (subject, obj):
            found = (*found, (BoundRefs.IT, (obj if other == subject else subject,)))
    return found


def is_one(state: State, pattern: Pattern, event: events.Event, scope: Scope) -> bool:
    """Whether an event is what a pattern describes."""
    return pattern.event in names(event) and match(state, pattern, event, pattern.event, scope) is not None


def _still_there(state: State, loser: Ref) -> State:
    """The game as it was with who loses it, of whom an ability speaks as of any player."""
    return evolve(
        state, players=tuple(replace(p, lost="") if player_ref(p.seat) == loser else p for p in state.players)
    )


def _bearer(state: State, pattern: Pattern, scope: Scope) -> Bindings:
    """ "That creature" after "the upkeep of enchanted creature's controller"."""
    whose = pattern.whose.reading if pattern.whose is not None else None
    if not isinstance(whose, nouns.ControllerOf) or not isinstance(whose.of, nouns.Attached):
        return ()
    return ((BoundRefs.IT, refs(state, whose.of, scope)),)


def _spoken_of(state: State, pattern: Pattern, event: events.Event, subject: Ref, obj: Ref) -> Bindings:
    """Which of the two things of an event "that creature" and "that player" are, where the pattern speaks of one only."""
    found: list[tuple[str, tuple[Ref, ...] | int | str]] = []
    if isinstance(event, events.Damage) and _introduces(pattern.subject) and not _introduces(pattern.object):
        found.append((BoundRefs.CREATURE, (subject,)))  # "whenever a creature deals damage to {this}"
    if pattern.event == "attached" and _introduces(pattern.object):
        found.append((BoundRefs.CREATURE, (obj,)))  # "whenever {this} becomes attached to a creature"
    if isinstance(event, events.BecameTarget) and (pattern.object is None or _introduces(pattern.object)):
        found.append((BoundRefs.SPELL, (obj,)))  # "the target of a spell, counter that spell"
    said = [ref for noun, ref in ((pattern.subject, subject), (pattern.object, obj)) if _names_a_player(noun)]
    people = any(ref < 0 and _introduces(noun) for noun, ref in ((pattern.subject, subject), (pattern.object, obj)))
    whose = object_or_last(state, said[0]) if len(said) == 1 and said[0] > 0 and not people else None
    if whose is not None and not isinstance(event, events.Move):
        found.append(
            (BoundRefs.PLAYER, (player_ref(whose.controller),))
        )  # "the target of a spell an opponent controls"
    return tuple(found)


def _introduces(noun: Noun | None) -> bool:
    """Whether it is something that was not spoken of before ("a creature", "an opponent")."""
    return noun is not None and isinstance(noun.reading, nouns.Choose)


def _names_a_player(noun: Noun | None) -> bool:
    """Whether it is a thing that "an opponent" or "a player" controls."""
    parts = walk(noun.reading) if noun is not None else ()
    return any(isinstance(part, nouns.ControlledBy) and isinstance(part.by, nouns.Players) for part in parts)


def _is_any(noun: Noun | None) -> bool:
    """Whether it is "a creature" and no more."""
    if noun is None:
        return True
    return isinstance(noun.reading, nouns.Choose) and noun.reading.of.objects == nouns.HasType("creature")


def _says_whose(noun: Noun) -> bool:
    """Whether a kind speaks of who owns things, and not of who controls them, other than you."""
    kind = nouns.kind_of(noun.reading)
    parts = tuple(walk(kind.objects)) if kind is not None else ()
    owned = any(isinstance(part, nouns.OwnedBy) for part in parts)
    return owned and not any(isinstance(p, nouns.ControlledBy) and not isinstance(p.by, nouns.You) for p in parts)


def _reached(state: State, pattern: Pattern, event: events.Event) -> bool:
    """Whether counters were fewer than so many and are at least so many now (current 714.2b)."""
    found = state.objects.get(event.subject)
    if found is None:
        return False
    now = lookup.count(found.counters, pattern.counter)
    if pattern.counter == LORE and _skips_chapters(state, found, characteristics(state, found.id).abilities):
        return now == pattern.nth
    return now - event.amount < pattern.nth <= now


def _reaches(event: events.Event, total: int) -> bool:
    return isinstance(event, events.Expended) and event.before < total <= event.amount


def _skips_chapters(state: State, found: Object, abilities: Abilities) -> bool:
    """Whether only the chapter with just as many counters triggers: a Saga read ahead, this turn (current 702.155a)."""
    return READ_AHEAD in abilities.keywords and found.entered == state.turn.number


def _ordinal(state: State, event: events.Event, name: str, subject: Ref) -> int:
    """Which of its kind the event was this turn. Cards are drawn one by one (120.2), though several may arrive together."""
    if isinstance(event, events.Move) and event.nth:
        return event.nth
    if isinstance(event, events.StepBegins):
        return this_turn(state, Counted.MAIN_PHASES, subject)
    counted = {"cast": Counted.SPELLS, "attacks": Counted.THING_ATTACKED}.get(name)
    return this_turn(state, counted or in_text(name), subject)


def _is_first_of_draw_step(state: State, event: events.Event, subject: Ref) -> bool:
    """Whether a card is the first that the player draws in the draw step of that player's turn, of those drawn or before it is."""
    if state.turn.step != "draw" or subject >= 0 or not lookup.is_active(state, seat_of(subject)):
        return False
    drawn = this_turn(state, Counted.DRAWN_IN_DRAW_STEP, subject)
    if isinstance(event, events.Move) and event.nth:
        return event.nth == this_turn(state, Counted.DRAWN, subject) - drawn + 1
    return not drawn


def _fit(state: State, noun: Noun | None, ref: Ref, scope: Scope) -> bool:
    if noun is None:
        return True
    if ref == 0:
        return False
    return fits(state, noun.reading, ref, scope)


def _bindings(state: State, event: events.Event, name: str, subject: Ref, obj: Ref, by: Ref) -> Bindings:
    # 107.3g: the X of the cost for which it was turned up, or cycled
    of_x = isinstance(event, events.Designated | events.TurnFaceUp) or event.cause == "cycling"
    number = BoundNumber.X if of_x else BoundNumber.AMOUNT
    found: list[tuple[str, tuple[Ref, ...] | int | str]] = [(number, event.amount), *ballots(event)]
    if isinstance(event, events.Damage):
        found.append((BoundRefs.SOURCE, (event.subject,)))
        found.append(
            (BoundRefs.IT, (event.object,) if event.object > 0 and name == "damage dealt to" else (event.subject,))
        )
        found.append((BoundRefs.RECIPIENT, (event.object,)))
        if event.object < 0:
            found.append((BoundRefs.PLAYER, (event.object,)))
        elif (recipient := object_or_last(state, event.object)) is not None:
            found.append((BoundRefs.PLAYER, (player_ref(recipient.controller),)))
            found.append((BoundRefs.CREATURE, (event.object,)))
        return tuple(found)
    things = [r for r in (subject, obj) if r > 0]
    people = [r for r in (subject, obj) if r < 0]
    if things:
        found.append((BoundRefs.IT, (things[0],)))
    if len(things) > 1:
        found.append((BoundRefs.OTHER, (things[1],)))
    if people:
        found.append((BoundRefs.PLAYER, (people[0],)))
    elif things and (thing := object_or_last(state, things[0])) is not None:
        found.append((BoundRefs.PLAYER, (player_ref(thing.controller),)))
    if by:
        found.append((BoundRefs.SOURCE, (by,)))
    if isinstance(event, events.Cast):
        cast_so_far = sum(n for _, n in all_of(state, Counted.SPELLS))
        found.append((BoundNumber.SPELLS_BEFORE, cast_so_far - 1))
        found.append(
            (BoundNumber.INSTANTS_BEFORE, max(0, this_turn(state, Counted.INSTANTS_AND_SORCERIES, event.subject) - 1))
        )
    if isinstance(event, events.AddMana):
        found.append((BoundWord.PRODUCED, "".join(c for c, n in zip("WUBRGC", event.mana, strict=True) if n)))
    if isinstance(event, events.Expended):
        found.append((BoundNumber.SPENT, event.amount))
    if isinstance(event, events.Move):
        found.append((BoundRefs.FOLLOW, (event.subject,)))  # 400.7: no further than the move that it speaks of
    if isinstance(event, events.Attacks | events.BecomesBlocked | events.Blocks | events.BecomesUnblocked):
        attacker = event.object if isinstance(event, events.Blocks) else event.subject
        if state.combat is not None:
            for a in state.combat.attackers:
                if a.id == attacker:
                    found.append(
                        (BoundRefs.DEFENDING, tuple(map(player_ref, lookup.attacked_with(state, a.defending))))
                    )
    return tuple(found)


Parts = tuple[Ref, Ref, Ref]


def _plain(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    return event.subject, event.object, event.by


def _zone_change(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    assert isinstance(event, events.Move)
    from_ = event.from_
    if not event.became and not from_ and event.subject in state.objects:
        from_ = state.objects[event.subject].zone
    if pattern.to is not None and pattern.to != event.to:
        return None
    if pattern.from_ is not None and pattern.from_ != from_:
        return None
    if pattern.not_from is not None and pattern.not_from == from_:
        return None
    if pattern.not_to is not None and pattern.not_to == event.to:
        return None
    if pattern.from_ is None and pattern.to is None and from_ == event.to:
        return None
    if pattern.cause and event.cause not in pattern.cause.split():
        return None
    # 603.6, 603.10: what leaves the battlefield is looked at as it was there; what enters, as it is now, and so is what is put
    # into a graveyard "from anywhere" (603.6c).
    anywhere = pattern.to == "graveyard" and pattern.from_ is None
    entered = event.became and not (from_ == "battlefield" and pattern.to != "battlefield" and not anywhere)
    if not entered and not event.subject:  # a further card of a permanent that has left as one (current 712.21)
        return None
    return event.became if entered else event.subject, 0, event.by


def _of_player(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    """Discards and draws: the player does it, the card is the object."""
    if isinstance(event, events.Move):
        card = event.became or event.subject
        found = object_or_last(state, card)
        if found is None:
            return None
        return player_ref(found.owner), card, event.by
    return event.subject, 0, event.by


def _copied(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    """A copy of a spell: its controller makes it, and it is the object (706.10)."""
    assert isinstance(event, events.Move)
    return player_ref(event.controller), event.became, event.by


def _token(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    if isinstance(event, events.CreateTokens):
        if pattern.object is not None and not _such_tokens(state, pattern.object, event):
            return None
        return event.subject, 0, event.by
    assert isinstance(event, events.Move)
    return event.became, 0, event.by


def _such_tokens(state: State, noun: Noun, event: events.CreateTokens) -> bool:
    """Whether tokens that would be created are of a kind, looked at as they would be on the battlefield (614.12)."""
    if event.definition is None:
        return False
    seat = seat_of(event.subject)
    token = Object(state.next_id, event.definition, seat, seat, "battlefield", rare=rare(token=True))
    view = evolve(state, objects={**state.objects, token.id: token}, battlefield=(*state.battlefield, token.id))
    return fits(view, noun.reading, token.id, Scope(0, seat))


def _damage(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    assert isinstance(event, events.Damage)
    if pattern.combat is not None and pattern.combat != event.combat:
        return None
    return event.subject, event.object, event.by


def _damage_to(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    assert isinstance(event, events.Damage)
    return None if pattern.combat not in (None, event.combat) else (event.object, event.subject, event.subject)


def _counters(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    if pattern.counter and pattern.counter != getattr(event, "counter", ""):
        return None
    other = pattern.cause in ("cost", "damage") and pattern.cause != event.cause
    if other or pattern.cause == "effect" and event.cause in ("cost", "lore"):
        return None
    return event.subject, 0, event.by


def _step(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    assert isinstance(event, events.StepBegins)
    if pattern.step and pattern.step != event.step:
        return None
    return event.subject, 0, 0


def _tapped_for_mana(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    return event.by, event.subject, event.by


def _caused(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    if pattern.cause and pattern.cause != event.cause:
        return None
    return event.subject, event.object, event.by


def _played(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    """A land that is played: its cause is the zone it is played from."""
    if pattern.cause not in ("", event.cause) or pattern.not_from == event.cause:
        return None
    return event.subject, event.object, event.by


def _search(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    """One's "own" library is searched only where it is that of who searches."""
    return None if pattern.cause == "own" and event.subject != event.object else (event.subject, event.object, event.by)


def _attached(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    """What becomes attached, and to what; what enters the battlefield attached does so too (701.3a, 303.4f)."""
    subject = event.became if isinstance(event, events.Move) else event.subject
    found = state.objects.get(subject)
    host = event.object if isinstance(event, events.Attach) else found.attached_to if found is not None else 0
    return (subject, host, event.by) if host else None


def _activated(state: State, pattern: Pattern, event: events.Event) -> Parts | None:
    """With a cause the ability of that keyword, or a loyalty ability."""
    if pattern.cause == "loyalty":
        fit = isinstance(event, events.Activated) and event.loyalty
    else:
        found = state.objects.get(event.object)
        ability = found.entry.ability if found is not None and found.entry is not None else None
        fit = not pattern.cause or isinstance(ability, forms.ActivatedAbility) and ability.keyword == pattern.cause
    return (event.subject, event.object, event.by) if fit else None


MATCHERS = {
    "activated": _activated,
    "attached": _attached,
    "zone change": _zone_change,
    "discard": _of_player,
    "cycled": _of_player,
    "draw": _of_player,
    "copied": _copied,
    "token created": _token,
    "create": _token,
    "damage": _damage,
    "damage dealt to": _damage_to,
    "counters put": _counters,
    "counters removed": _counters,
    "step": _step,
    "tapped for mana": _tapped_for_mana,
    "player loses": _caused,
    "keyword action": _caused,
    "life gain": _caused,
    "life loss": _caused,
    "designated": _caused,
    "coin flipped": _caused,
    "land played": _played,
    "search": _search,
    "shuffle": shuffled,
    "room entered": room_entered,
    "dungeon completed": dungeon_completed,
}


def whose_fits(
    state: State, pattern: Pattern, event: events.Event, scope: Scope, ability: forms.TriggeredAbility
) -> bool:
    """Whether a step is in the turn of one of the players that the pattern means. In a turn that a team shares, what triggers in each
    player's step does so for each player of the team if it speaks of that player, else once (current 805.4d)."""
    said = None if pattern.whose is None else pattern.whose.reading
    if isinstance(said, nouns.Things):
        return fits(state, said, event.subject, scope)
    if pattern.whose is not None and not isinstance(said, nouns.Players | nouns.Each):
        return event.subject in select(state, pattern.whose, scope)
    team = lookup.together(state, seat_of(event.subject))
    meant = [player_ref(seat) for seat in team if said is None or fits(state, said, player_ref(seat), scope)]
    return event.subject in (meant if _speaks_of_its_player(ability) else meant[:1])


_OF_ITS_PLAYER = ("that player", "that opponent")
_speaking: dict[int, tuple[object, bool]] = {}


def _speaks_of_its_player(ability: forms.TriggeredAbility) -> bool:
    """Whether an ability says "that player" of whose step it is; remembered by its identity."""
    known = _speaking.get(id(ability))
    if known is None or known[0] is not ability:
        said = (node.text for node in walk(ability) if isinstance(node, Noun))
        known = remember(
            _speaking, id(ability), (ability, any(words in text for text in said for words in _OF_ITS_PLAYER))
        )
    return known[1]
