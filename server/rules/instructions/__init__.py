"""Resolving (608): targets looked at again, going on from one instruction to the next, and what holds other instructions.

What a single verb does is the room of verbs' to say. Knows neither combat's steps nor the turn.
"""

from __future__ import annotations

from server.rules.instructions import resolve
from server.rules.instructions.handlers import HANDLERS

__all__ = ["HANDLERS", "resolve"]
