#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of every row of the table in docs/try.md as written, and checks that they show what the row
promises.

    tests/readme_rows.py [PART]       only the rows whose text contains PART

A cell of the first column has commands in backquotes. A span that begins with "-" stands for the first command of the
cell with these options added. `kill -QUIT` sends the signal to the preceding command. PROMISES says for each command
what its output must contain. A command without a promise fails. Lines of output must fit a wide terminal.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDEST = 190      # columns of output: HotSpot's own log lines are nearly as wide
SECONDS = 120     # time limit of a command

DEADLOCK = r"Found one Java-level deadlock:.*Full thread dump|Full thread dump.*Found one Java-level deadlock:"
# {command: patterns that its output must match}. A dot also matches a line end.
PROMISES = {
    "./keyhole -Xmx32m -Xlog:gc*=debug examples/LockChurn.java": [
        r"GC\(0\) Heap before: used \d+K",
        r"GC\(0\)   Trace: \d",
        r"GC\(0\) copied \d+ objects",
        r"GC\(1\) Pause Young",
    ],
    "./keyhole -Xlog:class+load examples/Sieve.java": [
        r"java\.lang\.Object source: jrt:/java\.base",
        r"Sieve source: file:",
    ],
    "./keyhole -Xlog:monitorinflation=trace examples/ProducerConsumer.java": [
        r"inflate\(wait\): object=.*type='ProducerConsumer\$BoundedBuffer'",
        r"expected: 50005000",
    ],
    "./keyhole -Xmx32m -Xlog:safepoint examples/LockChurn.java": [
        r'Safepoint "[^"]+", Time since last: \d+ ns, Reaching safepoint: \d+ ns, At safepoint: \d+ ns'
    ],
    "./keyhole -XX:StartRecording=run.khr examples/Deadlock.java 1": [r"right-then-left is BLOCKED"],
    "./keyhole --show run.khr --event=lock_contended,lock_owner": [
        r"^ *\d+\.\d{6}  \S.* lock_contended +object \d+ \(java\.lang\.Object\) at Deadlock\S+\(Deadlock\.java:25\) bci \d+$",
        r"lock_owner +object \d+ \(java\.lang\.Object\), owner left-then-right",
    ],
    # Without a package registry the build cannot make the page of --look. Then the command must print a message.
    "./keyhole --look examples/Deadlock.java 1": [
        r"right-then-left is BLOCKED.*the page of \d+ events .* is in \S+/Deadlock\.look\.html|it needs npm's packages"
    ],
    "./keyhole -XX:LockingMode=cjm-by examples/DiningPhilosophers.java": [r"philosopher-4 has eaten 1000 meals"],
    "./keyhole --compare-locks --runs 4 examples/HandOverHand.java": [
        r"^lightweight +[\d.]+ +\+-\d+% +1\.00 .*^none +refuses: .*hottest objects, in lightweight.*HandOverHand",
        r"^What decided\n- The program takes [\d,]+ locks",
    ],
    "./keyhole --explore examples/Overdraw.java": [
        r"^1 of \d+ schedules fails .*reads balance = 100.*writes balance 20 -> -60",
        r"^=> java\.lang\.AssertionError: overdrawn -60",
    ],
    "./keyhole -XX:LockingMode=legacy -XX:+PrintLockStatistics examples/HandOverHand.java": [
        r"inflat",
        r"park",
        r"bytes|memory",
    ],
    "./keyhole -Xmx32m -Xlog:gc+alloc=debug,gc+tlab=debug examples/LockChurn.java": [
        r"TLAB totals: thrds: \d+  refills: \d+",
        r"GC\(0\) retired: \d+K of slot \d",
        r"Total: regions opened in each of the \d+ slots [^:]*:( \d+)+",
    ],
    "./keyhole -XX:-UseTLAB -Xmx32m -Xlog:gc+alloc=debug,gc+tlab=debug examples/LockChurn.java": [
        r"Total: \d{6,} pieces, \d+ CAS failures"
    ],
    "./keyhole -XX:+HeapDumpOnOutOfMemoryError -Xmx16m examples/Exhausted.java": [
        r"Dumping heap to \S+\.hprof",
        r"Heap dump file created",
    ],
    "./keyhole -XX:-UseCompactObjectHeaders examples/IdentityHash.java": [r"differences: 0"],
    "./keyhole -XX:+UseTinyObjectHeaders examples/IdentityHash.java": [r"differences: 0"],
    "bench/object_sizes": [
        r"\| shape \| Keyhole .*HotSpot \d+ \|",
        r"\| Object \| 8 \|",
        r"Bytes of an object with its header",
    ],
    "build/release/mutexbench --algorithm all --threads 4 --seconds 0.1": [
        r"median/s .*Jain",
        r"slow paths in 1000",
        r"hashchains .*cjm-by .*pthread ",
    ],
    "build/release/mutexbench --algorithm all --threads 4 --seconds 0.001 --world simulated --cpus 72": [
        r"median/s",
        r"lightweight .*hashchains .*cjm-by ",
    ],
    "build/release/gangbench --rounds 1 --collections 20": [
        r"gang +n +load",
        r"semaphore +16 .*monitor +16 .*broadcast +16 ",
    ],
    "build/release/gangbench --rounds 1 --collections 20 --world simulated --workers 2,8,36,72": [
        r"semaphore +72 ",
        r"broadcast +72 ",
    ],
    "build/release/modelcheck --algorithm lightweight": [r"ok +lightweight .* states", r"passed, 0 failed"],
    "./keyhole -XX:GCStressInterval=100 -XX:+VerifyAfterGC -Xlog:gc+verify examples/IdentityHash.java": [
        r"Moved [1-9]\d+ objects in [1-9]\d+ collections, verified after each"
    ],
    "./keyhole -Xcomp -XX:+PrintCompilation -XX:CompileOnly=Sieve examples/Sieve.java": [r"Sieve::main"],
    "./keyhole -XX:+PrintAssembly -Xcomp -XX:+PrintCompilation -XX:CompileOnly=Sieve examples/Sieve.java": [
        r"Sieve[:.]+main",
        r"^mov r\w+, .*; [0-9A-F]{6,}",
    ],
    "./keyhole -Xcomp -XX:TieredStopAtLevel=4 -XX:CompileOnly=Sieve -XX:PrintIR=build,lower"
    " examples/Sieve.java": [r"countPrimes.*: build ---\nb0:", r": lower ---\nfunction"],
    "./keyhole -XX:+PrintMethodData examples/Sieve.java": [r"Sieve", r"taken|branch"],
    "./keyhole -XX:+PrintClassHistogram examples/Deadlock.java 20": [DEADLOCK, r"#instances +#bytes.*Total +\d+ +\d+"],
    "./keyhole -XX:+PrintLockingModes": [r"^LockingMode .*\nlightweight .*\ncjm-hybrid .*\nnone "],
    "./keyhole -XX:+PrintFlagsFinal": [r"\[Global flags\].* MaxHeapSize +="],
    "./keyhole -X": [r"-Xmx<size>.*-XX:LockingMode\n.*without effect"],
    "./keyhole -Xlog:help": [r"Levels.*Tags:.*Examples:"],
}
# Commands that are not run here, because the part `model-checker` of run-tests runs them.
ELSEWHERE = {"build/release/modelcheck --all"}


def rows():
    text = (ROOT / "docs" / "try.md").read_text()
    return [re.match(r"\| (.*?) \| (.*) \|$", line).groups() for line in text.splitlines() if line.startswith("| `")]


def with_options(command, options):
    """Returns the command with further options: placed before the arguments of the VM, or after those of a
    benchmark."""
    if command.startswith("./keyhole "):
        return command.replace("./keyhole ", f"./keyhole {options} ", 1)
    return f"{command} {options}"


def commands(cell):
    """Returns a list of [command, whether the command gets a SIGQUIT] for a cell."""
    found = []
    for span in re.findall(r"`([^`]*)`", cell):
        if span == "kill -QUIT":
            found[-1][1] = True
        elif span.startswith("-"):
            found.append([with_options(found[0][0], span), False])
        else:
            found.append([span, False])
    return found


def run(command, wants_signal, folder):
    """Runs a command in a temporary folder, so that no dumps stay in the tree. Returns its output and error output
    together, and its exit code."""
    words = command.split()
    words[0] = str(ROOT / words[0])
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in words]
    process = subprocess.Popen(
        words,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
    )
    if wants_signal:
        time.sleep(6)   # by then the threads have deadlocked, even if the program had to be compiled first
        process.send_signal(signal.SIGQUIT)
    try:
        return process.communicate(timeout=SECONDS)[0], process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[0] + f"\n(more than {SECONDS} s)", 1


def check(command, wants_signal, folder):
    """Runs a command. Returns a list of errors."""
    if command not in PROMISES:
        return ["tests/readme_rows.py does not know what it promises"]
    program = ROOT / command.split()[0]
    if not program.exists():
        return [f"{program} is not built"]
    output, code = run(command, wants_signal, folder)
    problems = [f"does not show {pattern!r}" for pattern in PROMISES[command]
                if not re.search(pattern, output, re.DOTALL | re.MULTILINE)]
    widest = max(output.splitlines(), key=len, default="")
    if len(widest) > WIDEST:
        problems.append(f"a line of {len(widest)} columns: {widest}")
    shows_failure = any(name in command for name in ["Exhausted", "Deadlock", "Overdraw"])
    if code != 0 and not shows_failure:
        problems.append(f"exit code {code}")
    return problems + ([output if len(output) < 6000 else f"{output[:4000]}\n...\n{output[-2000:]}"] if problems else [])


def main():
    os.environ.pop("KEYHOLE_OPTIONS", None)
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    passed = failed = 0
    for cell, promise in rows():
        if part not in cell + promise:
            continue
        with tempfile.TemporaryDirectory(prefix="keyhole-rows-") as folder:   # a row's commands share their files
            for command, wants_signal in commands(cell):
                if command in ELSEWHERE:
                    continue
                start = time.monotonic()
                problems = check(command, wants_signal, folder)
                if problems:
                    failed += 1
                    print(f"FAILED {command}\n  " + "\n  ".join(problems), flush=True)
                else:
                    passed += 1
                    print(f"ok {time.monotonic() - start:5.1f} s  {command}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
