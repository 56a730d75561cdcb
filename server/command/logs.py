"""How the server's events are written: lines for people, or one JSON object a line for programs that collect them.

structlog renders both, so that what libraries say through `logging` comes out in the same form. Nothing secret is ever an
event's field: no password, no token, no hidden card.
"""

from __future__ import annotations

import logging
import sys

import structlog

from server.settings import Log

SHARED: tuple[structlog.types.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def set_up(log: Log) -> None:
    """Write all events to standard error from now on."""
    renderer: structlog.types.Processor
    if log.format == "json":
        renderer = structlog.processors.JSONRenderer(ensure_ascii=False)
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            renderer,
        ],
    )
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(log.level.upper())
    # The library's own account of every handshake is no event of interest.
    logging.getLogger("apnap.websockets").setLevel(max(logging.WARNING, root.level))
