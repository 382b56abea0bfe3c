#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""No method of classlib's Java is one of the JDK's with other names: bodies of both are compared as runs of tokens.

    tests/check_provenance.py [--control]

What is compared    The inside of methods, constructors and initialisers, each for itself. Declarations do not count: an API forces signatures, fields and
                    constants on whoever implements it. Neither do comments, annotations, modifiers, braces, `this` and the head of a counting loop.
How                 Identifiers and names of primitive types are all one token, so are literals: other names and texts do not hide a copy.
What is measured    The different sequences of four tokens in a run that both have. A mere length would count rows of a table: ten `case` lines or ten
                    getters are long, say nothing, and have few different sequences.
With what           The packages of the JDK whose classes the overlay replaces: whoever copied, copied from there.
LIMIT               Two people who write the same small thing write the same: "a new array, filled in a loop, returned". How much of that there is can be
                    measured where nothing can have been copied: `--control` compares with packages of java.base and other modules that have nothing to
                    do with the overlay, ten times as much text. There the longest run has 33. Whatever is above that, no coincidence explains.

Needs the JDK's sources (Debian: openjdk-17-source).
"""
import argparse
import os
import pathlib
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OVERLAY = ROOT / "classlib" / "java.base"
JDK = pathlib.Path(os.environ.get("KEYHOLE_JAVA_HOME", "/usr/lib/jvm/java-17-openjdk-amd64"))

LIMIT = 33
SEQUENCE = 4        # tokens whose different combinations are counted
CONTROL = ["java.base/java/io/", "java.base/java/net/", "java.base/java/nio/", "java.base/java/security/", "java.base/java/text/", "java.base/java/time/",
           "java.base/java/util/", "java.base/sun/", "java.desktop/java/", "java.xml/", "jdk.compiler/"]

# Comments, and text that must not be taken for one.
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|("""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.DOTALL)
TOKEN = re.compile(r"@?[A-Za-z_$][\w$]*|\d[\w.]*|->|::|\+\+|--|&&|\|\||[=!<>+\-*/&|^%]=|\S")
STRUCTURE = set("""assert break case catch continue default do else finally for if instanceof new return super switch synchronized throw try while yield""".split())
DROPPED = set("abstract final native private protected public static strictfp transient volatile this { }".split())
LITERALS = {"true", "false", "null"}
TYPE_WORDS = {"class", "interface", "enum", "record", "@interface"}

CODES = {}


def code(token):
    """One character for each kind of token: bodies become strings, which Python compares quickly."""
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
        """`tokens`: (kind, line) each."""
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
            # Between the members of a class. A brace opens a type, a body, or the values of an array.
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


def common_runs(ours, theirs):
    """(variety, our body, its first and last token, their body, its first token) of the runs that both have; of those that end together, the longest."""
    window = LIMIT - 2      # no shorter run has the variety of LIMIT
    places = {}
    for body in ours:
        for start in range(len(body.text) - window + 1):
            places.setdefault(body.text[start:start + window], []).append((body, start))
    best = {}
    for other in theirs:
        for start in range(len(other.text) - window + 1):
            for body, at in places.get(other.text[start:start + window], ()):
                if at > 0 and start > 0 and body.text[at - 1] == other.text[start - 1]:
                    continue    # a part of the run before
                end = window
                while at + end < len(body.text) and start + end < len(other.text) and body.text[at + end] == other.text[start + end]:
                    end += 1
                found = variety(body.text[at:at + end])
                key = (body.path, body.lines[at + end - 1])
                if key not in best or found > best[key][0]:
                    best[key] = (found, body, at, at + end - 1, other, start)
    return sorted(best.values(), key=lambda row: -row[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--control", action="store_true", help="with packages that cannot have been copied from: the longest runs, and no judgement")
    options = parser.parse_args()
    sources = [path for path in (JDK / "lib" / "src.zip", JDK.parent / "openjdk-17" / "lib" / "src.zip") if path.exists()]
    if not sources:
        sys.exit(f"tests/check_provenance.py: no sources of the JDK in {JDK} (Debian: openjdk-17-source)")
    files = sorted(OVERLAY.rglob("*.java"))
    ours = [body for path in files for body in bodies(path.relative_to(ROOT), path.read_text())]
    replaced = {f"{path.parent.relative_to(OVERLAY.parent).as_posix()}" for path in files}
    with zipfile.ZipFile(sources[0]) as archive:
        wanted = (lambda name: name.startswith(tuple(CONTROL))) if options.control else (lambda name: name.rpartition("/")[0] in replaced)
        theirs = [body for name in archive.namelist() if name.endswith(".java") and wanted(name) for body in bodies(name, archive.read(name).decode())]
    runs = common_runs(ours, theirs)
    if not theirs:
        sys.exit(f"tests/check_provenance.py: {sources[0]} has none of the packages that are replaced")
    for found, body, first, last, other, start in runs[:10] if options.control else [run for run in runs if run[0] > LIMIT]:
        print(f"{body.path}:{body.lines[first]}-{body.lines[last]}: {last - first + 1} tokens ({found}) as in {other.path}:{other.lines[start]}")
    longest = runs[0][0] if runs else 0
    print(f"{len(ours)} bodies of the overlay, {len(theirs)} of the JDK: the longest common run has {longest}, the limit is {LIMIT}")
    sys.exit(0 if options.control or longest <= LIMIT else 1)


main()
