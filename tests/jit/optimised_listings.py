#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The optimising tier's code of the methods of listings/Locks.java, as -XX:+PrintAssembly shows it, must be what
listings/optimised/<method>.<algorithm>.txt has: an inlined lock of each algorithm that has a fast path, deopt exits in
the middle of a locked region, a nested region that is eliminated, two regions that are coarsened, and an object that is
neither allocated nor locked.

    tests/jit/optimised_listings.py [--vm build/release/keyhole]      compares
    KEYHOLE_BLESS=1 tests/jit/optimised_listings.py                   replaces the expected listings

The code is for one processor, whatever processor the machine has (-XX:TargetProcessor). Operands are replaced: targets
of jumps by labels, other addresses by ADDRESS, offsets of thread fields by FIELD, offsets of data beside the code by
DATA, wide constants by WIDE.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import kept_listings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

HERE = pathlib.Path(__file__).resolve().parent / "listings"
ROOT = HERE.parent.parent.parent
JDK = main_home()
# The flags that select each row of runtime/sync/fast_paths.def.
ALGORITHMS = {
    "monitor": ["-XX:LockingMode=monitor"],
    "legacy": ["-XX:LockingMode=legacy"],
    "lightweight": ["-XX:LockingMode=lightweight"],
    "lightweight_limited": ["-XX:LockingMode=lightweight", "-XX:-RecursiveLightweightLocking"],
    "monitor_table": ["-XX:LockingMode=lightweight+table"],
    "monitor_table_limited": ["-XX:LockingMode=lightweight+table", "-XX:-RecursiveLightweightLocking"],
    "hashchains_plus3": ["-XX:LockingMode=hashchains+3"],
    "cjm": ["-XX:LockingMode=cjm-fifo"],
    "cjm_by": ["-XX:LockingMode=cjm-by"],
    "no_lock": ["-XX:LockingMode=none"],
}
# Each algorithm has a listing of the method with a plain synchronized block. The default algorithm also has listings of
# methods with other forms of locked regions.
DEFAULT, MORE_METHODS = "lightweight", ["method", "leaves", "leavesInlined", "nested", "neighbours", "elided"]
INSTRUCTION = re.compile(r"0x([0-9a-f]{8,})\s+(.*)")


def rows_of_table():
    return re.findall(r"^FAST_PATH\((\w+),", (ROOT / "runtime/sync/fast_paths.def").read_text(), re.M)


def masked(lines):
    """Returns the lines of one listing, with labels for targets of jumps."""
    addresses = {match[1] for match in map(INSTRUCTION.match, lines) if match}
    targets = {match for line in lines for match in re.findall(r"\bj\w+\s+0x([0-9a-f]+)$", line)} & addresses
    labels = {target: f"L{number}" for number, target in enumerate(sorted(targets, key=lambda hex: int(hex, 16)))}
    found = []
    for line in lines:
        match = INSTRUCTION.match(line)
        if not match:
            found.append(line)
            continue
        if match[1] in labels:
            found.append(f"{labels[match[1]]}:")
        text = re.sub(r"\s+", " ", match[2])
        text = re.sub(r"\b(j\w+|call) 0x([0-9a-f]+)$", lambda jump: f"{jump[1]} {labels.get(jump[2], 'ADDRESS')}", text)
        text = re.sub(r"\[r15((?: \+ 8\*\w+)?) \+ 0x[0-9a-f]+\]", r"[r15\1 + FIELD]", text)
        text = re.sub(r"\[rip [+-] 0x[0-9a-f]+\]", "[DATA]", text)
        text = re.sub(r"movabs (\w+), -?0x[0-9a-f]+", r"movabs \1, WIDE", text)
        if not re.match(r"(nop|int3)\b", text):
            found.append(text)
    return found


def listings(vm, classes, options):
    command = [vm, "-XX:TieredStopAtLevel=4", "-Xcomp", "-XX:CompileOnly=Locks", "-XX:+PrintAssembly",
               "-XX:TargetProcessor=x86-64-v2", *options, "-cp", str(classes), "Locks"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    found = {}
    lines = []
    for line in done.stdout.splitlines():
        header = re.match(r"\S.* Locks\.(\w+)\(", line)
        if header:
            # The baseline tier's listing of a method comes before the optimising tier's. If a method is recompiled,
            # with different deopt exits, the method has one more listing.
            lines = []
            found.setdefault(header[1], []).append(lines)
        elif line:
            lines.append(line)
    optimised = {name: [one for one in all if any(map(INSTRUCTION.match, one))] for name, all in found.items()}
    return {name: masked(all[0]) for name, all in optimised.items() if all}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = parser.parse_args().vm
    found = {}
    faults = [f"there is no listing of {row}: ALGORITHMS" for row in rows_of_table() if row not in ALGORITHMS]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder, str(HERE / "Locks.java")], check=True)
        for algorithm, options in ALGORITHMS.items():
            of_algorithm = listings(vm, folder, options)
            wanted = ["block"] + (MORE_METHODS if algorithm == DEFAULT else [])
            found |= {f"{name}.{algorithm}": of_algorithm.get(name, []) for name in wanted}
    for name, lines in found.items():
        algorithm = name.split(".")[1]
        if any(line.endswith(f"fast path of {algorithm}") for line in lines) == name.startswith("elided"):
            faults.append(f"{name}: the fast path is not marked, or there should be none")
        if name.startswith("nested") and not any(line.endswith("2 locks held, 1 eliminated") for line in lines):
            faults.append(f"{name}: no exit in the nested region is marked")
        if name.startswith("neighbours") and not any(line.endswith("; releases the monitor") for line in lines):
            faults.append(f"{name}: no exit between the regions is marked")
        if name.startswith(("leaves", "elided")) and not any(line.endswith("1 lock held") for line in lines):
            faults.append(f"{name}: no exit in the locked region is marked")
    names, different = kept_listings.compared(HERE / "optimised", found)
    faults += different
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{max(0, len(names) - len(faults))} passed, {len(faults)} failed")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
