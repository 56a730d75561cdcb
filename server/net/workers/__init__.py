"""Several workers that serve as one: each a process with rooms of its own, all on one listening socket (docs/decisions/workers.md).

- `messages`, `wire`: what workers and the keeper say to each other, over a local socket
- `keeper`: the process that writes for all, and knows whose each room is
- `link`: a worker's end of the wire: the others, as its lobby knows them, and its storage
- `moving`: an open connection handed to another worker
- `pulse`: whether a process still runs
- `board`: who has come to which worker and not said yet what they want
- `figures`: what is counted, of all workers together
"""
