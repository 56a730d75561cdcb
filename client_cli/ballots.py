"""What is done by hand or proposed, as the terminal tells of it: what it is, who is asked, what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.by_hand import Agree, Ballot

if TYPE_CHECKING:
    from client_cli.app import App
    from client_cli.confirming import Act


class Ballots:
    """The open ones. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._open: dict[str, Ballot] = {}
        self._asked: dict[str, str] = {}
        """What is asked of us by itself, by ballot."""

    def tell(self, ballot: Ballot) -> None:
        """One is opened, has changed, or is over."""
        app, name = self._app, ballot.ballot
        before = self._open.get(name)
        if ballot.result:
            self._open.pop(name, None)
            self._close(name)
            if ballot.what != "act" or ballot.result == "failed":
                app.note(app.say(f"ui.ballot_{ballot.what}_{ballot.result}", name=app.show.named(ballot.by)))
            return
        self._open[name] = ballot
        if before is None:
            for line in self._words(ballot):
                app.note(line)
        elif ballot.no != before.no and ballot.what == "act":
            names = ", ".join(app.show.player(seat) for seat in ballot.no)
            app.note(app.say("web.objected_by", names=names))
        self._ask(ballot)

    def lost(self) -> None:
        """The connection is lost: none is open, as far as is known."""
        self._open.clear()
        for name in list(self._asked):
            self._close(name)

    def message(self, new: str, name: str) -> Agree | str | None:
        """What "object", "yes" or "no" say, or what is wrong with it; None where no ballot is meant."""
        you = self._app.session.table.you
        if name == "object":
            act = next((b for b in reversed(self._open.values()) if b.what == "act" and b.by != you), None)
            return Agree(id=new, ballot=act.ballot, yes=False) if act else self._app.say("refused.no_ballot")
        mine = next((b for b in reversed(self._open.values()) if you in b.waiting or b.by == you), None)
        return Agree(id=new, ballot=mine.ballot, yes=name == "yes") if mine else None

    def _words(self, ballot: Ballot) -> list[str]:
        app = self._app
        lines = [app.say(f"web.ballot_{ballot.what}", name=app.show.named(ballot.by))]
        if ballot.what == "reword" and ballot.changes:
            args = ballot.changes[0].args
            for key, arg in (("web.printed", "text"), ("web.wording", "line"), ("web.understood", "read")):
                lines.append(f"  {app.say(key, card=args.get('card', ''))}: {args.get(arg, '')}")
        else:
            lines += [f"  {app.show.text(one)}" for one in ballot.changes]
        if ballot.what == "act" and ballot.by != app.session.table.you and app.session.table.you is not None:
            lines.append(app.say("ui.object_how", seconds=max(1, ballot.left_ms // 1000)))
        return lines

    def _ask(self, ballot: Ballot) -> None:
        """Ask for our voice, once, where it is waited for: to a proposal, or to an act that somebody objected to."""
        app, name = self._app, ballot.ballot
        wanted = app.session.table.you in ballot.waiting and (ballot.what != "act" or ballot.stands)
        if not wanted:
            self._close(name)
            return
        if name in self._asked:
            return

        def says(yes: bool) -> Act:
            async def act() -> None:
                await app.session.send(Agree(id=app.session.new_id(), ballot=name, yes=yes))

            return act

        yes, no = ("web.let_stand", "web.object") if ballot.what == "act" else ("ui.vote_yes", "ui.vote_no")
        prompt = " ".join(self._words(ballot)[:4])
        self._asked[name] = app.confirming.ask(
            prompt,
            (app.say(yes), says(True)),
            (app.say(no), says(False)),
            (app.say("ui.vote_later"), None),
        )

    def _close(self, name: str) -> None:
        about = self._asked.pop(name, "")
        if about:
            self._app.confirming.close(about)
