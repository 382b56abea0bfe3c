# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compares stack-locking with fast-locking: the modes `legacy` and `lightweight` of Keyhole, and the modes
-XX:LockingMode=1 and 2 of HotSpot 25.

There are two parts. `fast-locking` measures whole programs. `churn` measures the cost of monitors for locks that are
used once.
"""

import statistics

from lib import processes
from lib.jvms import hotspot_locking, java25
from lib.kernels import run_kernel, run_shares
from lib.paper_figures import simulate, spin_flags
from lib.places import CLASSES, OUTPUT
from lib.programs import programs, xalan
from lib.seeds import pictures
from lib.seeds.published import Published, gain, gain_in_words
from lib.summary import NOTHING, geometric_mean

HOTSPOT = "HotSpot 25"
TABLES = ["dacapo-aarch64", "dacapo-x86", "renaissance-aarch64", "renaissance-x86"]
KERNELS = ["HashMapKernel", "SortKernel", "StringKernel", "Streams", "Exceptions", "Allocation"]
OBJECTS = ["TaskScheduler", "ConstraintSolver", "LoopFinder", "Collisions", "JsonText", "DoubleMatrices", "TextReports",
           "WordTables", "SortedRecords", "ObjectStreams"]  # fmt: skip
# Programs of ours that are similar to the document's, for orientation.
ALIKE = {
    "xalan": "Xalan, 2 threads",
    "eclipse": "javac, 100 files",
    "pmd": "javac, 100 files",
    "Dotty": "javac, 100 files",
    "fop": "TextReports",
    "biojava": "StringKernel",
    "luindex": "WordTables",
    "lusearch": "WordTables",
    "h2": "TableLocks, 2 threads",
    "tradebeans": "MixedLocks, 2 threads",
    "sunflow": "Collisions",
    "jython": "ConstraintSolver",
    "graphchi": "LoopFinder",
    "AkkaUct": "TaskScheduler",
    "Reactors": "TaskScheduler",
    "Scrabble": "Streams",
    "RxScrabble": "Streams",
    "Mnemonics": "ObjectStreams",
    "ParMnemonics": "ObjectStreams",
    "ScalaDoku": "ConstraintSolver",
    "ScalaStmBench7": "TableLocks, 2 threads",
    "Als": "DoubleMatrices",
    "GaussMix": "DoubleMatrices",
    "FjKmeans": "DoubleMatrices",
    "ScalaKmeans": "DoubleMatrices",
}
SIMULATED = {
    "alone": ["--threads", 1, "--seconds", 0.002],
    "T=36, locks of others": ["--threads", 36, "--locks", 9216, "--promiscuous", "rotate", "--seconds", 0.001],
    "one lock, T=8": ["--threads", 8, "--csl", 1, "--ncsl", 200, "--seconds", 0.01],
    "one lock, T=72": ["--threads", 72, "--csl", 1, "--ncsl", 200, "--seconds", 0.01],
    "no work, T=8": ["--threads", 8, "--seconds", 0.01],
    "no work, T=72": ["--threads", 72, "--seconds", 0.01],
}


def keyhole(options, mode, *flags):
    return [options.vm, f"-XX:LockingMode={mode}", *flags]


def hotspot(mode):
    return [java25(), *hotspot_locking(mode)]


def virtual_machines(options):
    """Returns {VM: {legacy, lightweight: command}}."""
    vms = {"Keyhole": {mode: keyhole(options, mode) for mode in ("legacy", "lightweight")}}
    if java25() and not options.quick:
        vms[HOTSPOT] = {"legacy": hotspot(1), "lightweight": hotspot(2)}
    return vms


def timers(options):
    """Returns {name: a function of a VM's command line that returns the milliseconds of one run}."""
    quick = options.quick

    def kernel(name, repetitions, *arguments, **more):
        return lambda command: run_kernel(
            command, name, max(4, repetitions // 4) if quick else repetitions, *arguments, **more
        )[0]

    def shares(program, *arguments):  # milliseconds of a million operations
        return lambda command: 1e9 / run_shares(command, program, *arguments, 300 if quick else 1000)[0]

    def whole(words):
        return lambda command: processes.timed(command + words)[1] * 1e3

    found = {name: whole(words) for name, words in programs().items() if name != "JSON" and not quick}
    path = xalan()
    if path:
        for threads in (1, 2):
            label = f"Xalan, {threads} thread{'s' * (threads > 1)}"
            found[label] = kernel("XalanRun", 20, threads, class_path=path)
    found |= {name: kernel(name, 3000) for name in OBJECTS}
    found |= {name: kernel(name, 200) for name in KERNELS}
    found |= {f"OldCollections, {how}": kernel("OldCollections", 100, how) for how in ("fresh", "kept")}
    found["SyncBlock"] = kernel("SyncBlock", 20)
    found["TableLocks, 2 threads"] = shares("TableLocks", 2, 2)
    found["MixedLocks, 2 threads"] = shares("MixedLocks", "mixed", 2)
    return found


class FastLocking:
    name = "fast-locking"
    document = "fast-locking"
    two_cores = (
        "the cost of uncontended locks is as visible as on many, and most of these programs have only uncontended "
        "locks. The effect of dozens of threads on one lock is not visible; the simulated rows show it."
    )

    def __init__(self, options):
        self.options, self.vms, self.timers = options, virtual_machines(options), timers(options)
        self.programs = list(self.timers)

    def cases(self):
        measured = [(name, vm, mode) for name in self.programs for vm in self.vms for mode in self.vms[vm]]
        return measured + [("simulated", load) for load in SIMULATED]

    def measure(self, case):
        if case[0] != "simulated":
            return [self.timers[case[0]](self.vms[case[1]][case[2]])]
        flags = ["--algorithm", "legacy,lightweight", *spin_flags("paper"), "--runs", 3, *SIMULATED[case[1]]]
        found = simulate(self.options.mutexbench, flags, OUTPUT / "seeds" / "run.json")
        return [{one["algorithm"]: one["median_per_second"] for one in found}]

    def report(self, report, samples):
        gains = {
            vm: {
                name: [gain(*times) for times in zip(samples[name, vm, "legacy"], samples[name, vm, "lightweight"])]
                for name in self.programs
            }
            for vm in self.vms
        }
        self.say_own(report, samples, gains)
        own = {vm: {name: statistics.median(values) for name, values in gains[vm].items()} for vm in self.vms}
        columns = {"Keyhole,\nhere": own["Keyhole"]}
        if HOTSPOT in own:
            columns["HotSpot 25,\nhere"] = own[HOTSPOT]
        for name in TABLES:
            table = Published(name)
            theirs = {row[0]: gain(row[1], row[2]) for row in table.rows}
            columns[name.replace("-", ",\n")] = theirs
            report.say(
                table.place_in_words()
                + " Column `like it`: a program of ours of the same kind, if there is one. Column `Keyhole`: its gain."
            )
            report.table(
                ["benchmark", *table.columns[1:], "gain", "like it", "Keyhole"],
                [
                    [row[0], f"{row[1]:g}", f"{row[2]:g}", gain_in_words(theirs[row[0]]), ALIKE.get(row[0], NOTHING)]
                    + [gain_in_words(own["Keyhole"][ALIKE[row[0]]]) if ALIKE.get(row[0]) in own["Keyhole"] else NOTHING]
                    for row in table.rows
                ],
            )
        self.say_means(report, columns, gains)
        self.say_simulated(report, samples)

    def say_own(self, report, samples, gains):
        report.say(
            "Our programs. Columns `legacy` and `light`: milliseconds on Keyhole, for a million operations where threads "
            "share objects. The other columns: by how much `lightweight` is faster than `legacy`, and on HotSpot mode 2 "
            "than mode 1, as the median of the rounds, with the least and the most in parentheses."
        )
        short = {"Keyhole": "Keyhole", HOTSPOT: "HotSpot 25"}
        report.table(
            ["program", "legacy", "light"] + [f"{short[vm]}, %" for vm in self.vms],
            [
                [name]
                + [f"{statistics.median(samples[name, 'Keyhole', mode]):.4g}" for mode in ("legacy", "lightweight")]
                + [spread_of_gains(gains[vm][name]) for vm in self.vms]
                for name in self.programs
            ],
        )

    def say_means(self, report, columns, gains):
        means = {name: mean_gain(by_program.values()) for name, by_program in columns.items()}
        report.say("All tables: the geometric mean of the ratios of their programs, and how far the ratios spread.")
        report.table(
            ["table", "programs", "mean gain", "least", "most", "within 3 %"],
            [
                [name.replace("\n", " ").replace(",  ", ", "), len(by_program), gain_in_words(means[name])]
                + [gain_in_words(end(by_program.values())) for end in (min, max)]
                + [f"{sum(abs(value) <= 3 for value in by_program.values())} of {len(by_program)}"]
                for name, by_program in columns.items()
            ],
        )
        for vm in self.vms:
            rounds = [mean_gain(of_round) for of_round in zip(*gains[vm].values())]
            report.say(f"{vm}, mean gain round by round: {spread_of_gains(rounds)} %.")
        dots = {name: (list(by_program.values()), means[name]) for name, by_program in columns.items()}
        pictures.dots(report, self.name, "Fast-locking against stack-locking, program by program", dots,
                      "gain, %; bars: geometric means")  # fmt: skip

    def say_simulated(self, report, samples):
        report.say("The locks without a program, on 72 simulated CPUs: million iterations per second.")
        rows = []
        for load in SIMULATED:
            rates = samples["simulated", load][0]
            rows.append([load, f"{rates['legacy'] / 1e6:.2f}", f"{rates['lightweight'] / 1e6:.2f}",
                         gain_in_words(gain(1 / rates["legacy"], 1 / rates["lightweight"]))])  # fmt: skip
        report.table(["load", "legacy", "lightweight", "gain"], rows)


def mean_gain(percents):
    return (geometric_mean([1 + percent / 100 for percent in percents]) - 1) * 100


def spread_of_gains(percents):
    middle, least, most = statistics.median(percents), min(percents), max(percents)
    return f"{middle:+.1f} ({least:+.0f} to {most:+.0f})" if len(percents) > 1 else f"{middle:+.1f}"


PHASES = {"never": "not locked", "once": "locked once", "hashed": "and hashed", "kept": "all kept"}


class Churn:
    """A statement of the document without figures: monitors alone are slow only where locks are both uncontended and
    new."""

    name = "churn"
    document = "fast-locking"
    two_cores = "these programs show the whole effect, because only one thread works."

    def __init__(self, options):
        self.options = options
        self.vms = {f"Keyhole {mode}": keyhole(options, mode) for mode in ("monitor", "legacy", "lightweight")}
        if java25():
            self.vms |= {f"{HOTSPOT}, mode {mode}": hotspot(mode) for mode in range(3)}

    def cases(self):
        return [(what, vm) for what in ("LockChurn", "fresh", "kept collections") for vm in self.vms]

    def measure(self, case):
        what, command = case[0], self.vms[case[1]]
        if what != "LockChurn":
            repetitions = 20 if self.options.quick else 100
            return [run_kernel(command, "OldCollections", repetitions, what.split()[0])[0]]
        objects = 300_000 if self.options.quick else 1_000_000
        output = processes.output_of(command + ["-Xmx256m", "-cp", CLASSES, "LockChurn", objects])
        lines = [line.split() for line in output.splitlines()]
        return [{words[0]: int(words[1]) for words in lines if len(words) == 3 and words[0] in PHASES}]

    def report(self, report, samples):
        report.say(
            "The document says without figures that programs regress severely without stack-locking or fast-locking if they "
            "use old collections in one thread and then drop them, and that other programs do not. Our figures: nanoseconds "
            "for an object that is made, locked once and dropped; milliseconds for operations on old collections that are "
            "made for each use (`new`) or kept (`same`)."
        )
        churn = {
            vm: {phase: statistics.median(run[phase] for run in samples["LockChurn", vm]) for phase in PHASES}
            for vm in self.vms
        }
        collections = {
            vm: [statistics.median(samples[what, vm]) for what in ("fresh", "kept collections")] for vm in self.vms
        }
        report.table(
            ["VM", *PHASES.values(), "new", "same"],
            [
                [vm] + [f"{churn[vm][phase]:.0f}" for phase in PHASES] + [f"{ms:.3g}" for ms in collections[vm]]
                for vm in self.vms
            ],
        )
        ratios = [
            [vm, f"{churn[vm]['once'] / churn[base]['once']:.2f}"]
            + [f"{own / other:.2f}" for own, other in zip(collections[vm], collections[base])]
            for vm, base in self.bases().items()
        ]
        report.say("Each of these times, divided by that of the last mode of the same VM:")
        report.table(["VM", "locked once", "new collections", "the same"], ratios)
        pictures.bars(
            report, self.name, "Locks that are used once",
            {
                "an object, ns": (list(PHASES.values()), {vm: [churn[vm][phase] for phase in PHASES] for vm in self.vms}),
                "old collections, ms": (["new", "the same"], collections),
            },
            "",
        )  # fmt: skip

    def bases(self):
        return {vm: "Keyhole lightweight" if vm.startswith("Keyhole") else f"{HOTSPOT}, mode 2" for vm in self.vms}
