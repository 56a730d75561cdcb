"""Printed card text and card forms: importers of card lists."""
