# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of `bench/compare seeds`: each measures its missing samples, keeps them in a file, and prints its tables.

The attributes of a part are its `name` for --only, the `document` whose tables it shows, and `two_cores`, a sentence
about results on two cores. Its methods are:

    cases()                 returns its cases as tuples; cases that begin with "simulated" repeat exactly
    measure(case)           returns a list of samples, each a value that JSON can represent
    report(report, samples) writes tables and pictures; `samples` is {case: samples}
"""

import functools
import pathlib
import sys
import time

from lib.kept import Kept
from lib.kernels import compile_kernels
from lib.machine import machine_class, others_took
from lib.places import OUTPUT
from lib.progress import Progress
from lib.report import Report
from lib.rounds import interleaved
from lib.seeds.allocation import Allocation
from lib.seeds.gangs import Gangs
from lib.seeds.locking import Churn, FastLocking
from lib.seeds.monitor_table import MonitorTable
from lib.seeds.paper import Paper
from lib.seeds.published import document_in_words

PARTS = [FastLocking, Churn, MonitorTable, Paper, Gangs, Allocation]
NAMES = [part.name for part in PARTS]
COLUMNS = 80
FULL_ROUNDS = 3


def build_of(options):
    """Returns a text that differs between builds, because samples of another build must not be reused."""
    status = pathlib.Path(options.vm).stat()
    return [status.st_size, int(status.st_mtime)]


def is_simulated(case):
    return case[0] == "simulated"


def measure(part, kept, rounds, deadline, simulated_only=False):
    """Measures until all cases have their samples or the time is over. Returns the number of samples that are
    missing."""
    cases = part.cases()
    wanted = {case: 1 if is_simulated(case) else rounds for case in cases}
    missing = [(number, case) for number, case in interleaved(rounds, cases, quiet=True)
               if len(kept.samples.get(case, [])) <= number < wanted[case]]  # fmt: skip
    if simulated_only:
        missing = [(number, case) for number, case in missing if is_simulated(case)]
    progress = Progress(part.name, len(missing))
    for _, case in missing:
        if deadline is not None and time.monotonic() >= deadline:
            break
        progress.begin(", ".join(map(str, case)))
        kept.measure(case, functools.partial(part.measure, case), not is_simulated(case))
        progress.end()
    progress.close()
    return sum(kept.missing([case], wanted[case]) for case in cases)


def run(options):
    """Measures and prints the parts that --only names. Returns the exit code."""
    options.quick = not options.full
    beside = pathlib.Path(options.vm).resolve().parent
    options.mutexbench, options.gangbench, options.allocbench = (
        beside / name for name in ("mutexbench", "gangbench", "allocbench")
    )
    chosen = [part for part in PARTS if options.only in part.name]
    if not chosen:
        sys.exit(f"no part is named '{options.only}': {', '.join(NAMES)}")
    lacking = [
        str(program) for program in (options.mutexbench, options.gangbench, options.allocbench) if not program.exists()
    ]
    if lacking:
        sys.exit(f"build these first: {', '.join(lacking)}")
    deadline = None if options.limit is None else time.monotonic() + options.limit
    compile_kernels()
    (OUTPUT / "seeds").mkdir(parents=True, exist_ok=True)
    complete = True
    for kind in chosen:
        part = kind(options)
        rounds = options.rounds or (1 if options.quick else FULL_ROUNDS)
        file = OUTPUT / "seeds" / f"{part.name}{'-quick' if options.quick else ''}.json"
        kept = Kept(file, {"build": build_of(options)}, options.fresh)
        lacking = measure(part, kept, rounds, deadline, options.simulated)
        if not lacking:
            show(part, kept, rounds, options)
        else:
            complete = False
            print(f"{part.name}: {lacking} runs are still to be measured; the same command goes on", file=sys.stderr)
    return 0 if complete else 3


def show(part, kept, rounds, options):
    machine = f"{machine_class()}, and the simulated machine"
    report = Report(f"bench/compare seeds --only {part.name}", "seeds.md", options, machine, COLUMNS)
    report.say(f"Document: {document_in_words(part.document)}")
    part.report(report, kept.samples)
    report.say(f"On two CPUs {part.two_cores}")
    report.say(f"{rounds} round{'s' if rounds > 1 else ''}, medians; " + others_took(kept.cpus_of_others()))
    report.finish()
