"""How all chance of a game can be checked by those who played it.

The server draws a secret and shows its SHA-256, the *commitment*, before anyone sits down to play. (A secret that the host chose
could be guessed and tried; it is salted with one that was drawn.) Each seat may commit in the
same way to some entropy of its own, and reveals it once all have committed and the game is to be dealt: nobody, not even
the host, knows all of it before. The seed of all chance is made of both. At the end the secret is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def commitment(text: str, salt: str = "") -> str:
    """The SHA-256 of a secret or an entropy, as 64 hexadecimal digits; of it and a line with the salt, where there is one."""
    return hashlib.sha256(f"{text}\n{salt}".encode() if salt else text.encode()).hexdigest()


def seed_of(secret: str, entropy: Sequence[str]) -> str:
    """The seed of a game: of the secret and each seat's entropy, "" for a seat that gave none; the secret if none did."""
    if not any(entropy):
        return secret
    return hashlib.sha256("\n".join(("apnap seed 1", secret, *entropy)).encode()).hexdigest()


def faults(secret: str, chance: str, entropy: Sequence[str], commits: Sequence[str], salt: str = "") -> list[str]:
    """What is wrong with what was told of a game: `chance` is the commitment to the secret, `commits` those to `entropy`,
    by seat, "" for none. Sentences; none if all is well.
    """
    found: list[str] = []
    if commitment(secret, salt) != chance:
        found.append("The secret is not the one that was committed to.")
    if len(entropy) != len(commits):
        found.append(f"{len(commits)} seats committed, {len(entropy)} revealed.")
    for seat, (given, committed) in enumerate(zip(entropy, commits, strict=False)):
        if committed and commitment(given) != committed:
            found.append(f"The entropy of seat {seat} is not what it committed to.")
        elif given and not committed:
            found.append(f"Seat {seat} revealed entropy that it had not committed to.")
    return found
