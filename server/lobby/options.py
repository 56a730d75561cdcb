"""A room's options as people may choose them, beyond what their shape says."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from protocol.rooms import DeckRulesSummary
from server.lobby.names import clean_text
from server.rules.turn import variants


def clean_options(options: RoomOptions, added: Sequence[DeckRulesSummary] = ()) -> RoomOptions:
    """The options as the room has them, where the host has `added` deck rules. Raises `Refusal`: bad_option."""
    options = _with_deck_rules(options, added)
    if options.first is not UNSET and options.first >= options.seats:
        raise Refusal(Code.BAD_OPTION, f"There is no seat {options.first} to play first.")
    if options.teams and (len(options.teams) != options.seats or len(set(options.teams)) < 2):
        raise Refusal(Code.BAD_OPTION, "Every seat needs a team, and a game two teams or more.")
    if options.draw_teams and not options.teams:
        raise Refusal(Code.BAD_OPTION, "There are no teams to be drawn.")
    _check_variant(options)
    if options.clock is not UNSET and options.answer_ms is not UNSET:
        raise Refusal(Code.BAD_OPTION, "Give either `clock` or `answer_ms`.")
    if options.format == "brawl" and options.edition != "current":
        raise Refusal(Code.BAD_OPTION, "Brawl is played by the current rules (current 903.12).")
    if options.best_of > 1 and options.seats != 2:
        raise Refusal(Code.BAD_OPTION, "A match of several games is played by two.")
    if options.best_of > 1 and options.draw_seats:
        raise Refusal(Code.BAD_OPTION, "In a match the seats stay as they are.")
    if options.agreement == "most" and not options.private:
        raise Refusal(Code.BAD_OPTION, "In a public room everybody agrees to what is corrected.")
    return msgspec.structs.replace(options, title=clean_text(options.title))


def _with_deck_rules(options: RoomOptions, added: Sequence[DeckRulesSummary]) -> RoomOptions:
    """Deck rules say the format, and the life unless that is said."""
    if not options.deck_rules:
        return options
    rules = next((one for one in added if one.name == options.deck_rules), None)
    if rules is None:
        raise Refusal(Code.BAD_OPTION, f"There are no deck rules {options.deck_rules!r} here.")
    life = rules.life if rules.life and options.life is UNSET and options.variant == "free_for_all" else options.life
    return msgspec.structs.replace(options, format=rules.format, life=life)


def _check_variant(options: RoomOptions) -> None:
    """What a variant sets is not said by hand, and it has its numbers of seats."""
    variant = options.variant
    if options.seats not in variants.SEATS[variant]:
        seats = ", ".join(map(str, variants.SEATS[variant]))
        raise Refusal(Code.BAD_OPTION, f"{variant} is played with so many seats: {seats}.")
    if variant == "free_for_all":
        return
    if options.teams:
        raise Refusal(Code.BAD_OPTION, f"{variant} has its own teams.")
    if variant != "alternating_teams" and (options.range or options.attack != "multiple"):
        raise Refusal(Code.BAD_OPTION, f"{variant} has its own range of influence, and says who may be attacked.")
