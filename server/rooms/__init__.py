"""One room is one game and its only writer: seats, clocks, journal and per-viewer views."""
