"""Scenarios: small games as data, with a known outcome (docs/scenarios.md).

    scenario = read(data)                       # format: a decoded object to a Scenario
    report = play(scenario, CardSource())       # judge: the game, then what was expected of it

Pure like the rules: knows no files, no clock. Files are read by the command.
"""

from __future__ import annotations

from server.scenario.beginning import begin
from server.scenario.errors import BadScenario, Unsupported
from server.scenario.format import Scenario, read
from server.scenario.judge import play
from server.scenario.source import CardFile, CardSource
from server.scenario.verdict import Report

__all__ = ["BadScenario", "CardFile", "CardSource", "Report", "Scenario", "Unsupported", "begin", "play", "read"]
