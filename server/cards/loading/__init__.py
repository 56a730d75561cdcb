"""Cards from files and lists: decoded, bounded, checked, taken apart where they have several faces.

Knows trees and where they came from; reads no printed text (`server.oracle` does) and plays nothing.
"""

from __future__ import annotations

from server.cards.loading import check, files
from server.cards.loading.built import (
    READ_KEYWORDS,
)
from server.cards.loading.by_hand import paragraphs_by_hand
from server.cards.loading.card_lists import CardList
from server.cards.loading.check import (
    MANA,
    faults,
)
from server.cards.loading.entries import (
    FACES,
    Entry,
    Read,
    Unread,
    called,
    is_entry,
    joined,
    plain_name,
    read_entry,
    to_entry,
)
from server.cards.loading.errors import (
    CardFault,
    DeckFault,
    UnreadNoun,
)
from server.cards.loading.faces import (
    bestowed_card,
    faces_of,
    fused_card,
    names_of,
    prototyped_card,
    split_card,
)
from server.cards.loading.files import (
    card_of,
    objects_of,
    read_definition,
    read_file,
    read_toml,
    shape,
    whole,
)
from server.cards.loading.identity import chosen_colors, color_identity, cost_colors, has_color_to_choose
from server.cards.loading.imported import (
    MULTIFACED,
    READ_LAYOUTS,
    Foreign,
    Imported,
    Kind,
    Status,
)
from server.cards.loading.melding import melded_entries, of_three, speaks_of_melding, with_pair
from server.cards.loading.younger import younger_keywords

__all__ = [
    "CardFault",
    "CardList",
    "DeckFault",
    "Entry",
    "FACES",
    "Foreign",
    "Imported",
    "Kind",
    "Status",
    "MANA",
    "MULTIFACED",
    "READ_KEYWORDS",
    "READ_LAYOUTS",
    "Read",
    "Unread",
    "UnreadNoun",
    "bestowed_card",
    "called",
    "card_of",
    "check",
    "chosen_colors",
    "color_identity",
    "cost_colors",
    "faces_of",
    "faults",
    "files",
    "fused_card",
    "has_color_to_choose",
    "is_entry",
    "joined",
    "melded_entries",
    "names_of",
    "of_three",
    "objects_of",
    "paragraphs_by_hand",
    "plain_name",
    "prototyped_card",
    "read_definition",
    "read_entry",
    "read_file",
    "read_toml",
    "shape",
    "split_card",
    "speaks_of_melding",
    "to_entry",
    "whole",
    "with_pair",
    "younger_keywords",
]
