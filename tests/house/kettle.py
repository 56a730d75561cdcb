"""Cards and a deck that the commands of the docs are typed with."""

from __future__ import annotations

CARD = {
    "name": "Kettle Drake",
    "cost": "{2}{R}",
    "types": "Creature — Drake",
    "power": "2",
    "toughness": "2",
    "text": "Flying\nWhen Kettle Drake enters the battlefield, it deals 1 damage to target creature or player.",
}
UNREAD = {"name": "Odd Kettle", "cost": "{1}", "types": "Artifact", "text": "When tea is ready, whistle."}
LED = (
    {"name": "Old Warden", "cost": "{G}", "types": "Legendary Creature — Human", "power": "2", "toughness": "2"},
    {"name": "Forest", "types": "Basic Land — Forest"},
)
DECK = "4 Kettle Drake\n56 Mountain\n"
