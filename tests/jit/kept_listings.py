# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the listings that the tree keeps, one file each, with those that were found, or replaces them
(KEYHOLE_BLESS=1)."""
import difflib
import os


def compared(folder, found):
    """Returns the names of all listings, found and kept, and a text for each listing that differs. `found` has the
    lines of each listing by its name."""
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
