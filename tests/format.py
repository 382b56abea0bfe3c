#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the C++ of the tree is formatted as .clang-format says (clang-format-19).

    tests/format.py [--fix] [PATH ...]

`--fix` formats the files. PATH: files or folders; by default all files that git knows. Tables (.def) are aligned by
hand.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

from tree_files import tree_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMATTER = "clang-format-19"
FILES_PER_PROCESS = 40


def files(paths):
    """Returns the C++ files that the paths name or that lie below them, or all C++ files if there are no paths."""
    wanted = [(ROOT / path).resolve() for path in paths] or [ROOT]
    return [name for name in tree_files()
            if name.endswith((".h", ".cpp")) and any((ROOT / name).is_relative_to(path) for path in wanted)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="format the files")
    parser.add_argument("path", nargs="*", metavar="PATH")
    options = parser.parse_args()
    names = files(options.path)
    groups = [names[i:i + FILES_PER_PROCESS] for i in range(0, len(names), FILES_PER_PROCESS)]
    how = ["-i"] if options.fix else ["--dry-run", "-Werror", "--ferror-limit=2"]

    def run(group):
        return subprocess.run([FORMATTER, *how, *group], cwd=ROOT, capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(run, groups))
    faults = "".join(result.stderr for result in done)
    if any(result.returncode for result in done):
        print(faults[:20000])
        sys.exit("not formatted: tests/format.py --fix")
    print(f"{len(names)} files {'have been formatted' if options.fix else 'are formatted'}")


if __name__ == "__main__":
    main()
