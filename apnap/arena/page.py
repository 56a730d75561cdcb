"""What a contest came to as one page: a table, and how the interval closed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from apnap.arena.contest import Report
from apnap.arena.measure import Interval

WIDE, HIGH = 640, 240
HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>apnap arena</title>
<style>body{font:16px system-ui;margin:2rem auto;max-width:50rem;padding:0 1rem}table{border-collapse:collapse}
td,th{padding:.3rem .8rem;text-align:right;border-bottom:1px solid #ccc}td:first-child,th:first-child{text-align:left}
svg{width:100%;background:#f6f6f6}</style>
"""


def page(report: Report) -> str:
    """The page; it asks for nothing from elsewhere."""
    rows = "".join(
        f"<tr><td>{escape(one.bot)}<td>{one.seats}<td>{_share(one.share)}<td>{one.rating.mean:.1f} ± "
        f"{one.rating.high - one.rating.mean:.1f}<td>{one.ms_an_answer:.1f}<td>{one.failures}<td>{one.timeouts}"
        for one in report.standings
    )
    first = escape(report.line_up[0])
    return (
        f"{HEAD}<h1>{escape(' – '.join(dict.fromkeys(report.line_up)))}</h1>\n"
        f"<p>{report.games} games of {len(report.line_up)} in {report.rounds} rounds; even is {report.even:.1%}. "
        f"Stopped: {escape(report.stopped)}.</p>\n"
        f"<table><tr><th>bot<th>seats<th>wins of a seat<th>rating<th>ms an answer<th>failures<th>timeouts{rows}</table>\n"
        f"<h2>Wins of {first}, round by round</h2>\n{_curve(report.course, report.even)}</html>\n"
    )


def _share(interval: Interval) -> str:
    return f"{interval.mean:.1%} ({interval.low:.1%} to {interval.high:.1%})"


def _curve(course: Sequence[Interval], even: float) -> str:
    """The mean and the interval after each round, and where even is."""

    def at(number: int, share: float) -> str:
        return f"{number * WIDE / max(len(course) - 1, 1):.1f},{(1 - share) * HIGH:.1f}"

    band = [at(n, one.high) for n, one in enumerate(course)]
    band += [at(n, one.low) for n, one in reversed(list(enumerate(course)))]
    means = " ".join(at(n, one.mean) for n, one in enumerate(course))
    level = f"{(1 - even) * HIGH:.1f}"
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="share of wins by rounds, from 0 to 100 %">'
        f'<polygon points="{" ".join(band)}" fill="#9bd"/>'
        f'<line x1="0" x2="{WIDE}" y1="{level}" y2="{level}" stroke="#888" stroke-dasharray="4"/>'
        f'<polyline points="{means}" fill="none" stroke="#036" stroke-width="2"/></svg>'
    )
