"""The table in lines of text, the same for the screen and for `--plain`. Pure: a table in, strings out.

Works without colour and without any letter beyond those of the language. `full` writes marks as words, for screen
readers; else they are short: T tapped, s summoning sick, combat as "->".
"""

from __future__ import annotations

import textwrap
from collections import Counter

from msgspec import UNSET

from client_cli.table import Table
from protocol.questions import Arg, Choice, ObjectChoice, PlayerChoice, Text, WordChoice
from protocol.view import Event, Face, ObjectView, PlayerView
from protocol.words import say

CARDS = {"card", "source", "into"}
"""Places of sentences in which a card is named, and nobody else."""

TEAMS = "ABCDEFGHIJ"
"""Teams by letters, since seats have numbers."""


def printed(face: Face) -> list[str]:
    """What is printed on a face."""
    lines = [f"{face.name}  {face.cost}".rstrip(), face.types]
    by_hand = " ".join(" ".join(face.by_hand).split())
    for line in filter(None, face.text.splitlines()):
        plain = line.partition(" (")[0].removeprefix("• ")
        lines.append(say("ui.by_hand", text=line) if plain in by_hand else line)
    if face.power or face.toughness:
        lines.append(f"{face.power}/{face.toughness}")
    if face.loyalty:
        lines.append(f"<{face.loyalty}>")
    return lines


class Show:
    """Writes one table in one language."""

    def __init__(self, table: Table, lang: str = "en", *, full: bool = False) -> None:
        self.table = table
        self.lang = lang
        self.full = full

    def say(self, key: str, **args: object) -> str:
        """A sentence of the catalogue."""
        return say(key, self.lang, **args)

    # --- names -------------------------------------------------------------------------------------------------------

    def player(self, seat: int) -> str:
        """A player's name; "you" for our own seat."""
        return self.say("ui.you") if seat == self.table.you else self.named(seat)

    def named(self, seat: int) -> str:
        """A player's name, our own, too: for sentences that are about a third person."""
        player = self.table.view.players.get(str(seat))
        return player.name if player is not None else self.say("ui.seat", seat=seat + 1)

    def choice(self, choice: Choice) -> str:
        """What can be picked, in words: for an object its label and, if not ours, whose it is."""
        match choice:
            case PlayerChoice():
                return self.player(choice.seat)
            case WordChoice():
                return choice.text or choice.word
            case ObjectChoice():
                return self.thing(choice.id, whose=True)

    def thing(self, key: str, *, whose: bool = False) -> str:
        """An object: name, size, state, and whose it is when asked for."""
        thing = self.table.view.objects.get(key)
        if thing is None:
            return key
        words = self.table.name(key)
        if thing.kind == "ability" and thing.text:
            words = thing.text if words == thing.text else f"{words}: {thing.text}"
        size = self._size(thing)
        words = f"{words} {size}" if size else words
        marks = self._marks(key, thing)
        if marks:
            words += f" ({', '.join(marks)})"
        if whose:
            if thing.zone not in ("battlefield", "hand"):
                words += f", {self.say('zone.' + thing.zone)}"
            if thing.controller != self.table.you:
                words += f" [{self.player(thing.controller)}]"
        return words

    @staticmethod
    def _size(thing: ObjectView) -> str:
        if thing.power is not UNSET and thing.toughness is not UNSET and "creature" in thing.types:
            return f"{thing.power}/{thing.toughness}"
        if thing.loyalty is not UNSET:
            return f"<{thing.loyalty}>"
        return ""

    def _marks(self, key: str, thing: ObjectView) -> list[str]:
        """Tapped, sick, damage, counters, what is attached, in short or full words."""
        if thing.zone != "battlefield":
            return []
        short = "" if self.full else "_short"
        marks: list[str] = []
        if thing.tapped:
            marks.append(self.say(f"ui.tapped{short}"))
        if thing.sick and "creature" in thing.types:
            marks.append(self.say(f"ui.sick{short}"))
        if thing.damage:
            marks.append(self.say("ui.damage", damage=thing.damage))
        marks += [f"{kind} x{count}" for kind, count in sorted(thing.counters.items()) if kind != "loyalty"]
        marks += [
            "+" + self.table.name(other)
            for other in self.table.view.battlefield
            if (held := self.table.view.objects.get(other)) is not None and held.attached_to == key
        ]
        return marks

    def card(self, key: str) -> list[str]:
        """All that is printed on a card, and what it is now."""
        thing = self.table.view.objects.get(key)
        face = self.table.face(thing) if thing is not None else None
        if thing is None or face is None:
            return [self.thing(key)]
        lines = [] if " // " in face.name else printed(self.table.words(face))  # of a split card the halves say all
        for other in face.faces:
            lines += ["//", *printed(self.table.words(other))] if lines else printed(self.table.words(other))
        now = self.thing(key)
        if thing.keywords:
            now += " | " + ", ".join(thing.keywords)
        return [*lines, now]

    # --- the table ---------------------------------------------------------------------------------------------------

    def header(self) -> str:
        """Turn, whose it is, the step."""
        view = self.table.view
        if view.turn == 0:
            return self.say("ui.before")
        words = self.say("ui.turn", turn=view.turn, player=self.player(view.active), step=self.say("step." + view.step))
        if view.subgame:
            words += " | " + self.say("ui.subgame")
        if view.priority is not UNSET and view.priority != self.table.you:
            words += " | " + self.say("ui.priority_of", player=self.player(view.priority))
        return words

    def player_line(self, seat: int) -> str:
        """A player's figures."""
        player = self.table.view.players[str(seat)]
        name = self.player(seat)
        mark = ">" if self.table.is_active(seat) else " "
        if player.lost:
            return f"{mark}{name}: {self.say('ui.out')}"
        words = self.say(
            "ui.figures",
            name=name,
            life=player.life,
            hand=player.hand_count,
            library=player.library_count,
            graveyard=len(player.graveyard),
        )
        words += "".join(f", {word}" for word in self._team(seat))
        if player.controlled_by is not UNSET:
            words += f", {self.say('ui.controlled_by', name=self.player(player.controlled_by))}"
        words += "".join(f", {kind} {count}" for kind, count in sorted(player.counters.items()))
        lands = [
            thing
            for key in self.table.view.battlefield
            if (thing := self.table.view.objects.get(key)) is not None
            and thing.controller == seat
            and "land" in thing.types
        ]
        if lands and not self.full and seat != self.table.you:
            words += ", " + self.say("ui.lands", lands=len(lands), ready=sum(not land.tapped for land in lands))
        return mark + words + self._commander(seat, player) + self._mana(player)

    def _team(self, seat: int) -> list[str]:
        """Of which team a player is, whether with us, whether it is led by them, and whether they are out of our reach."""
        table, words = self.table, list[str]()
        if table.view.teams:
            words.append(self.say("web.team", team=TEAMS[table.view.teams[seat]]))
        if table.is_mate(seat):
            words.append(self.say("web.ally"))
        if seat in table.view.emperors:
            words.append(self.say("web.emperor"))
        if table.is_beyond(seat):
            words.append(self.say("web.beyond"))
        return words

    def _commander(self, seat: int, player: PlayerView) -> str:
        """The player's cards in the command zone, and the damage that commanders have dealt to the player (903.6, 903.14a)."""
        there = [key for key in self.table.view.command if self._owner(key) == seat]
        words = f", {self.say('zone.command')}: {', '.join(map(self._standing, there))}" if there else ""
        for owner, amount in player.commander_damage.items():
            words += ", " + self.say("web.commander_damage", name=self.player(int(owner)), amount=amount)
        return words

    def _standing(self, key: str) -> str:
        """What stands in the command zone, of a dungeon with the room where its owner is (current 309.4)."""
        thing = self.table.view.objects.get(key)
        name = self.table.name(key)
        return f"{name} ({thing.notes.get('room', '')})" if thing is not None and thing.kind == "dungeon" else name

    def _owner(self, key: str) -> int | None:
        thing = self.table.view.objects.get(key)
        return None if thing is None else thing.owner

    def piles(self, width: int = 80) -> list[str]:
        """The graveyards, the exile and the command zone, whole, each by its owner; what is empty is left out."""
        view = self.table.view
        lines: list[str] = []
        for seat in self.seats():
            zones = (
                ("graveyard", view.players[str(seat)].graveyard),
                ("exile", [key for key in view.exile if self._owner(key) == seat]),
                ("command", [key for key in view.command if self._owner(key) == seat]),
            )
            for zone, keys in zones:
                if keys:
                    text = f"{self.player(seat)}, {self.say('zone.' + zone)}: {', '.join(map(self._standing, keys))}"
                    lines += textwrap.wrap(text, width, subsequent_indent="     ")
        return lines

    @staticmethod
    def _mana(player: PlayerView) -> str:
        pool = "".join(letter * count for letter, count in player.mana.items())
        return f" {{{pool}}}" if pool else ""

    def permanents(self, seat: int, width: int = 80) -> list[str]:
        """A player's battlefield: creatures and planeswalkers, then the rest, then lands, each wrapped. In short, the
        lands of others are only counted, in their line of figures.
        """
        view = self.table.view
        rows: dict[str, list[str]] = {"creature": [], "other": [], "land": []}
        own = seat == self.table.you
        lands: dict[str, list[bool]] = {}
        for key in view.battlefield:
            thing = view.objects.get(key)
            if thing is None or thing.controller != seat or self._worn(thing):
                continue
            words = self.thing(key)
            if "creature" in thing.types or "planeswalker" in thing.types:
                rows["creature"].append(words + self._fighting(key))
            elif "land" in thing.types:
                if self.full:
                    rows["land"].append(words)
                elif own:
                    lands.setdefault(self.table.name(key), []).append(thing.tapped)
            else:
                rows["other" if self.full else "creature"].append(words)
        rows["land"] += [self._lands(name, tapped) for name, tapped in lands.items()]
        lines: list[str] = []
        for row in ("creature", "other", "land"):
            if rows[row]:
                text = ", ".join(grouped(rows[row]))
                lines += textwrap.wrap(text, width, initial_indent="   ", subsequent_indent="     ") or []
        return lines

    def _lands(self, name: str, tapped: list[bool]) -> str:
        """Lands of one name: how many, and how many of them are tapped."""
        words = name if len(tapped) == 1 else f"{name} x{len(tapped)}"
        if not any(tapped):
            return words
        mark = self.say("ui.tapped_short")
        return f"{words} ({mark})" if all(tapped) else f"{words} ({sum(tapped)} {mark})"

    def _worn(self, thing: ObjectView) -> bool:
        """Whether it is shown with what it is attached to."""
        return thing.attached_to is not UNSET and thing.attached_to in self.table.view.objects

    def _fighting(self, key: str) -> str:
        """Whom a creature attacks or blocks."""
        combat = self.table.view.combat
        if not combat:
            return ""
        attack = combat.attackers.get(key)
        if attack is not None:
            return f" -> {self.choice_short(attack.defender)}"
        blocked = [self.table.name(other) for other, attack in combat.attackers.items() if key in attack.blockers]
        return f" {self.say('ui.blocks', name=', '.join(blocked))}" if blocked else ""

    def choice_short(self, choice: Choice) -> str:
        """A choice without size and state."""
        if isinstance(choice, ObjectChoice):
            thing = self.table.view.objects.get(choice.id)
            words = self.table.name(choice.id)
            return f"{words} [{self.player(thing.controller)}]" if thing is not None else words
        return self.choice(choice)

    def combat(self) -> list[str]:
        """The combat under way, a line for each attacker."""
        combat = self.table.view.combat
        if not combat or not combat.attackers:
            return []
        lines = [self.say("ui.combat")]
        for key, attack in combat.attackers.items():
            words = f"   {self.thing(key)} -> {self.choice_short(attack.defender)}"
            if attack.blockers:
                words += ", " + self.say("ui.blocked_by", name=", ".join(map(self.thing, attack.blockers)))
            elif attack.blocked:
                words += ", " + self.say("ui.blocked")
            lines.append(words)
        return lines

    def stack(self) -> list[str]:
        """The stack, its top first."""
        lines = []
        for key in reversed(self.table.view.stack):
            thing = self.table.view.objects.get(key)
            if thing is None:
                continue
            words = f"   {self.thing(key)} [{self.player(thing.controller)}]"
            if thing.x is not UNSET:
                words += f" X={thing.x}"
            if thing.targets:
                words += " -> " + ", ".join(map(self.choice_short, thing.targets))
            lines.append(words)
        return [self.say("ui.stack"), *lines] if lines else []

    def hand(self, width: int = 80) -> list[str]:
        """Our hand and those of players whom we control, in full those of team mates, too, wrapped; nothing for a spectator."""
        you, players = self.table.you, self.table.view.players
        if you is None or str(you) not in players:
            return []
        lines = [self.say("ui.hand", cards=self._cards(players[str(you)].hand))]
        for seat, player in players.items():
            shown = self.full and self.table.is_mate(int(seat)) and player.hand
            if player.controlled_by == you or shown:
                lines.append(self.say("ui.hand_of", name=self.player(int(seat)), cards=self._cards(player.hand)))
        return [row for line in lines for row in textwrap.wrap(line, width, subsequent_indent="     ")]

    def _cards(self, keys: list[str]) -> str:
        """Cards of a hand with what they cost."""
        cards: list[str] = []
        for key in keys:
            thing = self.table.view.objects.get(key)
            face = self.table.face(thing) if thing is not None else None
            cards.append(f"{self.thing(key)} {face.cost if face is not None else ''}".rstrip())
        return ", ".join(grouped(cards)) or "-"

    def seats(self) -> list[int]:
        """Opponents in turn order after us, then ourselves; for a spectator all in turn order."""
        view = self.table.view
        order = view.order or sorted(int(seat) for seat in view.players)
        you = self.table.you
        if you is None or you not in order:
            return list(order)
        at = order.index(you)
        return [*order[at + 1 :], *order[:at], you]

    def board(self, width: int = 80) -> list[str]:
        """The whole table: every player, combat, stack, hand."""
        lines: list[str] = []
        for seat in self.seats():
            lines += textwrap.wrap(self.player_line(seat), width, subsequent_indent="     ")
            lines += self.permanents(seat, width)
        if self.full:
            lines += self.combat()
        lines += [line[:width] for line in self.stack()]
        return lines + self.hand(width)

    # --- sentences ---------------------------------------------------------------------------------------------------

    def text(self, text: Text) -> str:
        """A sentence by its key."""
        return self.say(text.key, **{name: self._arg(name, arg) for name, arg in text.args.items()})

    def event(self, event: Event) -> str:
        """A line of the log; empty for an event without a sentence."""
        if not event.key:
            return ""
        words = self.say(event.key, **{name: self._arg(name, arg) for name, arg in event.args.items()})
        return "" if words == event.key else words

    def logged(self, event: Event) -> str:
        """Its line in the log. None ("") for what is left out until damage is unfolded: damage is told once, as it is dealt."""
        return "" if event.args.get("part") == 3 or event.kind == "mark" else self.event(event)

    def damage(self) -> list[str]:
        """The last damage event line by line, part by part, with the rule of each; empty if there was none."""
        events = list(self.table.events)
        last = next((i for i in range(len(events) - 1, -1, -1) if events[i].args.get("part")), -1)
        first = last
        while first > 0 and (events[first - 1].args.get("part") or 0) and events[first - 1].args.get("part") != 3:
            first -= 1
        lines: list[str] = []
        for part in (1, 2, 3):
            told = [e for e in events[first : last + 1] if last >= 0 and e.args.get("part") == part]
            if told:
                lines.append(self.say(f"ui.part{part}"))
                lines.extend(f"   {self.event(e)} [{e.rule}]" for e in told)
        return lines

    def _arg(self, name: str, arg: Arg) -> object:
        if isinstance(arg, list):
            return ", ".join(grouped([self.table.name(key) if key in self.table.view.objects else key for key in arg]))
        return self.table.called(arg) if isinstance(arg, str) and name in CARDS else arg

    def result(self) -> list[str]:
        """The standings, when the game is over."""
        result = self.table.over.result if self.table.over is not None else self.table.view.result or None
        if result is None:
            return []
        lines = [self.say("ui.over")]
        for standing in result.standings:
            reason = self.say(standing.reason) if standing.reason else ""
            lines.append(
                self.say(
                    "ui.standing",
                    place=standing.place,
                    name=self.player(standing.seat),
                    reason=reason,
                    turn=standing.turn,
                )
            )
        return lines


def grouped(words: list[str]) -> list[str]:
    """The same words once, with how often, in the order of their first coming."""
    return [word if count == 1 else f"{word} x{count}" for word, count in Counter(words).items()]
