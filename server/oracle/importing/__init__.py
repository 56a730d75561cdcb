"""Card lists that people have, read as a stream: Scryfall's bulk data, MTGJSON's AtomicCards and AllPrintings, card databases of
Cockatrice, sets of Magic Set Editor, our own JSON lines.

- `pieces`: a file in pieces, measured and hashed
- `stream`: JSON as events, with the line and column of what is broken
- `objects`: the cards' objects among these events, wherever the list keeps them, with caps
- `cockatrice`, `set_editor`: the cards of lists that are no JSON
- `shapes`: an object of each kind of list as `server.cards.loading.imported.Imported`; `parts`, what all kinds have in common
- `files`: a whole file; what `apnap cards import` calls
- `reading`: the one place that says whether an imported card can be played
"""

from server.oracle.importing.errors import ListFault
from server.oracle.importing.files import CardFile, Item, Refused
from server.oracle.importing.reading import read, read_by_hand

__all__ = ["CardFile", "Item", "ListFault", "Refused", "read", "read_by_hand"]
