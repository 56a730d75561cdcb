"""Rooms, people, decks and invitations."""
