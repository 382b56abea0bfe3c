#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles each program of this folder, changes some bytes of its main class, and runs java and Keyhole on the damaged
class file. Both must have the same standard output, exit code and exception.

    tests/fuzz/run.py [--seed N] [--count N] [program ...]

The same seed damages the same bytes in the same way. Each case that differs is kept in build/fuzz-tests/found, with all
class files: run both VMs on that folder with -cp.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JDK = main_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "fuzz-tests"
RELEASES = ["17", "8"]   # release 8 has no invokedynamic for strings, and accessors instead of nestmates
MAGIC_AND_VERSION_BYTES = 8
TIMEOUT_SECONDS = 60


def damaged(data, dice):
    """Overwrites a few bytes, flips one bit, or replaces a run of bytes by a run of another length."""
    result = bytearray(data)
    position = lambda: dice.randrange(MAGIC_AND_VERSION_BYTES, len(result))
    kind = dice.random()
    if kind < 0.7:
        for _ in range(dice.choice([1, 1, 1, 2, 3])):
            result[position()] = dice.choice([0, 1, 0xFF, dice.randrange(256), result[position()]])
    elif kind < 0.85:
        result[position()] ^= 1 << dice.randrange(8)
    else:
        at = position()
        result[at : at + dice.randrange(4)] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 4)))
    return bytes(result)


def run(vm, options, folder, program):
    try:
        done = subprocess.run([vm, *options, "-cp", str(folder), program], capture_output=True, timeout=TIMEOUT_SECONDS)
        return done.returncode, done.stdout.decode("latin1"), done.stderr.decode("latin1")
    except subprocess.TimeoutExpired:
        return "timeout", "", ""


def headline(error):
    """Returns the name of the exception that ended the program, without its message, because a message of VerifyError
    quotes the whole method."""
    for line in error.split("\n"):
        if "Error" in line or "Exception" in line:
            return line if line.startswith("Caused by") else line.split(":")[0]
    return error[:60]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="damaged files per program and release of the compiler")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    passed = failed = 0
    for source in sorted(HERE.glob("*.java")):
        if arguments.programs and source.stem not in arguments.programs:
            continue
        for release in RELEASES:
            whole = WORK / f"{source.stem}-{release}"
            shutil.rmtree(whole, ignore_errors=True)
            text = source.read_text()
            if f"// not for release {release}" in text:
                continue
            subprocess.run(
                [
                    str(JDK / "bin/javac"),
                    "-nowarn",
                    "-Xlint:-options",
                    "--release",
                    release,
                    "-d",
                    str(whole),
                    str(source),
                ],
                check=True,
            )
            data = (whole / f"{source.stem}.class").read_bytes()
            dice = random.Random(f"{arguments.seed} {source.stem} {release}")
            folder = WORK / f"damaged-{source.stem}-{release}"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(whole, folder)
            for number in range(arguments.count):
                (folder / f"{source.stem}.class").write_bytes(damaged(data, dice))
                java = run(str(JDK / "bin/java"), ["-Xshare:auto", "-XX:TieredStopAtLevel=1"], folder, source.stem)
                keyhole = run(VM, [], folder, source.stem)
                if (java[0], java[1], headline(java[2])) == (keyhole[0], keyhole[1], headline(keyhole[2])):
                    passed += 1
                    continue
                failed += 1
                kept = WORK / "found" / f"{source.stem}-{release}-{arguments.seed}-{number}"
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept)
                print(
                    f"FAILED {kept}\n  java    {java[0]}: {headline(java[2])}\n  keyhole {keyhole[0]}: {headline(keyhole[2])}",
                    flush=True,
                )
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
