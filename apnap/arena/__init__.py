"""Bots against each other, and who is how strong: `apnap arena`. Wants the extra `apnap[arena]`. See `docs/bots.md`.

- `bots`: who plays, by name; `match`: one game and how games are drawn; `contest`: many, until it is clear
- `measure`: intervals and ratings
"""
