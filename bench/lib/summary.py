# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Summarizes many samples in one table cell: medians, spreads, ratios, and figures with a suitable number of digits."""

import math
import statistics

NOTHING = "–"


def spread(values):
    """Returns the median with the smallest and the largest value."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})" if values else NOTHING


def ratios(own, others):
    """Divides each value by the other VM's value in the same round. Drops rounds in which the other VM's value is 0."""
    return [one / other for one, other in zip(own, others) if other > 0]


def geometric_mean(values):
    return math.exp(statistics.mean(map(math.log, values)))


def percentile(values, percent):
    """Returns the value below which `percent` of the values lie, or 0 if there are no values."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * percent / 100))] if values else 0.0


def figure(value, whole_from=100):
    """Formats a number with three digits, and without decimals from `whole_from` on."""
    return f"{value:.0f}" if value >= whole_from else f"{value:.3g}"


def millions(per_second):
    """Formats a rate in millions per second, with three digits."""
    return f"{per_second / 1e6:.2f}" if per_second < 9.995e6 else f"{per_second / 1e6:.1f}"
