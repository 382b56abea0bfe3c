#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source of the tree is listed in a README, and opens with its purpose.

The README of a file's folder, or else the README of the nearest folder above, must contain the file's name without the
suffix. Outside the folders of the VM a pattern such as `java/*.java` suffices. A pattern is relative to the README's
folder, and `*` also matches folders. A C++ file of the VM opens with its licence and a sentence, and has at most 1000
lines. On a results page of bench/, each generated block begins and ends once.
"""

import fnmatch
import pathlib
import re
import sys

from tree_files import tree_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
VM = ("runtime/", "gc/", "vm/", "jit/", "classlib/natives/")
CPP = {".h", ".cpp", ".def"}
SOURCES = CPP | {".py", ".java", ".md", ".cmake"}
LONGEST_LINES = 1000


def is_source(path):
    if path.suffix:
        return path.suffix in SOURCES and path.name != "README.md"
    return path.is_file() and path.read_bytes()[:2] == b"#!"  # a script without a suffix


def sources():
    """Returns the files that git tracks or would track, except files in the root and in hidden folders."""
    paths = (ROOT / name for name in tree_files() if "/" in name and not name.startswith("."))
    return sorted(path for path in paths if is_source(path))


def readme_above(path):
    folder = path.parent
    while not (folder / "README.md").exists():
        folder = folder.parent
    return folder / "README.md"


def is_named(path, readme, text):
    if re.search(r"(?<![\w-])" + re.escape(path.stem) + r"(?![\w-])", text):
        return True
    if path.relative_to(ROOT).as_posix().startswith(VM):
        return False
    relative = path.relative_to(readme.parent).as_posix()
    return any(
        fnmatch.fnmatchcase(relative, pattern) for pattern in re.findall(r"`([^`\s]*\*[^`\s]*\.(?:java|cpp))`", text)
    )


def faults_of(path):
    relative = path.relative_to(ROOT)
    readme = readme_above(path)
    if readme.parent == ROOT:
        yield f"{relative.parent}: no README.md"
    elif not is_named(path, readme, readme.read_text()):
        yield f"{relative}: not in {readme.relative_to(ROOT)}"
    if path.suffix in CPP and relative.as_posix().startswith(VM):
        lines = path.read_text().splitlines()
        if len(lines) < 4 or "SPDX" not in lines[0] or not lines[3].startswith("//"):
            yield f"{relative}: does not open with licence and purpose"
        if len(lines) > LONGEST_LINES:
            yield f"{relative}: {len(lines)} lines"
    if relative.parent == pathlib.Path("bench/results"):
        text = path.read_text()
        for name in re.findall(r"<!-- (?!end of )(.*?) -->", text):
            if text.count(f"<!-- {name} -->") != 1 or text.count(f"<!-- end of {name} -->") != 1:
                yield f"{relative}: the block {name} does not begin and end once"


def main():
    faults = sorted({fault for path in sources() for fault in faults_of(path)})
    print("\n".join(faults) if faults else "every file is listed")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
