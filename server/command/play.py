"""Play at a table, in the terminal.

Numbers and Enter choose; a letter that is no key opens the line, ":" does, too; Esc closes. P pass until something happens, T
until my turn, E until end of turn, O stop passing; i NUMBER or NAME a card, l the log, stops where you are asked, ? help, q quit.
With --plain everything is printed line by line, and lines are read from standard input: for screen readers and pipes.
"""

from __future__ import annotations

import argparse

MOST_NAME = 32
"""Characters of a name (`protocol.base.Name`)."""
MOST_SEED = 2**53 - 1
"""The largest number that every client of the protocol can say."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap play`."""
    parser.add_argument(
        "url",
        metavar="ADDRESS",
        nargs="?",
        default="127.0.0.1:8802",
        help="HOST, HOST:PORT, https://... or the link of an invitation (default: %(default)s)",
    )
    parser.add_argument("--ca", default="", metavar="FILE", help="trust certificates of the authorities in this file")
    parser.add_argument(
        "--fingerprint",
        default="",
        metavar="SHA256",
        help="trust the one certificate with this fingerprint, and no other",
    )
    parser.add_argument("--name", default="", help="your name (default: that of your account)")
    parser.add_argument(
        "--account", action="store_true", help="sign in to the account of that name; asks for its password"
    )
    parser.add_argument(
        "--link", default="", metavar="LINK", help="a one-time link of the host; asks for the account's new password"
    )
    parser.add_argument("--lang", choices=("en", "fr"), help="language (default: from $LANG)")
    parser.add_argument("--plain", action="store_true", help="line by line, without a screen")
    parser.add_argument("--room", default="", metavar="ID", help="join this room at once")
    parser.add_argument("--locked", action="store_true", help="with --room: it has a password; asks for it")
    parser.add_argument("--watch", action="store_true", help="with --room: watch it")
    parser.add_argument("--new", type=int, metavar="SEATS", help="open a table with so many seats at once")
    parser.add_argument("--bots", action="store_true", help="with --new: bots on all other seats, and start")
    parser.add_argument("--deck", default="", metavar="NAME", help="the house deck to play")
    parser.add_argument("--seed", type=int, metavar="N", help="with --new: the seed of all chance (for tests)")
    parser.add_argument("--edition", choices=("2009", "2011", "current"), help="with --new: the rules (default: 2011)")
    parser.add_argument(
        "--format",
        choices=("constructed", "commander", "brawl"),
        help="with --new: which decks are played (default: constructed)",
    )
    parser.add_argument(
        "--variant",
        choices=("free_for_all", "two_headed_giant", "team_vs_team", "emperor", "alternating_teams"),
        help="with --new: how the table is divided (default: free_for_all)",
    )
    parser.add_argument(
        "--best-of", type=int, choices=(1, 3, 5), metavar="N", help="with --new 2: a match of 3 or 5 games at most"
    )
    parser.add_argument("--rated", action="store_true", help="with --new: the game counts for the server's ladder")
    parser.add_argument("--resume", action="store_true", help="be who you were here last time, and take up your game")


def run(args: argparse.Namespace) -> int:
    """Connect and play."""
    import sys

    import trio

    from client_cli.errors import plain_error, sentence
    from client_cli.invitation import NoAddress
    from client_cli.memory import language
    from client_cli.reaching import BadTrust
    from protocol.words import say

    wrong = wrong_usage(args)
    if not wrong and not args.plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        wrong = "not a terminal; use --plain"
    if wrong:
        print(f"apnap play: {wrong}", file=sys.stderr)
        return 2
    lang = args.lang or language()
    try:
        return trio.run(_play, args)
    except NoAddress as fault:
        print(f"apnap play: {say('reach.address', lang, text=str(fault))}", file=sys.stderr)
        return 2
    except BadTrust as fault:
        print(f"apnap play: {say(fault.key, lang, **fault.places)}", file=sys.stderr)
        return 2
    except BaseException as fault:
        known = plain_error(fault)
        if known is None:
            if isinstance(fault, BaseExceptionGroup) and fault.subgroup(BrokenPipeError):
                raise BrokenPipeError from None
            raise
        print(f"apnap play: {sentence(known, lang)}", file=sys.stderr)
        return 1


def wrong_usage(args: argparse.Namespace) -> str:
    """What is wrong with the options, together or alone; "" if nothing is."""
    if args.new is not None and not 2 <= args.new <= 10:
        return "--new takes 2 to 10 seats"
    if len(args.name) > MOST_NAME:
        return f"--name takes 1 to {MOST_NAME} characters"
    if args.seed is not None and not 0 <= args.seed <= MOST_SEED:
        return f"--seed takes a number from 0 to {MOST_SEED}"
    if args.new is None:
        for option in ("bots", "seed", "edition", "format", "variant", "best_of", "rated"):
            if getattr(args, option) not in (None, False):
                return f"--{option.replace('_', '-')} goes with --new SEATS"
    elif args.room or args.watch:
        return "--new opens a table of one's own: leave --room and --watch out"
    if args.best_of not in (None, 1) and args.new != 2:
        return "--best-of goes with --new 2"
    for option in ("watch", "locked"):
        if getattr(args, option) and not args.room and "/room/" not in args.url:
            return f"--{option} goes with --room ID, or the link of a room"
    return ""


async def _play(args: argparse.Namespace) -> int:
    import msgspec

    from client_cli import settings
    from client_cli.app import App
    from client_cli.invitation import invited, link_code
    from client_cli.memory import language, my_name, recall, remember
    from client_cli.reaching import read_fingerprint, trust
    from client_cli.session import open_session
    from protocol.options import RoomOptions

    name = args.name or my_name()
    lang = args.lang or language()
    place = invited(args.url)
    pinned = read_fingerprint(args.fingerprint) if args.fingerprint else ""
    tls = trust(args.ca, pinned)
    room, link = args.room or place.room, link_code(args.link) or place.link
    token = recall(place.url, name) if args.resume and not link else ""
    password = _password("New password: " if link else "Password: ") if link or (args.account and not token) else ""
    room_password = _password("Password of the room: ") if args.locked else ""
    async with open_session(
        place.url,
        name,
        lang=lang,
        token=token,
        client="apnap play",
        adds_entropy=True,
        password=password,
        link=link,
        tls=tls,
        fingerprint=pinned,
        ahead=not args.plain,
    ) as session:
        remember(place.url, name, session.token)
        kept = settings.file()
        app = App(
            session,
            lang,
            full=args.plain,
            settings=settings.read(kept),
            keep=lambda changed: settings.write(changed, kept),
        )
        app.address = place.url
        app.wanted = args.deck
        options = None
        if args.new is not None:
            seed = msgspec.UNSET if args.seed is None else args.seed
            options = RoomOptions(seats=args.new, seed=seed, by_hand="never" if args.rated else "unread")
            chosen = {name: getattr(args, name) for name in ("edition", "format", "variant", "best_of", "rated")}
            options = msgspec.structs.replace(options, **{key: value for key, value in chosen.items() if value})
            app.bots_wanted = args.new - 1 if args.bots else 0
        await app.begin(room, new=options, watch=args.watch, invitation=place.invitation, password=room_password)
        if args.plain:
            from client_cli import plain

            return await plain.run(app, session)
        from client_cli import screen

        return await screen.run(app, session)


def _password(prompt: str) -> str:
    """Ask for a password, without showing it; a line of standard input where there is no terminal."""
    import getpass
    import sys

    return getpass.getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
