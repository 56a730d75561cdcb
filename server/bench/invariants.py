"""The laws of the engine, as checks of one state, of one open question, of one viewer's view.

Each check returns sentences, one for each law that is broken; none means that all hold. They are written from the rules
and from the shape of the state, not from the code that they check. `tests/rules` and the fuzzer share them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from protocol.patch import Tree
from server import rules
from server.cards.forms import Card
from server.knowledge.faces import face_of
from server.knowledge.views import Views
from server.rooms import RULES
from server.rules import Illegal, State, characteristics
from server.rules.casting import actions_in_full
from server.rules.characteristics import board, is_indestructible, layers
from server.rules.functioning import EXILE, outside
from server.rules.model import Characteristics, Object, define
from server.rules.model import questions as q
from server.rules.turn import legal, state_based

PUBLIC = ("battlefield", "stack", "graveyard", "exile", "command")


def deck_counts(decks: tuple[tuple[Card, ...], ...]) -> tuple[Counter[str], ...]:
    """For each seat how many of each card it brought, by the definitions' keys."""
    return tuple(Counter(define(card).key for card in deck) for deck in decks)


# --- zones ---------------------------------------------------------------------------------------------------------------


def zones(state: State) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Every zone: its name, its player (-1: shared), its ids."""
    yield "battlefield", -1, state.battlefield
    yield "stack", -1, state.stack
    yield "exile", -1, state.exile
    yield "command", -1, state.command
    for p in state.players:
        yield "hand", p.seat, p.hand
        yield "library", p.seat, p.library
        yield "graveyard", p.seat, p.graveyard


def is_card(thing: Object) -> bool:
    """Whether an object is a card that somebody brought: no token, no ability, no copy, no emblem."""
    if thing.token or (thing.zone == "command" and not thing.definition.card.types):
        return False
    return thing.entry is None or (thing.entry.kind == "spell" and not thing.entry.copied)


def structure(state: State, counts: tuple[Counter[str], ...]) -> list[str]:
    """Every object is in exactly one zone and knows it; every card of every deck is there exactly once (400.1, 108.2)."""
    broken: list[str] = []
    placed: dict[int, str] = {}
    objects = state.objects
    for name, seat, ids in zones(state):
        for oid in ids:
            if oid in placed:
                broken.append(f"object {oid} is in {placed[oid]} and in {name}")
            placed[oid] = name
            thing = objects.get(oid)
            if thing is None:
                broken.append(f"{name} holds {oid}, which is no object")
            elif thing.id != oid or thing.zone != name:
                broken.append(f"object {oid} is in {name}, but says {thing.id} in {thing.zone}")
            elif seat >= 0 and thing.owner != seat:
                broken.append(f"object {oid} of player {thing.owner} is in the {name} of player {seat} (400.3)")
    if len(placed) != len(objects):
        broken += [f"object {oid} is in no zone" for oid in objects if oid not in placed]
    if not broken:
        broken = _conserved(state, counts)
    return broken


def _conserved(state: State, counts: tuple[Counter[str], ...]) -> list[str]:
    """No card is lost or made. Cards leave with their owner (800.4a)."""
    found: tuple[Counter[str], ...] = tuple(Counter() for _ in counts)
    for thing in state.objects.values():
        if thing.merged:
            for part in thing.merged:
                found[part.owner][part.definition.key] += not part.token
        elif is_card(thing):
            found[thing.owner][(thing.printed or thing.definition).key] += 1
    broken: list[str] = []
    for p in state.players:
        wanted = counts[p.seat]
        if p.lost and state.result is None:
            wanted = Counter()
        if found[p.seat] != wanted and not (p.lost and not found[p.seat]):
            broken.append(f"cards of player {p.seat}: lost {wanted - found[p.seat]}, made {found[p.seat] - wanted}")
    return broken


# --- what a state says of itself -----------------------------------------------------------------------------------------


def sound(state: State) -> list[str]:
    """References lead somewhere, numbers are in their ranges, somebody who is in the game is asked something answerable."""
    broken: list[str] = []
    for p in state.players:
        if any(n < 0 for n in p.pool) or any(n <= 0 for _, n in p.counters):
            broken.append(f"player {p.seat} has less than no mana or counters")
    for thing in state.objects.values():
        if thing.counters and any(n <= 0 for _, n in thing.counters):
            broken.append(f"object {thing.id} has counters {thing.counters}")
        if thing.zone != "battlefield":
            if thing.damage or thing.tapped or thing.attached_to or thing.attachments:
                broken.append(f"object {thing.id} in {thing.zone} is marked as a permanent")
            continue
        broken += _attached(state, thing)
    broken += _combat(state)
    broken += _teams(state)
    if state.result is None:
        broken += _asked(state)
    if any(oid >= state.next_id for oid in state.objects):
        broken.append("an object has an id that is not given out yet")
    return broken


def _teams(state: State) -> list[str]:
    """Heads of one giant have one life total, one number of poison counters, but for 2009 (806), and one end (810.4, 810.8a, 810.10);
    a team without its emperor is none (809.5b)."""
    options = state.options
    poison = state.edition.shared_poison
    broken: list[str] = []
    for number in dict.fromkeys(options.teams):
        team = [p for p in state.players if options.teams[p.seat] == number]
        if (
            options.shared
            and len({(p.life, poison and dict(p.counters).get("poison", 0), bool(p.lost)) for p in team}) > 1
        ):
            broken.append(f"the heads of team {number} differ in life, poison or being there")
        if any(p.lost for p in team if p.seat in options.emperors) and not all(p.lost for p in team):
            broken.append(f"team {number} plays on without its emperor")
    return broken


def _attached(state: State, thing: Object) -> list[str]:
    broken: list[str] = []
    host = state.objects.get(thing.attached_to)
    # What phased out by itself remembers its host, which does not know it meanwhile (702.24h).
    alone = thing.phased_out and not thing.phased_with
    if thing.attached_to > 0 and host is not None and not alone and thing.id not in host.attachments:
        broken.append(f"object {thing.id} is attached to {host.id}, which does not know it")
    for oid in thing.attachments:
        other = state.objects.get(oid)
        if other is None or other.attached_to != thing.id:
            broken.append(f"object {thing.id} has {oid} attached, which does not know it")
    return broken


def _combat(state: State) -> list[str]:
    if state.combat is None:
        return []
    broken: list[str] = []
    for fighter in (*state.combat.attackers, *state.combat.blockers):
        thing = state.objects.get(fighter.id)
        if thing is None or thing.zone != "battlefield":
            broken.append(f"{fighter.id} is in combat, but not on the battlefield (506.4)")
    return broken


def _asked(state: State) -> list[str]:
    question = state.pending
    if question is None or not state.agenda:
        return ["nobody is asked, and the game is not over"]
    if state.players[question.seat].lost:
        return [f"player {question.seat} is asked, who has left the game"]
    if isinstance(question, q.PriorityQuestion):
        return _priority(state, question)
    if isinstance(question, q.ChooseQuestion) and not 0 <= question.least <= question.most <= len(question.options):
        return [f"between {question.least} and {question.most} of {len(question.options)} are to be picked"]
    if isinstance(question, q.NumberQuestion) and question.least > question.most:
        return [f"a number from {question.least} to {question.most} is asked for"]
    return []


def _priority(state: State, question: q.PriorityQuestion) -> list[str]:
    """Nobody gets priority before state-based actions have been checked (116.5, 704.5)."""
    broken: list[str] = []
    if not question.actions or question.actions[0].type != "pass":
        broken.append("the first action is not to pass")
    if len(dict.fromkeys(question.actions)) != len(question.actions):
        broken.append("an action is listed twice")
    if state.waiting:
        broken.append("triggered abilities wait while a player has priority (603.3)")
    for oid in state.objects:
        thing = state.objects[oid]
        if thing.token and thing.zone not in ("battlefield", "stack", "command"):
            broken.append(f"token {oid} is in {thing.zone} (704.5d)")
    for oid in state.battlefield:
        c = characteristics(state, oid)
        thing = state.objects[oid]
        if thing.phased_out:
            continue
        if "creature" in c.types and c.toughness is not None:
            if c.toughness <= 0:
                broken.append(f"creature {oid} has toughness {c.toughness} (704.5f)")
            elif thing.damage >= c.toughness and not is_indestructible(state, oid):
                broken.append(f"creature {oid} has {thing.damage} damage and toughness {c.toughness} (704.5g)")
        if "planeswalker" in c.types and dict(thing.counters).get("loyalty", 0) <= 0:
            broken.append(f"planeswalker {oid} has no loyalty (704.5i)")
    return broken


def remembered(state: State) -> list[str]:
    """What is remembered of a state is what is computed anew from it: characteristics, what can be done, what is due by itself and
    what cards ask for elsewhere."""
    fresh = replace(state, memo={})
    broken: list[str] = []
    for oid in state.objects:
        old, new = characteristics(state, oid), characteristics(fresh, oid)
        if old is not new and _others(old, new):
            broken.append(f"object {oid} is remembered as {_short(old)}, but is {_short(new)}")
    question = state.pending
    if isinstance(question, q.PriorityQuestion) and actions_in_full(state, question.for_seat) != question.actions:
        broken.append(f"the actions of player {question.for_seat} are others than those listed")
    if isinstance(question, q.PriorityQuestion) and state_based.check(fresh):
        broken.append("a state-based action is due that was not seen")
    for key in (EXILE, *range(len(state.players))):
        if outside(state, key) != outside(fresh, key):
            broken.append(f"cards outside the battlefield ({key}) ask for other things than those remembered")
    return broken


def followed(state: State) -> list[str]:
    """What effects make of the objects, followed from state to state, is what all layers applied to everything come to (613)."""
    made, full = board(state), layers.board_in_full(state)
    broken: list[str] = []
    for oid in made.changed.keys() | full.changed.keys():
        old, new = made.changed.get(oid), full.changed.get(oid)
        if old is None or new is None or _others(old, new):
            broken.append(f"object {oid} is followed as {_short(old)}, but is {_short(new)}")
    for oid in made.flags.keys() | full.flags.keys():
        if made.flags.get(oid) != full.flags.get(oid):
            broken.append(f"the rules about object {oid} are others than those followed")
    index = made.index
    for name in index.__slots__:
        if getattr(index, name) != getattr(full.index, name):
            broken.append(f"the index has others under {name} than those followed")
    if (made.alters, made.for_spells, made.copies) != (full.alters, full.for_spells, full.copies):
        broken.append("what effects give or copy is other than followed")
    return broken


def _others(old: Characteristics, new: Characteristics) -> bool:
    """Whether two characteristics differ. Abilities are made anew for what gains them."""
    had, has = old.abilities, new.abilities
    return (had.all, had.keywords) != (has.all, has.keywords) or replace(old, abilities=has) != new


# --- answers -------------------------------------------------------------------------------------------------------------


def legal_answers(state: State, chance: random.Random, most: int = 40) -> list[q.AnyAnswer]:
    """Answers that the open question says are legal: all of them if they are no more than `most`, else a sample."""
    question = state.pending
    if question is None:
        return []
    if isinstance(question, q.PriorityQuestion):
        found: list[q.AnyAnswer] = [q.Take(i) for i in range(len(question.actions))]
        found += [q.Take(i, manual=True) for i, a in enumerate(question.actions) if a.type in ("cast", "activate")]
    elif isinstance(question, q.ConfirmQuestion):
        found = [q.Confirm(True), q.Confirm(False)]
    elif isinstance(question, q.NumberQuestion):
        found = [q.Number(n) for n in range(question.least, min(question.most, question.least + most) + 1)]
    elif isinstance(question, q.PaymentQuestion):
        found = [q.Pay(i) for i in range(-1, len(question.actions) + 1) if i or question.can_auto]
    elif isinstance(question, q.ChooseQuestion) and question.least <= 1 <= question.most:
        found = [q.Pick((i,)) for i in range(len(question.options))]
    else:
        found = []
    if len(found) > most:
        found = chance.sample(found, most)
    found.append(legal.default(question, state))
    found += [legal.sample(question, state, chance) for _ in range(3)]
    return found


def illegal_answers(question: q.AnyQuestion) -> list[q.AnyAnswer]:
    """Answers that are not legal, whatever the state: of another kind, out of range, twice the same, the wrong sum."""
    far = 10_000
    wrong: list[q.AnyAnswer] = [q.Confirm(True) if not isinstance(question, q.ConfirmQuestion) else q.Take(0)]
    if isinstance(question, q.PriorityQuestion):
        wrong += [q.Take(len(question.actions)), q.Take(-1)]
    elif isinstance(question, q.ChooseQuestion):
        wrong += [q.Pick((far,) * max(1, question.least)), q.Pick((-1,) * max(1, question.least))]
        wrong.append(q.Pick(tuple(range(question.most + 1))))
        if question.most >= 2:
            wrong.append(q.Pick((0, 0)))
        if question.least:
            wrong.append(q.Pick(()))
    elif isinstance(question, q.NumberQuestion):
        wrong += [q.Number(question.least - 1), q.Number(question.most + 1)]
    elif isinstance(question, q.OrderQuestion):
        n = len(question.options)
        wrong += [q.Order(tuple(range(n + 1))), q.Order((0,) * n if n > 1 else (1,)), q.Order(())]
    elif isinstance(question, q.DivideQuestion):
        n = len(question.options)
        wrong += [q.Divide((question.amount + 1, *(0,) * (n - 1))), q.Divide((-1,) * n), q.Divide(())]
    elif isinstance(question, q.AttackersQuestion):
        wrong.append(q.Attackers(((far, 0),)))
        if question.attackers:
            wrong += [q.Attackers(((0, far),)), q.Attackers(((0, 0), (0, 0))), q.Attackers(((-1, 0),))]
    elif isinstance(question, q.BlockersQuestion):
        wrong.append(q.Blockers(((far, 1),)))
        if question.blockers:
            wrong += [q.Blockers(((0, -far),)), q.Blockers(((-1, question.blockers[0].attackers[0]),))]
    elif isinstance(question, q.DamageQuestion):
        wrong += [q.AssignDamage(()), q.AssignDamage(tuple((far,) * len(a.options) for a in question.assigners))]
    elif isinstance(question, q.PaymentQuestion):
        wrong += [q.Pay(len(question.actions) + 1), q.Pay(-2)]
    return wrong


def answers_hold(state: State, counts: tuple[Counter[str], ...], chance: random.Random) -> list[str]:
    """Legal answers are accepted, illegal ones refused, a stranger's too; and trying them all changes nothing."""
    question = state.pending
    if question is None:
        return []
    broken: list[str] = []
    before = rules.fingerprint(state)
    for answer in legal_answers(state, chance):
        try:
            after, _ = rules.submit(state, question.seat, answer)
        except Illegal as refusal:
            broken.append(f"{_short(answer)} to {_short(question)} is listed, but refused: {refusal}")
            continue
        broken += [f"after {_short(answer)}: {fault}" for fault in (*structure(after, counts), *sound(after))]
    for answer in illegal_answers(question):
        try:
            rules.submit(state, question.seat, answer)
            broken.append(f"{_short(answer)} to {_short(question)} is not legal, but accepted")
        except Illegal:
            pass
    try:
        rules.submit(state, (question.seat + 1) % len(state.players), legal.default(question, state))
        broken.append("an answer of a player who is not asked is accepted")
    except Illegal:
        pass
    if rules.fingerprint(state) != before:
        broken.append("submitting to a fork changed the state it was forked from")
    return broken


# --- views ---------------------------------------------------------------------------------------------------------------


def may_see(thing: Object, viewer: int) -> bool:
    """Whether a viewer (-1: a spectator) may know which card an object is (400.2, 402.3, 401.2, 707.5)."""
    shown = viewer >= 0 and bool(thing.known >> viewer & 1)
    if thing.zone in PUBLIC:
        own = thing.zone in ("battlefield", "stack") and thing.controller == viewer
        return not thing.face_down or own or shown
    return shown or (thing.zone == "hand" and thing.owner == viewer)


class Watch:
    """Follows one game through `server.knowledge.views`, as a room does, and looks for what viewers may not know."""

    def __init__(self) -> None:
        self._views = Views(RULES)
        self._names: frozenset[str] = frozenset()

    def look(self, state: State, *, closely: bool = False) -> list[str]:
        """Every viewer's view of a state. `closely`: its words too, and against a view made anew from the state alone."""
        self._views.update(state)
        broken: list[str] = []
        shown = _shown_by_question(state)
        fresh = Views(RULES) if closely else None
        if fresh is not None:
            fresh.update(state)
        for viewer in range(-1, len(state.players)):
            tree = self._views.tree(None if viewer < 0 else viewer)
            mine = shown if state.pending is not None and viewer in (state.pending.seat, state.pending.whose) else ()
            broken += _ids_hidden(state, viewer, tree, mine)
            if fresh is not None:
                if fresh.tree(None if viewer < 0 else viewer) != tree:
                    broken.append(f"the view of {viewer} is not the one made anew")
                broken += _words_hidden(state, viewer, tree, mine)
        return broken


def _shown_by_question(state: State) -> tuple[int, ...]:
    """What a player chooses from is shown to that player (701.15a)."""
    question = state.pending
    if isinstance(question, q.ChooseQuestion | q.OrderQuestion | q.DivideQuestion):
        return tuple(option.ref for option in question.options if option.ref > 0)
    return ()


def _faces_hidden(state: State, viewer: int, mine: tuple[int, ...]) -> dict[object, int]:
    """How often the viewer may see which face in hidden zones, under an id that is none of the rules'."""
    found: dict[object, int] = {}
    for thing in state.objects.values():
        if thing.zone in ("hand", "library") and (may_see(thing, viewer) or thing.id in mine):
            place = (thing.zone, thing.owner, face_of(thing.definition))
            found[place] = found.get(place, 0) + 1
    return found


def _ids_hidden(state: State, viewer: int, tree: Tree, mine: tuple[int, ...]) -> list[str]:
    """No id of a card in a hidden zone, no face that the viewer may not know."""
    broken: list[str] = []
    things = tree.get("objects")
    unknown = _faces_hidden(state, viewer, mine)
    for key, seen in things.items() if isinstance(things, dict) else ():
        thing = state.objects.get(int(key))
        if thing is None and isinstance(seen, dict) and seen.get("zone") in ("hand", "library"):
            place = (seen["zone"], seen["owner"], seen.get("face"))
            unknown[place] = unknown.get(place, 0) - 1
            if unknown[place] < 0:
                broken.append(f"viewer {viewer} sees a card {place} that it cannot know")
        elif thing is None:
            broken.append(f"viewer {viewer} sees object {key}, which is gone")
        elif not may_see(thing, viewer) and thing.id not in mine:
            if thing.zone not in PUBLIC:
                broken.append(f"viewer {viewer} sees card {key} in the {thing.zone} of player {thing.owner}")
            elif isinstance(seen, dict) and "face" in seen:
                broken.append(f"viewer {viewer} sees the face of {key}, which is face down")
    players = tree["players"]
    assert isinstance(players, dict)
    for p in state.players:
        player = players[str(p.seat)]
        assert isinstance(player, dict)
        hand = player.get("hand", ())
        assert isinstance(hand, list | tuple)
        if p.seat != viewer and any(int(str(key)) in state.objects for key in hand):
            broken.append(f"viewer {viewer} sees the rules' own ids in the hand of player {p.seat}")
        if player.get("hand_count", 0) != len(p.hand):
            broken.append(f"viewer {viewer} sees another number of cards in the hand of player {p.seat}")
    return broken


def _words_hidden(state: State, viewer: int, tree: Tree, mine: tuple[int, ...]) -> list[str]:
    """No name and no face of a card that is nowhere to be seen for this viewer, wherever in the view it might stand."""
    seen: set[str] = set()
    hidden: dict[str, str] = {}
    for thing in state.objects.values():
        definition = thing.printed or thing.definition
        if may_see(thing, viewer) or thing.id in mine:
            seen.update((thing.definition.name, definition.name))
        else:
            hidden[definition.name] = face_of(definition)
    for last in state.last.values():
        seen.update((last.object.definition.name, last.characteristics.name))
    seen.update(_named(tree))
    words = msgspec.json.encode(tree).decode()
    broken: list[str] = []
    for name, face in hidden.items():
        if name in seen or any(name in other for other in seen):
            continue
        if f'"{face}"' in words or f'"{name}"' in words:
            broken.append(f"viewer {viewer} reads of {name!r}, which is hidden")
    return broken


def _named(tree: Tree) -> Iterator[str]:
    """Names that players have chosen for everyone to hear (201.3): they tell nothing of where such a card is."""
    things = tree.get("objects")
    for seen in things.values() if isinstance(things, dict) else ():
        notes = seen.get("notes") if isinstance(seen, dict) else None
        if isinstance(notes, dict):
            yield from (text for text in notes.values() if isinstance(text, str))


def _short(thing: object) -> str:
    text = repr(thing)
    return text if len(text) <= 160 else text[:157] + "..."
