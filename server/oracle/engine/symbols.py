"""Mana symbols as card lists write them: some leave out the stroke of hybrid and Phyrexian symbols."""

from __future__ import annotations

import re

_STROKELESS = re.compile(r"\{([WUBRG2C])([WUBRGP])\}")


def spelled(symbols: str) -> str:
    """Symbols with strokes ("{RG}": "{R/G}")."""
    return _STROKELESS.sub(r"{\1/\2}", symbols)
