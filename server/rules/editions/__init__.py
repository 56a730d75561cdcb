"""The editions of the rules, and the numbers by which each of them is cited."""

from server.rules.editions.citations import Rule
from server.rules.editions.editions import CURRENT, EDITION_2011, EDITIONS, Edition

__all__ = ["CURRENT", "EDITIONS", "EDITION_2011", "Edition", "Rule"]
