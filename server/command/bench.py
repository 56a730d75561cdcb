"""Measure speed and memory.

apnap bench engine            random games, one big combat, a fork, a game's memory, in CPU time
apnap bench engine --fuzz N   N random four-seat games in which every law of the engine is checked; exit code 1 if one breaks
                              (--cards FILE: with decks drawn from the playable cards of a list)
apnap bench engine --boards   decisions on boards of hundreds of permanents, the mean and the longest
apnap bench server            a server and its load in processes of their own: answers a second, latency, bytes, memory
apnap bench soak              many rooms for minutes: do they stand still, does memory grow; exit code 1 if a room is stuck
apnap bench heavy             how long a quiet table waits beside a heavy one, a flood of previews and tables of bots
apnap bench env               the same answers raw and through the environments for learning (wants the extra apnap[rl])
apnap bench cluster           what PostgreSQL and a keeper cost an answer, by process (--cores: what two cores play more than one)
apnap bench restart           how long a server with many games in hand takes to start again; bytes of a game on disk
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap bench`."""
    kinds = parser.add_subparsers(dest="what", required=True, metavar="engine|env|server|cluster|soak|heavy|restart")
    _engine_arguments(kinds.add_parser("engine", help="the rules alone"))
    env = kinds.add_parser("env", help="the environments for learning")
    env.add_argument("--json", action="store_true", help="print one JSON object")
    env.add_argument("--house", action="store_true", help="measure with the house decks instead of plain ones")
    env.add_argument(
        "--games", type=int, default=30, metavar="N", help="duels; a third of them by four (default: %(default)s)"
    )
    env.add_argument(
        "--drawn", type=int, default=0, metavar="N", help="instead play N drawn games that look at masks and seeds"
    )
    env.add_argument("--first", type=int, default=0, metavar="N", help="number of the first one (default: %(default)s)")
    env.add_argument("--jobs", type=int, default=1, metavar="N", help="games at once (default: %(default)s)")
    server = kinds.add_parser("server", help="a whole server over websockets")
    server.add_argument("--json", action="store_true", help="print one JSON object")
    server.add_argument(
        "--rooms", type=int, action="append", metavar="N", help="this many rooms (default: 1, 50 and 200)"
    )
    server.add_argument("--quick", action="store_true", help="less work, rougher figures")
    cluster = kinds.add_parser("cluster", help="what PostgreSQL and a keeper cost an answer")
    cluster.add_argument("--json", action="store_true", help="print one JSON object")
    cluster.add_argument("--rooms", type=int, default=20, metavar="N", help="of four (default: %(default)s)")
    cluster.add_argument(
        "--rate", type=float, default=100.0, metavar="R", help="answers a second (default: %(default)s)"
    )
    cluster.add_argument("--seconds", type=float, default=20.0, metavar="S", help="how long (default: %(default)s)")
    cluster.add_argument(
        "--turns", type=int, default=1, metavar="N", help="all in turn so often (default: %(default)s)"
    )
    cluster.add_argument(
        "--cores", action="store_true", help="how much more two cores play than one, as fast as it goes"
    )
    soak = kinds.add_parser("soak", help="many rooms for minutes")
    soak.add_argument("--json", action="store_true", help="print one JSON object")
    soak.add_argument("--rooms", type=int, default=200, metavar="N", help="rooms of four (default: %(default)s)")
    soak.add_argument("--minutes", type=float, default=10.0, metavar="M", help="how long (default: %(default)s)")
    soak.add_argument(
        "--pace",
        type=float,
        default=0.4,
        metavar="S",
        help="seconds a client thinks, on average (default: %(default)s)",
    )
    heavy = kinds.add_parser("heavy", help="a quiet table beside a heavy one")
    heavy.add_argument("--json", action="store_true", help="print one JSON object")
    heavy.add_argument("--seconds", type=float, default=60.0, metavar="S", help="how long (default: %(default)s)")
    heavy.add_argument("--tables", type=int, default=20, metavar="N", help="of nine bots each (default: %(default)s)")
    restart = kinds.add_parser("restart", help="a server that takes up its games")
    restart.add_argument("--json", action="store_true", help="print one JSON object")
    restart.add_argument("--rooms", type=int, default=500, metavar="N", help="games in hand (default: %(default)s)")
    restart.add_argument("--quick", action="store_true", help="shorter games")


def _engine_arguments(engine: argparse.ArgumentParser) -> None:
    engine.add_argument("--json", action="store_true", help="print one JSON object")
    engine.add_argument("--fuzz", type=int, metavar="N", help="play N random games and check every law")
    engine.add_argument("--seed", type=int, default=0, metavar="N", help="of the first game (default: %(default)s)")
    engine.add_argument(
        "--cards",
        action="append",
        type=Path,
        metavar="FILE",
        help="draw the decks of --fuzz from this list's playable cards",
    )
    engine.add_argument(
        "--every",
        type=int,
        default=1,
        metavar="N",
        help="check the laws of --fuzz after every Nth decision (default: each)",
    )
    engine.add_argument(
        "--oracle",
        action="store_true",
        help="of the laws of --fuzz only those of the state: layers followed against layers applied anew, zones, references",
    )
    engine.add_argument(
        "--having", default="", metavar="WORD", help="of --cards only those whose text has this word, such as token"
    )
    engine.add_argument("--boards", action="store_true", help="measure decisions on big boards")
    engine.add_argument("--kind", action="append", metavar="NAME", help="only this kind of board of --boards")
    engine.add_argument("--house", action="store_true", help="measure with the house decks instead of plain ones")
    engine.add_argument("--seats", type=int, default=4, metavar="N", help="of --fuzz games (default: %(default)s)")
    engine.add_argument(
        "--preset", default="", metavar="TABLE", help="of --fuzz games: a table with its seats, such as emperor"
    )
    engine.add_argument(
        "--decks",
        type=Path,
        metavar="FILE",
        help="play --fuzz with the decks of these JSON lines, their cards from --cards; what is not read is a basic",
    )
    engine.add_argument("--jobs", type=int, default=2, metavar="N", help="processes of --fuzz (default: %(default)s)")
    engine.add_argument("--quick", action="store_true", help="less work, rougher figures")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    if args.what == "env":
        return _env(args)
    if args.what == "restart":
        return _restart(args)
    if args.what == "soak":
        return _soak(args)
    if args.what == "heavy":
        return _heavy(args)
    if args.what == "server":
        return _server(args)
    if args.what == "cluster":
        return _cluster(args)
    if args.fuzz is not None:
        return _fuzz(args)
    if args.boards:
        return _boards(args)
    return _engine(args)


def _env(args: argparse.Namespace) -> int:
    """In a process of its own: nothing of the server imports the library."""
    import importlib.util
    import subprocess

    if importlib.util.find_spec("pettingzoo") is None:
        print("The environments want more than is installed: pip install 'apnap[rl]'", file=sys.stderr)
        return 1
    words = [word for word, wanted in (("--json", args.json), ("--house", args.house)) if wanted]
    for name in ("games", "drawn", "first", "jobs"):
        words += [f"--{name}", str(getattr(args, name))]
    return subprocess.call([sys.executable, "-m", "apnap.rl.bench", *words])


def _engine(args: argparse.Namespace) -> int:
    import msgspec

    from server.bench.engine import Pace, at_reference, measure, reference_line

    measured = measure(house=args.house, quick=args.quick, seed=args.seed)
    figures = measured.figures
    decks = "house decks" if args.house else "24 basics, 28 vanilla creatures, 8 instants"

    def slow(amount: float) -> float:
        return at_reference(amount, measured.reference_ms)

    def pace(what: str, found: Pace, number: int) -> str:
        scaled = found.decisions_per_s / slow(1.0)
        return (
            f"  {what:<11} {found.decisions_per_s:9,.0f} decisions/s {scaled:9,.0f} {found.games_per_s:8.2f} games/s"
            f"  ({measured.games[number]} games, {measured.decisions[number]} decisions)"
        )

    lines = [
        f"60-card decks ({decks}), random legal play, CPU time; the second figure is at reference speed",
        pace("duel", figures.duel, 0),
        pace("four seats", figures.four_seats, 1),
        f"  combat      {figures.combat_ms:9.2f} ms {slow(figures.combat_ms):9.2f}  (12 attackers on 3 players, 12 blockers)",
        f"  fork        {figures.fork_us:9.2f} us {slow(figures.fork_us):9.2f}",
        *(f"              {note}" for note in measured.notes),
        f"  memory      {figures.game_mib:9.2f} MiB a four-seat game in progress",
        reference_line(measured.reference_ms),
    ]
    print("\n".join(lines), file=sys.stderr if args.json else sys.stdout, flush=True)
    if args.json:
        print(msgspec.json.encode(figures).decode())
    return 0


def _boards(args: argparse.Namespace) -> int:
    import msgspec

    from server.bench.boards import KINDS, SIZES, measure
    from server.bench.engine import at_reference, reference, reference_line

    if any(kind not in KINDS for kind in args.kind or ()):
        print(f"apnap bench: a --kind is one of {', '.join(KINDS)}", file=sys.stderr)
        return 2
    references = [reference()]
    boards = measure(quick=args.quick, kinds=tuple(args.kind or ()), say=lambda _: references.append(reference()))
    slow = at_reference(1.0, min(references))
    lines = [
        f"four players, {' and '.join(map(str, SIZES))} permanents each; milliseconds of CPU time a decision, on average and at"
        " most; the second figures are at reference speed",
        *(
            f"  {board.name:<15} 4 x {board.each:<4}{board.mean_ms:9.3f} {board.most_ms:9.2f}   "
            f"{board.mean_ms * slow:9.3f} {board.most_ms * slow:9.2f}  ({board.decisions} decisions)"
            for board in boards
        ),
        reference_line(min(references)),
    ]
    print("\n".join(lines), file=sys.stderr if args.json else sys.stdout, flush=True)
    if args.json:
        print(msgspec.json.encode(boards).decode())
    return 0


def _fuzz(args: argparse.Namespace) -> int:
    import msgspec

    from server.bench.drawn import playable
    from server.bench.fuzz import run_games
    from server.bench.listed import listed
    from server.bench.presets import PRESETS
    from server.oracle.importing import ListFault

    if args.fuzz < 1 or not 2 <= args.seats <= 10 or args.jobs < 1 or args.every < 1:
        print("apnap bench: --fuzz, --jobs and --every take 1 or more, --seats 2 to 10", file=sys.stderr)
        return 2

    if args.preset and args.preset not in PRESETS:
        print(f"apnap bench: --preset takes {', '.join(PRESETS)}", file=sys.stderr)
        return 2

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    try:
        decks = listed(args.decks, args.cards or ()) if args.decks else ()
        pool = () if args.decks else playable(args.cards or (), having=args.having)
    except (OSError, ListFault, msgspec.DecodeError) as fault:
        print(f"apnap bench: {fault}", file=sys.stderr)
        return 2
    of_commander = sum(bool(deck.commander) for deck in decks)
    most = max(of_commander, len(decks) - of_commander)
    if args.decks and most < args.seats:
        print(f"apnap bench: {most} decks of one kind can be played, for {args.seats} seats", file=sys.stderr)
        return 2
    if args.having and not pool:
        print(f"apnap bench: no playable card of --cards has {args.having!r}", file=sys.stderr)
        return 2
    if args.decks:
        say(f"{len(decks)} decks, {sum(deck.replaced for deck in decks)} of their cards replaced by basics")
    elif args.cards:
        say(f"{len(pool)} playable cards")
    report = run_games(
        args.fuzz,
        first=args.seed,
        seats=args.seats,
        jobs=args.jobs,
        pool=pool,
        every=args.every,
        preset=args.preset,
        decks=decks,
        oracle=args.oracle,
        progress=say,
    )
    if args.json:
        print(msgspec.json.encode(report).decode())
    else:
        print("\n".join(report.lines()))
    return 1 if report.failures else 0


def _server(args: argparse.Namespace) -> int:
    import msgspec

    from server.bench.load import LoadError
    from server.bench.server import measure
    from server.bench.wire import WireError

    def say(line: str) -> None:
        print(line, file=sys.stderr if args.json else sys.stdout, flush=True)

    if args.rooms and min(args.rooms) < 1:
        print("apnap bench: --rooms takes 1 or more", file=sys.stderr)
        return 2
    try:
        figures = measure(tuple(args.rooms or (1, 50, 200)), quick=args.quick, say=say)
    except (LoadError, WireError, OSError) as fault:
        print(f"apnap bench: {fault}", file=sys.stderr)
        return 1
    if args.json:
        print(msgspec.json.encode(figures).decode())
    return 0


def _cluster(args: argparse.Namespace) -> int:
    from math import inf

    import msgspec

    from server.bench import cores
    from server.bench.cluster import measure
    from server.bench.engine import reference_line
    from server.bench.load import LoadError
    from server.bench.wire import WireError

    def say(line: str) -> None:
        print(line, file=sys.stderr if args.json else sys.stdout, flush=True)

    if min(args.rooms, args.turns) < 1 or not (0 < args.rate < inf and 0 < args.seconds < inf):
        print("apnap bench: --rooms and --turns take 1 or more, --rate and --seconds more than 0", file=sys.stderr)
        return 2
    try:
        if args.cores:
            say(f"{args.rooms} rooms of four clients a core, as fast as it goes, {args.seconds:g} s each")
            figures = cores.measure(args.rooms, args.seconds, args.turns, say=say)
            say(
                f"  two cores do {figures.by_cpu:.2f} by CPU time ({figures.by_clock:.2f} by the clock) of what they do of plain loops"
            )
        else:
            say(f"{args.rooms} rooms of four clients, {args.rate:g} answers a second, {args.seconds:g} s each")
            figures = measure(args.rooms, args.rate, args.seconds, args.turns, say=say)
            say(
                f"  on PostgreSQL one process takes {figures.ratio:.2f} of the CPU time that it takes on its directory,"
            )
            say(f"  a keeper and two workers {figures.node_ratio:.2f}")
            say(reference_line(figures.reference_ms))
    except (LoadError, WireError, OSError) as fault:
        print(f"apnap bench: {fault}", file=sys.stderr)
        return 1
    if args.json:
        print(msgspec.json.encode(figures).decode())
    return 0


def _soak(args: argparse.Namespace) -> int:
    import msgspec

    from server.bench.load import LoadError
    from server.bench.soak import measure
    from server.bench.wire import WireError

    def say(line: str) -> None:
        print(line, file=sys.stderr if args.json else sys.stdout, flush=True)

    if args.rooms < 1 or args.minutes <= 0 or args.pace <= 0:
        print("apnap bench: --rooms takes 1 or more, --minutes and --pace more than 0", file=sys.stderr)
        return 2
    try:
        figures = measure(args.rooms, args.minutes, args.pace, say=say)
    except (LoadError, WireError, OSError) as fault:
        print(f"apnap bench: {fault}", file=sys.stderr)
        return 1
    text = msgspec.json.encode(figures)
    print(text.decode() if args.json else msgspec.json.format(text, indent=2).decode())
    return 1 if figures.stuck else 0


def _heavy(args: argparse.Namespace) -> int:
    import msgspec

    from server.bench.heavy import measure
    from server.bench.load import LoadError
    from server.bench.wire import WireError

    def say(line: str) -> None:
        print(line, file=sys.stderr if args.json else sys.stdout, flush=True)

    if args.seconds <= 0 or args.tables < 0:
        print("apnap bench: --seconds takes more than 0, --tables 0 or more", file=sys.stderr)
        return 2
    try:
        figures = measure(args.seconds, args.tables, say=say)
    except (LoadError, WireError, OSError) as fault:
        print(f"apnap bench: {fault}", file=sys.stderr)
        return 1
    if args.json:
        print(msgspec.json.encode(figures).decode())
    return 0


def _restart(args: argparse.Namespace) -> int:
    import msgspec

    from server.bench.restart import measure

    def say(line: str) -> None:
        print(line, file=sys.stderr if args.json else sys.stdout, flush=True)

    if args.rooms < 1:
        print("apnap bench: --rooms takes 1 or more", file=sys.stderr)
        return 2
    try:
        figures = measure(args.rooms, inputs=100 if args.quick else 400, say=say)
    except OSError as fault:
        print(f"apnap bench: {fault}", file=sys.stderr)
        return 1
    if args.json:
        print(msgspec.json.encode(figures).decode())
    else:
        print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())
    return 0
