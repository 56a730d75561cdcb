"""docs/protocol.md: every message in it is one, and it leaves none out."""

import json
import re
from pathlib import Path
from typing import get_args

import jsonschema
import pytest

from protocol import messages as m
from protocol import questions as q
from protocol.codec import JSON
from protocol.options import RoomOptions
from protocol.refusals import Code
from protocol.schema import schema
from protocol.view import STEPS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = [
    (side, line)
    for side, block in re.findall(r"^```json (client|server)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]
SCHEMA = jsonschema.Draft202012Validator(schema())


@pytest.mark.parametrize(("side", "line"), EXAMPLES)
def test_every_example_is_a_message(side: str, line: str) -> None:
    SCHEMA.validate(json.loads(line))
    message = JSON.read_client(line) if side == "client" else JSON.read_server(line)
    assert not isinstance(message, m.Unknown)
    assert json.loads(JSON.write(message)) == json.loads(line), "no field of the example was dropped"


def test_every_word_of_the_protocol_is_there() -> None:
    kinds = [*get_args(m.ClientMessage), *get_args(m.ServerMessage), *get_args(q.Question)]
    tags = [str(kind.__struct_config__.tag) for kind in kinds if kind is not m.Unknown]
    fields = [field for kind in kinds for field in kind.__struct_fields__]
    for word in {*tags, *fields, *RoomOptions.__struct_fields__, *(code.value for code in Code)}:
        assert f"`{word}`" in PAGE or f'"{word}"' in PAGE, word
    for step in STEPS:
        assert step in PAGE
