"""Ask and order the server that runs on this machine, by its data directory.

apnap admin rooms | people          who plays what, who is connected
apnap admin kick PERSON [WHY]       close a person's connections
apnap admin close ROOM [WHY]        end a room; its journal is kept
apnap admin broadcast TEXT          tell everyone something
apnap admin invite                  a one-time link to open an account
apnap admin login-link [NAME]       a one-time link to log in as an admin
apnap admin reset NAME              a one-time link to give an account another password
apnap admin forget PERSON           delete what is kept about a person; journals keep a pseudonym
apnap admin move ROOM               let another worker go on with a game
apnap admin nodes                   which nodes serve together
apnap admin reports                 what people have reported, with the chat before it
apnap admin backup FILE             copy the database while games go on
apnap admin restore FILE            put a backup back; the server must not run
apnap admin export ROOM FILE        write a room's journal to a file
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from server.command.data import add_data, folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.lobby.desk import AnyReply, AnyRequest
    from server.lobby.reports import ReportRecord


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap admin`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text, words in (
        ("rooms", "list the rooms", ()),
        ("people", "list who is connected", ()),
        ("kick", "close a person's connections", ("person",)),
        ("close", "end a room", ("room",)),
        ("broadcast", "tell everyone something", ("text",)),
        ("invite", "a one-time link to open an account", ()),
        ("login-link", "a one-time link to log in as an admin", ()),
        ("reset", "a one-time link to give an account another password", ("name",)),
        ("forget", "delete what is kept about a person", ("person",)),
        ("move", "let another worker go on with a game", ("room",)),
        ("nodes", "list the nodes that serve together", ()),
        ("reports", "what people have reported", ()),
        ("backup", "copy the database while games go on", ("file",)),
        ("restore", "put a backup back; the server must not run", ("file",)),
        ("export", "write a room's journal to a file", ("room", "file")),
    ):
        action = actions.add_parser(name, help=text)
        for word in words:
            action.add_argument(word, metavar=word.upper())
        if name in ("kick", "close"):
            action.add_argument("why", nargs="?", default="", metavar="WHY")
        if name == "login-link":
            action.add_argument("name", nargs="?", default="", metavar="NAME", help="an account (default: a new one)")
        action.add_argument("--json", action="store_true", help="print one JSON object")
        add_data(action)


def run(args: argparse.Namespace) -> int:
    """0; 1 when it was not done."""
    if args.action == "restore":
        return _restore(folder(args), Path(args.file))
    if args.action == "export":
        from server.command import export

        return export.run(argparse.Namespace(room=args.room, to=Path(args.file), data=args.data))
    from server.lobby.desk import Failed

    try:
        reply = ask(folder(args), _request(args))
    except OSError as fault:
        print(f"apnap admin: no server answers for {folder(args)}: {fault.strerror or fault}", file=sys.stderr)
        return 1
    if isinstance(reply, Failed):
        print(f"apnap admin: {reply.why}", file=sys.stderr)
        return 1
    _say(reply, args.json)
    return 0


def ask(data: Path, request: AnyRequest) -> AnyReply:
    """One request to the server of a data directory. Raises OSError when none answers."""
    import socket

    import msgspec

    from server.lobby.desk import AnyReply
    from server.net.desk import NAME

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.connect(str(data / NAME))
        sock.sendall(msgspec.json.encode(request) + b"\n")
        with sock.makefile("rb") as lines:
            return msgspec.json.decode(lines.readline(), type=AnyReply)


def _request(args: argparse.Namespace) -> AnyRequest:
    from server.lobby import desk

    match args.action:
        case "rooms":
            return desk.ListRooms()
        case "people":
            return desk.ListPeople()
        case "kick":
            return desk.Kick(args.person, args.why)
        case "close":
            return desk.CloseRoom(args.room, args.why)
        case "broadcast":
            return desk.Broadcast(args.text)
        case "invite":
            return desk.MakeLink("invitation")
        case "login-link":
            return desk.MakeLink("login", args.name)
        case "reset":
            return desk.MakeLink("reset", args.name)
        case "forget":
            return desk.Forget(args.person)
        case "move":
            return desk.MoveRoom(args.room)
        case "nodes":
            return desk.ListNodes()
        case "reports":
            return desk.ListReports()
        case _:
            return desk.Backup(str(Path(args.file).absolute()))


def _say(reply: AnyReply, as_json: bool) -> None:
    import msgspec

    from server.lobby import desk

    if as_json:
        print(msgspec.json.encode(reply).decode())
        return
    match reply:
        case desk.Rooms(rooms=rooms):
            for room in rooms:
                seats = ", ".join(name or "-" for name in room.seats)
                print(f"{room.id}  {room.state:<9} {room.entries:>6} entries  {room.watchers} watching  {seats}")
            print(f"{len(rooms)} rooms")
        case desk.PeopleRows(people=people):
            for person in people:
                print(f"{person.id}  {person.role:<7}  {person.name:<32} {person.room}")
            print(f"{len(people)} people")
        case desk.Done(count=count):
            print(f"done ({count})")
        case desk.LinkMade(code=code, url=url):
            print(url or f"apnap play URL --link {code}")
        case desk.Reports(reports=reports):
            _print_reports(reports)
        case desk.Nodes(nodes=nodes):
            for node in nodes:
                keeps = "keeps" if node.keeps else ""
                said = (
                    f"{node.address or 'alone':<24} {keeps:<6} {node.workers} workers  {node.rooms} rooms  {node.url}"
                )
                print(said.rstrip())
            print(f"{len(nodes)} nodes")
        case desk.Failed(why=why):
            print(why)


def _print_reports(reports: Sequence[ReportRecord]) -> None:
    from datetime import UTC, datetime

    def moment(seconds: int) -> str:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")

    for report in reports:
        where = f"room {report.room}, entry {report.entry}"
        print(f"{moment(report.at)}  {report.by_name} reports {report.name} ({report.person}), {where}: {report.text}")
        for line in report.chat:
            print(f"    {moment(line.at)}  {line.name}: {line.text}")
    print(f"{len(reports)} reports")


def _restore(data: Path, file: Path) -> int:
    from server.storage import StorageError
    from server.storage.backup import restore

    try:
        rooms = restore(file, data)
    except (OSError, StorageError) as fault:
        print(f"apnap admin: {fault}", file=sys.stderr)
        return 1
    print(f"{rooms} rooms are back in {data}")
    return 0
