# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the output of a test with the expected listings, which are files of the tree. With KEYHOLE_BLESS=1 it
replaces these files."""
import difflib
import os


def compared(folder, found):
    """Returns the names of all listings in `found` and in the folder, and a text for each listing that differs.
    `found` is {name of a listing: its lines}."""
    folder.mkdir(exist_ok=True)
    names = sorted(set(found) | {path.name.removesuffix(".txt") for path in folder.glob("*.txt")})
    faults = []
    for name in names:
        path = folder / f"{name}.txt"
        lines = found.get(name, [])
        if os.environ.get("KEYHOLE_BLESS") == "1":
            path.write_text("\n".join(lines) + "\n")
            continue
        kept = path.read_text().splitlines() if path.exists() else []
        if kept != lines:
            faults.append("\n".join([name, *difflib.unified_diff(kept, lines, "expected", "found", lineterm="")]))
    return names, faults
