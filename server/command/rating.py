"""Ratings by openskill's Plackett-Luce, which begins at 25. Imported only where a server has a ladder: openskill is an extra."""

from __future__ import annotations

from collections.abc import Sequence

from openskill.models import PlackettLuce

from server.lobby.ladder import Skill


class ByPlackettLuce:
    """See `server.lobby.ladder.Rater`."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        new = self._model.rating()
        self.new: Skill = (new.mu, new.sigma)

    def after(self, teams: Sequence[Sequence[Skill]], ranks: Sequence[int], /) -> list[list[Skill]]:
        """See `server.lobby.ladder.Rater`."""
        playing = [[self._model.rating(mu=mu, sigma=sigma) for mu, sigma in team] for team in teams]
        rated = self._model.rate(playing, ranks=[float(rank) for rank in ranks])
        return [[(one.mu, one.sigma) for one in team] for team in rated]
