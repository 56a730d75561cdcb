"""Play one whole game of bots over real websockets and verify every view.

Starts a server on a free port, seats bots through the public protocol, and after every message compares each bot's
patched view with the view of that seat as the room computes it anew at that moment. The same --seed plays the same game.
With --json the last line is one object: {state_hash, winner, turns, decisions, views_verified, seats, seconds}.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

import msgspec

from protocol.options import Edition, RoomOptions, Variant

if TYPE_CHECKING:
    from client_cli.bot_kit import Outcome
    from client_cli.session import Session
    from protocol.rooms import DeckSummary
    from protocol.view import Standing
    from server.net.app import App
    from server.rooms.game import Game
    from server.storage import Storage

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap demo`."""
    from pathlib import Path

    parser.add_argument("--seats", type=int, default=4, metavar="N", help="2 to 10 (default: %(default)s)")
    parser.add_argument("--seed", type=int, metavar="N", help="of all chance (default: drawn)")
    parser.add_argument("--level", choices=("simple", "random"), default="simple", help="default: %(default)s")
    parser.add_argument("--edition", choices=get_args(Edition), default="2011", help="default: %(default)s")
    parser.add_argument(
        "--variant",
        choices=get_args(Variant),
        default="free_for_all",
        help="how the table is divided (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    parser.add_argument("--log", action="store_true", help="print the log of the game as the first seat sees it")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep the journal there (default: in memory only)")


def run(args: argparse.Namespace) -> int:
    """Play, verify, print."""
    import random
    import sys
    import time

    import trio

    if not 2 <= args.seats <= len(NAMES):
        print("apnap demo: --seats takes 2 to 10", file=sys.stderr)
        return 2
    seed = random.SystemRandom().randrange(2**31) if args.seed is None else args.seed
    if not 0 <= seed < 2**53:
        print("apnap demo: --seed takes 0 to 2^53 - 1", file=sys.stderr)
        return 2
    if not args.json:
        print(f"{args.seats} bots ({args.level}) play, seed {seed}", flush=True)
    start = time.perf_counter()
    try:
        game = trio.run(_serve_and_play, args, seed)
    except BaseExceptionGroup as group:
        if group.subgroup(BrokenPipeError):
            raise BrokenPipeError from None
        raise
    game.seconds = round(time.perf_counter() - start, 2)
    for line in _report(game, args.seats):
        print(line, file=sys.stderr if args.json else sys.stdout)
    if args.json:
        print(msgspec.json.encode(game.summary(args.seats)).decode())
    return 0 if game.whole and not game.mismatches else 1


class Summary(msgspec.Struct, frozen=True):
    """What `--json` ends with. `winner` is a name, "" for a draw; `views_verified` counts views."""

    state_hash: str
    winner: str
    turns: int
    decisions: int
    views_verified: int
    seats: int
    seconds: float


class Played(msgspec.Struct):
    """What became of the demo's game."""

    names: list[str] = []
    outcomes: list[Outcome] = []
    standings: list[Standing] = []
    winners: list[int] = []
    state_hash: str = ""
    turns: int = 0
    verified: int = 0
    mismatches: list[str] = []
    bytes_sent: int = 0
    seconds: float = 0.0
    room: str = ""

    @property
    def whole(self) -> bool:
        """Whether it was played to its end, and every seat was told."""
        return bool(self.outcomes) and all(outcome.over is not None for outcome in self.outcomes)

    @property
    def decisions(self) -> int:
        """How many questions were answered."""
        return sum(outcome.decisions for outcome in self.outcomes)

    def summary(self, seats: int) -> Summary:
        """For `--json`."""
        winner = ", ".join(self.names[seat] for seat in self.winners)
        return Summary(self.state_hash, winner, self.turns, self.decisions, self.verified, seats, self.seconds)


def _report(game: Played, seats: int) -> list[str]:
    """What is printed for people."""
    from protocol.words import say

    if not game.whole:
        lines = [f"the game was not played to its end (room {game.room})"]
    else:
        lines = [f"{game.turns} turns, {game.decisions} decisions in {game.seconds} s"]
        for standing in game.standings:
            reason = say(standing.reason) if standing.reason else ""
            lines.append(f"  {standing.place}. {game.names[standing.seat]}: {reason}, turn {standing.turn}")
        lines.append(f"state {game.state_hash}")
    refused = sum(outcome.refusals for outcome in game.outcomes)
    failed = sum(outcome.failures for outcome in game.outcomes)
    if refused or failed:
        last = next((outcome.last_refusal for outcome in game.outcomes if outcome.last_refusal), "")
        lines.append(f"{refused} answers refused, {failed} failures of bots. {last}".rstrip())
    if game.mismatches:
        lines.append(f"views differ: {len(game.mismatches)}, first: {game.mismatches[0]}")
    elif game.verified:
        lines.append(f"views verified: {game.verified}, at every seq of {seats} seats")
    return lines


async def _serve_and_play(args: argparse.Namespace, seed: int) -> Played:
    """A server of its own for one game."""
    from server.storage import MemoryStorage, open_sqlite

    if args.data is None:
        return await _with_storage(MemoryStorage(), args, seed)
    async with open_sqlite(args.data) as storage:
        return await _with_storage(storage, args, seed)


async def _with_storage(storage: Storage, args: argparse.Namespace, seed: int) -> Played:
    from server.command.decks import house_decks
    from server.net.app import ANYWHERE, running

    async with running(storage, house_decks(), settings=msgspec.structs.replace(ANYWHERE, name="apnap demo")) as app:
        return await play_game(
            app,
            args.seats,
            seed,
            level=args.level,
            edition=args.edition,
            variant=args.variant,
            log=args.log and not args.json,
        )


def _told(game: Played, sessions: list[Session]) -> None:
    """Notes on the game how it ended, as the players were told."""
    over = next((outcome.over for outcome in game.outcomes if outcome.over is not None), None)
    if over is not None:
        game.standings, game.winners, game.state_hash = over.result.standings, over.result.winners, over.state_hash
    game.turns = max((session.table.view.turn for session in sessions if session.table.started), default=0)


async def play_game(
    app: App,
    seats: int,
    seed: int,
    *,
    level: str = "simple",
    edition: Edition = "2011",
    variant: Variant = "free_for_all",
    log: bool = False,
    rules: Game | None = None,
) -> Played:
    """Seat bots at a running server over websockets, play one game, verify every view on the way."""
    import trio

    from client_cli.bot_kit import play, prepare
    from client_cli.bots import make
    from client_cli.channels import websocket_dial
    from protocol.messages import Ok
    from protocol.rooms import Decks, Join, ListDecks, Open, Room, Start
    from server.command.witness import CheckedSession, Witness
    from server.rooms.game import RULES

    game = Played(names=list(NAMES[:seats]))
    async with trio.open_nursery() as nursery:
        sessions: list[Session] = []
        decks: list[DeckSummary] = []
        witness = Witness(app.lobby, rules or RULES)
        try:
            for seat, name in enumerate(game.names):
                dial = websocket_dial(app.url, nursery)
                session = CheckedSession(dial, name, witness, seat, printing=log and seat == 0)
                sessions.append(session)
                await session.connect()
                if seat == 0:
                    options = RoomOptions(title="demo", seats=seats, seed=seed, edition=edition, variant=variant)
                    opened = await session.request(Open(id=session.new_id(), options=options), Room)
                    game.room = opened.room.id
                    told = await session.request(ListDecks(id=session.new_id()), Decks)
                    decks = [deck for deck in told.decks if deck.format == options.format]
                else:
                    await session.request(Join(id=session.new_id(), room=game.room, seat=seat), Room)
                deck = decks[(seat + seed) % len(decks)].name if decks else ""
                await prepare(session, seat=seat, deck=deck, stops=level == "simple")
            witness.watch(game.room)
            await sessions[0].request(Start(id=sessions[0].new_id()), Ok)
            game.outcomes = [None] * seats  # type: ignore[list-item]

            async def one(seat: int) -> None:
                game.outcomes[seat] = await play(sessions[seat], make(level, seed * 16 + seat))

            async with trio.open_nursery() as players:
                for seat in range(seats):
                    players.start_soon(one, seat)
        finally:
            for session in sessions:
                await session.aclose()
            nursery.cancel_scope.cancel()
    _told(game, sessions)
    game.verified, game.mismatches = witness.verified, witness.mismatches
    return game
