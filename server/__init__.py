"""The apnap server: command, net, lobby, rooms, storage, oracle, rules, cards; see docs/architecture.md for the floors."""
