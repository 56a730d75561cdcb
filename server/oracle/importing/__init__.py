"""Card lists that people have, read as a stream: Scryfall's bulk data, MTGJSON's AtomicCards and AllPrintings, our own JSON lines.

- `stream`: JSON as events, in pieces, with the line and column of what is broken
- `objects`: the cards' objects among these events, wherever the list keeps them, with caps
- `shapes`: an object of each kind of list as `server.cards.loading.imported.Imported`
- `files`: a whole file; what `apnap cards import` calls
- `reading`: the one place that says whether an imported card can be played
"""

from server.oracle.importing.errors import ListFault
from server.oracle.importing.files import CardFile, Item, Refused
from server.oracle.importing.reading import read

__all__ = ["CardFile", "Item", "ListFault", "Refused", "read"]
