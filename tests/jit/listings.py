#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The code of each method of listings/Listings.java, as -XX:+PrintAssembly shows it, must be what
listings/expected/<method>.txt has. Some methods have further listings: a method that locks has one for each other
algorithm that has a snippet (<method>.<algorithm>.txt). A few methods have one with -XX:+ProfileBaseline
(<method>.profiled.txt), or one with a collector that needs no write barrier (<method>.unmarked.txt).

    tests/jit/listings.py [--vm build/release/keyhole]           compares
    KEYHOLE_BLESS=1 tests/jit/listings.py                        replaces the expected listings, for review as a diff

Details that depend on other parts of the VM are omitted or replaced: the bytes of instructions, addresses (ADDRESS),
offsets of thread fields (FIELD) and of Method::entry (ENTRY), the number of the operation that resumes compiled code
(RESUME), and of static fields in mirrors (STATIC).
"""
import argparse
import itertools
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


# Methods whose profiling code is compared, with -XX:+ProfileBaseline.
PROFILED_METHODS = ["sum", "store", "choose"]
# Methods that store references, compared with -XX:GCPlan=none.
STORING_METHODS = ["fields", "store"]
# Locking algorithms, except the default algorithm, that have a snippet for compiled code; and the methods whose code
# contains the snippet of a lock.
LOCKING_MODES = ["monitor", "legacy", "lightweight+table", "hashchains+3"]
LOCKING_METHODS = ["locked", "lockedMethod", "lockedStatically"]


def listings(vm, classes, mode, *options):
    command = [
        vm,
        f"-XX:LockingMode={mode}",
        "-XX:TieredStopAtLevel=1",
        "-XX:Tier3InvocationThreshold=20",
        "-XX:Tier3BackEdgeThreshold=100000",
        "-XX:CompileOnly=Listings",
        "-XX:+PrintAssembly",
        *options,
        "-cp",
        str(classes),
        "Listings",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    found = {}
    name = None
    for line in done.stdout.splitlines():
        header = re.match(r"\S.* Listings\.(\w+)\(", line)
        if header:
            name = header.group(1)
            found[name] = []
        elif name and line and not re.fullmatch(r"-?\d+", line):
            line = re.sub(r"\s*; [0-9A-F.]+$", "", line)
            line = re.sub(r"\b\d{7,}\b", "ADDRESS", line)
            line = re.sub(r"^short (j\w+ ADDRESS)", r"\1", line)   # the first code lies near the stubs
            line = re.sub(r"\br15(\+r\w+\*8)?\+\d+", r"r15\1+FIELD", line)
            line = re.sub(r"\[rdx\+\d+\]$", "[rdx+ENTRY]", line)
            line = re.sub(r"cmp cx, \d+", "cmp cx, RESUME", line)
            # A static field lies in its class's mirror, behind the fields that the library gives a Class.
            if found[name][-1:] == ["mov rcx, qword ptr [rcx]"]: line = re.sub(r"\[rcx\+\d+\]", "[rcx+STATIC]", line)
            # The id of the test's own class is replaced, because the number of classes loaded before it depends on the
            # library.
            if "shr rax, 42" in found[name][-6:]: line = re.sub(r"cmp eax, \d+", "cmp eax, CLASS", line)
            found[name].append(line)
    found.pop("main", None)
    return found


# Code of fields, statics, allocation and inlined methods has no calls before its slow paths.
WITHOUT_CALLS = ["fields", "statics", "make", "array", "construct", "getters", "text"]


def calls_in(lines):
    fast = list(itertools.takewhile(lambda line: not re.match(r"; bci \d+, ", line), lines))
    return [line for line in fast if re.match(r"call\b", line)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = parser.parse_args().vm
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder, str(HERE / "Listings.java")], check=True)
        found = listings(vm, folder, "lightweight")
        profiled = listings(vm, folder, "lightweight", "-XX:+ProfileBaseline")
        found |= {f"{name}.profiled": profiled.get(name, []) for name in PROFILED_METHODS}
        unmarked = listings(vm, folder, "lightweight", "-XX:GCPlan=none")
        found |= {f"{name}.unmarked": unmarked.get(name, []) for name in STORING_METHODS}
        for mode in LOCKING_MODES:
            of_mode = listings(vm, folder, mode)
            found |= {f"{name}.{mode}": of_mode.get(name, []) for name in LOCKING_METHODS}
    failed = 0
    for name in WITHOUT_CALLS:
        if name not in found or calls_in(found[name]):
            failed += 1
            print(f"FAILED {name} is to be compiled without a call:", *calls_in(found.get(name, [])), sep="\n")
    names, faults = kept_listings.compared(HERE / "expected", found)
    failed += len(faults)
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(names) + len(WITHOUT_CALLS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
