# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The suites `bench/compare large` and `large-locks`: the workloads of bench/large, over libraries of Maven Central.

Each file of bench/large with a line `// iterations: N` is a workload. Its other directives:

    // maven: group:artifact:version ...   the libraries; repeated for more
    // sources: programs/XalanRun.java     sources of bench to be compiled with it
    // jvm: -Dx={bench}                    options for all VMs; {bench} is the folder bench
    // since: 21                           the first library that it runs on
    // locks: yes                          its threads compete for locks: large-locks runs it in each locking mode

A run is one process. `first` is the time of its first iteration, and `steady` the median of the last third of its
iterations. `total` and the CPU time are those of the whole process. All runs of a workload must have the same digest.
"""

import functools
import pathlib
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "libraries"))
from maven import class_path  # noqa: E402

from lib import processes  # noqa: E402
from lib.jvms import find_jdk, locking_modes  # noqa: E402
from lib.kept import Kept  # noqa: E402
from lib.machine import others_took  # noqa: E402
from lib.places import OUTPUT, ROOT  # noqa: E402
from lib.progress import Progress  # noqa: E402
from lib.report import Report  # noqa: E402
from lib.rounds import interleaved  # noqa: E402
from lib.summary import NOTHING, figure, geometric_mean, ratios, spread  # noqa: E402

BENCH = ROOT / "bench"
SOURCES = BENCH / "large"
PAGE = "large.md"
ROUNDS = 3
KEYHOLE, G1, PARALLEL = "Keyhole", "G1", "Parallel"
COUNTERS = ["parks", "unparks", "hand_overs", "inflations"]
NANOSECONDS = 1e9  # of a second
KEYS = "maven|sources|jvm|since|locks|iterations"


def directives(source):
    found = {}
    for key, text in re.findall(rf"^// ({KEYS}): (.*)$", source.read_text(), re.MULTILINE):
        found[key] = f"{found[key]} {text}" if key in found else text
    return found


def release_of(home):
    return int(re.search('^JAVA_VERSION="([0-9]+)', (home / "release").read_text(), re.MULTILINE).group(1))


def workloads():
    """Returns {name: source}."""
    return {path.stem: path for path in sorted(SOURCES.iterdir()) if "iterations" in directives(path)}


class Suite:
    """The base class of the suites `large` and `large-locks`: compiles the workloads, and executes their runs."""

    def __init__(self, options):
        homes = [home for home in map(find_jdk, (25, 21, 17)) if home] or sys.exit("no JDK 17, 21 or 25 on this machine")
        self.home = pathlib.Path(homes[0])
        release = release_of(self.home)
        self.hotspot = f"HotSpot {release}"
        self.keyhole = [options.vm, f"-Djava.home={self.home}"]
        self.sources = {
            name: source
            for name, source in workloads().items()
            if options.only in name and int(directives(source).get("since", "17")) <= release
        }
        if not self.sources:
            sys.exit(f"no workload is named '{options.only}': {', '.join(workloads())}")

    @functools.cache
    def compiled(self, name):
        """Compiles the workload by the JDK's compiler, or by Scala's if it is written in Scala. Returns its class
        path."""
        given = directives(self.sources[name])
        classes = OUTPUT / "large" / "classes"
        classes.mkdir(parents=True, exist_ok=True)
        path = f"{classes}:{class_path(given['maven'].split())}" if "maven" in given else str(classes)
        java = [BENCH / text for text in given.get("sources", "").split()] + [SOURCES / "Workload.java"]
        if self.sources[name].suffix == ".java":
            java.append(self.sources[name])
        words = ["-nowarn", "-cp", path, "-sourcepath", SOURCES, "-d", classes, *java]
        subprocess.run([str(word) for word in [self.home / "bin" / "javac", *words]], check=True)
        if self.sources[name].suffix == ".scala":
            words = ["-cp", path, "dotty.tools.dotc.Main", "-classpath", path, "-d", classes, self.sources[name]]
            subprocess.run([str(word) for word in [self.home / "bin" / "java", *words]], check=True)
        return path

    def run_once(self, name, vm):
        """Returns one sample, as a dictionary."""
        given = directives(self.sources[name])
        command = [*vm, *given.get("jvm", "").format(bench=BENCH).split(), "-cp", self.compiled(name), name, given["iterations"]]
        return sample_of(*processes.measured(command), int(given["iterations"]))


def sample_of(text, total, cpu, peak, count):
    """Returns the figures of one process, which printed `text` about `count` iterations."""
    iterations = re.findall(r"^iteration (\d+) (\d+) (\w+)$", text, re.MULTILINE)
    digests = {digest for _, _, digest in iterations}
    if len(iterations) != count or len(digests) != 1:
        sys.exit(f"{len(iterations)} of {count} iterations, with the digests {digests}:\n{text[-2000:]}")
    walls, cpus = ([int(one[column]) / NANOSECONDS for one in iterations] for column in (0, 1))
    last = max(1, count // 3)
    sample = {
        "digest": digests.pop(), "iterations": walls, "first": walls[0], "first CPU": cpus[0],
        "steady": statistics.median(walls[-last:]), "steady CPU": statistics.mean(cpus[-last:]), "total": total,
        "CPU": cpu, "peak": peak / 1024,
    }  # fmt: skip
    for what in ("compilers", "collectors"):
        sample[what] = int(re.search(rf"^{what} (\d+)$", text, re.MULTILINE).group(1)) / NANOSECONDS
    for counter in COUNTERS:
        found = re.search(rf"^ *(\d+)  {counter} ", text, re.MULTILINE)
        sample[counter] = int(found.group(1)) if found else 0
    return sample


def measure(suite, kept, cases, rounds, deadline):
    """Measures until all cases have their samples, or until the time is over. Returns the number of missing samples."""
    missing = [
        case for number, case in interleaved(rounds, cases, quiet=True) if len(kept.samples.get(case, [])) <= number
    ]
    progress = Progress("large", len(missing))
    digests = {name: runs[0]["digest"] for (name, _), runs in kept.samples.items()}
    for case in missing:
        if deadline is not None and time.monotonic() >= deadline:
            break
        name, vm = case
        progress.begin(f"{name}, {vm}")
        kept.measure(case, lambda: [suite.run_once(name, cases[case])])
        digest = kept.samples[case][-1]["digest"]
        if digests.setdefault(name, digest) != digest:
            kept.file.unlink()
            sys.exit(f"{name}: {vm} computes {digest}, others {digests[name]}")
        progress.end()
    progress.close()
    return kept.missing(cases, rounds)


def run(options):
    """Measures and prints one of the suites. Returns the exit code."""
    suite = Suite(options)
    rounds = options.rounds or ROUNDS
    deadline = None if options.limit is None else time.monotonic() + options.limit
    locks = options.suite == "large-locks"
    if locks:
        names = [name for name, source in suite.sources.items() if "locks" in directives(source)]
        modes = [mode for mode in locking_modes(options.vm) if mode != "none"]
        vms = {mode: [*suite.keyhole, f"-XX:LockingMode={mode}", "-XX:+PrintLockStatistics"] for mode in modes}
    else:
        names = list(suite.sources)
        java = suite.home / "bin" / "java"
        vms = {KEYHOLE: suite.keyhole, G1: [java, "-XX:+UseG1GC"], PARALLEL: [java, "-XX:+UseParallelGC"]}
    status = pathlib.Path(options.vm).stat()
    key = [status.st_size, int(status.st_mtime), suite.hotspot]
    kept = Kept(OUTPUT / "large" / f"{options.suite}.json", {"build": key}, options.fresh)
    cases = {(name, vm): command for name in names for vm, command in vms.items()}
    lacking = measure(suite, kept, cases, rounds, deadline)
    if lacking:
        print(f"{lacking} runs are still to be measured; the same command goes on", file=sys.stderr)
        return 3
    report = Report(f"bench/compare {options.suite}", PAGE, options)
    (report_locks if locks else report_large)(report, kept.samples, names, list(vms), suite.hotspot)
    report.say(f"{rounds} round{'s' if rounds > 1 else ''}; " + others_took(kept.cpus_of_others()))
    report.finish()
    return 0


def report_large(report, samples, names, vms, hotspot):
    def of(name, vm, what):
        return [run[what] for run in samples[(name, vm)]]

    def ratio_table(title, other, whats):
        by_name = {
            (name, what): ratios(of(name, KEYHOLE, what), of(name, other, what)) for name in names for what in whats
        }
        rows = [[name] + [spread(by_name[(name, what)]) for what in whats] for name in names]
        means = [
            geometric_mean([statistics.median(by_name[(name, what)]) for name in names if by_name[(name, what)]])
            for what in whats
        ]
        rows.append(["**geometric mean**"] + [f"**{mean:.2f}**" for mean in means])
        report.say(title + "\n")
        report.table(["workload", *whats], rows)

    whats = ["first", "steady", "steady CPU", "total", "CPU", "peak"]
    for other in (G1, PARALLEL):
        ratio_table(f"Keyhole's time and memory by those of {hotspot} with {other}:", other, whats)
    report.say("Seconds of an iteration (first; steady), of the whole process (wall; CPU), and of the compiling threads:\n")
    report.table(
        ["workload"] + [f"{vm}: {what}" for vm in vms for what in ("iteration", "process", "compilers")],
        [
            [name]
            + [
                cell
                for vm in vms
                for cell in (
                    "; ".join(f"{statistics.median(of(name, vm, what)):.3f}" for what in ("first", "steady")),
                    "; ".join(f"{statistics.median(of(name, vm, what)):.1f}" for what in ("total", "CPU")),
                    f"{statistics.median(of(name, vm, 'compilers')):.1f}",
                )
            ]
            for name in names
        ],
    )


def report_locks(report, samples, names, modes, _):
    whats = ["steady", "steady CPU", "total", "CPU", *COUNTERS]
    for name in names:
        report.say(f"{name}: seconds, and counts of the whole run:\n")
        medians = {
            mode: {what: statistics.median(run[what] for run in samples[(name, mode)]) for what in whats}
            for mode in modes
        }
        report.table(
            ["mode"] + whats,
            [
                [mode]
                + [f"{row[what]:.3f}" for what in whats[:2]]
                + [f"{row[what]:.1f}" for what in whats[2:4]]
                + [figure(row[counter]) if row[counter] else NOTHING for counter in COUNTERS]
                for mode, row in medians.items()
            ],
        )
