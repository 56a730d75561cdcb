"""Connections that have not said yet what they want, counted over all workers: porches that share one board."""

from __future__ import annotations

import pytest

from server.net.line import Line
from server.net.porch import Porch
from server.net.workers.board import Board
from server.settings import Limits


class Coming(Line):
    """Somebody at the door, from an address."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.closed = False

    def close(self) -> None:
        self.closed = True


def workers(count: int = 2, board: Board | None = None, **limits: int) -> list[Porch]:
    made = Limits(**limits)
    board = Board(count, made.handshakes) if board is None else board
    porches = [Porch(made, lambda address: address == "192.0.2.99") for _ in range(count)]
    for number, porch in enumerate(porches):
        porch.share(board, number)
    return porches


def come(porch: Porch, address: str) -> Coming | None:
    line = Coming(address)
    return line if porch.may_come(line) else None


def test_an_address_has_so_many_wherever_they_are() -> None:
    one, other = workers(handshakes_per_address=2)
    first = come(one, "192.0.2.1")
    assert first and come(other, "192.0.2.1")
    assert not come(one, "192.0.2.1") and not come(other, "192.0.2.1")
    assert come(one, "198.51.100.1") and come(other, "192.0.2.2"), "others come in"
    one.gone(first)
    assert come(other, "192.0.2.1") and not come(one, "192.0.2.1")


def test_a_network_has_so_many_wherever_they_are() -> None:
    porches = workers(3, handshakes_per_address=1, network_share=3)
    assert [bool(come(porch, f"192.0.2.{number}")) for number, porch in enumerate(porches)] == [True] * 3
    assert not any(come(porch, "192.0.2.9") for porch in porches)


def test_a_proxy_of_ours_speaks_for_many_at_each() -> None:
    porches = workers(handshakes_per_address=1)
    assert all(come(porch, "192.0.2.99") for porch in porches * 3)


def test_where_all_are_too_many_the_oldest_of_the_flood_goes_from_whichever_worker_has_it() -> None:
    one, other = workers(handshakes=4)
    honest = come(other, "198.51.100.1")
    flood = [come(one, "192.0.2.1") for _ in range(3)]
    newcomer = come(other, "203.0.113.1")
    other.shed()
    one.shed()
    assert honest and newcomer and not honest.closed and not newcomer.closed
    assert [line is not None and line.closed for line in flood] == [True, False, False]
    again = come(one, "203.0.113.2")
    assert again and flood[1] and flood[1].closed, "who has one of the flood sends it away at once"
    assert len(one) + len(other) == 4


def test_who_is_here_is_sent_away_oldest_first_whoever_has_gone_meanwhile() -> None:
    (porch,) = workers(1, handshakes=5)
    lines = [come(porch, "192.0.2.1") for _ in range(5)]
    for number in (1, 4, 0):
        line = lines[number]
        assert line is not None
        porch.gone(line)
        porch.gone(line)
    assert len(porch) == 2
    later = [come(porch, "192.0.2.1") for _ in range(4)]
    assert [line is not None and line.closed for line in (*lines, *later)] == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert len(porch) == 5


def test_others_that_stand_still_do_not_let_a_worker_overflow() -> None:
    one, other = workers(handshakes=3)
    still = [come(one, "192.0.2.1") for _ in range(3)]
    lines = [come(other, f"10.{number}.0.1") for number in range(6)]
    assert len(other) == 3 and [line is not None and line.closed for line in lines] == [True] * 3 + [False] * 3
    assert not any(line is not None and line.closed for line in still)


@pytest.mark.parametrize("again", [False, True])
def test_of_a_worker_that_is_no_more_nobody_counts(again: bool) -> None:
    board = Board(2, 10)
    one, other = workers(board=board, handshakes_per_address=1)
    assert come(one, "192.0.2.1") and not come(other, "192.0.2.1")
    if again:
        Porch(Limits(), lambda _: False).share(board, 0)
    else:
        board.clear(0)
    assert come(other, "192.0.2.1")


def test_a_limit_that_no_process_could_reach_takes_no_memory() -> None:
    assert Board(64, 10**15).most < 10**6
