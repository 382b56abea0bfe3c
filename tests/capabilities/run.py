#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles programs that break a rule of runtime/base/capabilities.h, and expects the compiler's errors that comments
in the programs name.

In a program of wrong/, each line that ends in `// error: text` must get an error with that text, and no other line may
get an error. Without the thread-safety analysis the program must compile. Programs of right/ must compile with the
analysis. The compiler's flags are those of the launcher's main.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MODEL = "vm/launcher/main.cpp"
EXPECTED = re.compile(r"// error: (.*)$")


def flags_of(config):
    database = ROOT / "build" / config / "compile_commands.json"
    for entry in json.loads(database.read_text()):
        if entry["file"].endswith(MODEL):
            words = shlex.split(entry["command"])
            compiler = next(i for i, word in enumerate(words) if "clang" in word)
            words = words[compiler:]
            for flag in ("-o", "-c"):
                at = words.index(flag)
                del words[at : at + 2]
            return words + ["-fsyntax-only", "-ferror-limit=0"], entry["directory"]
    sys.exit(f"{database}: {MODEL} is not in it")


def compile_program(command, directory, path, *more):
    return subprocess.run([*command, *more, str(path)], cwd=directory, capture_output=True, text=True)


def faults_of(path, command, directory):
    expected = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := EXPECTED.search(line):
            expected[number] = match.group(1)
    if (path.parent.name == "wrong") != bool(expected):
        return [f"{path.name}: a wrong program says // error: somewhere, a right one does not"]
    result = compile_program(command, directory, path)
    found = {}
    for line in result.stderr.splitlines():
        if match := re.match(r"(.*?):(\d+):\d+: (?:fatal )?error: (.*)$", line):
            place = int(match.group(2)) if match.group(1).endswith(path.name) else 0
            found.setdefault(place, []).append(match.group(3))
    faults = []
    for number, text in expected.items():
        if not any(text in error for error in found.get(number, [])):
            faults.append(f"{path.name}:{number}: no error with the text: {text}")
    for number, errors in found.items():
        if number not in expected:
            faults += [f"{path.name}:{number}: not expected: {error}" for error in errors]
    if expected and compile_program(command, directory, path, "-Wno-thread-safety").returncode != 0:
        faults.append(f"{path.name}: does not compile without the analysis either: its mistake is another one")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="release", help="the build whose flags are used")
    parser.add_argument("filters", nargs="*", help="parts of file names")
    options = parser.parse_args()
    command, directory = flags_of(options.config)
    programs = sorted(HERE.glob("*/*.cpp"))
    if options.filters:
        programs = [path for path in programs if any(part in path.name for part in options.filters)]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda path: faults_of(path, command, directory), programs))
    for path, faults in zip(programs, results):
        if faults:
            print(f"FAILED {path.relative_to(HERE)}", *faults, sep="\n  ")
    failed = sum(bool(faults) for faults in results)
    print(f"{len(programs) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
