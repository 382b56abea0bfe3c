# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes copies of programs in which virtual threads take the place of platform threads: of the main thread, of threads
that `new Thread(...)` creates, and of the usual executors' threads. The copies call the class of InPlace.java."""

import re

FLAGS = ["-Djdk.virtualThreadScheduler.parallelism=4"]   # some programs spin
EXECUTORS = {
    r"\bExecutors\.newFixedThreadPool\(([\w.]+)\)": r"Executors.newFixedThreadPool(\1, Thread.ofVirtual().factory())",
    r"\bExecutors\.newScheduledThreadPool\(([\w.]+)\)":
        r"Executors.newScheduledThreadPool(\1, Thread.ofVirtual().factory())",
    r"\bExecutors\.(newCachedThreadPool|newSingleThreadExecutor)\(\)": r"Executors.\1(Thread.ofVirtual().factory())",
}


def end_of_arguments(text, begin):
    """Returns the position after the closing parenthesis of the argument list whose text starts at `begin`. Skips
    comments, and literals of strings and characters."""
    depth = 1
    for found in re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|//[^\n]*|[()]').finditer(text, begin):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if depth == 0:
            return found.end()
    raise ValueError("a parenthesis is not closed")


def on_virtual_threads(text):
    pieces, here = [], 0
    for found in re.finditer(r"\bnew Thread\(", text):
        pieces.append(text[here:found.start()])
        here = found.end()
        is_subclass = text[end_of_arguments(text, here):].lstrip().startswith("{")
        pieces.append(found.group() if is_subclass else "InPlace.thread(")
    text = "".join(pieces) + text[here:]
    text = re.sub(r"([\w.]+(?:\(\))?)\.setDaemon\(true\)", r"InPlace.daemon(\1)", text)
    for plain, virtual in EXECUTORS.items():
        text = re.sub(plain, virtual, text)
    return text


def is_suitable(text):
    """Returns whether a copy of the program should run on virtual threads. Programs with one carrier are left out,
    because a main thread that spins would keep the other threads from running."""
    if "// virtual: no" in text or "virtualThreadScheduler.parallelism=1" in text:
        return False
    return re.search(r"\bnew Thread\(|Executors\.new|\bsynchronized\b|\.wait\(", text)


def copy(source, runner, target):
    """Writes the copy of a program, unless it is up to date. The copy is for library 25, whichever library the
    original is for."""
    text = re.sub(r"^// since: .*\n", "", source.read_text(), flags=re.M)
    appended = re.sub(r"^//.*\n", "", runner.read_text(), flags=re.M)
    made = "// since: 25\n" + on_virtual_threads(text) + "\n" + appended
    if not target.exists() or target.read_text() != made:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(made)
