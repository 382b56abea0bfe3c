#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the VM under user-mode emulation of its processor (Debian's qemu-user), as machines with another processor run
containers for x86-64. It runs examples, a kernel and programs of tests/java, in each tier, with collections, and with
virtual threads.

    tests/launcher/emulated.py [NAME ...]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from chosen_home import chosen_home
from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "emulated-tests"
EMULATED = WORK / "emulated"
JDK = chosen_home()
SECONDS = 600


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0 and not done.stderr, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"[-3000:]
    return done.stdout


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    EMULATED.write_text(f'#!/bin/sh\nexec qemu-x86_64 -cpu max "{VM}" "$@"\n')
    EMULATED.chmod(0o755)
    sources = [ROOT / "examples" / "DiningPhilosophers.java", ROOT / "examples" / "IdentityHash.java"]
    sources += [ROOT / "bench" / "kernels" / name for name in ("Kernel.java", "Hello.java", "Sieve.java")]
    output_of(str(JDK / "bin" / "javac"), "-d", str(WORK), *map(str, sources))


def same_as_java(*words, without=r"(?!)"):
    expected = output_of(str(JDK / "bin" / "java"), "-cp", str(WORK), *words[-1].split())
    found = output_of(str(EMULATED), *words[:-1], "-cp", str(WORK), *words[-1].split())
    assert re.sub(without, "N", found) == re.sub(without, "N", expected), f"expected:\n{expected}\nfound:\n{found}"


def hello():
    same_as_java("-Xint", "Hello")
    same_as_java("Hello")
    same_as_java("-Xcomp", "Hello")


def source_file():
    expected = output_of(str(JDK / "bin" / "java"), str(ROOT / "examples" / "DiningPhilosophers.java"))
    assert output_of(str(EMULATED), str(ROOT / "examples" / "DiningPhilosophers.java")) == expected


def kernel():
    """The benchmark kernel Sieve prints times, which may differ from java's, and a checksum, which must be java's."""
    same_as_java("Sieve 30", without=r"(?<=Sieve )\d+ \d+|\d+$")


def dining_philosophers():
    same_as_java("DiningPhilosophers")
    same_as_java("-XX:LockingMode=legacy", "DiningPhilosophers")


def optimising_tier():
    """Compiles only the class Sieve by the optimising tier, because LLVM takes many times as long under emulation."""
    shown = output_of(
        str(EMULATED), "-Xcomp", "-XX:TieredStopAtLevel=4", "-XX:CompileOnly=Sieve", "-Xlog:jit=debug", "-cp", str(WORK),
        "Sieve", "3"
    )
    assert not (pathlib.Path(VM).parent / "libkeyhole-llvm.so").exists() or "] optimised: " in shown, shown[-2000:]


def collections():
    same_as_java("-XX:GCStressInterval=1000", "-XX:+VerifyAfterGC", "DiningPhilosophers")


def java_tests(*words):
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "java" / "run.py"), "--vm", str(EMULATED), "--patience", "3", *words],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]


def faults_and_signals():
    """Runs programs that need signals for null checks and stack limits, safepoints, code that changes while threads run
    it, and child processes."""
    names = ["except/StackOverflow", "except/Helpful", "except/DeepUnwind", "concurrent/LaterClassesOfLoaders"]
    names += ["concurrent/Executors1", "gc/Churn", "gc/Survival", "threads/Interrupts", "threads/ShutdownHooks"]
    java_tests("--config", "release", *names, "io/Processes")


def virtual_threads():
    sys.path.insert(0, str(ROOT / "tests" / "java"))
    import homes
    if 25 not in homes.homes() or not (pathlib.Path(VM).parent / "keyhole-overlay-25.jar").exists():
        print("left out: virtual_threads (no library of Java 25)")
        return
    java_tests("--library", "25", "virtual/VirtualThreads", "concurrent/VirtualLocks", "virtual/NotifiedVirtual")


def main():
    if shutil.which("qemu-x86_64") is None:
        sys.exit("tests/launcher/emulated.py: no qemu-x86_64 on this machine (Debian's qemu-user)")
    prepare()
    tests = [hello, source_file, kernel, dining_philosophers, optimising_tier, collections, faults_and_signals]
    return run_tests(by_name(tests + [virtual_threads]), sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
