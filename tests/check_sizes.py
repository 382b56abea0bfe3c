#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the longest file, function and class of each folder of the VM, and checks limits on files and classes.

    tests/check_sizes.py                 fails when a limit is exceeded
    tests/check_sizes.py --table         also prints a table; --root DIRECTORY measures another checkout

A file of the VM has at most 600 lines. A class of jit/baseline has at most 40 members: data members and functions,
where each overload counts, and nested types do not. The lines of a function are those from its name to its last brace.
The script does not parse sources as a compiler does. It matches braces, and takes the text before a brace to decide
whether the brace opens a function, a class or a block.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["runtime", "gc", "vm", "jit", "classlib/natives"]
LONGEST_FILE = 600
MOST_MEMBERS = {"jit/baseline": 40}

COMMENT_OR_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
OPENS_CLASS = re.compile(
    r"(?:^|[\s>])(?:class|struct|union)\s+(?:\[\[.*?\]\]\s*)?(\w[\w:<>, ]*?)\s*(?:final\s*)?(?::[^:].*)?$"
)
NO_MEMBER = re.compile(r"using|friend|static_assert|typedef|enum|(class|struct|union) \w+$|KEYHOLE_\w+\(")
SPECIFIER = re.compile(r"^\s*(?:public|private|protected)\s*:(?!:)\s*")


def blank(match):
    """Returns blanks in place of a comment or literal, whose braces do not count. Keeps the line ends."""
    return re.sub(r"[^\n]", " ", match.group(0))


def without_angles(text):
    """Removes template arguments, because their commas and parentheses do not separate declarators."""
    before = None
    while text != before:
        before, text = text, re.sub(r"<[^<>;{}]*>", "", text)
    return text


def outside_parentheses(text):
    """Removes the contents of parentheses, and keeps the parentheses: `void f(void (*call)(int))` becomes `void
    f()`."""
    before = None
    while text != before:
        before, text = text, re.sub(r"\([^()]*\)", "\0", text)
    return text.replace("\0", "()")


def members_of(statement):
    """Returns the number of members that one declaration without a body adds to a class."""
    text = SPECIFIER.sub("", statement).strip()
    while SPECIFIER.match(text):
        text = SPECIFIER.sub("", text).strip()
    text = re.sub(r"^template\s*<.*?>\s*(?=\w)", "", text, flags=re.DOTALL)
    if not text or NO_MEMBER.match(text):
        return 0
    flat = re.sub(r"\[[^\[\]]*\]", "", outside_parentheses(without_angles(text)))
    declarator = flat.split("=")[0]
    if "()" in declarator:
        return 1  # a function is one member
    return 1 + flat.count(",")


class Scope:
    def __init__(self, kind, name, line):
        self.kind, self.name, self.line, self.members = kind, name, line, 0


def measure(path):
    """Returns the functions of a file as [(lines, name)], and its classes as [(members, name)]."""
    text = DIRECTIVE.sub(blank, COMMENT_OR_LITERAL.sub(blank, path.read_text()))
    functions, classes, scopes = [], [], []
    start, line, depth = 0, 1, 0
    parentheses = 0
    for at, letter in enumerate(text):
        if letter == "\n":
            line += 1
        elif letter == "(":
            parentheses += 1
        elif letter == ")":
            parentheses -= 1
        elif letter == ";" and parentheses == 0:
            if scopes and scopes[-1].kind == "class":
                scopes[-1].members += members_of(text[start:at])
            if not scopes or scopes[-1].kind != "initializer":
                start = at + 1
        elif letter == "{":
            before = text[start:at]
            kind, name = kind_of(before, scopes, parentheses)
            scopes.append(Scope(kind, name, line - before.strip().count("\n")))
            scopes[-1].parentheses, parentheses = parentheses, 0
            if kind != "initializer":
                start = at + 1
        elif letter == "}" and scopes:
            scope = scopes.pop()
            parentheses = scope.parentheses
            if scope.kind == "function":
                functions.append((line - scope.line + 1, scope.name))
                if scopes and scopes[-1].kind == "class":
                    scopes[-1].members += 1
            elif scope.kind == "class":
                classes.append((scope.members, scope.name))
            if scope.kind != "initializer":
                start = at + 1
    return functions, classes


def kind_of(before, scopes, parentheses):
    flat = " ".join(before.split())
    inside = scopes[-1].kind if scopes else "namespace"
    if parentheses > 0 or inside in ("function", "block", "initializer"):
        return ("initializer" if inside == "initializer" or parentheses > 0 else "block"), ""
    while SPECIFIER.match(flat):
        flat = SPECIFIER.sub("", flat)
    if re.search(r"(^|\s)namespace(\s|$)", flat) or flat.startswith("extern"):
        return "namespace", ""
    flat = re.sub(r"alignas\s*\((?:[^()]|\([^()]*\))*\)", "", flat)
    plain = outside_parentheses(without_angles(flat))
    found = OPENS_CLASS.search(without_angles(re.sub(r"^template\s*<.*?>\s*(?=class|struct|union)", "", flat)))
    if found and "()" not in plain:
        return "class", found.group(1).strip()
    if re.search(r"(^|\s)enum(\s|$)", flat):
        return "initializer", ""
    if "()" in plain and not re.search(r"=\s*(\[.*)?$", plain) and not re.search(r"[:,]\s*\w+$", plain):
        names = re.findall(r"([\w:~]+|operator\W+)\s*\(\)", plain)
        return "function", next((name for name in names if name not in ("void", "noexcept", "decltype")), plain)
    return "initializer", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    options = parser.parse_args()
    longest = {}  # {(folder, kind): the largest file, function or class}
    faults = []
    for top in FOLDERS:
        for path in sorted((options.root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".def"):
                continue
            folder = path.parent.relative_to(options.root).as_posix()
            lines = len(path.read_text().splitlines())
            functions, classes = measure(path) if path.suffix != ".def" else ([], [])
            for kind, found in [("file", [(lines, path.name)]), ("function", functions), ("class", classes)]:
                longest[folder, kind] = max([longest.get((folder, kind), (0, "")), *found])
            if lines > LONGEST_FILE:
                faults.append(f"{folder}/{path.name}: {lines} lines")
            for members, name in classes:
                if members > MOST_MEMBERS.get(folder, sys.maxsize):
                    faults.append(f"{folder}/{path.name}: {name} has {members} members")
    if options.table:
        print("| folder | longest file | longest function | largest class |\n|---|---|---|---|")
        for folder in sorted({folder for folder, kind in longest}):
            cells = [longest[folder, kind] for kind in ("file", "function", "class")]
            print(f"| {folder} | " + " | ".join(f"{name} {size}" if size else "" for size, name in cells) + " |")
    print("\n".join(faults) if faults else "no file is too long, no class too large")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
