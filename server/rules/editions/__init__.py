"""The editions of the rules as data, and the numbers by which each of them is cited.

Stands below everything: knows neither state nor card. `model` offers its names on, so that the rooms above need not ask in two places.
"""

from server.rules.editions.citations import Rule
from server.rules.editions.editions import CURRENT, EDITION_2009, EDITION_2011, EDITIONS, Edition

__all__ = ["CURRENT", "EDITIONS", "EDITION_2009", "EDITION_2011", "Edition", "Rule"]
