"""What several workers have counted together, while they come and go."""

from __future__ import annotations

import re

import msgspec

from server.net.workers.figures import Family, Sample, Totals, exposition


def said(answers: int, rooms: int) -> bytes:
    """What a worker says."""
    families = [
        Family("apnap_told", "", "counter", [Sample("apnap_told_total", {"by": "person"}, answers)]),
        Family("apnap_seen", "", "gauge", [Sample("apnap_seen", {"state": "playing"}, rooms)]),
    ]
    return msgspec.msgpack.encode(families)


def shown(told: list[bytes]) -> tuple[float, float]:
    """Answers and rooms, as `/metrics` tells them."""
    found = dict(re.findall(r"^(apnap_told_total|apnap_seen)\{.*\} (\S+)$", exposition(told).decode(), re.M))
    return float(found["apnap_told_total"]), float(found["apnap_seen"])


def test_what_a_worker_has_counted_stays_when_it_has_ended_and_its_rooms_do_not() -> None:
    totals = Totals()
    assert shown(totals.heard({0: said(5, 1), 1: said(7, 2)})) == (12, 3)
    totals.ended(1)
    assert shown(totals.heard({0: said(6, 3)})) == (13, 3)
    totals.heard({1: said(1, 0)})  # who has come in its place
    totals.ended(1)
    assert shown(totals.heard({0: said(6, 3)})) == (14, 3)


def test_a_worker_that_does_not_answer_counts_as_it_did() -> None:
    totals = Totals()
    totals.heard({0: said(5, 1), 1: said(7, 2)})
    assert shown(totals.heard({0: said(6, 1)})) == (13, 3)
