"""Measuring the engine and the server, and random games in which every law of the engine is checked.

`apnap bench` is a thin shell around this package. It may import everything below the command floor; nothing imports it.
"""
