#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Generates random programs and runs each on java and on Keyhole: interpreted, compiled and mixed, with further options
drawn at random. All results must be equal.

    tests/fuzz/programs.py [--seed N] [--count N] [--seconds N] [--vm PATH] [--jobs N] [--kind java|bytecode]
    [--optimising | --three-tiers] [--tier NAME] [--flags="..."] [--patience N] [--batch N] [--ways N] [--no-shrink]
    [--first N]

Program number n of a seed never changes; `--seed 7 --first 40 --count 1` runs program 40 of seed 7. A program prints
one number per round, a digest of all values that it has computed (support/Digest.java). If the results of a program
differ, build/fuzz-tests/programs/found/<name> keeps the program, the smallest version of it that still differs, and
report.txt with the flags and the first values that differ. `--kind bytecode` generates class files that javac would not
make.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE / "generator"), str(ROOT / "tests" / "java")]
import assembler
import bytecode
import matrix
import program
import shrink
import tree

JDK = main_home()
WORK = ROOT / "build" / "fuzz-tests" / "programs"
TIMEOUT_SECONDS = 300      # time limit of a batch
SHRINK_SECONDS = 240
JAVAC_OPTIONS = ["-g", "-g", "-g:none", "-g -XDstringConcat=inline"]

FORCED = ["-XX:TieredStopAtLevel=4", "-Xcomp"]   # the optimising tier compiles what it can, at the first call
MIDDLE = ["-XX:TieredStopAtLevel=2", "-Xcomp"]   # the middle tier compiles what it can, at the first call
HOT = [
    "-XX:TieredStopAtLevel=4",
    "-XX:Tier3InvocationThreshold=5",
    "-XX:Tier3BackEdgeThreshold=50",
    "-XX:Tier4InvocationThreshold=20",
    "-XX:Tier4BackEdgeThreshold=100",
]                                                # the optimising tier, with profiles
CHECKED = ["-XX:+VerifyReferences"]

# Each batch runs once with every row of TIERS, or, with --ways N, with N of the rows, chosen at random. For each run,
# values of the options of OTHERS are drawn. --optimising uses the rows of OPTIMISING instead of TIERS.
TIERS = {
    "interpreter": ["-Xint"],
    "xcomp": ["-Xcomp"],
    "thresholds 1": ["-XX:Tier3InvocationThreshold=1", "-XX:Tier3BackEdgeThreshold=1"],
    "default": [],
    "early": ["-XX:Tier3InvocationThreshold=3", "-XX:Tier3BackEdgeThreshold=7", "-XX:RecompilationThreshold=1"],
}
OPTIMISING = {
    "forced": FORCED + CHECKED,
    "forced, exits": FORCED + CHECKED + ["-XX:ExitStressInterval=7"],
    "forced, returns": FORCED + CHECKED + ["-XX:ReturnStressInterval=3"],
    "hot": HOT + CHECKED,
    "hot, by the thread that counts": HOT + CHECKED + ["-XX:-BackgroundCompilation"],
    "hot, exits and returns": HOT
    + CHECKED
    + ["-XX:-BackgroundCompilation", "-XX:ExitStressInterval=31", "-XX:ReturnStressInterval=7"],
    "middle": MIDDLE + CHECKED,
    "middle, exits and returns": MIDDLE + CHECKED + ["-XX:ExitStressInterval=7", "-XX:ReturnStressInterval=3"],
    "sampled tiers": CHECKED
    + ["-XX:+MiddleTier", "-XX:Tier2Samples=1", "-XX:Tier4Samples=1", "-XX:Tier4PayBackPercent=0"],
}
OTHERS = {
    "header": [[], [], ["-XX:-UseCompactObjectHeaders"], ["-XX:+UseTinyObjectHeaders"]],
    # A program allocates tens of thousands of objects, most of them in loops. So each program has enough collections
    # even with one at each 1511th allocation. With long intervals between collections, the collections take half of the
    # time of a run; with short intervals they take nine tenths.
    "collections": [
        [],
        ["-XX:GCStressInterval=1511", "-XX:+GCPoisonFromSpace", "-XX:+VerifyAfterGC"],
        ["-XX:GCStressInterval=331", "-XX:+GCPoisonFromSpace"],
        ["-XX:GCStressInterval=97", "-XX:+GCPoisonFromSpace"],
        ["-XX:GCStressSafepointInterval=10007", "-XX:+GCPoisonFromSpace"],
        ["-XX:GCPlan=evacuating", "-XX:GCStressInterval=613", "-XX:+GCPoisonFromSpace"],
        ["-XX:-UseTLAB"],
        ["-Xmx16m"],
    ],
    "code": [
        [],
        [],
        [],
        ["-XX:ReservedCodeCacheSize=128k"],
        ["-XX:-Inline"],
        ["-XX:+ProfileInterpreter", "-XX:+ProfileBaseline"],
        ["-XX:RecompilationThreshold=1"],
    ],
    "guesses": [
        [],
        [],
        ["-XX:MaxInlineSize=400", "-XX:MaxRecursiveInlineLevel=3"],
        ["-XX:MaxInlineSize=5", "-XX:FreqInlineSize=5"],
        ["-XX:PerBytecodeTrapLimit=1"],
    ],
}

KINDS = {"java": program, "bytecode": bytecode}
# Helpful NullPointerException messages for code that javac would not generate are unspecified, so flags turn off these
# messages.
FLAGS_OF_BOTH = {"java": [], "bytecode": ["-XX:-ShowCodeDetailsInExceptionMessages"]}


class Server:
    """A javac process that stays alive. One thread at a time uses it."""
    idle = []
    lock = threading.Lock()

    def __init__(self):
        self.process = subprocess.Popen(
            [
                str(JDK / "bin/java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xss8m",
                str(HERE / "generator/support/CompileServer.java"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @classmethod
    def compile(cls, folder, options, files):
        with cls.lock:
            server = cls.idle.pop() if cls.idle else Server()
        server.process.stdin.write("\t".join([str(folder), options, *map(str, files)]) + "\n")
        server.process.stdin.flush()
        answer = server.process.stdout.readline().strip()
        with cls.lock:
            cls.idle.append(server)
        return answer

    @classmethod
    def stop_all(cls):
        for server in cls.idle:
            server.process.stdin.close()
            server.process.wait()


def run(command, folder, names, timeout=TIMEOUT_SECONDS):
    """Runs the named programs in one VM. Returns (exit status, {program: its line of output}, all output)."""
    timeout *= OPTIONS.patience
    try:
        done = subprocess.run([*command, "-cp", str(folder), "Driver", *names], capture_output=True, timeout=timeout)
        status, text = done.returncode, done.stdout.decode("latin1") + done.stderr.decode("latin1")
    except subprocess.TimeoutExpired as expired:
        status, text = f"none in {timeout} seconds", (expired.stdout or b"").decode("latin1")
    return status, {line.split(" ", 1)[0]: line for line in text.splitlines() if re.match(r"P\d+ ", line)}, text


def java(folder, names, *added, timeout=TIMEOUT_SECONDS):
    return run(
        [str(JDK / "bin/java"), "-Xint", "-Xshare:auto", *FLAGS_OF_BOTH[OPTIONS.kind], *added], folder, names, timeout
    )


def is_refused(name, lines):
    """Returns whether the verifier has refused the program: the program has digested one value only, the
    VerifyError."""
    return OPTIONS.kind == "bytecode" and lines[name].startswith(f"{name} 1 ")


def levels(vm):
    """Returns the options of OTHERS that this VM accepts."""
    found = {
        factor: [flags for flags in each if not flags or matrix.is_accepted(vm, flags)]
        for factor, each in OTHERS.items()
    }
    done = subprocess.run([vm, "-XX:+PrintLockingModes"], capture_output=True, text=True, timeout=60)
    modes = [line.split()[0] for line in done.stdout.splitlines()[1:] if re.match(r"\S+ +[-\d]+ +\d+ ", line)]
    found["locking"] = [[]] * 4 + [[f"-XX:LockingMode={mode}"] for mode in modes if mode not in ("none", "traced")]
    return found


def ways_of_batch(dice):
    """Returns [(tier, flags)] for a batch, without flags of OTHERS."""
    if OPTIONS.three_tiers:
        baseline = [(tier, TIERS[tier] + ["-XX:TieredStopAtLevel=1"]) for tier in TIERS if tier != "interpreter"]
        return [("interpreter", TIERS["interpreter"]), dice.choice(baseline), dice.choice(list(OPTIMISING.items()))]
    tiers = list((OPTIMISING if OPTIONS.optimising else TIERS).items())
    return dice.sample(tiers, min(OPTIONS.ways, len(tiers))) if OPTIONS.ways else tiers


def flags_of_batch(number, known):
    """Returns [(tier, flags)], one for each run of a batch."""
    dice = random.Random(f"flags {OPTIONS.seed} {number}")
    chosen = []
    for tier, flags in ways_of_batch(dice):
        others = [flag for each in known.values() for flag in dice.choice(each)]
        if not tier.startswith(OPTIONS.tier):
            continue
        if not others or matrix.is_accepted(OPTIONS.vm, others):   # a locking algorithm may not support a header layout
            chosen.append((tier, flags + others))
        else:
            chosen.append((tier, list(flags)))
    return chosen


def compile(texts, sources, classes, options):
    """Compiles programs {name: text} and the classes that they use. Returns "ok" if each is accepted, "crashed" if
    javac itself fails, and otherwise "failed"."""
    shutil.rmtree(classes, ignore_errors=True)
    sources.mkdir(parents=True, exist_ok=True)
    files = sorted((HERE / "generator/support").glob("D*.java"))
    written = []
    for name, text in texts.items():
        written.append(sources / f"{name}.{OPTIONS.kind}")
        written[-1].write_text(text)
    if OPTIONS.kind == "java":
        return Server.compile(classes, options, files + written)
    if Server.compile(classes, "", files) != "ok":
        return "failed"
    for name, text in texts.items():
        data = assembler.assemble(text)
        if data is None:
            return "failed"
        (classes / f"{name}.class").write_bytes(data)
    return "ok"


class Batch:
    def __init__(self, number, first, count):
        self.number = number
        self.folder = WORK / f"batch-{OPTIONS.kind}-{OPTIONS.seed}-{number}"
        self.names = [f"P{n}" for n in range(first, first + count)]
        self.options = random.Random(f"javac {OPTIONS.seed} {number}").choice(JAVAC_OPTIONS)

    def make(self, name):
        return KINDS[OPTIONS.kind].Program(name, f"{OPTIONS.seed} {name}").tree()

    def compile(self, names):
        shutil.rmtree(self.folder, ignore_errors=True)
        return compile(
            {name: tree.text_of(self.make(name)) for name in names},
            self.folder / "source",
            self.folder / "classes",
            self.options,
        )

    def compile_all(self):
        """Compiles the batch, without those programs at which javac crashes. Returns whether javac accepted the other
        programs."""
        answer = self.compile(self.names)
        if answer == "crashed":
            self.names = [name for name in self.names if self.compile([name]) != "crashed"]
            answer = self.compile(self.names)
        return answer == "ok"

    def run(self, known):
        """Yields (tier, flags, {name of a program that differs: description of the difference}, number of compared
        programs) for each run."""
        if not self.compile_all():
            yield "javac", [], dict.fromkeys(self.names, "refused"), 0
            return
        classes = self.folder / "classes"
        status, expected, text = java(classes, self.names)
        if OPTIONS.kind == "bytecode":   # the generator is no verifier: programs that java refuses are skipped
            self.names = [name for name in self.names if name in expected and not is_refused(name, expected)]
        elif status != 0 or len(expected) != len(self.names):
            missing = [name for name in self.names if name not in expected] or self.names
            yield "java", [], dict.fromkeys(missing, f"ended with {status}"), 0
            return
        for tier, flags in flags_of_batch(self.number, known):
            flags = flags + FLAGS_OF_BOTH[OPTIONS.kind] + OPTIONS.flags.split()
            missing = list(self.names)
            different = {}
            while missing:
                status, got, text = run([OPTIONS.vm, *flags], classes, missing)
                different |= {name: "other values" for name in missing if name in got and got[name] != expected[name]}
                rest = [name for name in missing if name not in got]
                if rest or status != 0:   # the first program of `rest` ended the VM; the others run again
                    different[(rest or missing)[0]] = f"the VM's end: {status}\n{text[-2000:]}"
                missing = rest[1:]
            yield tier, flags, different, len(self.names)
        shutil.rmtree(self.folder)


class Difference:
    """Stores one program that differs, and makes a smaller version of it."""
    def __init__(self, batch, name, flags, how):
        self.batch, self.name, self.flags, self.how = batch, name, flags, how
        self.kept = WORK / "found" / f"{OPTIONS.kind}-{OPTIONS.seed}-{name}"
        self.kept.mkdir(parents=True, exist_ok=True)

    def compare(self, text, traced=False):
        """Returns None if javac or java refuses the text. Otherwise returns whether the VMs' results differ; with
        `traced`, returns (whether they differ, java's output, Keyhole's output)."""
        folder = self.kept / "classes"
        if compile({self.name: text}, self.kept / "work", folder, self.batch.options) != "ok":
            return None
        trace = ["-Dtrace=true"] if traced else []
        expected = java(folder, [self.name], *trace, timeout=30)
        if expected[0] != 0 or self.name not in expected[1] or is_refused(self.name, expected[1]):
            return None
        got = run([OPTIONS.vm, *self.flags, *trace], folder, [self.name], timeout=60)
        different = got[0] != 0 or got[1].get(self.name) != expected[1][self.name]
        return (different, expected[2], got[2]) if traced else different

    def report(self):
        whole = self.batch.make(self.name)
        text = tree.text_of(whole)
        (self.kept / f"{self.name}.{OPTIONS.kind}").write_text(text)
        lines = [
            f"program {self.name} of seed {OPTIONS.seed}",
            f"javac {self.batch.options}",
            f"keyhole {' '.join(self.flags)}",
            f"among the others of its batch: {self.how}",
        ]
        alone = self.compare(text)
        if not alone:
            lines.append("alone, it does not differ")
        elif not OPTIONS.no_shrink:
            shrink.shrink(whole, self.compare, SHRINK_SECONDS)
            text = tree.text_of(whole)
            (self.kept / f"smaller.{OPTIONS.kind}").write_text(text)
        if alone:
            _, expected, got = self.compare(text, traced=True)
            (self.kept / "java.txt").write_text(expected)
            (self.kept / "keyhole.txt").write_text(got)
            pairs = zip(expected.splitlines() + ["(end)"], got.splitlines() + ["(end)"])
            lines += [f"  java    {one}\n  keyhole {other}" for one, other in pairs if one != other][:3]
        (self.kept / "report.txt").write_text("\n".join(lines) + "\n")
        return "\n".join(lines)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument(
        "--seconds", type=float, default=0, help="go on with further programs for so long, instead of --count"
    )
    parser.add_argument("--vm", default=os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole")))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--flags", default="", help="added to each run of Keyhole")
    parser.add_argument("--optimising", action="store_true", help="the ways to run the optimising tier, not the others")
    parser.add_argument(
        "--three-tiers", action="store_true", help="one way of each tier, at random: three runs of each program"
    )
    parser.add_argument(
        "--ways", type=int, default=0, metavar="N", help="of each batch, N of the ways, at random: more programs instead"
    )
    parser.add_argument("--tier", default="", metavar="NAME", help="only tiers whose names begin so")
    parser.add_argument("--kind", choices=list(KINDS), default="java")
    parser.add_argument(
        "--patience", type=int, default=1, help="factor to the time limits, for a machine that does other things"
    )
    parser.add_argument(
        "--batch", type=int, default=25, help="programs in one run of a VM; more share what is compiled of the library"
    )
    parser.add_argument("--no-shrink", action="store_true")
    OPTIONS = parser.parse_args()
    sys.setrecursionlimit(10000)
    known = levels(OPTIONS.vm)
    until = time.monotonic() + OPTIONS.seconds if OPTIONS.seconds else None
    compared, found, failed = collections.Counter(), set(), 0
    lock = threading.Lock()

    def work(number):
        nonlocal failed
        first = OPTIONS.first + number * OPTIONS.batch
        count = OPTIONS.batch if until else min(OPTIONS.batch, OPTIONS.first + OPTIONS.count - first)
        batch = Batch(number, first, count)
        for tier, flags, different, count in batch.run(known):
            with lock:
                compared[tier] += count - len(different) if count else 0
                failed += len(different) if count else 1
                fresh = [name for name in different if name not in found]
                found.update(fresh)
            if not count:
                print(f"FAILED {tier} refuses a program of {batch.folder}: {' '.join(list(different)[:3])}", flush=True)
                continue
            for name in fresh:
                print(f"FAILED {Difference(batch, name, flags, different[name]).report()}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(OPTIONS.jobs) as pool:
        if until:
            number, running = 0, set()
            while time.monotonic() < until:
                running.add(pool.submit(work, number))
                number += 1
                if len(running) >= OPTIONS.jobs:
                    done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                    for each in done:
                        each.result()
        else:
            for _ in pool.map(work, range((OPTIONS.count + OPTIONS.batch - 1) // OPTIONS.batch)):
                pass
    Server.stop_all()
    for tier, count in compared.items():
        print(f"{count:7} programs alike: {tier}")
    print(f"{sum(compared.values())} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
