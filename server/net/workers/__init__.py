"""Several workers that serve as one: each a process with rooms of its own, all on one listening socket (docs/decisions/workers.md).

- `messages`, `wire`: what workers and the keeper say to each other, over a local socket
- `keeper`: the process that writes for all, and knows whose each room is
- `worker`, `heirs`, `held`, `tickets`, `question`: a worker as it knows it; who is to have which rooms; what one may do at a time; tickets
  of those who move; what all are asked
- `link`: a worker's end of the wire: the others, as its lobby knows them, and its storage
- `moving`: an open connection handed to another worker; `passing`: where it can only be passed through
- `nodes`, `leading`, `following`: workers on several machines: what nodes say to each other, the one with the keeper, the others
- `pulse`: whether a process still runs
- `board`: who has come to which worker and not said yet what they want
- `figures`: what is counted, of all workers together
"""
