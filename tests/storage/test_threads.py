"""What threads read at once, when nobody has read anything yet: as after a start, where many people come back at the same time."""

from __future__ import annotations

import subprocess
import sys

from server.rules.model import encode_card
from server.storage import Stopped
from server.storage.encoding import write_entry
from tests.rules.test_short_way import BESIDE

READS = """
import sys, threading
from server.storage.encoding import read_card, read_entry

sys.setswitchinterval(1e-6)
*cards, entry = sys.stdin.buffer.read().splitlines()
begin, read = threading.Barrier(8), []

def reads(number):
    begin.wait()
    for _ in range(number):
        sum(range(3000))  # each begins a little later than the one before
    for card in cards:
        read_card.__wrapped__(card)
    read_entry(entry)
    read.append(number)

threads = [threading.Thread(target=reads, args=(number * 10,)) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(read))
"""


def test_threads_that_read_the_first_cards_at_once_read_them_all() -> None:
    lines = [*(encode_card(card) for card, _ in BESIDE.values()), write_entry(Stopped(seq=1, at=0, why=""))]
    done = subprocess.run([sys.executable, "-c", READS], input=b"\n".join(lines), capture_output=True)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"8\n")
