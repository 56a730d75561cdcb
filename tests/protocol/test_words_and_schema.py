"""The catalogue has both languages with the same places; the schema describes what is written."""

import json
import re
from string import Formatter

import jsonschema
import msgspec
import pytest

from protocol import messages as m
from protocol import questions as q
from protocol.codec import JSON
from protocol.options import RoomOptions
from protocol.refusals import Code
from protocol.schema import schema
from protocol.view import PHASES, STEPS, ZONES, Face, View, digest, face_hash, read, write
from protocol.words import LANGUAGES, catalogue, fill, say

SCHEMA = jsonschema.Draft202012Validator(schema())


def test_languages_have_the_same_keys_and_places():
    def places(template: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(template) if name is not None}

    english = catalogue("en")
    assert list(english) == sorted(english)
    for lang in LANGUAGES:
        words = catalogue(lang)
        assert list(words) == list(english)
        for key, template in words.items():
            assert places(template) == places(english[key]), key
            assert all(re.fullmatch(r"\w+", name or "") for name in places(template)), key


def test_every_fixed_word_is_there():
    english = catalogue("en")
    for key in [
        *(f"refused.{code}" for code in Code),
        *(f"step.{step}" for step in STEPS),
        *(f"phase.{phase}" for phase in PHASES),
        *(f"zone.{zone}" for zone in ZONES if zone != "sideboard"),
    ]:
        assert key in english


def test_saying():
    assert say("ask.payment", cost="{1}{R}") == "Pay {1}{R}."
    assert say("ask.payment", "fr", cost="{R}") == "Payez {R}."
    assert fill("ask.payment", {}) == "Pay {cost}."
    assert say("no.such.key", "xx") == "no.such.key"


VIEW = View(turn=1, phase="beginning", step="upkeep", active=0, players={})
SAMPLES = [
    m.Hello(id="1", name="Ada"),
    m.AnswerMessage(id="2", question="q", answer=q.AttackersAnswer(attacks=((0, 1),))),
    m.Open(id="3", options=RoomOptions(seats=2)),
    m.Ok(re="1"),
    m.ViewMessage(epoch=1, seq=0, view=write(VIEW), faces={"ab": Face(name="Bear")}),
    m.QuestionMessage(
        epoch=1,
        seq=0,
        question=q.ChooseQuestion(
            id="q",
            seat=0,
            purpose="target",
            prompt=q.Text("ask.target"),
            default=q.ChooseAnswer(picks=(0,)),
            options=(q.ObjectChoice("7"), q.PlayerChoice(1), q.WordChoice("red", "red")),
            least=1,
            most=1,
        ),
    ),
]


@pytest.mark.parametrize("message", SAMPLES)
def test_the_schema_takes_what_is_written(message):
    SCHEMA.validate(json.loads(JSON.write(message)))


def test_the_schema_is_whole():
    document = schema()
    jsonschema.Draft202012Validator.check_schema(document)
    text = json.dumps(document)
    for name in re.findall(r'"#/\$defs/(\w+)"', text):
        assert name in document["$defs"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"type": "hello", "id": "1", "name": "x", "extra": 1}, document)


def test_views_go_to_trees_and_back():
    tree = write(VIEW)
    assert read(tree) == VIEW and digest(tree) == digest(dict(reversed(tree.items())))
    assert read({**tree, "later": 1}) == VIEW
    with pytest.raises(msgspec.ValidationError):
        read({**tree, "turn": "x"})
    assert face_hash(Face(name="A")) != face_hash(Face(name="B"))
