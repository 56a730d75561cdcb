"""What a host may set, with the defaults that suit a table of friends. Data only: every floor but rules and cards may read it.

One file has it all (`apnap serve --config FILE`, TOML); each key can also come from the environment (`APNAP_LISTEN_PORT`) or, for
the commonest, from an option. `apnap config show` prints what is in force and where it came from. Times are seconds.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0)]
Port = Annotated[int, Meta(ge=0, le=65535)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file: unknown keys are refused with their path."""


class Listen(_Section, frozen=True):
    """Where the server is reached.

    `public_url` is what friends open when a proxy stands before it; `trusted_proxies` are the addresses or networks whose
    `X-Forwarded-For` is believed; `origins` are web origins whose pages may connect, besides this server's own.
    """

    host: str = "127.0.0.1"
    port: Port = 8802
    public_url: str = ""
    trusted_proxies: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    tls_cert: str = ""
    tls_key: str = ""


class Limits(_Section, frozen=True):
    """How much one server, one network, one address, one person and one connection may take. An IPv6 network of 64 bits is an address; a
    network is the `ipv4_network_bits` or `ipv6_network_bits` around one.

    `handshakes`: connections that have not said yet what they want, for `handshake_seconds`; `bots`: seats that the server plays.
    `idle`: a connection that says nothing, not even that it still lives; `send`: a frame that its reader does not take; `idle_room`: a
    room without a game in which its people do nothing; `journal`: entries of one game's journal.

    A minute: `tries` that were wrong, at passwords and links, of each address, and at one account six times as many of all together, and
    new passwords of each person; `hellos` and new `guests` of each address; of each person `opens` of rooms (and as often other
    words for a card), `entries` into rooms, `setups` (what is done at a table before its game, and as often what is kept, decks
    say), `previews` of answers, `chat` (as often what is put to the vote, and votes), `views` and `lists` that are asked for,
    `instructions` (stops, passes and the like, which are written down), and `replays` (lists, games that are played anew to be
    looked at, and what is kept about oneself); `resends`: answers of long ago, sent again by one seat, for which the journal is
    searched. An address may do as much as `address_share` people, and a network as much as `network_share` addresses.
    """

    rooms: Count = 500
    rooms_per_person: Count = 20
    rooms_per_address: Count = 40
    seats: Count = 4000
    bots: Count = 1000
    bots_per_address: Count = 60
    connections: Count = 4000
    connections_per_address: Count = 200
    handshakes: Count = 1000
    handshakes_per_address: Count = 200
    handshake_seconds: Seconds = 10.0
    address_share: Count = 5
    network_share: Count = 4
    ipv4_network_bits: Annotated[int, Meta(ge=1, le=32)] = 24
    ipv6_network_bits: Annotated[int, Meta(ge=1, le=64)] = 48
    messages_per_second: Count = 1000
    burst: Count = 1000
    greeting_seconds: Seconds = 30.0
    idle_seconds: Seconds = 90.0
    send_seconds: Seconds = 15.0
    empty_room_seconds: Seconds = 600.0
    idle_room_seconds: Seconds = 2 * 3600.0
    abandoned_game_seconds: Seconds = 24 * 3600.0
    journal_entries: Count = 500_000
    tries_per_minute: Count = 10
    hellos_per_minute: Count = 600
    guests_per_minute: Count = 300
    opens_per_minute: Count = 20
    entries_per_minute: Count = 300
    setups_per_minute: Count = 120
    previews_per_minute: Count = 600
    chat_per_minute: Count = 60
    views_per_minute: Count = 120
    lists_per_minute: Count = 120
    instructions_per_minute: Count = 600
    resends_per_minute: Count = 120
    replays_per_minute: Count = 60


class People(_Section, frozen=True):
    """Who may come in and with what. `guests`: without an account; `accounts`: nobody, everybody, or with an invitation of the host
    may open one. One-time links hold for `link_hours`. `own_cards`: whose decks may bring cards of their own.
    """

    guests: bool = True
    accounts: Literal["off", "open", "invited"] = "off"
    link_hours: Seconds = 24.0
    own_cards: Literal["nobody", "accounts", "everybody"] = "nobody"
    saved_decks: Count = 50


class Privacy(_Section, frozen=True):
    """How long what is about people is kept, in days; 0: until the host deletes it. People are shown this when they ask.

    `journal`: finished games; `report`: reports with the chat in them; `guest`: guests who do not come back. `chat_lines`: what a
    room remembers of its chat, in memory only, for reports.
    """

    journal_days: Annotated[int, Meta(ge=0)] = 0
    report_days: Annotated[int, Meta(ge=0)] = 90
    guest_days: Annotated[int, Meta(ge=0)] = 365
    chat_lines: Annotated[int, Meta(ge=0, le=1000)] = 50


class Log(_Section, frozen=True):
    """How the server speaks to its host: lines for people or one JSON object a line, from which level on."""

    format: Literal["text", "json"] = "text"
    level: Literal["debug", "info", "warning", "error"] = "info"


class Operating(_Section, frozen=True):
    """`metrics`: who may read `/metrics`: nobody, this machine, or everyone who reaches the port. `retry_seconds`: when clients
    are told to come back after a stop.
    """

    metrics: Literal["off", "local", "all"] = "local"
    retry_seconds: Seconds = 5.0


class Games(_Section, frozen=True):
    """How games go. `pass_seconds`: after how long the server passes for a person who can do nothing, but holds unknown cards and
    has mana to use, so that nobody sees by the speed that it is nothing; 0: at once. `bot_processes`: in how many
    processes seated bots think, started when the first sits down, and in how many more those that think ahead; 0: within the server's,
    and none thinks ahead. `deck_rules`: files of deck rules by which rooms may play (docs/cards.md). `ladder`: rooms that ask for it are
    rated.
    """

    pass_seconds: Annotated[float, Meta(ge=0, le=10)] = 0.2
    bot_processes: Annotated[int, Meta(ge=0, le=16)] = 1
    deck_rules: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    ladder: bool = False


class Page(_Section, frozen=True):
    """The browser client. `pictures`: the address of a card's picture on a server of the host's choice, with `{name}` in the place of
    its name; "": the page draws all cards itself, and its policy allows nothing from elsewhere.
    """

    pictures: Annotated[str, Meta(pattern=r"^(https?://[^/\s;,'{}]+/[^\s]*\{name\}[^\s]*)?$")] = ""


class Store(_Section, frozen=True):
    """Where journals and people are kept if not in the data directory: `address` of a PostgreSQL database ("": none).

    One server at a time writes there, by a lease that it renews; who is not heard of for `lease_seconds` is taken over from.
    `standby`: while another server writes, wait until it does not any more, and take over then. `node`: where others that keep theirs there
    reach this one (host:port); then it does not only wait, but its workers serve with theirs ("": it serves alone). `node_url`: where
    clients reach this very node ("": by the others only).
    """

    address: Annotated[str, Meta(pattern=r"^(postgres(ql)?://\S+)?$")] = ""
    lease_seconds: Annotated[float, Meta(ge=1, le=300)] = 5.0
    standby: bool = False
    node: Annotated[str, Meta(pattern=r"^([^\s/]+:[0-9]{1,5})?$")] = ""
    node_url: Annotated[str, Meta(pattern=r"^(https?://[^/\s;,'?#]+/?)?$")] = ""


class Settings(_Section, frozen=True):
    """The whole file. `name` is what the server calls itself; `data` the directory of journals ("": the user's data folder); `workers`
    in how many processes its tables are.
    """

    name: Annotated[str, Meta(min_length=1, max_length=64)] = "apnap"
    data: str = ""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    store: Store = Store()
    listen: Listen = Listen()
    limits: Limits = Limits()
    people: People = People()
    privacy: Privacy = Privacy()
    games: Games = Games()
    page: Page = Page()
    log: Log = Log()
    operating: Operating = Operating()
