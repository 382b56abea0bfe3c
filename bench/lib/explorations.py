# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of bench/explore under `keyhole --explore`, and makes tables of what the explorations found.

Every program of bench/explore/programs has a fault that only some schedules show. An exploration executes schedules
until one fails.
"""

import dataclasses
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
from statistics import median

from lib import jvms, processes
from lib.places import OUTPUT, ROOT
from lib.summary import NOTHING, figure

PROGRAMS = ROOT / "bench" / "explore" / "programs"
SUITES = ["sctbench", "jacontebe"]
FOLDER = OUTPUT / "explore"
STRATEGIES = ["auto", "bounded", "dpor", "pct", "pos", "surw", "random"]
GRACE_SECONDS = 600  # a loaded machine boots a VM slowly, and the limit of an exploration is tested between schedules
HEAD = ["program", "found", "schedules", "seconds", "CPU seconds", "schedules/s"]


@dataclasses.dataclass
class Result:
    """One exploration. `schedules` counts the failing schedule, too; None if there is no report. `seconds` are those of
    the clock of --explore until the failing schedule; `cpu_seconds` are those of its processes, with start and end."""

    found: bool
    schedules: int | None
    seconds: float
    cpu_seconds: float
    end: str  # the failure, or why the exploration ended without one

    def per_second(self):
        return self.schedules / self.seconds if self.schedules and self.seconds > 0 else None


def programs(only=""):
    """Returns {name: source} of the programs whose suite and name, such as sctbench/AccountBad, contain `only`."""
    found = [path for suite in SUITES for path in sorted((PROGRAMS / suite).glob("*.java"))]
    return {path.stem: path for path in found if only in f"{path.parent.name}/{path.stem}"}


def compile_sources(sources, classes, class_path=""):
    """Compiles the sources into the folder, unless its classes are newer."""
    stamp = classes / ".compiled"
    if stamp.exists() and all(path.stat().st_mtime < stamp.stat().st_mtime for path in sources):
        return
    classes.mkdir(parents=True, exist_ok=True)
    path = ["-cp", class_path] if class_path else []
    processes.output_of([jvms.JDK / "bin" / "javac", "--release", 17, "-d", classes, *path, *sources])
    stamp.touch()


def compile_programs():
    """Compiles all programs. Returns the folder of their classes."""
    compile_sources(list(programs().values()), FOLDER / "classes")
    return FOLDER / "classes"


def run_measured(command, seconds, folder=None):
    """Runs a process group, and kills it after `seconds`. Returns (output, wall seconds, CPU seconds, whether it
    ended by itself)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    words = [str(word) for word in command]
    has_ended = True
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, cwd=folder, start_new_session=True)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            has_ended = False
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        wall = time.perf_counter() - start
        out.seek(0)
        text = out.read()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, has_ended


def result_of(report, cpu_seconds):
    """Returns the Result of a report of `--explore --json`."""
    if report["verdict"] == "failure":
        end = report["failure"]
    elif "failure" in report:
        end = f"the replay of the failure had other events: {report['failure']}"
    elif report["uncontrolled"]:
        end = report["uncontrolled"]
    elif report["complete"]:
        end = "complete"
    elif report["finished_bound"] is not None and not report["stopped"]:
        end = f"complete up to {report['finished_bound']} preemptions"
    else:
        end = f"stopped {report['stopped']}"
    seconds = report.get("found_after", report["seconds"])
    return Result(report["verdict"] == "failure", report["schedules"], seconds, cpu_seconds, end)


class Keyhole:
    """`keyhole --explore` with one strategy. More than one worker would make a result depend on their speeds."""

    name = "Keyhole"

    def __init__(self, vm, strategy="auto", schedules=0, jobs=1):
        self.vm, self.strategy, self.schedules, self.jobs = pathlib.Path(vm).resolve(), strategy, schedules, jobs
        self.classes = compile_programs()

    def run(self, program, seconds, seed):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            command = [self.vm, "--explore", f"--strategy={self.strategy}", f"--for={seconds}", f"--seed={seed}"]
            command += [f"--schedules={self.schedules}"] * bool(self.schedules) + [f"--jobs={self.jobs}"]
            command += [f"--json={report}", "-cp", self.classes, program]
            text, wall, cpu_seconds, has_ended = run_measured(command, seconds + GRACE_SECONDS, folder)
            if not has_ended:
                return Result(False, None, wall, cpu_seconds, "killed: it did not end by itself")
            if not report.exists():
                return Result(False, None, wall, cpu_seconds, f"no report: {text.strip()[-200:]}")
            return result_of(json.loads(report.read_text()), cpu_seconds)


def middle(values):
    values = [value for value in values if value is not None]
    return median(values) if values else None


def cell(value):
    return NOTHING if value is None else figure(value) if value < 1000 else f"{value:,.0f}"


def found_cell(results):
    """Returns how many of a program's explorations found its fault; if there is one exploration, why it did not."""
    count = sum(result.found for result in results)
    if len(results) > 1:
        return f"{count} of {len(results)}"
    return "yes" if count else "no: " + results[0].end.partition("\n")[0]


def cells(results):
    """Returns the cells of a program's row after its name. The figures are medians of the explorations that found the
    fault. If none did, `schedules` is the median of what they executed, marked with >."""
    good = [result for result in results if result.found]
    used = good or results
    schedules = cell(middle([result.schedules for result in used]))
    return [
        found_cell(results),
        schedules if good or schedules == NOTHING else f"> {schedules}",
        cell(middle([result.seconds for result in used])),
        cell(middle([result.cpu_seconds for result in used])),
        cell(middle([result.per_second() for result in used])),
    ]


def table_rows(results):
    """Returns the rows of a table for {program: [Result]}, and a last one with the medians of all explorations that
    found a fault."""
    rows = [[name, *cells(of_program)] for name, of_program in results.items()]
    good = [result for of_program in results.values() for result in of_program if result.found]
    if good:
        rows.append(["median of those found", "", *cells(good)[1:]])
    return rows


def count_text(results):
    """Returns how many programs have had their fault found, of each suite and of all."""
    suites = {name: path.parent.name for name, path in programs().items()}
    parts = []
    for suite in SUITES:
        of_suite = [of_program for name, of_program in results.items() if suites[name] == suite]
        if of_suite:
            parts.append(f"{sum(any(result.found for result in one) for one in of_suite)} of {len(of_suite)} ({suite})")
    return "Found: " + ", ".join(parts) + "."
