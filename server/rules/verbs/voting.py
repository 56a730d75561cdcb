"""Votes (current 701.38): each player in turn order, openly one after the other or in secret all together, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeAlias, cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.casting import within_reach
from server.rules.characteristics import amount, things
from server.rules.functioning import rules
from server.rules.model import (
    MOST_VOTES,
    VOTED_FOR,
    AnyAnswer,
    AnyQuestion,
    Choice,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    events,
    lookup,
    player_ref,
    votes_for,
)
from server.rules.model import (
    votes as told,
)
from server.rules.verbs.next_instruction import Asking, goes_on

#: What one player voted for, so often as this player votes: each a word, or an object or player.
Ballot: TypeAlias = "tuple[int, tuple[Ref | str, ...]]"


def _vote(state: State, frame: RunFrame, verb: forms.Vote) -> Asking:
    """Current 701.38a: beginning with the controller in turn order, each choice seen by whoever votes later unless it is secret."""
    scope = frame.scope
    cast_so_far = cast("tuple[Ballot, ...]", frame.memory)
    through = [seat for seat, _ in cast_so_far]
    left = [seat for seat in _voters(state, scope) if seat not in through]
    if not left:
        return _counted(frame, verb, cast_so_far)
    batch: list[events.Event] = []
    for seat in left if verb.secret else left[:1]:
        votes = yield from _votes_of(state, seat, verb, scope)
        cast_so_far = (*cast_so_far, (seat, votes))
        batch += (_told(seat, vote, scope.source) for vote in votes)
    return Next(replace(frame, memory=cast_so_far), batch=tuple(batch))


def _voters(state: State, scope: Scope) -> list[int]:
    """All players in turn order; 801.10: of those within range of the controller."""
    order = lookup.turn_order(state, scope.controller)
    return [seat for seat in order if lookup.reaches(state, scope.controller, player_ref(seat))]


def _votes_of(
    state: State, seat: int, verb: forms.Vote, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref | str, ...]]:
    """Current 701.38d: all the votes of a player at once. Who votes may be chosen for by another; for one who has left the voter does
    (current 800.4g)."""
    choosing = (found.controller for _, found in rules(state, seat, "votes as chosen"))
    choosers = [one for one in choosing if lookup.present(state, one)]
    chooser = choosers[-1] if choosers else seat
    options: tuple[Ref | str, ...] = verb.options
    least = 1
    if verb.among is not None:
        reading = cast(nouns.Choose, verb.among.reading)
        options, least = within_reach(state, chooser, things(state, reading.of, scope)), 0 if reading.up_to else 1
    turns = [least]
    for rule, found in rules(state, seat, "votes again"):
        turns += [0 if rule.free else least] * amount(state, rule.number, found)
    votes: list[Ref | str] = []
    for fewest in turns:
        picks = yield from ask.choose(chooser, tuple(map(_choice, options)), fewest, 1, "vote", scope.source)
        votes += (options[i] for i in picks)
    return tuple(votes)


def _choice(one: Ref | str) -> Choice:
    return Choice(word=one, text=one) if isinstance(one, str) else Choice(ref=one)


def _told(seat: int, vote: Ref | str, source: Ref) -> told.Votes:
    given = told.Votes(subject=player_ref(seat), amount=1, by=source)
    return replace(given, value=vote) if isinstance(vote, str) else replace(given, object=vote)


def _counted(frame: RunFrame, verb: forms.Vote, ballots: tuple[Ballot, ...]) -> Next:
    """Goes on knowing how many votes each choice got, and what got most."""
    voters: dict[Ref | str, list[Ref]] = {word: [] for word in verb.options}
    for seat, votes in ballots:
        for vote in votes:
            voters.setdefault(vote, []).append(player_ref(seat))
    scope = frame.scope
    for word in verb.options:
        scope = scope.bind(votes_for(word), len(voters[word]))
    most = max(map(len, voters.values()), default=0)
    chosen = [one for one, by in voters.items() if isinstance(one, int) and len(by) == most]
    received = [one for one, by in voters.items() if isinstance(one, int) for _ in by]
    scope = scope.bind(MOST_VOTES, tuple(chosen)).bind(VOTED_FOR, tuple(received))
    sides = tuple(tuple(by) for by in voters.values() if by)
    done = told.Voted(subject=player_ref(scope.controller), amount=1, by=scope.source, ballots=sides)
    return Next(goes_on(frame, scope).then, batch=(done,) if sides else ())


VOTE_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {forms.Vote: _vote}
