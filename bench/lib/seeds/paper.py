# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Measures figures 1 to 3 of Dice & Kogan's paper: throughput over one lock by number of threads, on the simulated
machine and on this one."""

import statistics

from lib import processes
from lib.jvms import java25
from lib.kernels import run_mutex
from lib.paper_figures import FIGURES, THREADS, simulate, spin_flags
from lib.places import OUTPUT
from lib.seeds import pictures
from lib.seeds.published import Published
from lib.summary import NOTHING, millions

# The paper's series, each with the row of mutexbench that is the same lock without a VM.
SERIES = {
    "synchronized": "lightweight",
    "ReentrantLock": None,
    "ReentrantLock-FIFO": "park-hand-off",
    "pthreads": "pthread",
    "HashChains": "hashchains",
    "HashChains+3": "hashchains+3",
    "CJM-FIFO": "cjm-fifo",
    "CJM-By": "cjm-by",
}
JAVA = {"synchronized": "synchronized", "ReentrantLock": "reentrant", "ReentrantLock-FIFO": "fair"}
SHOWN = [1, 2, 4, 8, 18, 36, 72]
HERE = [1, 2, 4, 8]
HOTSPOT = "HotSpot 25"


class Paper:
    name = "paper"
    document = "paper"
    two_cores = (
        "more than two threads share the CPUs, so the curves show what preemption does to each lock, and not how the "
        "lock scales. Waiters that spin take the owner's CPU, and every FIFO lock falls to the speed of wake-ups."
    )

    def __init__(self, options):
        self.options = options
        self.vms = {"Keyhole": [options.vm]}
        if java25():
            self.vms[HOTSPOT] = [java25()]
        self.figures = [1] if options.quick else list(FIGURES)
        self.here = [1, 2, 8] if options.quick else HERE
        self.simulated_threads = SHOWN if options.quick else THREADS
        self.seconds = 0.2 if options.quick else 0.5

    def cases(self):
        rows = [row for row in SERIES.values() if row]
        cases = [("simulated", number, row) for number in self.figures for row in rows]
        cases += [("here", n, row, threads) for n in self.figures for row in rows for threads in self.here]
        cases += [("java", n, lock, vm, threads) for n in self.figures for lock in JAVA for vm in self.vms
                  for threads in self.here]  # fmt: skip
        return cases + [("simulated", "fairness", row) for row in ("lightweight", "cjm-by")]

    def measure(self, case):
        csl, ncsl, _ = FIGURES[1 if case[1] == "fairness" else case[1]]
        scratch = OUTPUT / "seeds" / "run.json"
        load = ["--csl", csl, "--ncsl", ncsl]
        if case[0] == "java":
            _, _, lock, vm, threads = case
            return [run_mutex(self.vms[vm], JAVA[lock], threads, csl, ncsl, int(self.seconds * 1000))]
        if case[0] == "here":
            command = [self.options.mutexbench, "--algorithm", case[2], "--threads", case[3], "--seconds", self.seconds]
            return [processes.json_results(command + load, scratch)[0]["runs"][0]["per_second"]]
        if case[1] == "fairness":
            seconds = 0.1 if self.options.quick else 1
            flags = ["--algorithm", case[2], "--threads", 72, "--seconds", seconds, *spin_flags("paper")]
            run = simulate(self.options.mutexbench, flags, scratch)[0]["runs"][0]
            return [max(run["iterations"]) / max(1, min(run["iterations"]))]
        threads = ",".join(map(str, self.simulated_threads))
        runs = ["--seconds", 0.005 if self.options.quick else 0.02, "--runs", 1 if self.options.quick else 3]
        flags = ["--algorithm", case[2], "--threads", threads, *runs, *load, *spin_flags("paper")]
        return [
            [[one["threads"], one["median_per_second"]] for one in simulate(self.options.mutexbench, flags, scratch)]
        ]

    def report(self, report, samples):
        report.say(
            "The document has three pictures without figures, and a text about them. Our figures are million iterations per "
            "second. The simulation has 72 CPUs. It has no `ReentrantLock` of Java; a queue whose waiters park at once "
            "stands for the fair one."
        )
        for number in self.figures:
            csl, ncsl, title = FIGURES[number]
            simulated = {series: dict(samples["simulated", number, row][0]) for series, row in SERIES.items() if row}
            report.say(f"Figure {number}, {title} ({csl}, {ncsl}), simulated:")
            report.table(
                ["series"] + [f"T={threads}" for threads in SHOWN],
                [
                    [series]
                    + [millions(simulated[series][threads]) if series in simulated else NOTHING for threads in SHOWN]
                    for series in SERIES
                ],
            )
            report.say(f"Figure {number} on this machine; C++, and Java on {' and '.join(self.vms)}:")
            here = self.rates_here(samples, number)
            report.table(
                ["series", "VM or C++"] + [f"T={threads}" for threads in self.here],
                [[*key] + [millions(rates[threads]) for threads in self.here] for key, rates in here.items()],
                left=2,
            )
            self.draw(report, number, simulated, here)
        self.say_order(report, samples)
        self.say_fairness(report, samples)

    def rates_here(self, samples, number):
        """Returns {(series, C++ or a VM): {threads: rate}}."""
        rates = {}
        for series, row in SERIES.items():
            if row:
                rates[series, "C++"] = {
                    threads: statistics.median(samples["here", number, row, threads]) for threads in self.here
                }
            for vm in self.vms if series in JAVA else ():
                rates[series, vm] = {
                    threads: statistics.median(run[0] for run in samples["java", number, series, vm, threads])
                    for threads in self.here
                }
        return rates

    def say_order(self, report, samples):
        table = Published("paper-figures")
        report.say(
            "The ranks of the locks in figure 1 at many threads. Column `theirs` follows the document's text; locks in one "
            "band have equal ranks. The other columns rank our rates, with the share of the best rate in parentheses."
        )
        simulated = {series: dict(samples["simulated", 1, row][0])[72] for series, row in SERIES.items() if row}
        here = {}
        for (series, of), rates in self.rates_here(samples, 1).items():
            here.setdefault(of, {})[series] = rates[8]

        def place(rates, series):
            if series not in rates:
                return NOTHING
            order = sorted(rates, key=rates.get, reverse=True)
            return f"{order.index(series) + 1} ({rates[series] / rates[order[0]]:.2f})"

        report.table(
            ["series", "theirs", "simulated 72"] + [f"{of}, T=8" for of in here],
            [
                [series, rank, place(simulated, series)] + [place(here[of], series) for of in here]
                for series, rank in table.rows
            ],
        )

    def say_fairness(self, report, samples):
        report.say("Fairness without work outside the lock: the iterations of the busiest thread by those of the least busy.")
        rows = [[series, f"theirs, 72 CPUs, {seconds} s", f"about {most}"] for series, seconds, most in
                Published("paper-fairness").rows]  # fmt: skip
        rows += [
            [row, "simulated, T=72", f"{samples['simulated', 'fairness', row][0]:.2f}"]
            for row in ("lightweight", "cjm-by")
        ]
        for lock in JAVA:
            for vm in self.vms:
                runs = samples["java", 1, lock, vm, 8]
                rows.append([lock, f"{vm}, T=8, {self.seconds:g} s",
                             f"{statistics.median(run[1] / max(1, run[2]) for run in runs):.2f}"])  # fmt: skip
        report.table(["lock", "where", "most by least"], rows, left=2)

    def draw(self, report, number, simulated, here):
        parts = {
            "simulated, 72 CPUs": {series: (list(rates), list(rates.values())) for series, rates in simulated.items()},
            "C++, this machine": {},
        }
        for (series, of), rates in here.items():
            title = "C++, this machine" if of == "C++" else f"Java, {of}"
            parts.setdefault(title, {})[series] = (list(rates), list(rates.values()))
        _, _, title = FIGURES[number]
        pictures.lines(report, f"paper-figure-{number}", f"Figure {number}: {title}", parts, "threads", "iterations/s")
