"""Receipts: what a seat has been told of a journal, sealed, for it to bring back. By them a room knows that it has forgotten something
that somebody saw: where the data are an older copy, and no witness of a later time lies beside them.

A receipt holds the number of the journal's last entry and a part of its head. Nobody but the server can read or make one, and no two
are alike: whoever could compare them would know whether anything was written meanwhile, an opponent's stops for example.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import blake2b

from server.storage import Storage

KEY = ("receipt", "key")
"""Kind and key of the record that holds what receipts are sealed with."""
HEAD = 8
"""Bytes of the head that a receipt holds."""
_NONCE = 3
_SEQ = 5
_SEAL = 8
_HELD = _NONCE + _SEQ + HEAD


class Receipts:
    """Written and read with one key, for each room."""

    def __init__(self, key: bytes) -> None:
        self._sealing = blake2b(key=key, digest_size=64, person=b"seal").digest()
        self._hiding = blake2b(key=key, digest_size=64, person=b"hide").digest()

    def write(self, room: str, seq: int, head: bytes) -> str:
        """A receipt for a journal as far as the entry `seq`, after which its head is that. 48 letters."""
        held = secrets.token_bytes(_NONCE) + seq.to_bytes(_SEQ, "big") + head[:HEAD]
        seal = self._seal(room, held)
        return (seal + self._hide(seal, held)).hex()

    def read(self, room: str, receipt: str) -> tuple[int, bytes] | None:
        """What a receipt of that room says: the entry, and the part of the head; None for what is no receipt of ours."""
        try:
            data = bytes.fromhex(receipt)
        except ValueError:
            return None
        seal, held = data[:_SEAL], self._hide(data[:_SEAL], data[_SEAL:])
        if len(data) != _SEAL + _HELD or not hmac.compare_digest(seal, self._seal(room, held)):
            return None
        return int.from_bytes(held[_NONCE : _NONCE + _SEQ], "big"), held[_NONCE + _SEQ :]

    def _seal(self, room: str, held: bytes) -> bytes:
        return blake2b(room.encode() + b"\0" + held, key=self._sealing, digest_size=_SEAL).digest()

    def _hide(self, seal: bytes, held: bytes) -> bytes:
        """Hides and shows again: what is held, against a stream that follows from its seal."""
        stream = blake2b(seal, key=self._hiding, digest_size=_HELD).digest()
        return bytes(one ^ other for one, other in zip(held, stream, strict=False))


async def receipts_of(storage: Storage) -> Receipts:
    """Those of a server's data, whose key is made when there is none. Raises `StorageFault`."""
    key = await storage.get(*KEY)
    if not key:
        key = secrets.token_bytes(32)
        await storage.put(*KEY, key)
    return Receipts(key)
