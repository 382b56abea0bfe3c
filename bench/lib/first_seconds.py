# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The suite of `bench/compare first-seconds`: the work that kernels get done in their first seconds of processor time,
on idle and busy processors and under a quota."""

import contextlib
import os
import pathlib
import statistics
import subprocess
import sys

from lib import processes
from lib.places import CLASSES
from lib.rounds import interleaved
from lib.summary import geometric_mean, ratios, spread

FIRST_KERNELS = ["HashMapKernel", "SortKernel", "StringKernel", "InterfaceDispatch", "Streams", "NBody"]
MARKS = [0.3, 0.5, 1, 2, 5, 10]
GROUPS = pathlib.Path("/sys/fs/cgroup")
PERIOD = 100_000


@contextlib.contextmanager
def busy_loops(count, niceness):
    """Runs busy loops in the session of the measured program, because the kernel may divide processor time
    among sessions before it divides the time of a session among processes."""
    command = [sys.executable, "-S", "-c", f"import os\nos.nice({niceness})\nwhile True: pass"]
    loops = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield []
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextlib.contextmanager
def quota(processors):
    """Creates a control group with a CPU quota. Yields the words that start a command in the group, or None if the
    group cannot be created."""
    version_2 = (GROUPS / "cgroup.controllers").exists()
    group = (GROUPS if version_2 else GROUPS / "cpu") / f"keyhole-bench-{os.getpid()}"
    try:
        group.mkdir()
        if version_2:
            (group / "cpu.max").write_text(f"{int(processors * PERIOD)} {PERIOD}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(int(processors * PERIOD)))
    except OSError:
        yield None
        return
    try:
        yield ["sh", "-c", f'echo $$ >"{group}/cgroup.procs" && exec "$@"', "sh"]
    finally:
        group.rmdir()


@contextlib.contextmanager
def one_processor():
    yield ["taskset", "-c", "0"]


CELLS = {
    "all processors": lambda: contextlib.nullcontext([]),
    "one": one_processor,
    "beside 2 nice loops": lambda: busy_loops(2, 19),
    "beside 2 loops": lambda: busy_loops(2, 0),
    "beside 8 loops": lambda: busy_loops(8, 0),
    "quota of 0.5": lambda: quota(0.5),
    "quota of 1": lambda: quota(1),
    "quota of 1.5": lambda: quota(1.5),
}


def work_done(line, marks):
    """Returns the work that was done at each mark (a processor time): the number of ended repetitions, plus the
    fraction of the running repetition that was done."""
    ends = [int(word) / 1000 for word in line.split()]
    found = []
    for mark in marks:
        done = sum(end <= mark for end in ends)
        before = ends[done - 1] if done else 0
        after = ends[done] if done < len(ends) else mark
        found.append(done + (mark - before) / (after - before) if after > before else float(done))
    return found


def report_first_seconds(report, vms, rounds, seconds, only):
    marks = [mark for mark in MARKS if mark <= seconds]
    cells = [cell for cell in CELLS if only in cell] or list(CELLS)
    work = {}
    for _, (cell, kernel, vm) in interleaved(rounds, [(c, k, vm) for c in cells for k in FIRST_KERNELS for vm in vms]):
        with CELLS[cell]() as prefix:
            if prefix is None:
                continue
            line = processes.output_of(prefix + vms[vm] + ["-cp", CLASSES, "FirstSeconds", kernel, str(seconds)])
        work.setdefault((cell, kernel, vm), []).append(work_done(line, marks))
    first, *others = vms
    for other in others:
        report.say(f"Work done by {other}, divided by {first}'s, by seconds of processor time of all threads:\n")
        rows = []
        for cell in cells:
            if (cell, FIRST_KERNELS[0], first) not in work:
                rows.append([cell, "no control group can be made here"] + [""] * len(marks))
                continue
            medians = []
            for kernel in FIRST_KERNELS:
                theirs, ours = work[(cell, kernel, other)], work[(cell, kernel, first)]
                by_mark = [ratios([done[i] for done in theirs], [done[i] for done in ours]) for i in range(len(marks))]
                medians.append([statistics.median(values) for values in by_mark])
                rows.append([cell, kernel] + [spread(values) for values in by_mark])
            means = [geometric_mean([row[i] for row in medians]) for i in range(len(marks))]
            rows.append([cell, "**geometric mean**"] + [f"**{mean:.2f}**" for mean in means])
        report.table(["where", "kernel"] + [f"{mark:g} s" for mark in marks], rows)
    return {f"{vm} {kernel} {cell}": values for (cell, kernel, vm), values in work.items()}
