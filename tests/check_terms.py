#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that private words do not occur where the field has a word, and that openers begin with a noun or a verb.

  check_terms.py                   fails on a term, a phrase or an opener that is not allowed
  check_terms.py --report          counts per folder and pattern
  check_terms.py --report FOLDER   lists each place, with the word to write instead

TERMS are private words for which the field has a word. PHRASES are wordings that readers had to read twice. An opener
is the first sentence of a source, or a cell in which a README says what a file is. ALLOWED has uses of such words with
another meaning. The glossary (docs/glossary.md) has the private words that the tree may use, and the tree must use each
of these words.
"""
import collections
import itertools
import pathlib
import re
import sys

from tree_files import tree_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
GLOSSARY = "docs/glossary.md"
SUFFIXES = {".h", ".cpp", ".def", ".md", ".py", ".ts", ".java", ".cmake"}

TERMS = {   # {pattern: what to write instead}
    r"homeless": "without a stack slot",
    r"unmade": "scalar-replaced",
    r"make_where_needed": "partial_escape",
    r"told_to": "attributes",
    r"OnlyMethod|only_method": "unique concrete method",
    r"gather_marks|gathers? marks": "coalesced card marks",
    r"lead_calls_to|leads? calls to": "set the entry point",
    r"lead_out|leads? out of": "patch return addresses for deoptimization",
    r"counting code": "profiled code",
    r"too dear": "over budget",
    r"hot again|lost_code|lost code": "recompilation after deoptimization",
    r"failed_guess(?:es)?|failed guess(?:es)?": "failed speculation",
    r"errands?": "deferred unpark",
    r"(?:next|private) life": "recycled",
    r"seats?|give_seat|sits? down": "current thread of a carrier; mount, unmount",
    r"heirs?": "successor",
    r"(?:takes?|took) its name back": "withdraws",
    r"naps?": "timed wait",
    r"impatien(?:t|ce)": "starving",
    r"saturated": "contended",
    r"set aside": "culled",
    r"stand[-_]ins?": "placeholder",
    r"fresh objects?": "one-shot lock",
    r"(?:its|their) faces?": "public interface",
    r"fates?": "evacuation decision",
    r"census": "region statistics",
    r"manners": "release-specific behaviour",
    r"carries_reflective_call": "reflection frame",
    r"begin_anew": "restart",
    r"lock_runs?|LockRuns?": "coalesced lock events",
    r"status [012]\b": "the constant's name",
    r"on every way": "on every path",
}
PHRASES = [
    "of which",
    "who leaves?",
    "so many",
    r"(?<!there.)is (?-i:none)",   # but neither "there is none" nor Python's None
    "anew",
    "eldest",
    "the one that [^.]{,80} the other that",
]
BANNED_FIRST = r"(?:What|Which|Who|Whom|Where|How)\b"
OPENER = "opener"

# Maps (path or folder, allowed pattern) to the reason why files of that path may contain the pattern.
ALLOWED = {
    ("docs/glossary.md", ".*"): "defines them",
    ("tests/check_terms.py", ".*"): "lists them",
    ("examples/DiningPhilosophers.java", "seats?.*"): "philosophers sit at a table",
    ("tests/libraries/CommonsLang.java", "seats?.*"): "a word of a text",
    ("docs/lessons", "opener"): "a lesson is named by its question",
    ("docs/howto", "opener"): "a how-to is named by its task",
    ("docs/locks/hashchains.md", "impatien.*"): "the paper's name of a bit",
    ("bench/kernels/CacheChurn.java", "eldest"): "the JDK's name of a parameter",
    ("runtime/base/log_tags.h", "census"): "a tag of HotSpot's log",
}


def compiled(pattern):
    """Returns a pattern that matches whole words only, and phrases also across the lines of a comment."""
    gap = r"(?:[ \t]+|[ \t]*\n[ \t]*(?://|#|\*)?[ \t]*)"
    pattern = pattern.replace(" ", gap)
    return re.compile(r"(?<![A-Za-z])(?:" + pattern + r")(?![A-Za-z])", re.IGNORECASE)


def cores(pattern):
    """Returns a list of words. Each text that matches the pattern contains at least one word of the list. The script
    first searches a text for these words, which is a hundred times faster."""
    if not re.search(r"\([^)]*\|", pattern):
        return [core for part in pattern.split("|") for core in cores_of_one(part)]
    return cores_of_one(pattern)


def cores_of_one(pattern):
    plain = re.sub(r"\(\?<![^)]*\)|\(\?:[^)]*\)\??|\[[^]]*\](?:\{[^}]*\})?|\w\?", "~", pattern)
    return [max(re.findall("[a-z_]+", plain.lower()), key=len)]


PATTERNS = {pattern: (compiled(pattern), cores(pattern)) for pattern in [*TERMS, *PHRASES]}


def sources():
    for name in tree_files():
        path = ROOT / name
        if name.startswith("."):
            continue
        if path.suffix in SUFFIXES or not path.suffix and path.read_bytes()[:2] == b"#!":
            yield name, path.read_text(errors="replace")


def openers(name, text):
    """Yields (line, sentence): a source's first comment, and the cells of a README that say what a file is."""
    lines = text.splitlines()
    if name.endswith("README.md"):
        for number, line in enumerate(lines, 1):
            cells = re.match(r"\| \[?`[^|]*\| ([^|]*) \|$", line)
            if cells and cells.group(1) != "what":
                yield number, cells.group(1)
        return
    for number, line in enumerate(lines[:12], 1):
        if "SPDX" in line or line.startswith("#!") or not line.strip(' /*#"'):
            continue
        comment = re.match(r'(?://|#|/\*+|"""|\s+\*)\s*(.*)', line)
        if comment:
            yield number, comment.group(1)
        return


def findings():
    for name, text in sources():
        lowered = text.lower()
        for pattern, (regex, words) in PATTERNS.items():
            if not any(word in lowered for word in words):
                continue
            for match in regex.finditer(text):
                yield name, text.count("\n", 0, match.start()) + 1, pattern, " ".join(match.group().split())
        for number, sentence in openers(name, text):
            if re.match(r"(?:[\w:<>-]+: )?" + BANNED_FIRST, sentence, re.IGNORECASE):
                yield name, number, OPENER, sentence[:60]


def is_under(name, folder):
    return name == folder or name.startswith(folder + "/")


def is_allowed(name, pattern):
    return any(is_under(name, where) and re.fullmatch(allowed, pattern) for where, allowed in ALLOWED)


def glossary_faults():
    """Yields faults of the glossary: each word must occur in at least two other files, and must not be in TERMS."""
    texts = [text.lower() for name, text in sources() if name not in (GLOSSARY, "tests/check_terms.py")]
    for row in re.findall(r"^\| ([^|]+) \| ", (ROOT / GLOSSARY).read_text(), re.MULTILINE):
        for word in row.split(", "):
            if word in ("word", "---"):
                continue
            replaced = [new for old, new in TERMS.items() if re.fullmatch(old, word, re.IGNORECASE)]
            if replaced:
                yield f"{GLOSSARY}: {word}: write {replaced[0]}"
            spellings = {word.lower().replace(" ", joint).replace("-", joint) for joint in " -_"}
            users = (text for text in texts if any(spelling in text for spelling in spellings))
            if len(list(itertools.islice(users, 2))) < 2:
                yield f"{GLOSSARY}: {word} is used nowhere"


def folder_of(name):
    """Returns the upper two levels of the file's folder."""
    return "/".join(name.split("/")[:-1][:2]) or name


def report(found, folders):
    if folders:
        for name, line, pattern, text in found:
            if any(is_under(name, folder) for folder in folders):
                print(f"{name}:{line}: {text}" + (f": {TERMS[pattern]}" if pattern in TERMS else ""))
        return
    counts = collections.defaultdict(collections.Counter)
    for name, _, pattern, _ in found:
        counts[folder_of(name)][pattern] += 1
    for folder, patterns in sorted(counts.items(), key=lambda row: -row[1].total()):
        print(f"{patterns.total():5} {folder:32}", ", ".join(f"{p} {n}" for p, n in patterns.most_common(8)))


def main():
    found = [finding for finding in findings() if not is_allowed(finding[0], finding[2])]
    if "--report" in sys.argv:
        return report(found, [argument for argument in sys.argv[1:] if argument != "--report"])
    faults = [
        f"{name}:{line}: {text}: write {TERMS.get(pattern, 'it plainly')}"
        for name, line, pattern, text in found
    ]
    faults += glossary_faults()
    print("\n".join(faults) if faults else "no term that was replaced")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
