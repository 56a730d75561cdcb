"""The terminal client and the bot kit; imports protocol, never server."""
