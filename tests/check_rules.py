#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that each rule that a comment cites by number can be looked up.

Protocols number their rules ("// R4: ..." at the top of lightweight.h), and comments cite them by number. A number
alone means a rule of the same file, or of the .h or .cpp file of the same name. A comment that cites a rule of another
file names that file (`lightweight.h R4`). Comments must not cite ranges of rules, because ranges go stale.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["runtime", "gc", "vm", "jit", "classlib", "tests", "bench"]
# Matches the number of a rule where the rule is defined: at the beginning of a comment's line, or in a column of a
# diagram.
DEFINED = re.compile(r"(?:^\s*//\s+|(?<=  ))([A-Z]\d{1,2})(?::|  +(?=\S)| (?=[A-Z]|\w+\(\)))", re.MULTILINE)
PICTURE = re.compile(r"//\s{8,}|//\s{3,}\S.*\S\s{3,}\S")
CITED = re.compile(r"(?<![\w.%#'\"/+-])([A-Z]\d{1,2})(?![\w'\"]|\.\d|-\d)")
RANGE = re.compile(r"\b([A-Z])\d{1,2} (?:to|through) \1\d{1,2}\b")
FILE = re.compile(r"\b\w+\.(?:h|cpp|def)\b")
# Matches names that look like numbers of rules but have another meaning.
OTHERS = re.compile(r"\b(?:error: R\d|L[123] (?:hit|cache|miss|line)|[CG][12]'s|HotSpot's C[12]|I(?:1|8|16|32|64))\b")


def comments_of(text):
    """Yields (line, comment, block) for line comments and comments of emitted instructions. The block is the comment
    with the adjacent comments."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(r'//.*|\bcomment\(".*', line)
        if comment:
            found.append((number, comment.group(), line.lstrip().startswith("//")))
    blocks, last = [], None
    for number, comment, whole in found:
        if whole and last is not None and last[0] == number - 1 and last[2]:
            blocks[-1].append((number, comment))
        else:
            blocks.append([(number, comment)])
        last = (number, comment, whole)
    for block in blocks:
        text = " ".join(comment for _, comment in block)
        for number, comment in block:
            yield number, comment, text


def faults_of(path, text, rules_of, numbers):
    own = {path.with_suffix(suffix).name for suffix in (path.suffix, ".h", ".cpp")}
    everything = " ".join(comment for _, comment, _ in comments_of(text))   # for comments of emitted code
    for number, comment, block in comments_of(text):
        if RANGE.search(comment) and not OTHERS.search(comment):
            yield number, f"a range of rules: {RANGE.search(comment).group()}"
        if PICTURE.match(comment):
            continue
        named = own | set(FILE.findall(block if "//" in comment else everything))
        known = set().union(*(rules_of.get(name, set()) for name in named))
        for rule in CITED.findall(OTHERS.sub("", comment)):
            if rule not in known and rule in numbers:
                yield number, f"{rule} is a rule neither of this file nor of one that this comment names"


def main():
    texts = {
        path: path.read_text()
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".h", ".cpp", ".def") and path.name != "mutants.def"   # mutants.def quotes code
    }
    rules_of = {}  # {name of a file: the numbers of its rules}
    for path, text in texts.items():
        rules_of.setdefault(path.name, set()).update(DEFINED.findall(text))
    numbers = set().union(*rules_of.values())
    faults = [
        f"{path.relative_to(ROOT)}:{number}: {fault}"
        for path, text in texts.items()
        for number, fault in faults_of(path, text, rules_of, numbers)
    ]
    print("\n".join(faults) if faults else "every rule cited can be found")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
