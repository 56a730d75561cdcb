"""What a player types as an act, as the rules take it: names of the table for seats and objects, the words as the journal keeps them."""

from __future__ import annotations

import re

from protocol.questions import ActAnswer
from protocol.refusals import Code, Refusal
from server.oracle.acts import ActFault, read_act
from server.rules.model import Act, State, player_ref


def act_of(state: State, answer: ActAnswer) -> Act:
    """The act of an answer to the state's open question. Raises `Refusal`: not_an_act."""
    if not answer.line.strip():
        return Act()
    source = state.objects.get(state.pending.source) if state.pending is not None else None
    players = {player.name: player.seat for player in state.players}
    try:
        said = read_act(answer.line, source.definition.name if source is not None else "", players, answer.reading)
    except ActFault as fault:
        raise Refusal(Code.NOT_AN_ACT, fault.why, path="answer.line") from None
    named = (
        *((f"player{seat}", (player_ref(seat),)) for seat in said.seats),
        *((str(number), (number,)) for number in said.objects),
    )
    return Act(do=said.do, said=_kept(answer.line, players), named=named)


def _kept(line: str, players: dict[str, int]) -> str:
    """The line as the journal keeps it, with seats for names, which a journal may come to call otherwise."""
    line = " ".join(line.split())
    for name, seat in sorted(players.items(), key=lambda pair: -len(pair[0])):
        line = re.sub(rf"(?<![\w$#]){re.escape(name)}(?!\w)", f"$player{seat}", line)
    return line
