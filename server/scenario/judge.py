"""What comes of a scenario: its script is played, or its goal proved."""

from __future__ import annotations

from server.scenario import runner
from server.scenario.format import Scenario
from server.scenario.solving import prove
from server.scenario.source import CardSource
from server.scenario.verdict import Report


def play(scenario: Scenario, source: CardSource) -> Report:
    """The report of a scenario. Never raises: what the engine raises is the outcome "error". One with a goal and no script is proved."""
    if scenario.head.goal and not scenario.script:
        return prove(scenario, source)
    return runner.play(scenario, source)
