"""The gate of one room, as data: its password, its invitation, whom its host keeps out or quiet. `door` opens and shuts it."""

from __future__ import annotations

import hmac
import secrets

import msgspec


class Gate(msgspec.Struct, omit_defaults=True):
    """`password` is a hash, "" for none; `admitted` those who gave it or an invitation; people by id, latest last."""

    invitation: str = msgspec.field(default_factory=lambda: secrets.token_urlsafe(9))
    password: str = ""
    blocked: list[str] = []
    muted: list[str] = []
    admitted: list[str] = []

    @property
    def locked(self) -> bool:
        """Whether one needs a password or an invitation."""
        return bool(self.password)

    def invites(self, invitation: str) -> bool:
        """Whether that is the room's invitation."""
        return hmac.compare_digest(invitation.encode(), self.invitation.encode())
