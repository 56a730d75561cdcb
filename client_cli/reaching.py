"""Why a server cannot be reached, in sentences for people; and certificates that are trusted because a person says so."""

from __future__ import annotations

import hashlib
import socket
import ssl

import trio
from websockets.exceptions import InvalidHandshake, InvalidURI

from client_cli.errors import Unreachable

FINGERPRINT_DIGITS = 64
"""Digits of a SHA-256."""


class BadTrust(Exception):
    """What was given to trust a server by is nothing of the kind. `key` says so in the catalogue."""

    def __init__(self, key: str, **places: object) -> None:
        super().__init__(key)
        self.key = key
        self.places = places


def read_fingerprint(text: str) -> str:
    """A SHA-256 in small digits, however it is written. Raises `BadTrust`."""
    digits = text.replace(":", "").replace(" ", "").lower().removeprefix("sha256")
    if len(digits) != FINGERPRINT_DIGITS or any(digit not in "0123456789abcdef" for digit in digits):
        raise BadTrust("reach.no_fingerprint", text=text)
    return digits


def trust(ca: str, fingerprint: str) -> ssl.SSLContext | None:
    """How to look at a server's certificate: by the authorities in a file; not at all, where its fingerprint is looked at
    afterwards; None: as the system does. Raises `BadTrust`.
    """
    if fingerprint:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context
    if not ca:
        return None
    try:
        return ssl.create_default_context(cafile=ca)
    except (OSError, ValueError) as fault:  # ssl.SSLError is an OSError
        raise BadTrust("reach.ca", file=ca, reason=getattr(fault, "strerror", None) or str(fault)) from None


def fingerprint_of(stream: object) -> str:
    """The SHA-256 of the certificate behind a TLS stream; "" for another stream."""
    if not isinstance(stream, trio.SSLStream):
        return ""
    certificate = stream.getpeercert(binary_form=True)
    return hashlib.sha256(certificate).hexdigest() if certificate else ""


async def unreachable(url: str, fault: BaseException) -> Unreachable:
    """The error to raise for what went wrong while dialling."""
    cause = fault.__cause__ if isinstance(fault, trio.BrokenResourceError) and fault.__cause__ is not None else fault
    reason = str(cause) or type(cause).__name__
    message = f"{url}: {reason}"
    match cause:
        case ssl.SSLCertVerificationError():
            found = await _looked_at(url)
            words = cause.verify_message or reason
            return Unreachable(message, "reach.untrusted", url=url, reason=words, fingerprint=found or "...")
        case ssl.SSLError():
            return Unreachable(message, "reach.no_tls", url=url)
        case socket.gaierror():
            return Unreachable(message, "reach.no_host", url=url)
        case ConnectionRefusedError():
            return Unreachable(message, "reach.refused", url=url)
        case TimeoutError() | trio.TooSlowError():
            return Unreachable(message, "reach.silent", url=url)
        case InvalidURI() | UnicodeError():
            return Unreachable(message, "reach.address", text=url)
        case InvalidHandshake():
            return Unreachable(message, "reach.not_apnap", url=url)
        case OSError() if "onnect" in reason and _refused(cause):
            return Unreachable(message, "reach.refused", url=url)
        case _:
            return Unreachable(message, "reach.no_way", url=url, reason=reason)


def _refused(fault: BaseException) -> bool:
    """Whether every address of the machine refused: trio tells so by a group behind its OSError."""
    group = fault.__cause__
    leaves = group.exceptions if isinstance(group, BaseExceptionGroup) else (group,)
    return all(isinstance(leaf, ConnectionRefusedError) for leaf in leaves)


async def _looked_at(url: str) -> str:
    """The fingerprint of a certificate that is not trusted, for a person to compare; "" when it cannot be had."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    try:
        with trio.fail_after(5):
            stream = await trio.open_ssl_over_tcp_stream(
                parts.hostname or "", parts.port or 443, ssl_context=trust("", "unseen") or ssl.create_default_context()
            )
            await stream.do_handshake()
            found = fingerprint_of(stream)
            await trio.aclose_forcefully(stream)
            return found
    except (OSError, trio.BrokenResourceError, trio.TooSlowError):
        return ""
