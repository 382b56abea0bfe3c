# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Describes the class of the machine, and measures how much processor time other processes took during a
measurement."""

import os
import pathlib
import re
import time

SIMULATED = "the simulated machine (runtime/base/platform/cost_model.h)"
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def machine_class():
    """Describes the machine by CPUs, model family and memory, e.g. "2 CPUs of an Intel Xeon, 24 GiB"; never a host's
    name."""
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    family = re.sub(
        r"\((R|TM|r|tm)\)|\b(CPU|Processor)\b|@.*|\d+-Core", " ", model.group(1) if model else "unknown CPU"
    )
    kibibytes = int(re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1))
    return f"{os.cpu_count()} CPUs, {' '.join(family.split())}, {kibibytes / (1 << 20):.0f} GiB"


def busy_ticks():
    """Returns the busy ticks of all CPUs since boot: without idle time and waiting for disks."""
    fields = list(map(int, pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]))
    return sum(fields) - fields[3] - fields[4]


def own_ticks():
    """Returns the ticks of this process and of its children that have ended."""
    times = os.times()
    return (times.user + times.system + times.children_user + times.children_system) * TICKS_PER_SECOND


class OtherProcesses:
    """Counts the ticks of other processes since construction. The state can be stored, and added up over several
    runs."""

    def __init__(self):
        self.start = (time.monotonic(), busy_ticks(), own_ticks())

    def seconds_and_ticks(self):
        """Returns the wall seconds, and the ticks of other processes, since construction."""
        began, busy, own = self.start
        return time.monotonic() - began, max(0.0, (busy_ticks() - busy) - (own_ticks() - own))

    def cpus(self):
        """Returns the average number of CPUs that other processes used."""
        seconds, ticks = self.seconds_and_ticks()
        return cpus_of(seconds, ticks)


def cpus_of(seconds, ticks):
    return ticks / TICKS_PER_SECOND / max(seconds, 1e-9)


def others_took(cpus):
    """Returns the sentence about the load by other processes that stands under a table."""
    return f"other processes took {cpus:.2f} of the {os.cpu_count()} CPUs."
