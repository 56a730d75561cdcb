"""JSON Schema (2020-12) of the protocol, for those who generate a client's types from it. Printed by `apnap schema`."""

from typing import Any

import msgspec

from protocol import JSON_SUBPROTOCOL, MAX_CLIENT_FRAME, MAX_DEPTH, MSGPACK_SUBPROTOCOL, VERSION
from protocol.messages import ClientMessage, ServerMessage
from protocol.refusals import Code
from protocol.view import STEPS, View


def schema() -> dict[str, Any]:
    """One document: `$defs` of every struct; `ClientMessage`, `ServerMessage` and `View` among them.

    Matches what is in v1 today; clients must allow for more fields and messages than it has.
    """
    (client, server, view), defs = msgspec.json.schema_components(
        [ClientMessage, ServerMessage, View], ref_template="#/$defs/{name}"
    )
    defs = {name: _tidy(part) for name, part in defs.items() if name != "Unknown"}
    server["anyOf"] = [part for part in server["anyOf"] if part["$ref"] != "#/$defs/Unknown"]
    server["discriminator"]["mapping"].pop("unknown", None)
    defs["ClientMessage"] = client
    defs["ServerMessage"] = server
    defs.setdefault("View", view)
    defs["ViewMessage"]["properties"]["view"] = {"$ref": "#/$defs/View"}
    defs["RefusalCode"] = {
        "description": "Codes of refusals the server sends of itself; illegal answers bring others.",
        "enum": [code.value for code in Code],
    }
    defs["Step"] = {"description": "Steps of a turn, in order.", "enum": list(STEPS)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"apnap protocol, version {VERSION}",
        "description": f"Subprotocols {JSON_SUBPROTOCOL} and {MSGPACK_SUBPROTOCOL}. A client's frame has at most "
        f"{MAX_CLIENT_FRAME} bytes and nests at most {MAX_DEPTH} deep.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": dict(sorted(defs.items())),
    }


def _tidy(part: dict[str, Any]) -> dict[str, Any]:
    """A definition with its docstring on one line."""
    if "description" in part:
        part["description"] = " ".join(part["description"].split())
    return part
