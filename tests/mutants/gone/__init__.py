"""For each seed rule one small change of the engine that takes the rule away; a test marked with the rule must then fail.

`MUTANTS[rule]()` breaks the rule in this process, for good: the runner forks one process for each.
"""

from tests.mutants.gone import attacking_several, damage, effects, planeswalkers
from tests.mutants.gone.breaking import MUTANTS

__all__ = ["MUTANTS", "attacking_several", "damage", "effects", "planeswalkers"]
