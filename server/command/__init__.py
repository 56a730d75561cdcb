"""The `apnap` command: the top floor, which may import every other and is imported by none."""
