"""Bots against each other, and who is how strong: `apnap arena`. Wants the extra `apnap[arena]`. See `docs/bots.md`.

- `bots`: who plays, by name; `match`: one game and how games are drawn; `contest`: many, until it is clear
- `hosted`: games that a server hosts, since bots come over the network; `seated`: the process of ours in these
- `measure`: intervals and ratings
"""
