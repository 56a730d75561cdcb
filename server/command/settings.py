"""Settings from where a host left them: the defaults, then the file, then the environment, then the command's options."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec

from server.settings import Settings

Tree: TypeAlias = dict[str, "object"]

SECTIONS = tuple(
    field.name
    for field in msgspec.structs.fields(Settings)
    if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct)
)
PREFIX = "APNAP_"


class BadSettings(Exception):
    """A setting that cannot be: the sentence says which, where it came from and what was expected."""


class Found(msgspec.Struct, frozen=True):
    """The settings in force, and for each key ("listen.port") that is not the default, where it came from."""

    settings: Settings
    origins: dict[str, str]


def find(
    file: Path | None, environ: Mapping[str, str] | None = None, options: Mapping[str, object] | None = None
) -> Found:
    """Read all sources, later ones stronger. `options`: keys ("listen.port") of the command line that were given.

    Raises `BadSettings`, OSError for a file that cannot be read.
    """
    tree: Tree = {}
    origins: dict[str, str] = {}
    for origin, part in (
        (str(file), _from_file(file)),
        ("environment", _from_environment(os.environ if environ is None else environ)),
        ("option", dict(options or {})),
    ):
        for key, value in part.items():
            _put(tree, key, value)
            origins[key] = origin
        _checked(tree, origin)
    settings = _checked(tree, "settings")
    if settings.store.standby and not settings.store.address:  # the one may be said in another place than the other
        where = origins["store.standby"]
        raise BadSettings(f"{where}: store.standby waits for a database, which store.address names (postgresql://...)")
    if settings.store.node and not settings.store.address:
        where = origins["store.node"]
        raise BadSettings(f"{where}: store.node serves with others of one database, which store.address names")
    if settings.store.node_url and not settings.store.node:
        where = origins["store.node_url"]
        raise BadSettings(f"{where}: store.node_url is of one node of several, which store.node says it is")
    if settings.store.node and not 0 < int(settings.store.node.rpartition(":")[2]) < 65_536:
        raise BadSettings(f"{origins['store.node']}: {_form('store.node', settings.store.node)}")
    return Found(settings, origins)


def keys() -> tuple[str, ...]:
    """Every key there is, as `section.key`, in the order of the file."""
    plain = [field.name for field in msgspec.structs.fields(Settings) if field.name not in SECTIONS]
    return (*plain, *(f"{name}.{field}" for name in SECTIONS for field in getattr(Settings(), name).__struct_fields__))


def value_of(settings: Settings, key: str) -> object:
    """The value in force of a key."""
    found: object = settings
    for part in key.split("."):
        found = getattr(found, part)
    return found


def _from_file(file: Path | None) -> Tree:
    if file is None:
        return {}
    try:
        tree = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise BadSettings(f"{file}: {fault}") from None
    flat: Tree = {}
    for key, value in tree.items():
        if isinstance(value, dict) and key in SECTIONS:
            flat |= {f"{key}.{inner}": found for inner, found in value.items()}
        else:
            flat[key] = value
    return flat


def _from_environment(environ: Mapping[str, str]) -> Tree:
    """`APNAP_LISTEN_PORT=9000`. A name that begins like a section's but is no key is refused; others are not ours."""
    known = {PREFIX + key.replace(".", "_").upper(): key for key in keys()}
    found: Tree = {}
    for name, text in environ.items():
        if name in known:
            found[known[name]] = _scalar(text)
        elif any(name.startswith(f"{PREFIX}{section.upper()}_") for section in SECTIONS):
            raise BadSettings(f"environment: {name} is no setting; known are {', '.join(sorted(known))}")
    return found


def _scalar(text: str) -> object:
    """A value as TOML would read it; what TOML cannot read is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _put(tree: Tree, key: str, value: object) -> None:
    section, dot, inner = key.partition(".")
    if not dot:
        tree[key] = value
        return
    within = tree.setdefault(section, {})
    assert isinstance(within, dict)
    within[inner] = value


def _checked(tree: Tree, origin: str) -> Settings:
    try:
        settings = msgspec.convert(tree, Settings)
    except msgspec.ValidationError as fault:
        raise BadSettings(f"{origin}: {_said(str(fault), tree)}") from None
    if bool(settings.listen.tls_cert) != bool(settings.listen.tls_key):
        raise BadSettings(f"{origin}: listen.tls_cert and listen.tls_key go together")
    if settings.listen.public_url and not _opens(settings.listen.public_url):
        raise BadSettings(f"{origin}: listen.public_url is an address that a browser opens: https://table.example")
    return settings


def _said(fault: str, tree: Tree) -> str:
    """What is wrong with a setting: msgspec's own words, but for a text that has another form."""
    _, form, where = fault.partition("matching regex")
    if not form:
        return fault
    key, found = where.rpartition("`$.")[2].rstrip("`"), tree
    for part in key.split("."):
        assert isinstance(found, dict)
        found = found[part]
    return _form(key, str(found))


def _form(key: str, value: str) -> str:
    """Which forms a setting may have, and that this is none; not the address of a database, in which a password may stand."""
    from client_cli.memory import language
    from protocol.words import say

    return say(f"setting.{key.replace('.', '_')}", language(), value=repr(value))


def _opens(url: str) -> bool:
    """Whether a browser can open that as a page."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
