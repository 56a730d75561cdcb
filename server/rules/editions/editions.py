"""The editions of the rules as data: `2009` (as of 2009-10-01), `2011` (as of 2011-09-30, the default) and `current`.

Code cites the 2011 numbers; the log and refusals cite a `Rule`, and `Edition.number` is its number in the edition.
What differs is a field here, read where it matters; nobody else asks which edition it is. Each edition is written as the one
beside it but for what differs. The fields are:

`planeswalker_redirection`: 306.7; `any_target`: "any target" reaches planeswalkers (and battles); `legend_rule`: "all" (704.5k:
every one of the name goes) or "choose" (its controller keeps one); `planeswalker_uniqueness`: 704.5j; `damage_order`: 509.2 and
509.3; `mulligan`: "paris" or "london"; `token_names`: that of a token which is given none ends in "Token" (current 111.4);
`split_values`: what is compared with a split card's mana value is compared with each half's (708.6a) or their sum;
`value_of_front`: a back face has the mana value of the front face (current 712.8e); `turns_once`: an ability of a permanent does
not transform it if that has happened since it was put onto the stack (current 701.27f), and tokens that are copies of
double-faced permanents have both faces (current 707.8a); `madness_always`: a card with madness is discarded into exile without a
choice (current 702.35a; its player "may" in 702.33a); `entering_sees_effects`: how a permanent enters is decided with the
continuous effects that would apply to it on the battlefield (current 614.12); `phased_tokens_cease`: tokens that are phased out
cease to exist (702.24k); `countered_without_targets`: a spell or ability whose targets are all illegal is countered (608.2b), and
does not just fail to resolve; `indestructible_is_ability`: what "is indestructible" has an ability, which it can lose
(current 702.12), and not only something true about it (700.4a); `commander_instead`: the zones that a commander goes to the
command zone instead of (903.11, 903.12); from a graveyard or exile that is none of them it goes there as a state-based action
(current 903.9a); `mana_of_identity`: for mana of a colour outside the colour identity of a player's commander colourless mana is
added (903.9); `partial_mulligan`: in Commander a mulligan exiles what its player likes of the hand (903.8), and is not as
`mulligan` has it; `lone_aura_tokens`: an Aura token that can't enchant what it should is created, and put into its owner's
graveyard as a state-based action; else it isn't created (current 303.4g, i); `counters_after_additions`: what counters change of
powers and toughnesses comes after what effects add to them (613.3d), not with it (current 613.4c); `defining_effects_depend`:
effects of characteristic-defining abilities may depend on one another (current 613.8a), and not on nothing (613.7a);
`leavers_spells_cease`: spells that are cards of others cease to exist as their controller leaves the game (800.4a), and are not
exiled; `turning_is_new`: what turns face up or over has a new timestamp (current 613.7f, g); `land_plays_named`: each land play
names the effect or rule that allows it (305.2), and they are not just counted (current 305.2a); `first_defending_player`: what
attacks somebody else since it became an attacking creature has the defending player that it had then (508.5); `others_lose`:
where an effect has a player win a game of more than two, the opponents lose instead (104.3h), and not only where the range of
influence is limited; `teams_attacked`: what attacks a team with shared turns attacks it as a group, and which of its players is
dealt combat damage is chosen as that is assigned (810.7a, f; each attacks one of them in current 805.10b); `leavers_turns_count`:
what lasts until the next turn of a player who has left ends when that turn would have begun (current 800.4m), and not never;
`left_behind_is_exiled`: what would fall back to a player who has left is exiled (current 800.4c), and does not change hands
(800.4b); `proliferates_each_kind`: who proliferates adds a counter of each kind that is there (current 701.34a), and not of one of
them (701.24b).

What 2009 has of its own: `deathtouch_divides`: combat damage of a creature with deathtouch is divided freely among creatures, and
no less of it is lethal (2009 702.2b), instead of any of it being lethal (702.2b); `entering_blocker_blocks`: what is put onto the
battlefield blocking triggers "becomes blocked by a creature" (509.4d); `copies_first`: of replacement effects, those by which
something enters as a copy are applied before others (616.1c); `order_reevaluated`: which effect depends on which is asked again
after each that is applied (613.7c); `loops_in_range`: with a limited range of influence a loop is a draw for those whom it
concerns alone (104.4f, 801.18); `shared_poison`: a team that shares its life has its poison counters together, and may have more
of them (810.8d, 810.10); `halved_life`: each player of such a team has an equal share of its life, rounded up, for what asks for
it (2009 806.9a), and not all of it (810.9a); `lives_added_up`: what sets the life of each of such a team sets it to the sum
(2009 806.9b), and not to that of one of them (810.9d); `team_life_rules`: that life can't be gained or lost holds for the whole
team (810.9g, h); `draws_as_seated`: the players of such a team draw in the order of their seats (2009 806.6i), and not in the
order that the team likes (805.6a); `identity_of_cost`: deck and mana of a commander's owner go by the colours of its mana cost
(2009 903.4c, 2009 903.8), and not by its colour identity (903.4); `seen_commanders_return`: a commander that is exiled face down
where another player may look at it is turned up and put into the command zone (903.13);
`commanders_in_subgames`: commanders in the command zone go into a subgame, and come back from its command zone to that of the
main game (715.2c, 715.5c), and don't stay out of it and come back to libraries as all other cards (2009 712.2, 2009 712.5).

`numbers`: by which numbers rules are cited.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from server.rules.editions.citations import Rule


class Edition(msgspec.Struct, frozen=True, gc=False):
    """One edition; what each field is about is said above."""

    name: str
    planeswalker_redirection: bool
    any_target: bool
    legend_rule: Literal["all", "choose"]
    planeswalker_uniqueness: bool
    damage_order: bool
    mulligan: Literal["paris", "london"]
    token_names: bool
    split_values: Literal["each", "sum"]
    value_of_front: bool
    turns_once: bool
    suspended_must: bool
    madness_always: bool
    entering_sees_effects: bool
    phased_tokens_cease: bool
    countered_without_targets: bool
    indestructible_is_ability: bool
    commander_instead: tuple[str, ...]
    mana_of_identity: bool
    partial_mulligan: bool
    lone_aura_tokens: bool
    counters_after_additions: bool
    defining_effects_depend: bool
    leavers_spells_cease: bool
    turning_is_new: bool
    land_plays_named: bool
    first_defending_player: bool
    others_lose: bool
    teams_attacked: bool
    leavers_turns_count: bool
    left_behind_is_exiled: bool
    deathtouch_divides: bool
    seen_commanders_return: bool
    commanders_in_subgames: bool
    entering_blocker_blocks: bool
    copies_first: bool
    order_reevaluated: bool
    loops_in_range: bool
    shared_poison: bool
    halved_life: bool
    lives_added_up: bool
    team_life_rules: bool
    draws_as_seated: bool
    identity_of_cost: bool
    proliferates_each_kind: bool
    numbers: Literal["in_2009", "in_2011", "current"]

    def number(self, rule: Rule | None) -> str:
        """The number of a rule in this edition; "" of none, and of one that the edition doesn't have."""
        if rule is None:
            return ""
        return str(getattr(rule, self.numbers))


EDITION_2011 = Edition(
    name="2011",
    planeswalker_redirection=True,
    any_target=False,
    legend_rule="all",
    planeswalker_uniqueness=True,
    damage_order=True,
    mulligan="paris",
    token_names=False,
    split_values="each",
    value_of_front=False,
    turns_once=False,
    suspended_must=True,
    madness_always=False,
    entering_sees_effects=False,
    phased_tokens_cease=True,
    countered_without_targets=True,
    indestructible_is_ability=False,
    commander_instead=("graveyard", "exile"),
    mana_of_identity=True,
    partial_mulligan=True,
    lone_aura_tokens=True,
    counters_after_additions=True,
    defining_effects_depend=False,
    leavers_spells_cease=True,
    turning_is_new=False,
    land_plays_named=True,
    first_defending_player=True,
    others_lose=True,
    teams_attacked=True,
    leavers_turns_count=False,
    left_behind_is_exiled=False,
    deathtouch_divides=False,
    seen_commanders_return=True,
    commanders_in_subgames=True,
    entering_blocker_blocks=True,
    copies_first=True,
    order_reevaluated=True,
    loops_in_range=True,
    shared_poison=True,
    halved_life=False,
    lives_added_up=False,
    team_life_rules=True,
    draws_as_seated=False,
    identity_of_cost=False,
    proliferates_each_kind=False,
    numbers="in_2011",
)

EDITION_2009 = replace(
    EDITION_2011,
    name="2009",
    first_defending_player=False,
    others_lose=False,
    deathtouch_divides=True,
    seen_commanders_return=False,
    commanders_in_subgames=False,
    entering_blocker_blocks=False,
    copies_first=False,
    order_reevaluated=False,
    loops_in_range=False,
    shared_poison=False,
    halved_life=True,
    lives_added_up=True,
    team_life_rules=False,
    draws_as_seated=True,
    identity_of_cost=True,
    numbers="in_2009",
)

CURRENT = replace(
    EDITION_2011,
    name="current",
    planeswalker_redirection=False,
    any_target=True,
    legend_rule="choose",
    planeswalker_uniqueness=False,
    damage_order=False,
    mulligan="london",
    token_names=True,
    split_values="sum",
    value_of_front=True,
    turns_once=True,
    suspended_must=False,
    madness_always=True,
    entering_sees_effects=True,
    phased_tokens_cease=False,
    countered_without_targets=False,
    indestructible_is_ability=True,
    commander_instead=("hand", "library"),
    mana_of_identity=False,
    partial_mulligan=False,
    lone_aura_tokens=False,
    counters_after_additions=False,
    defining_effects_depend=True,
    leavers_spells_cease=False,
    turning_is_new=True,
    land_plays_named=False,
    first_defending_player=False,
    others_lose=False,
    teams_attacked=False,
    leavers_turns_count=True,
    left_behind_is_exiled=True,
    seen_commanders_return=False,
    proliferates_each_kind=True,
    numbers="current",
)

EDITIONS = {edition.name: edition for edition in (EDITION_2009, EDITION_2011, CURRENT)}
