"""Knowledge: what a seat or a spectator may know of a game, and how it is written for them. The one judge of secrecy, under
all that shows games: rooms, replays, tools.

- `hidden` decides who may know what; `rulings` is what it asks of the rules
- `views`, `objects`, `faces`: the table as a viewer sees it; `questions`: what a seat is asked, and its answers back
- `events`: what happened, in each viewer's version; `forecasts`: what would come of an answer, as far as its seat could know

Redact first, then compare: nothing leaves this floor that its viewer may not know. It works on values alone: a state goes
in, a viewer's tree comes out. It may not know who is connected, what waits to be sent, where journals lie, or what time it is.
"""
