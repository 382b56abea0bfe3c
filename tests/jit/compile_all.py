#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles every method of java.base (-XX:+CompileTheWorld) and shows how fast that was and how large the code is.

    tests/jit/compile_all.py [--vm build/release/keyhole]     fails when a method does not compile
    tests/jit/compile_all.py --c1                             also shows HotSpot's C1, for each installed JDK: it
                                                              runs Hello with -Xcomp -XX:+CITime

C1 compiles only the methods that the program needs, and loads their classes meanwhile; this VM compiles all methods,
before any of them has run.
"""

import argparse
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = main_home()


def compile_all(vm):
    done = subprocess.run(
        [vm, "-XX:+CompileTheWorld", "-XX:ReservedCodeCacheSize=512m", "Main"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    print(done.stdout[-4000:], end="")
    summary = re.search(r"^(\d+) classes, (\d+) methods, (\d+) failures$", done.stdout, re.MULTILINE)
    if not summary:
        print(f"no summary, exit code {done.returncode}:\n{done.stderr[-2000:]}")
        return False
    unlinked = re.findall(r"^not linked: (.*)$", done.stdout, re.MULTILINE)
    if len(unlinked) > 20 or any(not name.startswith("java/lang/invoke/") for name in unlinked):
        print("classes that the overlay does not replace must be linked")
        return False
    # java.base has some 6,500 classes. These lower limits reject a run that stops before the end of the list of
    # classes.
    return (
        done.returncode == 0
        and int(summary.group(1)) > 5000
        and int(summary.group(2)) > 40000
        and int(summary.group(3)) == 0
    )


def full_cache(vm):
    """Checks a full code cache: the VM warns once, and compiles nothing afterwards."""
    done = subprocess.run(
        [vm, "-XX:+CompileTheWorld", "-XX:ReservedCodeCacheSize=1m", "-XX:-UseCodeCacheFlushing", "Main"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    warnings = done.stderr.count("CodeCache is full. Compiler has been disabled.")
    compiled = re.search(r"^\d+ classes, (\d+) methods, (\d+) failures$", done.stdout, re.MULTILINE)
    good = (
        done.returncode == 1
        and warnings == 1
        and compiled
        and 100 < int(compiled.group(1)) < 5000
        and int(compiled.group(2)) > 40000
    )
    if not good:
        print(f"a full cache: exit code {done.returncode}, {warnings} warnings, {compiled and compiled.group(0)}")
    return bool(good)


def c1():
    for home in sorted(pathlib.Path("/usr/lib/jvm").iterdir()):
        java = home / "bin" / "java"
        if home.is_symlink() or not java.exists():
            continue
        done = subprocess.run(
            [
                str(java),
                "-Xcomp",
                "-XX:TieredStopAtLevel=1",
                "-XX:+CITime",
                "-cp",
                str(ROOT / "build" / "bench" / "classes"),
                "Hello",
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )
        for line in done.stdout.splitlines():
            if re.search(r"speed|Total compiled bytecodes|C1 {", line):
                print(f"{home.name}: {line.strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    parser.add_argument("--c1", action="store_true")
    options = parser.parse_args()
    results = [compile_all(options.vm), full_cache(options.vm)]
    if options.c1:
        c1()
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
