"""The game: pure, synchronous, deterministic."""
