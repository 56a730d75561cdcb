"""What a running server counts, as Prometheus reads it. Written by every floor that serves, read by `/metrics`.

Names follow Prometheus' custom: seconds and bytes as units, `_total` for what only grows. Nothing here tells one player from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

FAST = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Buckets in seconds: an answer is a millisecond's work."""

REGISTRY = CollectorRegistry()

ANSWERS = Counter("apnap_answers", "Accepted answers, by who gave them.", ["by"], registry=REGISTRY)
REFUSALS = Counter("apnap_refusals", "Refused messages, by code.", ["code"], registry=REGISTRY)
DECISION_SECONDS = Histogram(
    "apnap_decision_seconds",
    "From an answer taken from a room's inbox to the state after it.",
    buckets=FAST,
    registry=REGISTRY,
)
JOURNAL_SECONDS = Histogram(
    "apnap_journal_seconds",
    "From entries handed to the storage to their being on disk.",
    buckets=FAST,
    registry=REGISTRY,
)
PATCH_SECONDS = Histogram(
    "apnap_patch_seconds",
    "Writing the views, patches and events of all viewers of a room.",
    buckets=FAST,
    registry=REGISTRY,
)
OVERFLOWS = Counter(
    "apnap_outbox_overflows", "Outboxes whose reader was too slow; a whole view follows.", registry=REGISTRY
)
CONNECTIONS = Counter("apnap_connections", "Connections that came in.", registry=REGISTRY)
JOURNAL_FAULTS = Counter("apnap_journal_faults", "Writes that the disk did not take.", registry=REGISTRY)


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


def exposition(gauges: Gauges) -> bytes:
    """Everything, in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(gauges)
    return generate_latest(registry) + generate_latest(REGISTRY)
