"""The catalogue: user-facing text by key, in English and French.

`en.json` and `fr.json` are flat maps from key to template, sorted by key, with the same keys and the same `{places}`.
Prefixes: `refused.` refusals, `ask.` prompts of questions, `event.` lines of the log, `step.`, `phase.`, `zone.`,
`lost.`, `what.`, `notice.`, `rules.` what `apnap rules` says of a number, `setting.` how one is written that is
wrong, `ui.` for the clients.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "fr")
NESTED = ("lost.", "step.", "what.")
"""Prefixes of keys that stand as arguments in other sentences."""


class _Places(dict[str, object]):
    """Arguments of a template; a place nobody fills stays as it is written."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@cache
def catalogue(lang: str) -> dict[str, str]:
    """All templates of a language; English for a language that is not there."""
    name = lang if lang in LANGUAGES else "en"
    words: dict[str, str] = json.loads(files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return words


def fill(key: str, args: Mapping[str, object], lang: str = "en") -> str:
    """The sentence of a key with its places filled: what a `Text` or `Event` says.

    A key that is not in the language is said in English; unknown, it stands for itself. An argument that is itself a key of
    what can stand in a sentence (`NESTED`) is said in the same language.
    """
    template = catalogue(lang).get(key) or catalogue("en").get(key)
    if template is None:
        return key
    return template.format_map(_Places((place, _said(value, lang)) for place, value in args.items()))


def _said(value: object, lang: str) -> object:
    return fill(value, {}, lang) if isinstance(value, str) and value.startswith(NESTED) else value


def say(key: str, lang: str = "en", **args: object) -> str:
    """`fill` with the arguments by name."""
    return fill(key, args, lang)
