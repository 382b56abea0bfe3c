#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that lines of sources and pages have at most 120 columns.

These may be wider: the contents of string literals, which may be a program or an expected output; rows of tables in
pages and in .def files; commands of pages (`$ ./keyhole ...`); lines of code that mutants.def quotes; lines of output
that a Java program expects (`// expected: `); third-party text (LICENSE, NOTICE).
"""
import pathlib
import re
import sys

from tree_files import tree_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 120
KINDS = {".h", ".cpp", ".inc", ".java", ".py", ".md", ".cmake", ".txt", ".def", ".sh", ""}
LITERAL = re.compile(r'"""|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|R"(\w*)\(.*?\)\1"')
TABLE_ROW = re.compile(r"\s*[A-Z_]+\(|\s*\||\$ |(old|new) |// expected: ")


def lines_of_literals(text):
    """Returns the numbers of the lines in literals of several lines: strings of Python, text blocks of Java, raw
    strings of C++."""
    inside = set()
    for match in re.finditer(r'("""|\'\'\').*?\1|R"(\w*)\(.*?\)\2"', text, re.DOTALL):
        first = text.count("\n", 0, match.start())
        inside.update(range(first, first + match.group(0).count("\n") + 1))
    return inside


def too_long(path):
    text = path.read_text(errors="replace")
    inside = None
    for number, line in enumerate(text.split("\n")):
        if len(line) <= COLUMNS or len(LITERAL.sub('""', line)) <= COLUMNS:
            continue
        if path.suffix in (".md", ".def", ".java") and TABLE_ROW.match(line):
            continue
        if inside is None:
            inside = lines_of_literals(text)
        if number not in inside:
            yield number + 1, line


def main():
    bad = 0
    for path in (ROOT / name for name in tree_files()):
        if path.suffix in KINDS and path.name not in ("LICENSE", "NOTICE"):
            for number, line in too_long(path):
                print(f"{path.relative_to(ROOT)}:{number}: {len(line)} columns")
                bad += 1
    print(f"{bad} lines are longer than {COLUMNS} columns" if bad else f"no line is longer than {COLUMNS} columns")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
