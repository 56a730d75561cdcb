"""What can end a scenario early.

ScenarioError
  BadScenario   the file is not as the format has it: outcome "error"
  Unsupported   a card, verb or check that is not built: outcome "unsupported"
  Refused       a line that was not a legal action: outcome "illegal"
  Unmet         something expected does not hold, or a moment never came: outcome "failed"
  ByChance      a coin, a die or a shuffled library decides over a goal: outcome "error"
"""

from __future__ import annotations


class ScenarioError(Exception):
    """The common base; its text is the report's `why`."""


class BadScenario(ScenarioError):
    """The scenario is malformed; the text begins with the path of the fault."""


class Unsupported(ScenarioError):
    """It needs something that is not built yet; the text names it."""


class Refused(ScenarioError):
    """A script line was not a legal action at its moment. `line` is its index in the script."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"script[{line}]: {why}")
        self.line = line


class Unmet(ScenarioError):
    """An expectation does not hold, or an action's moment never came."""


class ByChance(ScenarioError):
    """A coin, a die or a shuffled library decides: then nobody can reach the goal for certain."""
