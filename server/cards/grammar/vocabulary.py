"""The closed word lists of rules English: types, supertypes, colours, keywords, counters and the subtypes of 205.3.

Names of types and keywords are facts of the rules; both editions' lists are joined here, so that a card of either reads.
Everything in this module is data: the noun grammar reads with it, and a printer can print with it.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CARD_TYPES = (
    "artifact",
    "battle",
    "creature",
    "dungeon",
    "enchantment",
    "instant",
    "kindred",
    "land",
    "planeswalker",
    "sorcery",
    "tribal",
)
PERMANENT_TYPES = ("artifact", "battle", "creature", "enchantment", "land", "planeswalker")
SUPERTYPES = ("basic", "legendary", "ongoing", "snow", "world")
# Bits of a colour mask.
COLORS = {"white": 1, "blue": 2, "black": 4, "red": 8, "green": 16}
COLOR_LETTERS = {"W": 1, "U": 2, "B": 4, "R": 8, "G": 16}
BASIC_LANDS = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}

NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20,
}  # fmt: skip

ARTIFACT_TYPES = _words(
    """
    Attraction Blood Bobblehead Book Clue Contraption Equipment Food Fortification Gold Incubator Infinity Junk
    Lander Map Mutagen Powerstone Spacecraft Stone Treasure Vehicle
    """
)
ENCHANTMENT_TYPES = _words(
    """
    Aura Background Cartouche Case Class Curse Plan Role Room Rune Saga Shard Shrine
    """
)
LAND_TYPES = _words(
    """
    Cave Desert Forest Gate Island Lair Locus Mine Mountain Plains Planet Power-Plant Sphere Swamp Tower Town
    Urza's
    """
)
PLANESWALKER_TYPES = _words(
    """
    Ajani Aminatou Angrath Arlinn Ashiok Bahamut Basri Bolas Calix Chandra Comet Dack Dakkon Daretti Davriel
    Dihada Domri Dovin Ellywick Elminster Elspeth Estrid Freyalise Garruk Gideon Grist Guff Huatli Jace Jared
    Jaya Jeska Kaito Karn Kasmina Kaya Kiora Koth Liliana Lolth Lukka Minsc Mordenkainen Nahiri Narset Niko
    Nissa Nixilis Oko Quintorius Ral Rowan Saheeli Samut Sarkhan Serra Sivitri Sorin Szat Tamiyo Tasha Teferi
    Teyo Tezzeret Tibalt Tyvar Ugin Urza Venser Vivien Vraska Vronos Will Windgrace Wrenn Xenagos Yanggu Yanling
    Zariel
    """
)
SPELL_TYPES = _words(
    """
    Adventure Arcane Lesson Omen Trap
    """
)
CREATURE_TYPES = _words(
    """
    Advisor Aetherborn Alien Ally Angel Anteater Antelope Ape Archer Archon Armadillo Army Artificer Assassin
    Assembly-Worker Astartes Atog Aurochs Avatar Azra Badger Balloon Barbarian Bard Basilisk Bat Bear Beast
    Beaver Beeble Beholder Berserker Bird Bison Blinkmoth Boar Borg Bringer Brushwagg C'tan Camarid Camel
    Capybara Caribou Carrier Cat Centaur Cephalid Child Chimera Citizen Cleric Clown Cockatrice Construct Coward
    Coyote Crab Crocodile Custodes Cyberman Cyclops Dalek Dauthi Demigod Demon Deserter Detective Devil Dinosaur
    Djinn Doctor Dog Dragon Drake Dreadnought Drix Droid Drone Druid Dryad Dwarf Echidna Efreet Egg Elder
    Eldrazi Elemental Elephant Elf Elk Employee Eye Faerie Ferret Fish Flagbearer Fox Fractal Frog Fungus Gamer
    Gamma Gargoyle Germ Giant Gith Glimmer Gnoll Gnome Goat Goblin God Golem Gorgon Graveborn Gremlin Griffin
    Guest Hag Halfling Hamster Harpy Hedgehog Hellion Hero Hippo Hippogriff Homarid Homunculus Horror Horse
    Hound Human Hunter Hydra Hyena Illusion Imp Incarnation Inhuman Inkling Inquisitor Insect Jackal Jedi
    Jellyfish Juggernaut Kangaroo Kavu Kirin Kithkin Klingon Knight Kobold Kor Kraken Kree Lamia Lammasu Leech
    Lemur Leviathan Lhurgoyf Licid Lizard Llama Lobster Manticore Masticore Mercenary Merfolk Metathran Minion
    Minotaur Mite Mole Monger Mongoose Monk Monkey Moogle Moonfolk Mount Mouse Mutant Myr Mystic Naga Nautilus
    Necron Nephilim Nightmare Nightstalker Ninja Noble Noggle Nomad Nymph Octopus Officer Ogre Ooze Orb Orc Orgg
    Otter Ouphe Ox Oyster Pangolin Peasant Pegasus Pentavite Performer Pest Phelddagrif Phoenix Phyrexian Pilot
    Pincher Pirate Plant Platypus Porcupine Possum Praetor Primarch Prism Processor Qu Rabbit Raccoon Ranger Rat
    Rebel Reflection Rhino Rigger Robot Rogue Sable Salamander Samurai Sand Saproling Satyr Scarecrow Scientist
    Scion Scorpion Scout Sculpture Seal Serf Serpent Servo Shade Shaman Shapeshifter Shark Sheep Siren Sith
    Skeleton Skrull Skunk Slith Sliver Sloth Slug Snail Snake Soldier Soltari Sorcerer Spawn Specter Spellshaper
    Sphinx Spider Spike Spirit Splinter Sponge Spy Squid Squirrel Starfish Starship Surrakar Survivor Symbiote
    Synth Tentacle Tetravite Thalakos Thopter Thrull Tiefling Toy Treefolk Trilobite Triskelavite Troll Trooper
    Turtle Tyranid Unicorn Utrom Vampire Varmint Vedalken Viashino Villain Volver Vulcan Wall Walrus Warlock
    Warrior Weasel Weird Werewolf Whale Wizard Wolf Wolverine Wombat Wookiee Worm Wraith Wurm Yeti Zombie Zubera
    """
)
# Of the house set's planeswalkers; other people's cards may bring their own (a type line takes any capitalised word).
HOUSE_TYPES = _words("Brannoc Ilvara Maelin Orrick Sethra Tovasz Vesh")
#: What "every creature type" and the like are, by the words of a tree.
EVERY_SUBTYPE = {"creature": CREATURE_TYPES, "land": LAND_TYPES, "nonbasic land": LAND_TYPES - frozenset(BASIC_LANDS)}
SUBTYPES = (
    ARTIFACT_TYPES
    | ENCHANTMENT_TYPES
    | LAND_TYPES
    | PLANESWALKER_TYPES
    | SPELL_TYPES
    | CREATURE_TYPES
    | HOUSE_TYPES
    | {"Time Lord"}
)

# Plurals that no rule of English gives; None of them is also a singular but Plains.
IRREGULAR_PLURALS = {
    "Cyclopes": "Cyclops", "Dwarves": "Dwarf", "Elves": "Elf", "Fungi": "Fungus", "Geese": "Goose",
    "Halflings": "Halfling", "Homunculi": "Homunculus", "Loci": "Locus", "Mice": "Mouse", "Nautiluses": "Nautilus",
    "Octopi": "Octopus", "Oxen": "Ox", "Pegasi": "Pegasus", "Thieves": "Thief", "Werewolves": "Werewolf",
    "Wolves": "Wolf",
}  # fmt: skip


def plurals(word: str) -> tuple[str, ...]:
    """How the plural of a type word may be written, the usual way first ("Army": "Armies"; "Elf": "Elves", "Elfs")."""
    irregular = tuple(many for many, one in IRREGULAR_PLURALS.items() if one == word)
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return (*irregular, word + "es", word)
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return (*irregular, word[:-1] + "ies")
    return (*irregular, word + "s")


# Keyword abilities (702), by what follows the word: nothing, a cost, a number, a number and a cost, a quality.
PLAIN_KEYWORDS = frozenset(
    (
        "deathtouch", "defender", "double strike", "first strike", "flash", "flying", "haste", "hexproof", "indestructible",
        "intimidate", "lifelink", "reach", "shroud", "trample", "vigilance", "banding", "flanking", "phasing", "shadow",
        "horsemanship", "fear", "provoke", "storm", "sunburst", "epic", "convoke", "haunt", "split second", "delve",
        "gravestorm", "changeling", "conspire", "persist", "wither", "retrace", "exalted", "cascade", "rebound",
        "umbra armor", "totem armor", "infect", "battle cry", "living weapon", "undying", "soulbond", "unleash", "cipher",
        "evolve", "extort", "fuse", "dethrone", "prowess", "exploit", "menace", "devoid", "ingest", "myriad", "skulk",
        "melee", "partner", "friends forever", "partner — character select", "partner — father & son", "partner — friends forever", "partner — Survivors", "choose a Background", "undaunted", "improvise", "aftermath", "ascend", "assist", "jump-start", "mentor", "riot",
        "demonstrate", "daybound", "nightbound", "decayed", "training", "compleated", "enlist", "read ahead", "ravenous",
        "space sculptor", "living metal", "increment", "Doctor's companion", "for Mirrodin!", "bargain", "spree", "start your engines!", "job select",
        "tiered", "station", "hideaway", "plainswalk", "islandwalk", "swampwalk", "mountainwalk", "forestwalk",
        "nonbasic landwalk", "legendary landwalk", "landwalk", "snow landwalk", "snow swampwalk", "snow forestwalk",
        "snow islandwalk", "snow mountainwalk", "snow plainswalk", "desertwalk",
    )
)  # fmt: skip
COST_KEYWORDS = frozenset(
    (
        "equip", "cumulative upkeep", "buyback", "cycling", "echo", "kicker", "multikicker", "flashback", "madness",
        "morph", "megamorph", "entwine", "ninjutsu", "commander ninjutsu", "transmute", "replicate", "recover", "aura swap", "fortify",
        "transfigure", "evoke", "prowl", "unearth", "level up", "miracle", "overload", "scavenge", "bestow", "outlast",
        "dash", "surge", "emerge", "escalate", "embalm", "eternalize", "spectacle", "escape", "mutate", "encore",
        "foretell", "disturb", "cleave", "reconfigure", "blitz", "squad", "prototype", "more than meets the eye", "craft",
        "disguise", "plot", "freerunning", "gift", "offspring", "harmonize", "warp", "mayhem", "web-slinging", "sneak",
        "ward", "forecast", "typecycling", "landcycling", "basic landcycling", "plainscycling", "islandcycling", "swampcycling", "mountaincycling",
        "forestcycling",
    )
)  # fmt: skip
NUMBER_KEYWORDS = frozenset(
    (
        "rampage", "fading", "amplify", "modular", "bushido", "soulshift", "dredge", "bloodthirst", "graft", "ripple",
        "vanishing", "absorb", "frenzy", "poisonous", "devour", "annihilator", "tribute", "renown", "crew", "fabricate",
        "afflict", "afterlife", "casualty", "toxic", "backup", "saddle", "mobilize", "firebending", "teamwork",
    )
)  # fmt: skip
NUMBER_COST_KEYWORDS = frozenset(("suspend", "reinforce", "awaken", "impending"))
QUALITY_KEYWORDS = frozenset(
    (
        "enchant",
        "protection",
        "affinity",
        "champion",
        "offering",
        "splice",
        "partner with",
        "bands with other",
        "companion",
    )
)
KEYWORDS = PLAIN_KEYWORDS | COST_KEYWORDS | NUMBER_KEYWORDS | NUMBER_COST_KEYWORDS | QUALITY_KEYWORDS

# Keywords that a counter can give (current 122.1b).
KEYWORD_COUNTERS: frozenset[str] = frozenset(
    (
        "flying", "first strike", "double strike", "deathtouch", "decayed", "exalted", "haste", "hexproof",
        "indestructible", "lifelink", "menace", "reach", "shadow", "trample", "vigilance",
    )
)  # fmt: skip
