#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that differences between the libraries of JDK 17, 21 and 25 are confined to tables and to layers of the
overlay, and that these layers are small.

Only two C++ functions test the release of a library: library_is_within and home_is_within (vm/classfile/boot_path.cpp).
All other code tests whether the class member that a row of a table names exists. A layer of the overlay replaces at
most 10 files by at most 1000 lines.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACCESSOR = ROOT / "vm" / "classfile" / "boot_path.cpp"
COMPARISON = re.compile(r"\b\w*release\w*(?:\(\))?\s*[<>]=?\s|\blibrary_release\(\)\s*[!=]=|[<>]=?\s*library_release\(\)")
MOST_FILES = 10
MOST_LINES = 1000


def main():
    wrong = []
    for folder in ("classlib", "gc", "jit", "runtime", "vm"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h", ".def"):
                continue
            lines = path.read_text().splitlines()
            found = [number for number, line in enumerate(lines, 1) if COMPARISON.search(line.split("//")[0])]
            if path == ACCESSOR:
                continue
            wrong += [f"{path.relative_to(ROOT)}:{number}: asks for the release" for number in found]
    layers = sorted((ROOT / "classlib").glob("since-*"))
    for layer in layers:
        files = sorted(layer.rglob("*.java"))
        lines = sum(len(path.read_text().splitlines()) for path in files)
        print(f"{layer.relative_to(ROOT)}: {len(files)} files, {lines} lines")
        if len(files) > MOST_FILES or lines > MOST_LINES:
            wrong.append(f"{layer.relative_to(ROOT)} is larger than {MOST_FILES} files or {MOST_LINES} lines")
    for each in wrong:
        print(each)
    print(f"{len(layers)} layers, {len(wrong)} violations")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
