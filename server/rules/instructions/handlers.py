"""Which handler each verb of the tree has (608.2c): the verbs' and those of the instructions that hold others.

A handler reads the state, asks what has to be asked, and returns the events that it proposes, or frames with more to do.
`after` continues with the next instruction once the batch is done; `bind_results` then binds what the instruction came to: "it"
(what it spoke of), "amount" (how much), "did" (whether anything happened), and the names that the verb gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.cards import forms
from server.rules.instructions.flow import FLOW_VERBS
from server.rules.model import Next, RunFrame, State
from server.rules.verbs import VERBS, Asking

HANDLERS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {**VERBS, **FLOW_VERBS}
