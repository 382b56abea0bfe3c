#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the program of docs/tiers.md and runs each of the page's commands. A command must print what the page shows
below it.

    tests/jit/tiers_page.py [--vm build/release/keyhole]      compares
    KEYHOLE_BLESS=1 tests/jit/tiers_page.py                   replaces the outputs in the page

A `java` block of the page is the program. In a `console` block the first line is a command, and the other lines are its
output. In an output, `…` stands for text that differs from run to run or from build to build: addresses, offsets of a
thread's fields, times.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "tiers.md"
JDK = main_home()
BLOCK = re.compile(r"^```(java|console)\n(.*?)^```$", re.M | re.S)
VARYING = [
    (r"\b0x[48][0-9a-f]{7}\b", "0x…"),                    # code
    (r"\b(\d{7,}|top 0x[0-9a-f]+)\b", "…"),               # code, values
    (r"\[r15((?: ?\+ ?(?:8\*\w+|\w+\*8))?)( ?\+ ?)\w+\]", r"[r15\1\2…]"),  # a field of the thread
    (r"(%thread \* 1 \+ |ptr %3, i64 |thread\.)\d+", r"\1…"),
    (r"^ +\d+ +(\d+ .* Counter::)", r"  …  \1"),          # milliseconds
    (r" *; [0-9A-F.]+$", ""),                             # bytes of instructions
]


def number_compilations(lines):
    """Compilations of the class library come first, and how many they are depends on the library. So the first one of
    the program gets the number 3."""
    numbers = [re.match(r"  …  (\d+)(.*)", line) for line in lines]
    first = min((int(match[1]) for match in numbers if match), default=3)
    for place, match in enumerate(numbers):
        if match:
            lines[place] = f"  …  {int(match[1]) - first + 3}{match[2]}"


def masked(text):
    lines = []
    for line in text.splitlines():
        for pattern, replacement in VARYING:
            line = re.sub(pattern, replacement, line)
        lines.append(line.rstrip())
    number_compilations(lines)
    # The javap of later JDKs indents by two more.
    if len(lines) > 1 and lines[1].startswith("    Code:") and lines[2].startswith("         0:"):
        lines = [line if place < 2 else line[2:] for place, line in enumerate(lines)]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = pathlib.Path(parser.parse_args().vm).resolve()
    bless = os.environ.get("KEYHOLE_BLESS") == "1"
    page = PAGE.read_text()
    passed = failed = 0
    settings = []
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "keyhole").symlink_to(vm)
        path = f"{folder}:{JDK / 'bin'}:{os.environ['PATH']}"

        def run(command):
            done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, timeout=120,
                                  capture_output=True, env={**os.environ, "PATH": path})
            return done.stdout + done.stderr

        def check(block):
            nonlocal passed, failed
            kind, text = block.groups()
            if kind == "java":
                (pathlib.Path(folder) / "Counter.java").write_text(text)
                subprocess.run(["javac", "Counter.java"], cwd=folder, check=True, env={**os.environ, "PATH": path})
                return block.group()
            command, *shown = text.splitlines()
            if re.fullmatch(r"\$ \w+='.*'", command):   # for all commands below
                settings.append(command.removeprefix("$ "))
                return block.group()
            found = masked(run("\n".join([*settings, command.removeprefix("$ ")])))
            if found == shown:
                passed += 1
            elif not bless:
                failed += 1
                print(f"FAILED {command}")
                print("\n".join(difflib.unified_diff(shown, found, "the page", "found", lineterm="")))
            return "```console\n" + "\n".join([command, *found]) + "\n```"

        written = BLOCK.sub(check, page)
    if bless:
        PAGE.write_text(written)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
