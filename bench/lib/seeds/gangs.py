# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the start of the collector's workers by semaphores, by a monitor and by broadcasts: pauses of Xalan, and the
time of empty tasks."""

import statistics

from lib import processes
from lib.gc_log import young_pauses
from lib.kernels import compile_kernels
from lib.places import CLASSES, OUTPUT
from lib.programs import xalan
from lib.seeds import pictures
from lib.seeds.published import Published
from lib.summary import NOTHING, figure, percentile

DISPATCHERS = ["broadcast", "monitor", "semaphore"]  # theirs: baseline, monitor, semaphore
MEASURES = {"average": "average_us", "median": "median_us", "99.9 %": "permille_999_us", "most": "most_us"}
PAUSES = {
    "average": statistics.mean,
    "median": statistics.median,
    "99.9 %": lambda values: percentile(values, 99.9),
    "most": max,
}
HEAP = ["-Xms256m", "-Xmx256m", "-XX:NewSize=4m", "-XX:MaxNewSize=4m", "-Xlog:gc"]


class Gangs:
    name = "gangs"
    document = "gangs"
    two_cores = (
        "the context switches of eight workers that are woken for nothing are visible. That all workers contend for "
        "one lock at the same time is not visible here; the simulated rows show it."
    )

    def __init__(self, options):
        self.options, self.path = options, xalan()
        compile_kernels("YoungCollections")
        self.workers = [2, 8] if not options.quick else [8]
        self.here = [2, 8]
        self.simulated = [8, 36, 72] if not options.quick else [8, 72]
        self.programs = (["Xalan"] if self.path else []) + ["small arrays"]

    def cases(self):
        cases = [
            ("pauses", what, workers, one) for what in self.programs for workers in self.workers for one in DISPATCHERS
        ]
        cases += [("here", workers, one) for workers in self.here for one in DISPATCHERS]
        return cases + [("simulated", workers, one) for workers in self.simulated for one in DISPATCHERS]

    def measure(self, case):
        """Returns one sample: for pauses, all pauses of a run; for empty tasks, {measure: microseconds}."""
        if case[0] == "pauses":
            _, what, workers, dispatcher = case
            program = ["-cp", CLASSES, "YoungCollections", 128 if self.options.quick else 512]
            if what == "Xalan":
                program = ["-cp", self.path, "XalanRun", 1 if self.options.quick else 4, 2]
            flags = [f"-XX:ParallelGCThreads={workers}", f"-XX:GCWorkerWakeup={dispatcher}"]
            pauses = young_pauses(processes.output_of([self.options.vm, *HEAP, *flags, *program]))
            if not pauses:
                raise SystemExit(f"{what} with {HEAP} has no young collection")
            return [pauses]
        where, workers, dispatcher = case
        flags = ["--gang", dispatcher, "--workers", workers, "--load", "empty", "--rounds", 1, "--collections"]
        flags += [20, "--world", "simulated"] if where == "simulated" else [20 if self.options.quick else 100]
        found = processes.json_results([self.options.gangbench, *flags], OUTPUT / "seeds" / "run.json")[0]
        return [{measure: found[key] for measure, key in MEASURES.items()}]

    def report(self, report, samples):
        times, tasks = Published("gc-times"), Published("empty-tasks")
        report.say(
            "Pauses of young collections in ms, of programs with a small young generation and a number of workers. Column "
            "`ratio` is a dispatcher's average divided by that of the semaphore. The rows `theirs` are the "
            "document's figures. "
            + times.place_in_words()
        )
        pauses = {
            (what, workers, one): [ms for run in samples["pauses", what, workers, one] for ms in run]
            for what in self.programs
            for workers in self.workers
            for one in DISPATCHERS
        }
        theirs = {row[0]: row[1:] for row in times.rows}
        rows = [["theirs", one, NOTHING, *map(figure, theirs[one]), by(theirs, one)] for one in DISPATCHERS]
        for (what, workers, one), values in pauses.items():
            measured = [measure(values) for measure in PAUSES.values()]
            base = PAUSES["average"](pauses[what, workers, "semaphore"])
            rows.append([f"{what}, {workers}", one, len(values), *map(figure, measured), f"{measured[0] / base:.2f}"])
        report.table(["what", "dispatcher", "pauses", *PAUSES, "ratio"], rows, left=2)

        report.say(
            "Times of an empty task, ten tasks in a row, in microseconds. Column `ratio` is a dispatcher's average "
            "divided by that of the semaphore. The rows `theirs` are the document's figures, converted from "
            "milliseconds to microseconds. "
            + tasks.place_in_words()
        )
        theirs_tasks = {row[0]: [1000 * value for value in row[1:]] for row in tasks.rows}
        rows = [["theirs", one, *map(figure, theirs_tasks[one]), by(theirs_tasks, one)] for one in DISPATCHERS]
        averages = {("theirs", one): theirs_tasks[one][0] for one in DISPATCHERS}
        places = [("here", n) for n in self.here] + [("simulated", n) for n in self.simulated]
        for where, workers in places:
            label = f"{where}, {workers}"
            own = {one: medians(samples[where, workers, one]) for one in DISPATCHERS}
            averages |= {(label, one): own[one][0] for one in DISPATCHERS}
            rows += [[label, one, *map(figure, own[one]), by(own, one)] for one in DISPATCHERS]
        report.table(["where", "dispatcher", *MEASURES, "ratio"], rows, left=2)
        labels = list(dict.fromkeys(label for label, _ in averages))
        pictures.bars(
            report, self.name, "Waking the collector's workers",
            {
                "young pauses, average by semaphore's": (
                    ["theirs", *dict.fromkeys(f"{what},\n{workers}" for what, workers, _ in pauses)],
                    {
                        one: [theirs[one][0] / theirs["semaphore"][0]]
                        + [
                            statistics.mean(pauses[what, workers, one]) / statistics.mean(pauses[what, workers, "semaphore"])
                            for what, workers in dict.fromkeys(key[:2] for key in pauses)
                        ]
                        for one in DISPATCHERS
                    },
                ),
                "empty task, average by semaphore's": (
                    [label.replace(", ", ",\n") for label in labels],
                    {one: [averages[label, one] / averages[label, "semaphore"] for label in labels] for one in DISPATCHERS},
                ),
            },
            "times the semaphore's", logarithmic=["empty task, average by semaphore's"],
        )  # fmt: skip


def by(rows, one):
    return f"{rows[one][0] / rows['semaphore'][0]:.2f}"


def medians(runs):
    return [statistics.median(run[measure] for run in runs) for measure in MEASURES]
