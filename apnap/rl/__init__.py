"""Learning: environments for programs that learn by playing. Wants the extra `apnap[rl]` (numpy, gymnasium, pettingzoo).

- `apnap_v0`: `env` and `raw_env`, for agents in turn (PettingZoo)
- `env`: what they are
- `one_seat`: `OneSeat`, one seat against bots (gymnasium)
- `batch`: `Batch`, many tables at once over processes
- `bench`: what all that costs
- `watch`: what a seat sees as arrays, kept up from state to state
- `features`: what the numbers in these arrays are
- `tables`: the presets of rooms, and decks
"""
