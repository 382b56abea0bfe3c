#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Differential tests: each program in tests/java/<topic>/ runs on the installed JDK and on Keyhole; standard output,
the exceptions on standard error and the exit code must be equal.

    tests/java/run.py [--vm build/release/keyhole] [--config NAME ... | --matrix WHICH [--sample N]]
                      [--locking MODE ...] [--covering SET] [--vm-args="FLAGS"]
                      [--home HOME | --library N] [--loop N] [--jobs N] [filter ...]

A filter is a part of topic/Name. Each run of a program has one configuration (CONFIGURATIONS, below), and may have one
locking mode. `--locking all` stands for all modes of -XX:+PrintLockingModes that the configuration's header layout
supports, except `none`, which refuses a second thread. `--covering SET` runs one set of programs (COVERING, below). For
example, `--config gc-100 --locking all --covering locking` runs the set `locking` in each of these modes.

`--matrix WHICH` takes the options of the runs from the rows of a matrix (matrix.py). For example, `--matrix collector
--covering matrix` runs a small set of programs over pairs of the collector's options. `--matrix tiers --covering
threaded` runs the programs with threads over pairs of tier, locking algorithm, header layout and stress. `--sample N`
runs every Nth program. It chooses other programs for each row of a matrix, each configuration and each locking mode.

`--vm-args=` adds flags to each run of Keyhole. `--home` names another Java home: Keyhole runs on its library, and is
compared with its java. The installed JDK still compiles the programs, except those that need a newer JDK. `--library
21` finds the home of release 21.

Directives stand in comment lines at the top of a program:
    // args: a b          arguments of the program
    // jvm: -Xss512k      options given to both VMs
    // javac: -g:none     options given to the compiler
    // java: -Xcomp       options given to the JDK alone, in place of -Xint where -Xint takes long
    // stdin: text        standard input (\\n for line ends)
    // expected: text     standard output on Keyhole (\\n for line ends), where the JDK's may differ; it exits with 0
    // stderr: ignore     standard error is not compared (it names addresses, times ...)
    // stress: no         left out of the configurations that collect at every few allocations (a long program)
    // virtual: no        left out of --in-place (prints carriers or their frames, or fills what virtual threads need)
    // since: 25          the first library that the program is for; a JDK of that release or later compiles it for
    //                    that release
    // until: 17          the last library that the program is for; later ones lack what it tests
    // timeout: 60        seconds that are ample on Keyhole in the release configuration, default 30; a machine may take
    //                    three times as long, and stress and sanitizers another four times

A directive may be repeated: options are joined, and each text is one line.

Known failures are listed in tests/expected_failures/java.txt as "topic/Name WHERE  reason". WHERE is a configuration, a
locking mode, a library (library-25), or * for all of these. A listed program that passes counts as a failure.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import in_place
import matrix
from homes import FETCHED_COMPILER, compiler_for, has_compiler, homes, main_home, release

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JDK = main_home()
OUTPUT = ROOT / "build" / "java-tests"

# Flags by which the optimising tier compiles every method, after three calls or a hundred iterations.
FORCED = ["-Xcomp", "-XX:TieredStopAtLevel=4"]
MIDDLE = ["-Xcomp", "-XX:TieredStopAtLevel=2"]   # the same methods, compiled by the middle tier
# Forces deoptimizations (at deopt points and at returns) and collections in one run, and verifies references.
ALL_STRESS = [
    "-XX:ExitStressInterval=101",
    "-XX:ReturnStressInterval=13",
    "-XX:+VerifyReferences",
    "-XX:GCStressInterval=300",
    "-XX:+GCPoisonFromSpace",
]
SOON = [
    "-XX:TieredStopAtLevel=4",
    "-XX:Tier3InvocationThreshold=5",
    "-XX:Tier3BackEdgeThreshold=50",
    "-XX:Tier4InvocationThreshold=20",
    "-XX:Tier4BackEdgeThreshold=100",
]

# name: (binary, flags, whether it is a stress configuration)
CONFIGURATIONS = {
    # `release` is the default: methods are interpreted first, compiled when they have run often, and compiled by the
    # optimising tier when they are hot. `interpreter` never compiles. `xcomp` compiles methods at the first call and
    # again soon after, by the baseline tier alone; loops enter compiled code at their first backward branch.
    "release": ("release", [], False),
    "interpreter": ("release", ["-Xint"], False),
    "debug": ("debug", ["-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC"], True),
    "gc-100": ("release", ["-Xint", "-XX:GCStressInterval=100", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"], True),
    "gc-safepoint": ("release", ["-Xint", "-XX:GCStressSafepointInterval=500", "-XX:+GCPoisonFromSpace"], True),
    "gc-workers": (
        "release",
        [
            "-XX:GCStressInterval=300",
            "-XX:+VerifyBeforeGC",
            "-XX:+GCPoisonFromSpace",
            "-XX:ParallelGCThreads=4",
            "-XX:-UseDynamicNumberOfGCThreads",
            "-XX:GCWorkerWakeup=monitor",
            "-XX:GCStressFullInterval=3",
        ],
        True,
    ),
    "gc-evacuating": (
        "release",
        ["-XX:GCPlan=evacuating", "-XX:GCStressInterval=300", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
        True,
    ),
    "classic": ("release", ["-XX:-UseCompactObjectHeaders"], False),
    "classic-gc-100": (
        "release",
        ["-XX:-UseCompactObjectHeaders", "-XX:GCStressInterval=100", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
        True,
    ),
    "tiny": ("release", ["-XX:+UseTinyObjectHeaders"], False),
    "tiny-gc": (
        "release",
        [
            "-XX:+UseTinyObjectHeaders",
            "-XX:GCStressInterval=100",
            "-XX:+VerifyBeforeGC",
            "-XX:+VerifyAfterGC",
            "-XX:+GCPoisonFromSpace",
        ],
        True,
    ),
    "xcomp-tiny": ("release", ["-Xcomp", "-XX:+UseTinyObjectHeaders"], False),
    "xcomp": ("release", ["-Xcomp"], False),
    "xcomp-gc": (
        "release",
        ["-Xcomp", "-XX:GCStressInterval=100", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
        True,
    ),
    "xcomp-safepoint": ("release", ["-Xcomp", "-XX:GCStressSafepointInterval=500", "-XX:+GCPoisonFromSpace"], True),
    "xcomp-classic": ("release", ["-Xcomp", "-XX:-UseCompactObjectHeaders"], False),
    # `optimised`: the optimising tier compiles each method that it accepts, after three calls or a hundred iterations.
    "optimised": ("release", FORCED, False),
    "optimised-gc": (
        "release",
        FORCED + ["-XX:GCStressInterval=300", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
        True,
    ),
    # `optimised-exits` deoptimizes at every nth deopt point, `optimised-returns` at every nth return into compiled
    # code. Both verify that compiled code loads its references again after a call, which may move the objects.
    "optimised-exits": ("release", FORCED + ["-XX:ExitStressInterval=7", "-XX:+VerifyReferences"], True),
    "optimised-returns": ("release", FORCED + ["-XX:ReturnStressInterval=3", "-XX:+VerifyReferences"], True),
    "optimised-all": ("release", FORCED + ALL_STRESS, True),
    "optimised-safepoint": (
        "release",
        FORCED + ["-XX:GCStressSafepointInterval=500", "-XX:+GCPoisonFromSpace"],
        True,
    ),
    # Lock events are recorded, and optimised code reports each pair of enter and exit that is not coalesced.
    "optimised-recorded": (
        "release",
        FORCED + ["-XX:StartRecording=/dev/null", "-XX:ReturnStressInterval=3", "-XX:+VerifyReferences"],
        True,
    ),
    "optimised-classic": ("release", FORCED + ["-XX:-UseCompactObjectHeaders"], False),
    "optimised-tiny": ("release", FORCED + ["-XX:+UseTinyObjectHeaders"], False),
    "middle": ("release", MIDDLE, False),
    "middle-all": ("release", MIDDLE + ALL_STRESS, True),
    # The optimising tier compiles methods after a few calls, with profiles. `optimised-hot` compiles in the background,
    # `optimised-hot-here` in the thread that has counted the calls.
    "optimised-hot": ("release", SOON, False),
    "optimised-hot-here": ("release", SOON + ["-XX:-BackgroundCompilation"], False),
    # A contended monitor has a time quantum, after which its owner hands it over. `turns` has the default quantum. In
    # `turns-short` the quantum is so short that nearly every exit hands the monitor over. `turns-xcomp` runs compiled
    # code. In `adaptive`, each contended monitor is measured with and without quanta, and keeps the faster policy.
    "adaptive": ("release", ["-XX:Succession=adaptive", "-XX:LockTurnMicros=100"], False),
    "turns": ("release", ["-XX:+MonitorTurns"], False),
    "turns-short": ("release", ["-XX:+MonitorTurns", "-XX:LockTurnMicros=20", "-XX:ImpatienceMicros=20"], False),
    "turns-xcomp": ("release", ["-Xcomp", "-XX:+MonitorTurns"], False),
    # Tests the tier policy without an optimising tier: each method is profiled from its first compilation on, is soon
    # queued, and is then rejected.
    "hot": (
        "release",
        [
            "-XX:TieredStopAtLevel=1",
            "-XX:+SampleHotMethods",
            "-XX:Tier3InvocationThreshold=10",
            "-XX:Tier3BackEdgeThreshold=100",
            "-XX:Tier4InvocationThreshold=20",
            "-XX:Tier4BackEdgeThreshold=100",
        ],
        False,
    ),
    # The first sample makes a method hot, whatever its compile cost.
    "sampled": ("release", ["-XX:Tier4Samples=1", "-XX:Tier4PayBackPercent=0"], False),
    # The first sample makes a method hot. The middle tier compiles each method before the optimising tier does.
    "sampled-tiers": (
        "release",
        ["-XX:+MiddleTier", "-XX:Tier2Samples=1", "-XX:Tier4Samples=1", "-XX:Tier4PayBackPercent=0"],
        False,
    ),
    # The code cache is so small that it soon becomes full, in the middle of some compilation.
    "small-code-cache": ("release", ["-Xcomp", "-XX:ReservedCodeCacheSize=128k"], False),
    # `asan` stops at the baseline tier, because LLVM's libraries are not built for AddressSanitizer.
    "asan": ("asan", ["-Xmx512m", "-XX:TieredStopAtLevel=1"], True),
}

# Sets of filters, for matrices that are too large for all programs. The programs of a set together reach each state of
# one part of the VM.
COVERING = {
    # Programs with locks that are contended, recursive, unbalanced, waited on, hashed, collected, unwound and
    # interrupted, in static initialisers and in java.util.concurrent.
    "locking": [
        "threads/",
        "virtual/",
        "concurrent/Synchronizers",
        "concurrent/Locks",
        "concurrent/Queues",
        "concurrent/Executors1",
        "concurrent/ConcurrentMaps",
        "init/Concurrent",
        "init/Circular",
        "gc/Churn",
        "gc/References",
        "gc/IdentityHashes",
        "gc/Finalizers",
        "gc/Survival",
        "except/StackOverflow",
        "except/DeepUnwind",
        "except/Rethrow",
        "util/Timers",
        "util/Logging",
        "io/Processes",
    ],
    # A few programs that take every path of compiled code into and out of a locked region.
    "locking-compiled": [
        "threads/MutualExclusion",
        "threads/MonitorErrors",
        "threads/UnbalancedMonitors",
        "threads/WaitNotify",
        "threads/ManyLocks",
        "threads/States",
        "threads/BlockedAfterWait",
        "threads/OverflowInThreads",
        "threads/LocksNotMade",
        "threads/UnmadeInCalls",
        "concurrent/Synchronizers",
        "gc/IdentityHashes",
        "except/DeepUnwind",
        "except/StackOverflow",
    ],
    # Programs with references in fields, arrays, statics, locals and headers, to young and old objects, in many
    # threads, and programs that run out of memory. This set takes a tenth of the time of all programs, because
    # tests/java/matrix.py runs it often.
    "matrix": [
        "gc/Churn",
        "gc/References",
        "gc/IdentityHashes",
        "gc/Finalizers",
        "gc/Survival",
        "gc/DeadLocals",
        "gc/Resurrection",
        "concurrent/ConcurrentMaps",
        "concurrent/Executors1",
        "threads/Interrupts",
    ],
    # All programs that start threads, and programs that take every path into and out of compiled code.
    "threaded": [
        "threads/",
        "virtual/",
        "concurrent/",
        "init/Concurrent",
        "gc/IdentityHashes",
        "gc/Finalizers",
        "gc/Survival",
        "except/",
        "util/Timers",
        "unload/CallsWhileCompiling",
    ],
    # Programs whose results depend on the library's release: programs with a directive `since`, and programs that use
    # native methods or the overlay (the classes of java.base that Keyhole replaces).
    "library": ["since", "classlib/", "invoke/", "io/", "launch/", "modules/", "reflect/", "threads/", "virtual/"],
    "collector": ["gc/", "concurrent/", "threads/", "virtual/", "classlib/", "invoke/", "except/StackOverflow"],
}


class Run:
    """One combination of a configuration and a locking mode (None is the default mode)."""
    def __init__(self, configuration, locking, added=()):
        binary, flags, self.stress = CONFIGURATIONS[configuration]
        flags = flags + list(added)
        self.vm = OPTIONS.vm if OPTIONS.vm and binary == "release" else str(ROOT / "build" / binary / "keyhole")
        self.names = [configuration] + ([locking] if locking else [])
        self.flags = flags + ([f"-XX:LockingMode={locking}"] if locking else []) + shlex.split(OPTIONS.vm_args)
        if OPTIONS.home != JDK:
            self.flags.append(f"-Djava.home={OPTIONS.home}")
        self.label = " ".join(self.names + shlex.split(OPTIONS.vm_args))

    def is_known_failure(self, program):
        places = self.names + [f"library-{release(OPTIONS.home)}", "*"]
        return any((program.name, where) in OPTIONS.failures for where in places)


def locking_modes(vm):
    """Returns the algorithms of -XX:+PrintLockingModes. A name of an algorithm begins in the first column,
    below the line of headings."""
    done = subprocess.run([vm, "-XX:+PrintLockingModes"], capture_output=True, text=True, timeout=60)
    modes = [line.split()[0] for line in done.stdout.splitlines()[1:] if re.match(r"\S+ +[-\d]+ +\d+ ", line)]
    if not modes:
        sys.exit(f"tests/java: {vm} -XX:+PrintLockingModes lists nothing:\n{done.stdout}{done.stderr}")
    return [mode for mode in modes if mode != "none"]


def identity(home):
    """Returns a JDK's version, and a digest of its file `release`, because vendors build the same version from
    different sources."""
    release = (home / "release").read_text()
    version = re.search('JAVA_VERSION="(.*)"', release).group(1)
    return version + "-" + hashlib.sha256(release.encode()).hexdigest()[:12]


def directives(source):
    found = {}
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            break
        match = re.match(r"// (args|jvm|javac|java|stdin|stderr|stress|since|until|timeout|expected): (.*)", line)
        if match:
            key, text = match.group(1), match.group(2).strip()
            join = "\\n" if key in ("stdin", "expected") else " "
            found[key] = found[key] + join + text if key in found else text
    return found


def is_for(found, library):
    return int(found.get("since", "0")) <= library <= int(found.get("until", "999"))


class Program:
    def __init__(self, source, root=HERE):
        self.source = source
        self.root = root   # of its sources
        self.name = str(source.relative_to(root))[: -len(".java")]
        self.classes = OUTPUT / ("classes" if root == HERE else "classes-in-place") / self.name
        self.main = [source.stem] if root == HERE else ["InPlace", source.stem]
        self.directives = directives(source)
        since = int(self.directives.get("since", "0"))
        self.compiler = JDK if since <= release(JDK) else compiler_for(since)
        if self.compiler is None:
            sys.exit(f"tests/java: {self.name} needs a compiler of Java {since}")
        self.digest = hashlib.sha256(source.read_bytes() + identity(self.compiler).encode()).hexdigest()

    def run(self, command, seconds):
        words = list(command) + self.directives.get("jvm", "").split() + ["-cp", str(self.classes)] + self.main
        words += self.directives.get("args", "").split()
        given = self.directives.get("stdin", "").replace("\\n", "\n")
        scratch = (
            OUTPUT / "scratch" / (self.name.replace("/", "-") + "-" + str(os.getpid()) + "-" + str(time.monotonic_ns()))
        )
        scratch.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run(words, input=given.encode(), capture_output=True, timeout=seconds, cwd=scratch)
            return {
                "out": done.stdout.decode(errors="replace"),
                "err": done.stderr.decode(errors="replace"),
                "code": done.returncode,
            }
        except subprocess.TimeoutExpired as late:
            return {
                "out": (late.stdout or b"").decode(errors="replace"),
                "err": (late.stderr or b"").decode(errors="replace"),
                "code": f"timeout after {seconds} s",
            }
        finally:
            subprocess.run(["rm", "-rf", str(scratch)])

    def expected(self):
        """Returns the JDK's result for this program. The result is stored for each JDK, and used until the program
        or its compiler changes."""
        if "expected" in self.directives:
            return {"out": self.directives["expected"].replace("\\n", "\n") + "\n", "err": "", "code": 0}
        places = OPTIONS.identity + ("" if self.root == HERE else "-in-place")
        kept = OUTPUT / "expected" / places / (self.name + ".json")
        if kept.exists():
            result = json.loads(kept.read_text())
            if result.get("digest") == self.digest:
                return result
        # java always runs with the serial collector. Its own choice would depend on processors and memory, and the
        # messages of an OutOfMemoryError depend on the collector.
        java = [str(OPTIONS.home / "bin" / "java"), "-Xshare:auto", "-XX:+UseSerialGC"]
        java += self.directives.get("java", "-Xint").split()
        result = self.run(java + ([] if self.root == HERE else in_place.FLAGS), 900)
        result["digest"] = self.digest
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(result))
        return result


def compiling(home):
    """Returns the command that runs CompileTests with the compiler of this Java home."""
    source = HERE / "CompileTests.java"
    if has_compiler(home):
        return [str(home / "bin" / "java"), str(source)]
    subprocess.run([str(JDK / "bin" / "javac"), "-d", str(OUTPUT / "compiling"), str(source)], check=True)
    path = [OUTPUT / "compiling", FETCHED_COMPILER / "javac.jar", FETCHED_COMPILER / "api.jar"]
    return [str(home / "bin" / "java"), "-cp", ":".join(map(str, path)), "CompileTests"]


def compile_all(programs):
    stale = []
    for program in programs:
        stamp = program.classes / ".digest"
        if not stamp.exists() or stamp.read_text() != program.digest:
            stale.append(program)
    for compiler, root in {(program.compiler, program.root) for program in stale}:
        sources = [program for program in stale if program.compiler == compiler and program.root == root]
        outputs = {program.classes.parent.parent for program in sources}
        done = subprocess.run(
            compiling(compiler) + [str(*outputs), str(root)] + [str(program.source) for program in sources]
        )
        if done.returncode != 0:
            sys.exit("tests/java: some programs do not compile")
    for program in stale:
        (program.classes / ".digest").write_text(program.digest)


def comparable_stderr(text):
    """Normalizes exceptions and their frames. Identity hashes and numbers of generated classes differ from run to run
    on any VM."""
    lines = []
    for line in text.splitlines():
        if re.match(r"Keyhole warning: (CodeCache is full|Try increasing the code cache)", line):
            continue
        line = re.sub(r"\$\$Lambda(\$\d+)?/0x[0-9a-f]+", "$$Lambda$N", line)
        line = re.sub(r"@[0-9a-f]{5,8}\b", "@HASH", line)
        lines.append(line)
    return "\n".join(lines)


def check(program, run):
    expected = program.expected()
    seconds = int(program.directives.get("timeout", "30")) * 3 * (4 if run.stress else 1) * OPTIONS.patience
    found = program.run([run.vm] + run.flags + ([] if program.root == HERE else in_place.FLAGS), seconds)
    problems = []
    if re.search(r"^SUMMARY: \w+Sanitizer", found["err"], re.MULTILINE):   # also where standard error is not compared
        problems.append("a sanitizer's finding")
    if found["code"] != expected["code"]:
        problems.append(f"exit code {found['code']}, java's is {expected['code']}")
    if found["out"] != expected["out"]:
        problems.append("standard output differs:\n" + difference(expected["out"], found["out"]))
    if program.directives.get("stderr") != "ignore" and comparable_stderr(found["err"]) != comparable_stderr(
        expected["err"]
    ):
        problems.append(
            "standard error differs:\n"
            + difference(comparable_stderr(expected["err"]), comparable_stderr(found["err"]))
        )
    elif problems and found["err"]:
        problems.append("standard error was:\n" + found["err"][-1500:])
    return problems


def difference(expected, found):
    import difflib
    lines = list(difflib.unified_diff(expected.splitlines(), found.splitlines(), "java", "keyhole", lineterm="", n=1))
    return "\n".join("    " + line for line in lines[:25])


def known_failures():
    listed = {}
    path = ROOT / "tests" / "expected_failures" / "java.txt"
    if path.exists():
        for line in path.read_text().splitlines():
            words = line.split("#")[0].split()
            if len(words) >= 2:
                listed[(words[0], words[1])] = " ".join(words[2:])
    return listed


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=None, help="the release binary to test instead of build/release/keyhole")
    parser.add_argument("--config", action="append", choices=sorted(CONFIGURATIONS), help="default: release")
    parser.add_argument(
        "--locking", action="append", default=[], metavar="MODE", help="-XX:LockingMode=; all = each one but none"
    )
    parser.add_argument("--covering", choices=sorted(COVERING), help="only programs of that set")
    parser.add_argument(
        "--matrix",
        choices=["collector", "tiers", "optimising"],
        help="instead of --config: ways to run, in rows that cover all pairs (matrix.py)",
    )
    parser.add_argument(
        "--sample",
        type=int,
        default=1,
        metavar="N",
        help="each Nth program in a run, another Nth in the next: of a matrix, of configurations, of modes",
    )
    parser.add_argument("--in-place", action="store_true", help="on virtual threads in place of platform threads")
    parser.add_argument("--vm-args", default="", metavar="FLAGS", help="flags for each run of Keyhole")
    parser.add_argument(
        "--home",
        type=pathlib.Path,
        default=JDK,
        help="the Java home whose library and java are used, default the installed JDK",
    )
    parser.add_argument("--library", type=int, metavar="N", help="instead of --home: the home of that release found here")
    parser.add_argument(
        "--patience", type=int, default=1, help="factor to the time limits, for a machine that does other things"
    )
    parser.add_argument("--loop", type=int, default=1, help="run each program N times")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() + 1, help="programs at a time; some of them wait")
    parser.add_argument("filters", nargs="*")
    OPTIONS = parser.parse_args()
    if OPTIONS.vm:
        OPTIONS.vm = os.path.abspath(OPTIONS.vm)   # programs run in folders of their own
    if OPTIONS.library:
        OPTIONS.home = homes().get(OPTIONS.library)
        if OPTIONS.home is None:
            sys.exit(f"tests/java: no library of Java {OPTIONS.library}: ./keyhole --fetch-library {OPTIONS.library}")
    OPTIONS.identity = identity(OPTIONS.home)
    OPTIONS.failures = known_failures()
    sources = [path for path in sorted(HERE.glob("*/*.java")) if is_for(directives(path), release(OPTIONS.home))]
    if OPTIONS.in_place:
        sources = [path for path in sources if in_place.is_suitable(path.read_text())]
        for path in sources:
            in_place.copy(path, HERE / "InPlace.java", OUTPUT / "in-place" / path.relative_to(HERE))
        programs = [Program(OUTPUT / "in-place" / path.relative_to(HERE), OUTPUT / "in-place") for path in sources]
    else:
        programs = [Program(path) for path in sources]
    for filters in [COVERING[OPTIONS.covering] if OPTIONS.covering else [], OPTIONS.filters]:
        programs = [
            p
            for p in programs
            if not filters or any(f in p.name for f in filters) or "since" in filters and "since" in p.directives
        ]
    compile_all(programs)
    runs = []
    if OPTIONS.matrix:
        vm = OPTIONS.vm or str(ROOT / "build" / "release" / "keyhole")
        for label, flags in matrix.rows(vm, OPTIONS.matrix, locking_modes(vm)):
            runs.append(Run("release", None, flags))
            runs[-1].stress = True
            runs[-1].label = label
    for configuration in [] if OPTIONS.matrix else OPTIONS.config or ["release"]:
        for mode in OPTIONS.locking or [None]:
            plain = Run(configuration, None)
            modes = (
                [
                    each
                    for each in locking_modes(plain.vm)
                    if matrix.is_accepted(plain.vm, plain.flags + [f"-XX:LockingMode={each}"])
                ]
                if mode == "all"
                else [mode]
            )
            runs += [Run(configuration, each) for each in modes]
    passed, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(OPTIONS.jobs) as pool:
        list(pool.map(lambda program: program.expected(), programs))
        work = []   # the work of all runs, so that a slow last program of one row does not delay the next row
        for row, run in enumerate(runs):
            chosen = [p for p in programs if not (run.stress and p.directives.get("stress") == "no")]
            chosen = [p for i, p in enumerate(chosen) if (i + row) % OPTIONS.sample == 0]
            work += [(p, run, pool.submit(check, p, run)) for p in chosen for _ in range(OPTIONS.loop)]
        for program, run, future in work:
            problems = future.result()
            known = run.is_known_failure(program)
            if problems and not known:
                failed += 1
                print(f"FAILED {program.name} [{run.label}]")
                print("\n".join("  " + text for text in problems), flush=True)
            elif known and not problems and OPTIONS.loop == 1:
                failed += 1
                print(
                    f"FAILED {program.name} [{run.label}]: passes although it is listed in tests/expected_failures/java.txt"
                )
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
