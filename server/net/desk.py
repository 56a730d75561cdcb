"""The local socket of the host's desk: one JSON object a line in, one out. Who may write to the file may give orders.

It lies in the data directory with rights for its owner only; no password is needed and none could be stolen.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import trio

from server.lobby.desk import AnyReply, AnyRequest, Failed

log = logging.getLogger("apnap.net")

NAME = "admin.sock"
LONGEST = 64 * 1024
"""Bytes of a request."""

_decode = msgspec.json.Decoder(AnyRequest).decode


async def serve_desk(
    answer: Callable[[AnyRequest], Awaitable[AnyReply]],
    folder: Path,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer at the desk until cancelled. Where no socket can be made (a path of over a hundred bytes, say), the server goes on
    without, and says so.
    """
    path = folder / NAME
    with trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        before = os.umask(0o177)
        try:
            path.unlink(missing_ok=True)
            await sock.bind(str(path))
        except OSError as fault:
            log.warning("no orders can be taken: %s: %s", path, fault)
            task_status.started()
            return
        finally:
            os.umask(before)
        sock.listen(16)

        async def handle(stream: trio.SocketStream) -> None:
            await _handle(answer, stream)

        try:
            async with trio.open_nursery() as nursery:
                task_status.started()
                await trio.serve_listeners(handle, [trio.SocketListener(sock)], handler_nursery=nursery)
        finally:
            path.unlink(missing_ok=True)


async def _handle(answer: Callable[[AnyRequest], Awaitable[AnyReply]], stream: trio.SocketStream) -> None:
    async with stream:
        try:
            line = await read_line(stream)
            reply: AnyReply = await answer(_decode(line))
        except msgspec.DecodeError as fault:
            reply = Failed(str(fault))
        except trio.BrokenResourceError:
            return
        except Exception:
            log.exception("a request at the desk failed")
            reply = Failed("the server met a defect; its log says which")
        try:
            await stream.send_all(msgspec.json.encode(reply) + b"\n")
        except trio.BrokenResourceError:
            pass  # whoever asked is gone


async def read_line(stream: trio.SocketStream) -> bytes:
    """Up to the first line break, or the end."""
    line = b""
    while b"\n" not in line and len(line) < LONGEST:
        part = await stream.receive_some()
        if not part:
            break
        line += part
    return line
