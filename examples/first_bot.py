"""A bot in one file, with nothing but websockets and json: plays lands, casts what it can, attacks whoever is weakest.

python examples/first_bot.py ws://127.0.0.1:8802 ROOM [NAME]
"""

import json
import sys

from websockets.sync.client import connect
from websockets.typing import Subprotocol


def merge(tree, patch):
    """Apply an RFC 7386 merge patch in place."""
    for key, value in patch.items():
        if value is None:
            tree.pop(key, None)
        elif isinstance(value, dict):
            tree[key] = merge(tree[key] if isinstance(tree.get(key), dict) else {}, value)
        else:
            tree[key] = value
    return tree


def answer(question, view):
    """What to answer: a land, then a spell; attack the opponent with the least life; else the default."""
    if question["kind"] == "priority" and view["step"].endswith("main"):
        for index, action in enumerate(question["actions"]):
            types = view.get("objects", {}).get(action.get("object"), {}).get("types", [])
            if action["type"] == "play_land" or action["type"] == "cast" and "creature" in types:
                return {"kind": "priority", "index": index}
    if question["kind"] == "attackers" and "required" not in question:
        attacks = []
        for index, attacker in enumerate(question["attackers"]):
            players = [(i, d["seat"]) for i, d in enumerate(attacker["defenders"]) if d["kind"] == "player"]
            if players and view["objects"][attacker["object"]].get("power", 0) > 1:
                attacks.append([index, min(players, key=lambda p: view["players"][str(p[1])]["life"])[0]])
        return {"kind": "attackers", "attacks": attacks}
    return question["default"]


def main(url, room, name="first"):
    """Join, choose a deck, play to the end."""
    with connect(url, subprotocols=[Subprotocol("apnap.v1.json")], compression=None, max_size=2**23) as socket:
        sent = 0

        def send(kind, **fields):
            nonlocal sent
            sent += 1
            socket.send(json.dumps({"type": kind, "id": str(sent), **fields}))

        view, question = {}, None
        send("hello", name=name, bot=True)
        send("join", room=room)
        send("decks")
        for frame in socket:
            message = json.loads(frame)
            kind = message["type"]
            if kind == "decks":
                send("deck", house=message["decks"][0]["name"])
                send("ready")
            elif kind == "view":
                view, question = message["view"], message.get("question")
            elif kind == "patch":
                view = merge(view, message.get("patch", {}))
            elif kind == "refused" and not view:
                sys.exit(message["sentence"])
            elif kind == "refused" and question:  # once only: what is refused again is not asked any more
                send("answer", question=question["id"], answer=question["default"])
                question = None
            elif kind == "over":
                print("over:", "won" if view["you"] in message["result"].get("winners", []) else "lost")
                return
            if kind == "question" or kind == "view" and question:
                question = message["question"]
                send("answer", question=question["id"], answer=answer(question, view))


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) in (3, 4) else sys.exit(__doc__)
