#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that the build fails if the baseline compiler has no emitter for an operation.

    tests/jit/emitters.py [--build build/release]

For each category of operations, adds a row to a copy of vm/code/operations.def, and compiles the category's emitter as
the build does, with the copy first on the include path. The compilation must fail with an error that names the added
operation. Operations on fields, and returns, are emitted from the columns of their rows, so new rows of these need no
emitter.
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = "vm/code/operations.def"
EMITTED_BY = {
    "constant": "emit_locals",
    "local": "emit_locals",
    "shuffle": "emit_locals",
    "arithmetic": "emit_arithmetic",
    "branch": "emit_branches",
    "array": "emit_arrays",
    "object": "emit_objects",
    "invoke": "emit_invoke",
    "monitor": "emit_sync",
}
ADDED = "nobody_emits_this"


def compile_command(build, source):
    """Returns the folder and the command with which the build compiles the source. If the build compiles the source for
    each header layout, the command is for the first layout."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"] == str(source):
            return entry["directory"], shlex.split(entry["command"])
    sys.exit(f"{build} does not compile {source}")


def errors(build, source, folder):
    directory, command = compile_command(build, source)
    output = command.index("-o")
    del command[output : output + 2]
    done = subprocess.run(
        [command[0], f"-I{folder}", "-fsyntax-only", *command[1:]], cwd=directory, capture_output=True, text=True
    )
    return "" if done.returncode == 0 else done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    build = parser.parse_args().build.resolve()
    rows = (ROOT / TABLE).read_text()
    place = "// handlers_super.cpp\n"
    if place not in rows:
        sys.exit(f"{TABLE}: where does a row go?")
    failures = 0

    def check(name, source, added, is_expected):
        nonlocal failures
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / TABLE
            copy.parent.mkdir(parents=True)
            copy.write_text(rows.replace(place, added + place))
            found = errors(build, ROOT / "jit" / "baseline" / "emitters" / f"{source}.cpp", folder)
        if not is_expected(found):
            failures += 1
            print(f"{name}: {found[-2000:] or 'it compiles'}")

    check("the table as it is", "emit_sync", "", lambda found: found == "")
    for category, source in EMITTED_BY.items():
        row = f"OPERATION({ADDED}, {category}, \"\", \"\", '-', pure)\n"
        check(category, source, row, lambda found: f"'{ADDED}' not handled in switch" in found)
    print(f"{len(EMITTED_BY) + 1 - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
