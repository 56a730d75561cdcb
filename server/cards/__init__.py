"""Card forms, their loading and checking, and the house set.

The grammar of noun phrases is loaded with whatever is loaded of this package, because a `Noun` reads itself.
"""

from server.cards.grammar import noun_phrases as noun_phrases
