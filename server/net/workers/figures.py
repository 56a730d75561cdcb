"""What is counted, of all workers together: the sums, as Prometheus reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric

from server.metrics import REGISTRY, Gauges

GROWS = ("counter", "histogram")
"""Kinds of figures that never become less while a process lives."""


class Sample(msgspec.Struct, frozen=True, array_like=True):
    """One number: its name, its labels, its value."""

    name: str
    labels: dict[str, str]
    value: float


class Family(msgspec.Struct, frozen=True, array_like=True):
    """What is counted under one name."""

    name: str
    text: str
    kind: str
    samples: list[Sample]


def counted(gauges: Gauges) -> bytes:
    """What this process has counted."""
    return _packed([*gauges.collect(), *REGISTRY.collect()])


def _packed(metrics: Iterable[Metric]) -> bytes:
    families = [
        Family(one.name, one.documentation, one.type, [Sample(s.name, dict(s.labels), s.value) for s in one.samples])
        for one in metrics
    ]
    return msgspec.msgpack.encode(families)


class Totals:
    """What workers have counted, those that are no more too, and those that do not say it now: a sum that shrinks is to Prometheus one
    that began anew, of which all counts once more.
    """

    def __init__(self) -> None:
        self._last: dict[int, bytes] = {}
        """What each worker that is there has said last."""
        self._past: list[bytes] = []
        """The sums of those that are not."""

    def heard(self, said: Mapping[int, bytes]) -> list[bytes]:
        """Workers say that now; what counts of all, and of this process, in which faults of the disk are counted."""
        self._last.update(said)
        return [*self._last.values(), *self._past, counted(Gauges(list))]

    def ended(self, worker: int) -> None:
        """What it has counted stays; its rooms and people are others' by now, or gone."""
        if (last := self._last.pop(worker, None)) is not None:
            all_past = _Sums([*self._past, last]).collect()
            self._past = [_packed(metric for metric in all_past if metric.type in GROWS)]


def exposition(of_all: Iterable[bytes]) -> bytes:
    """The sums of what each of them has counted, in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Sums(of_all))
    return generate_latest(registry)


class _Sums:
    def __init__(self, of_all: Iterable[bytes]) -> None:
        self._metrics: dict[str, Metric] = {}
        sums: dict[tuple[str, str, tuple[tuple[str, str], ...]], float] = {}
        for data in of_all:
            for family in msgspec.msgpack.decode(data, type=list[Family]):
                self._metrics.setdefault(family.name, Metric(family.name, family.text, family.kind))
                for sample in family.samples:
                    key = family.name, sample.name, tuple(sample.labels.items())
                    sums[key] = sums.get(key, 0) + sample.value
        for (family, name, labels), value in sums.items():
            self._metrics[family].add_sample(name, dict(labels), value)

    def collect(self) -> Iterable[Metric]:
        """For prometheus_client."""
        return self._metrics.values()
