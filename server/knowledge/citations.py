"""By which rule the log tells an event: by its kind and its cause, and for some by what it does. Numbers are in `Rule`."""

from __future__ import annotations

from server.rules.model import Rule, events, votes

BY_EVENT: dict[type[events.Event], dict[str, Rule]] = {
    events.Move: {
        "": Rule.ZONE_CHANGE,
        "begin": Rule.OPENING_HAND,
        "countered": Rule.COUNTERING,
        "create": Rule.TOKEN,
        "cycling": Rule.DISCARDING,
        "destroy": Rule.DESTROYING,
        "discard": Rule.DISCARDING,
        "draw": Rule.DRAWING,
        "opening": Rule.DRAWING,
        "end turn": Rule.END_THE_TURN,
        "end combat": Rule.END_COMBAT,
        "exile": Rule.EXILING,
        "foretell": Rule.FORETELLING,
        "mill": Rule.MILLING,
        "mulligan": Rule.MULLIGAN,
        "play": Rule.LAND_PLAYED,
        "plot": Rule.PLOTTING,
        "companion": Rule.TAKING_A_COMPANION,
        "resolve": Rule.RESOLVED,
        "permanent spell": Rule.PERMANENT_SPELL_RESOLVED,
        "sacrifice": Rule.SACRIFICING,
        "search": Rule.SEARCHING,
        "suspend": Rule.SUSPENDING,
        "no legal targets": Rule.TARGETS_ILLEGAL,
        "toughness": Rule.NO_TOUGHNESS,
        "no loyalty": Rule.NO_LOYALTY,
        "planeswalker uniqueness": Rule.PLANESWALKER_UNIQUENESS,
        "legend rule": Rule.LEGEND_RULE,
        "world rule": Rule.WORLD_RULE,
        "attachment": Rule.AURA_UNATTACHED,
    },
    events.Destroy: {"": Rule.DESTROYING, "lethal damage": Rule.LETHAL_DAMAGE, "deathtouch": Rule.DEATHTOUCH},
    events.StepEntered: {"untap": Rule.TURN},
    events.Cast: {"": Rule.CAST},
    events.Activated: {"": Rule.ACTIVATED},
    events.AbilityOnStack: {"": Rule.TRIGGERED},
    events.Countered: {"": Rule.COUNTERING, "no legal targets": Rule.TARGETS_ILLEGAL},
    events.AttackersDeclared: {"": Rule.ATTACKING},
    events.BlockersDeclared: {"": Rule.BLOCKING},
    events.RemovedFromCombat: {"": Rule.REMOVED_FROM_COMBAT},
    events.Damage: {"": Rule.DAMAGE_DEALT},
    events.Prevented: {"": Rule.PREVENTED},
    events.DamageHappened: {"": Rule.DAMAGE_HAPPENED},
    events.MarkDamage: {"": Rule.MARKED_DAMAGE},
    events.LoseLife: {"": Rule.LIFE_CHANGE, "damage": Rule.DAMAGE_TO_PLAYER, "pay": Rule.LIFE_PAID},
    events.GainLife: {"": Rule.LIFE_CHANGE, "lifelink": Rule.LIFELINK},
    events.PutCounters: {
        "": Rule.COUNTERS,
        "damage": Rule.WITHERED_CREATURE,
        "damage to a player": Rule.INFECTED_PLAYER,
        "toxic": Rule.TOXIC,
        "lore": Rule.LORE_COUNTERS,
    },
    events.RemoveCounters: {
        "": Rule.COUNTERS,
        "damage": Rule.DAMAGE_TO_PLANESWALKER,
        "annihilate": Rule.COUNTERS_CANCEL,
    },
    events.Reveal: {"": Rule.LOOKING, "reveal": Rule.REVEALING},
    events.Shuffle: {"": Rule.SHUFFLING},
    events.SearchLibrary: {"": Rule.SEARCHING},
    events.Scried: {"": Rule.SCRYING},
    votes.Votes: {"": Rule.VOTING},
    votes.Decides: {"": Rule.CHOOSING_IN_TURN},
    events.Loses: {
        "": Rule.EFFECT_LOSES,
        "life": Rule.NO_LIFE,
        "library": Rule.EMPTY_LIBRARY,
        "poison": Rule.POISONED,
        "commander": Rule.COMMANDER_DAMAGE,
        "concede": Rule.CONCEDING,
    },
    events.Wins: {"": Rule.LAST_ONE_WINS, "effect": Rule.EFFECT_WINS},
    events.GameDrawn: {"": Rule.ALL_LOSE, "loop": Rule.LOOP, "effect": Rule.EFFECT_DRAWS_THE_GAME},
    events.Restarts: {"": Rule.RESTARTING},
    events.Subgame: {"": Rule.SUBGAME, "over": Rule.SUBGAME_OVER},
    events.Mulligan: {"": Rule.MULLIGAN},
    events.ExtraTurn: {"": Rule.EXTRA_TURN},
    events.Chosen: {},
    events.Designated: {"monarch": Rule.MONARCH, "initiative": Rule.INITIATIVE},
    events.Ceases: {"completed": Rule.DUNGEON_COMPLETED},
    events.Acted: {"": Rule.FOLLOWED},
    events.Attach: {"": Rule.ATTACHING, "nothing": Rule.UNATTACHING},
    events.ControlChanged: {"": Rule.CONTROL},
    events.DieRolled: {"": Rule.DIE_ROLL},
    events.CoinFlipped: {"": Rule.COIN_FLIP},
    events.Regenerated: {"": Rule.REGENERATING},
    events.TurnedOver: {"transform": Rule.TRANSFORMING, "flip": Rule.FLIPPING, "bestow": Rule.BESTOW_ENDED},
    events.TurnFaceUp: {"": Rule.TURNED_FACE_UP},
    events.PhaseOut: {"": Rule.PHASED_OUT},
    events.PhaseIn: {"": Rule.PHASED_IN},
}


def cited(event: events.Event, players: int) -> Rule | None:
    """The rule by which the log tells an event of a game with so many players; None for what needs none (a choice, a step)."""
    rules = BY_EVENT[type(event)]
    return rules.get(_cause(event, players), rules.get(""))


def _cause(event: events.Event, players: int) -> str:
    """The cause, or in its place what else the rule depends on."""
    match event:
        case events.Move(cause="resolve", to="battlefield"):
            return "permanent spell"
        case events.Move(cause="exile", to=to):
            return "exile" if to == "exile" else ""
        case events.StepEntered():
            return event.step
        case events.PutCounters(cause="damage", subject=subject) if subject < 0:
            return "damage to a player"
        case events.Reveal():
            return "look" if (1 << players) - 1 & ~event.seats else "reveal"
        case events.Wins():
            return "effect" if event.by else ""
        case events.Attach(object=0):
            return "nothing"
        case _:
            return event.cause
