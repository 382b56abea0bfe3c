#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Includes point down only: a folder may include what stands on its own floor's row or below, never what stands above.

The floors, bottom first; folders on one line may not include each other unless `beside` allows it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = {
    "runtime/base": 0,
    "runtime/object": 1,
    "runtime/threads": 2, "runtime/sync": 2, "gc": 2,
    "vm/classfile": 3, "vm/link": 3, "vm/verify": 3, "vm": 3,
    "vm/interpreter": 4,
    "jit/code": 5,
    "jit/baseline": 6, "jit/llvm": 6, "classlib/natives": 6,
    "vm/launcher": 7,
}
# Within one floor: who may include whom.
BESIDE = {
    "runtime/sync": {"runtime/threads"},
    "gc": {"runtime/threads", "runtime/sync"},
    "vm": {"vm/link"},
    "vm/classfile": {"vm/link", "vm"},
    "vm/link": {"vm/classfile", "vm/verify", "vm"},
    "vm/verify": {"vm/link", "vm/classfile", "vm"},
}


def folder_of(path):
    best = ""
    for folder in FLOORS:
        if (path == folder or path.startswith(folder + "/")) and len(folder) > len(best):
            best = folder
    return best


def main():
    wrong = []
    for source in sorted(ROOT.glob("**/*")):
        relative = str(source.relative_to(ROOT))
        if source.suffix not in (".h", ".cpp", ".def") or relative.startswith("build/"):
            continue
        home = folder_of(relative)
        if not home:
            continue
        for number, line in enumerate(source.read_text().splitlines(), 1):
            match = re.match(r'\s*#include "([^"]+)"', line)
            if not match:
                continue
            target = folder_of(match.group(1))
            if match.group(1).endswith("_flags.def") or not target or target == home:
                continue
            down = FLOORS[target] < FLOORS[home]
            beside = FLOORS[target] == FLOORS[home] and target in BESIDE.get(home, set())
            if not (down or beside):
                wrong.append(f"{relative}:{number}: {home} (floor {FLOORS[home]}) includes {match.group(1)} (floor {FLOORS[target]})")
    print("\n".join(wrong) if wrong else "includes point down only")
    sys.exit(1 if wrong else 0)


main()
