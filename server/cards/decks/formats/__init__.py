"""Deck lists as programs write them, told apart by what is in them: what is wanted, from which line. Nobody is asked here
whether such a card exists; `server.cards.decks.decks` judges.

- `text`: plain lists, MTGA's, MTGO's `.txt`, Archidekt's and other sites', Forge's and XMage's `.dck`; `titles` and `ornaments` of them
- `tables`: CSV with a header (Archidekt, Deckbox, Deckstats, ManaBox, Moxfield, TappedOut)
- `xml`: MTGO's `.dek` and Cockatrice's `.cod`
"""

from server.cards.decks.formats.lists import DeckList, Wanted
from server.cards.decks.formats.sniff import FORMATS, read_list, sniff

__all__ = ["FORMATS", "DeckList", "Wanted", "read_list", "sniff"]
