"""What a running server counts, as Prometheus reads it. Written by every floor that serves, read by `/metrics`.

Names follow Prometheus' custom: seconds and bytes as units, `_total` for what only grows. Nothing here tells one player from another.
What counts is a number to add to, each written by one thread; what Prometheus wants to read is made of them when it asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

FAST = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Buckets in seconds: an answer is a millisecond's work."""

REGISTRY = CollectorRegistry()


class Counter:
    """How often something was, by the value of a label where it has one."""

    def __init__(self, name: str, text: str, label: str = "") -> None:
        self._name, self._text, self._label = name, text, label
        self._values: defaultdict[str, int] = defaultdict(int)
        if not label:
            self._values[""] = 0
        REGISTRY.register(self)

    def inc(self, value: str = "") -> None:
        """Once more."""
        self._values[value] += 1

    def collect(self) -> Iterable[Metric]:
        """For prometheus_client."""
        family = CounterMetricFamily(self._name, self._text, labels=[self._label] if self._label else [])
        for value, count in list(self._values.items()):
            family.add_metric([value] if self._label else [], count)
        yield family


class Gauge:
    """What something is now; nothing where it was never looked at."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self._value: float | None = None
        REGISTRY.register(self)

    def set(self, value: float | None) -> None:
        """It is so much by now; None: nobody can tell."""
        self._value = value

    def collect(self) -> Iterable[Metric]:
        """For prometheus_client."""
        family = GaugeMetricFamily(self._name, self._text, labels=[])
        if self._value is not None:
            family.add_metric([], self._value)
        yield family


class Histogram:
    """How many seconds something took, by buckets."""

    def __init__(self, name: str, text: str, buckets: tuple[float, ...] = FAST) -> None:
        self._name, self._text, self._buckets = name, text, buckets
        self._counts = [0] * (len(buckets) + 1)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, seconds: float) -> None:
        """It took so long; as long as a bucket's bound is within it."""
        self._counts[bisect_left(self._buckets, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterable[Metric]:
        """For prometheus_client."""
        bounds = [*map(str, self._buckets), "+Inf"]
        family = HistogramMetricFamily(self._name, self._text)
        family.add_metric([], list(zip(bounds, accumulate(self._counts), strict=True)), self._sum)
        yield family


ANSWERS = Counter("apnap_answers", "Accepted answers, by who gave them.", "by")
REFUSALS = Counter("apnap_refusals", "Refused messages, by code.", "code")
DECISION_SECONDS = Histogram(
    "apnap_decision_seconds", "From an answer taken from a room's inbox to the state after it."
)
JOURNAL_SECONDS = Histogram("apnap_journal_seconds", "From entries handed to the storage to their being on disk.")
PATCH_SECONDS = Histogram("apnap_patch_seconds", "Writing the views, patches and events of all viewers of a room.")
OVERFLOWS = Counter("apnap_outbox_overflows", "Outboxes whose reader was too slow; a whole view follows.")
CONNECTIONS = Counter("apnap_connections", "Connections that came in.")
JOURNAL_FAULTS = Counter("apnap_journal_faults", "Writes that the disk did not take.")
LEASE_FAULTS = Counter("apnap_lease_faults", "Renewals of the lease on the database that failed.")
LEASE_TAKEN = Gauge(
    "apnap_lease_taken_timestamp_seconds", "When the database was taken over from a server that was not heard of."
)
STANDBYS_WANTED = Gauge("apnap_standbys_wanted", "Standbys that each commit of the database waits for.")
STANDBYS_ATTACHED = Gauge("apnap_standbys_attached", "Such standbys that are attached.")
STANDBY_LAG = Gauge(
    "apnap_standby_lag_bytes", "What the standby furthest behind does not have on its disk of the database's log."
)


class Gauges:
    """Figures that are counted when they are asked for: a name, what it says, and its value by label ("" for none)."""

    def __init__(self, figures: Callable[[], Iterable[tuple[str, str, str, dict[str, float]]]]) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        """For prometheus_client."""
        for name, text, label, values in self._figures():
            family = GaugeMetricFamily(name, text, labels=[label] if label else [])
            for key, value in values.items():
                family.add_metric([key] if label else [], value)
            yield family
