#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that no Java method of classlib is a renamed method of the JDK: compares the method bodies of classlib and of
the JDK as sequences of tokens.

    tests/check_provenance.py [--control]

The test compares the bodies of methods, constructors and initialisers, each by itself. Declarations do not count,
because an API forces signatures, fields and constants on its implementers. Comments, annotations, modifiers, braces,
`this` and the head of a counting loop do not count either. The other side of the comparison is the packages of the JDK
whose classes the overlay replaces, the only likely source of copies.

All identifiers and names of primitive types count as one token, and all literals as another, so other names and texts
do not hide a copy. The script measures the number of different sequences of four tokens in the part that two bodies
share. The length of the shared part proves nothing: ten `case` lines or ten getters are long, but have few different
sequences.

    run           the longest part that two bodies share without a difference
    resemblance   for copies with small changes: our body has `a` sequences, and `c` of them are in pieces of at least
                  PIECE tokens that both bodies have; c * c / a is large if these pieces are most of our body

Two people who solve the same small problem write the same text, such as "a new array, filled in a loop, returned".
`--control` measures how similar bodies are that are no copies. It compares the overlay with packages of java.base and
of other modules that have nothing to do with the overlay. These packages have ten times as much text as the packages
that the overlay replaces. The longest run of that comparison has 33 sequences, and the highest resemblance is 26. These
two values are the limits: a higher value is no coincidence.

Needs the JDK's sources (Debian: openjdk-17-source).
"""
import argparse
import pathlib
import re
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent
OVERLAYS = [ROOT / "classlib" / "java.base", *sorted((ROOT / "classlib").glob("since-*/java.base"))]
JDK = main_home()
# The sources of JDK 21 and 25, if they are installed. Layers of the overlay replace classes of these releases.
LATER = sorted(JDK.parent.glob("*2[15]*/lib/src.zip"))

RUN_LIMIT = 33
RESEMBLANCE_LIMIT = 26
SEQUENCE = 4        # length, in tokens, of the sequences that are counted
PIECE = 16          # length, in tokens, of the smallest common piece that counts for the resemblance
CONTROL = [
    "java.base/java/io/",
    "java.base/java/net/",
    "java.base/java/nio/",
    "java.base/java/security/",
    "java.base/java/text/",
    "java.base/java/time/",
    "java.base/java/util/",
    "java.base/sun/",
    "java.desktop/java/",
    "java.xml/",
    "jdk.compiler/",
]

# Matches comments, and also string literals, so that their contents are not taken for comments.
COMMENT_OR_TEXT = re.compile(
    r'/\*.*?\*/|//[^\n]*|("""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.DOTALL
)
TOKEN = re.compile(r"@?[A-Za-z_$][\w$]*|\d[\w.]*|->|::|\+\+|--|&&|\|\||[=!<>+\-*/&|^%]=|\S")
STRUCTURE = set(
    """assert break case catch continue default do else finally for if instanceof new return super switch synchronized throw try while yield""".split()
)
DROPPED = set("abstract final native private protected public static strictfp transient volatile this { }".split())
LITERALS = {"true", "false", "null"}
TYPE_WORDS = {"class", "interface", "enum", "record", "@interface"}

CODES = {}


def code(token):
    """Returns one character for each kind of token. A body then is a string, and Python compares strings quickly."""
    if token not in CODES:
        CODES[token] = chr(0x100 + len(CODES))
    return CODES[token]


def kind(token):
    if token[0] == '"' or token[0].isdigit() or token in LITERALS:
        return code("literal")
    if (token[0].isalpha() or token[0] in "_$") and token not in STRUCTURE:
        return code("identifier")
    return code(token)


COUNTING_LOOP = re.compile("".join(
    "[^" + code(";") + "]*" if word == "..." else re.escape(code(word))
    for word in "for ( identifier identifier = literal ; identifier < ... ; identifier ++ )".split()))


class Body:
    def __init__(self, path, tokens):
        """`tokens`: [(kind, line)]."""
        self.path = path
        text = "".join(kind for kind, _ in tokens)
        kinds, self.lines, last = [], [], 0
        for loop in COUNTING_LOOP.finditer(text):
            kinds += [text[last:loop.start()], code("for")]
            self.lines += [line for _, line in tokens[last:loop.start() + 1]]
            last = loop.end()
        self.text = "".join(kinds) + text[last:]
        self.lines += [line for _, line in tokens[last:]]


def bodies(path, source):
    source = COMMENT_OR_TEXT.sub(lambda m: ('"' if m.group(1) else " ") + "\n" * m.group(0).count("\n"), source)
    header, depth, body_depth, tokens = [], 0, None, []
    line, position = 1, 0
    for match in TOKEN.finditer(source):
        token = match.group(0)
        line += source.count("\n", position, match.start())
        position = match.start()
        depth += (token == "{") - (token == "}")
        if body_depth is None:
            # Outside of bodies, a brace opens a type, a body, or the values of an array.
            if token == "{" and not TYPE_WORDS.intersection(header) and ("(" in header or header in ([], ["static"])):
                body_depth = depth
                tokens = []
            header = [] if token in "{};" else header + [token]
        elif depth < body_depth:
            body_depth = None
            yield Body(path, tokens)
        elif token not in DROPPED and token[0] != "@":
            tokens.append((kind(token), line))


def variety(run):
    return len({run[i:i + SEQUENCE] for i in range(len(run) - SEQUENCE + 1)})


def windows(body, length):
    return ((body.text[start:start + length], start) for start in range(len(body.text) - length + 1))


def places_of(ours, length):
    places = {}
    for body in ours:
        for window, start in windows(body, length):
            places.setdefault(window, []).append((body, start))
    return places


def common_runs(ours, theirs):
    """Returns the runs that the overlay's bodies (`ours`) share with the JDK's (`theirs`), as [(number of different
    sequences, place in `ours`, place in `theirs`)]. If several runs end at the same place, returns only the longest."""
    length = RUN_LIMIT - 2      # a shorter run cannot have more different sequences than the limit
    places = places_of(ours, length)
    best = {}
    for other in theirs:
        for window, start in windows(other, length):
            for body, at in places.get(window, ()):
                if at > 0 and start > 0 and body.text[at - 1] == other.text[start - 1]:
                    continue    # the run that begins one token earlier contains this one
                end = length
                while (
                    at + end < len(body.text)
                    and start + end < len(other.text)
                    and body.text[at + end] == other.text[start + end]
                ):
                    end += 1
                found = variety(body.text[at:at + end])
                key = (body.path, body.lines[at + end - 1])
                if key not in best or found > best[key][0]:
                    best[key] = (
                        found,
                        f"{body.path}:{body.lines[at]}-{body.lines[at + end - 1]}",
                        f"{other.path}:{other.lines[start]}",
                    )
    return sorted(best.values(), reverse=True)


def resemblances(ours, theirs):
    """Returns [(resemblance, our body, their body)]: for each method body of the overlay, the most similar body of the
    JDK."""
    places = places_of(ours, PIECE)
    best = {}
    for other in theirs:
        common = {}
        for window in {window for window, _ in windows(other, PIECE)}:
            for body, at in places.get(window, ()):
                common.setdefault(body, set()).update(
                    body.text[i : i + SEQUENCE] for i in range(at, at + PIECE - SEQUENCE + 1)
                )
        for body, sequences in common.items():
            found = round(len(sequences) ** 2 / variety(body.text))
            if found > best.get(body, (0,))[0]:
                best[body] = (found, f"{body.path}:{body.lines[0]}-{body.lines[-1]}", f"{other.path}:{other.lines[0]}")
    return sorted(best.values(), reverse=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--control",
        action="store_true",
        help="with packages that cannot have been copied from: the longest runs, and no judgement",
    )
    options = parser.parse_args()
    sources = [
        path for path in (JDK / "lib" / "src.zip", JDK.parent / "openjdk-17" / "lib" / "src.zip") if path.exists()
    ]
    if not sources:
        sys.exit(f"tests/check_provenance.py: no sources of the JDK in {JDK} (Debian: openjdk-17-source)")
    files = [(path.relative_to(root.parent), path) for root in OVERLAYS for path in sorted(root.rglob("*.java"))]
    ours = [body for _, path in files for body in bodies(path.relative_to(ROOT), path.read_text())]
    replaced = {name.parent.as_posix() for name, _ in files}
    wrong = any([judge(ours, replaced, source, options.control) for source in [sources[0], *LATER]])
    sys.exit(1 if wrong and not options.control else 0)


def judge(ours, replaced, source, is_control):
    """Prints the bodies that are too similar. Returns whether a part of the overlay resembles these sources."""
    with zipfile.ZipFile(source) as archive:
        wanted = (
            (lambda name: name.startswith(tuple(CONTROL)))
            if is_control
            else (lambda name: name.rpartition("/")[0] in replaced)
        )
        theirs = [
            body
            for name in archive.namelist()
            if name.endswith(".java") and wanted(name)
            for body in bodies(name, archive.read(name).decode())
        ]
    if not theirs:
        sys.exit(f"tests/check_provenance.py: {source} has none of the packages that are compared")
    wrong = False
    for what, found, limit in (
        ("run", common_runs(ours, theirs), RUN_LIMIT),
        ("resemblance", resemblances(ours, theirs), RESEMBLANCE_LIMIT),
    ):
        highest = found[0][0] if found else 0
        wrong |= highest > limit
        for number, our_place, their_place in (
            found[:5] if is_control else [row for row in found if row[0] > limit]
        ):
            print(f"{our_place}: {what} {number}, {their_place}")
        print(f"highest {what} {highest}, the limit is {limit}")
    print(f"{len(ours)} bodies of the overlay beside {len(theirs)} of {source}")
    return wrong


if __name__ == "__main__":
    main()
