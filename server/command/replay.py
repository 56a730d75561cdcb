"""Play a journal again and print the game; ends with the hash of the rules' state.

ROOM is a room's id, FILE what `apnap export` wrote. Everything is printed, hidden cards too: a journal is the host's.
URL is a server's: its finished games that you may see are listed, yours and those that their people have published; with
--room one of them is printed as a spectator saw it.
Exit code 1: there is no such journal, it cannot be read, or the rules come to another game than it says. --verify checks
as well that all chance comes from the secret and the entropy that were committed to before the game.
"""

from __future__ import annotations

import argparse

from server.command.data import add_data


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap replay`."""
    parser.add_argument("journal", metavar="ROOM|FILE|URL")
    parser.add_argument("--room", default="", metavar="ROOM", help="with a URL: the game to print")
    parser.add_argument("--name", default="", help="with a URL: who you were there (default: that of your account)")
    parser.add_argument("--until", type=int, metavar="SEQ", help="stop after this entry of the journal")
    parser.add_argument("--lang", choices=("en", "fr"), default="en", help="language (default: %(default)s)")
    parser.add_argument(
        "--verify", action="store_true", help="check a finished game: its chance, every answer and the end"
    )
    parser.add_argument(
        "--chance", default="", metavar="HASH", help="with --verify: the hash that the room showed before the game"
    )
    parser.add_argument("--quiet", action="store_true", help="print the end only")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Find the journal, play it, print."""
    import sys

    import trio

    from server.command.data import find_journal, folder
    from server.rooms import RoomError
    from server.storage import StorageError

    if args.journal.startswith(("ws://", "wss://")):
        return _at_a_server(args)
    try:
        journal = trio.run(find_journal, args.journal, folder(args))
        if args.verify:
            return _verify(journal, args)
        _print(journal, args)
    except BrokenPipeError:
        raise  # whoever read our output went away: main knows
    except (OSError, StorageError, RoomError) as fault:
        print(f"apnap replay: {fault}", file=sys.stderr)
        return 1
    return 0


def _at_a_server(args: argparse.Namespace) -> int:
    """List the games that may be seen there, or print one."""
    import sys

    import trio

    from client_cli.errors import plain_error

    try:
        trio.run(_ask, args)
    except BaseException as fault:
        known = plain_error(fault)
        if known is None:
            raise
        print(f"apnap replay: {known}", file=sys.stderr)
        return 1
    return 0


async def _ask(args: argparse.Namespace) -> None:
    from client_cli import replays
    from client_cli.memory import my_name, recall
    from client_cli.session import open_session

    name = args.name or my_name()
    token = recall(args.journal, name)
    async with open_session(args.journal, name, lang=args.lang, token=token, client="apnap replay") as session:
        if args.room:
            async for sentence in replays.sentences(session, args.room, args.lang):
                print(sentence)
        else:
            for game in await replays.games(session):
                print(replays.line_of(game, args.lang))


def _verify(journal, args: argparse.Namespace) -> int:
    """Say whether all is well; 1 if not."""
    from server.rooms import RULES
    from server.rooms.verify import verify

    setup = journal.setup
    fairness = setup.fair
    print(f"Room {setup.room}, {len(setup.seats)} seats, {len(journal.entries)} entries")
    print(f"hash shown before the game: {fairness.chance}")
    print(f"secret: {fairness.secret}")
    if fairness.salt:
        print(f"salt: {fairness.salt}")
    for seat, before in enumerate(setup.drawn):
        print(f"{setup.seats[seat].name} sat in seat {before + 1} before the seats were drawn, then in seat {seat + 1}")
    for before, entropy in enumerate(fairness.entropy):
        if entropy:
            name = setup.seats[setup.drawn.index(before) if setup.drawn else before].name
            print(f"entropy of {name}: {entropy}, committed to as {fairness.commits[before]}")
    if setup.version != RULES.version:
        print(f"Dealt by rules {setup.version}, checked by rules {RULES.version}.")
    found = list(verify(journal, RULES, args.chance))
    for sentence in found:
        print(sentence)
    if not found:
        print(
            "Verified: dealt from that secret and entropy; every answer is legal and leads to the state that was noted."
        )
    return 1 if found else 0


def _print(journal, args: argparse.Namespace) -> None:
    """The game as sentences, then where it stands. Raises `Diverged`."""
    from server.rooms import RULES, replay

    setup = journal.setup
    seats = ", ".join(f"{number} {seat.name} ({seat.deck_name})" for number, seat in enumerate(setup.seats))
    print(f"Room {setup.room}, edition {setup.rules.edition}, {len(setup.seats)} seats: {seats}")
    if journal.torn:
        print("The last entry was torn and is left out.")
    if setup.version != RULES.version:
        print(f"Dealt by rules {setup.version}, played by rules {RULES.version}.")
    last = None
    for turned in replay(journal, RULES, args.until):
        last = turned
        if not args.quiet:
            seq = turned.entry.seq if turned.entry is not None else 0
            for sentence in _sentences(turned, args.lang):
                print(f"{seq:>5}  {sentence}")
    if last is None:
        return
    state = last.after
    if state.result is not None:
        winners = ", ".join(setup.seats[seat].name for seat in state.result.winners) or "nobody"
        print(f"Over in turn {state.turn.number}: {winners} won.")
    elif state.pending is not None:
        asked = setup.seats[state.pending.seat].name
        print(f"Turn {state.turn.number}, {state.turn.step}: question {state.pending.number} is asked of {asked}.")
    print(f"state hash {RULES.fingerprint(state)}")


def _sentences(turned, lang: str):
    """What one entry came to, each line in the version that says most."""
    from protocol.words import fill
    from server.rooms.audience import lines_of

    for line in lines_of(turned):
        event = next(iter(line.private.values()), line.public)
        if event is not None:
            rule = f"  [{event.rule}]" if event.rule else ""
            yield fill(event.key, event.args, lang) + rule
