"""What crosses the wire between an apnap server and its clients, and nothing else.

This package imports nothing of the rest of the project: the author of a bot may take this folder alone.
`docs/protocol.md` tells the same story in prose; `apnap schema` prints it as JSON Schema.

- `messages`: every message, client to server and server to client, as tagged structs
- `questions`: what a seat can be asked, and the answers
- `view`: what a viewer sees of the table
- `refusals`: the codes of refusals
- `patch`: RFC 7386 merge patches over plain trees
- `codec`: frames to messages and back, with refusals for what is malformed
- `words`: the catalogue of user-facing text
- `schema`: JSON Schema of it all
"""

VERSION = 1
"""Version of the protocol. A version only ever adds: fields, messages, question kinds, refusal codes."""

JSON_SUBPROTOCOL = "apnap.v1.json"
"""Subprotocol whose frames are JSON text. Chosen, too, for a client that offers no subprotocol."""

MSGPACK_SUBPROTOCOL = "apnap.v1.msgpack"
"""Subprotocol whose frames are MessagePack, binary."""

SUBPROTOCOLS = (JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL)

MAX_CLIENT_FRAME = 64 * 1024
"""Bytes. A larger frame from a client closes that client's connection (close code 1009)."""

MAX_SERVER_FRAME = 8 * 1024 * 1024
"""Bytes. No frame from the server is larger: the limit a client should set on what it reads."""

MAX_DEPTH = 32
"""How deep lists and maps of a client's frame may nest."""
