"""Journals and records of games, in SQLite."""
