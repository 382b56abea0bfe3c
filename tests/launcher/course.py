#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests docs/course/judge: for each exercise, it accepts a right answer, and refuses a nearly right one with the
reason. Answers that are programs are in course/right and course/wrong; the third line of each names its exercise.

In two exercises the student adds a lock and a collector's plan to the tree. tests/howto/run.py tests the judge of these
two, with the lock and the plan that the pages of docs/howto add.
"""
import collections
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from chosen_home import chosen_home
from test_loop import run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
chosen_home()
VM = pathlib.Path(os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole")))
PROGRAMS = pathlib.Path(__file__).resolve().parent / "course"
JUDGE = ROOT / "docs" / "course" / "judge"
# The judge's reason for refusing each wrong program.
REASONS = {
    "1.2": "no Subject is inflated in the mode legacy",
    "2.1": "no Subject is inflated because of 'lock stack full'; causes: contention, wait",
    "2.2": "the Subject with most events has only these: inflate",
    "3.1": "no thread waits for one that itself waits for a third",
    "3.2": "no thread waits on a Subject for 100 ms, in vain",
    "3.3": "it fails with 1 preemptions: java.lang.AssertionError: 1 and 1",
    "4.1": "wanted: 3 and 2",
    "5.1": r"gives monitors to objects \d+ times, not 100000",
    "5.2": r"\d+ steps along chains for \d+ locks: not four times as many",
    "6.1": "no Subject is moved twice and then found dead",
    "6.2": "the program asks for a collection",
    "7.1": "the thread 'main' initialises it, not 'worker'",
    "7.2": "no class Plugin is unloaded; unloaded: none",
    "8.1": "is retired because it deoptimizes too often",
    "8.2": "compiled, it still takes 20000 of 20000",
}
REASONS_OF = {"TwoWithOneName.java": "more than one thread uses the object"}
# {number of the exercise: (words of a right answer, words of a wrong answer, the reason for refusing the wrong answer)}
WORDS = {
    "1.1": (["01->00", "00->10", "10->10", "10->10"], ["01->00 00->10 10->10 10->01"], "word 4 is another one"),
    "4.2": (["monitor,legacy"], ["legacy", "monitor", "lightweight"], "lightweight needs none"),
}
# Exercises that ask for the line of a fault: {number of the exercise: (file, text of the line)}
PLACES = {
    "9.1": ("runtime/sync/algorithms/lightweight_fast_path.h", "W::cas(header, word, word | layout::unlocked, Order::release)"),
    "9.2": ("runtime/sync/monitor/object_monitor.h", "W::fence();  // R1"),
    "9.3": ("runtime/sync/monitor/object_monitor.h", "compare_exchange_strong(waiting, State::Entering"),
}


def judge(*words, expected=0):
    done = subprocess.run([JUDGE, *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == expected, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def programs(way):
    """Returns {number: files}"""
    found = collections.defaultdict(list)
    for path in sorted(PROGRAMS.joinpath(way).glob("*.java")):
        found[re.match(r"// (\d+\.\d): ", path.read_text().splitlines()[2])[1]].append(path)
    return found


def check_program(number):
    right, = programs("right")[number]
    said = judge(number, right)
    assert said.startswith(f"{number} solved: "), said
    for wrong in programs("wrong")[number]:
        said = " ".join(judge(number, wrong, expected=1).split())
        assert said.startswith(f"{number} not yet: "), said
        assert any(re.search(reason, said) for reason in (REASONS[number], REASONS_OF.get(wrong.name, "$^"))), said


def check_words(number):
    right, wrong, reason = WORDS[number]
    assert f"{number} solved: " in judge(number, *right)
    assert reason in judge(number, *wrong, expected=1)


def check_place(number):
    header, text = PLACES[number]
    lines = (ROOT / header).read_text().splitlines()
    line, = [place for place, words in enumerate(lines, 1) if text in words]
    shown = judge(number)
    # The judge's text must not contain a mutant's name, which would reveal the fault.
    mutants = re.findall(r"^mutant (\S+)$", (ROOT / "tests" / "model" / "mutants.def").read_text(), re.MULTILINE)
    assert not any(name in shown for name in mutants), shown[-500:]
    assert header.split("/")[-1] in shown or number == "9.1", shown[-500:]
    assert f"{number} solved: " in judge(number, f"{header}:{line}")
    assert f"line {line + 20} is as it should be" in judge(number, f"{header}:{line + 20}", expected=1)
    assert "header.h is as it should be" in judge(number, "header.h:1", expected=1)
    judge(number, "somewhere", expected=2)


def check_page():
    """The page and the judge have the same exercises, which the page divides among ten evenings. Every exercise has a
    test."""
    page = (ROOT / "docs" / "course" / "README.md").read_text()
    assert re.findall(r"^## (\d+)\. ", page, re.MULTILINE) == [str(number) for number in range(1, 11)]
    written = re.findall(r"^\*\*(\d+\.\d)\*\* ", page, re.MULTILINE)
    tested = {*programs("right"), *WORDS, *PLACES, "10.1", "10.2", "10.3"}
    assert set(written) == tested and len(written) == len(tested), set(written) ^ tested
    assert programs("right").keys() == programs("wrong").keys() == REASONS.keys()
    listed = judge()
    assert re.findall(r"^  (\d+\.\d)  ", listed, re.MULTILINE) == written, listed
    for number in written:
        assert judge(number, "--explain").strip(), number
        text = judge(number) if number not in PLACES else ""
        assert all(len(line) <= 80 for line in text.splitlines()), text
    assert all(len(line) <= 80 for line in listed.splitlines()), listed
    for lessons in re.findall(r"^`\./keyhole --explain ([^;.\[]*)", page, re.MULTILINE):
        for topic in re.findall(r"[a-z0-9-]+", lessons):
            assert (ROOT / "docs" / "lessons" / f"{topic}.md").exists(), topic


def check_marks():
    """Judges two students and a folder without answers: the marks are on stdout, the reasons on stderr."""
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in (("anna", ["1.1 01->00 00->10 10->10 10->10", "", "# a program", "1.2 HashedWhileHeld.java"]),
                            ("bert", ["1.1 01->00", "1.1 twice", "12.1 word", "4.2", "1.2 absent.java"])):
            student = pathlib.Path(folder, name)
            student.mkdir()
            (student / "answers.txt").write_text("\n".join(lines))
        shutil.copy(PROGRAMS / "right" / "HashedWhileHeld.java", pathlib.Path(folder, "anna"))
        pathlib.Path(folder, "notes").mkdir()
        done = subprocess.run([JUDGE, "--marks", folder], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done
        rows = list(csv.DictReader(done.stdout.splitlines()))
        assert [row["student"] for row in rows] == ["anna", "bert"], done.stdout
        assert [(row["1.1"], row["1.2"], row["2.1"], row["solved"]) for row in rows] == [
            ("1", "1", "", "2"), ("0", "0", "", "0")], done.stdout
        for words in ("anna 1.2 solved: ", "bert 1.1 not yet: there are 4 events, not 1", "1.1: a second answer",
                      "12.1: there is no such exercise", "4.2: the answer is missing",
                      "bert 1.2 cannot be judged: this exercise takes a source file"):
            assert words in done.stderr, done.stderr
        assert "has a file answers.txt" in judge("--marks", pathlib.Path(folder, "notes"), expected=2)
    assert "takes one folder" in judge("--marks", expected=2)


def check_bad_input():
    assert "there is no exercise 11.1" in judge("11.1", expected=2)
    assert "takes a source file, NAME.java; there is no file absent.java" in judge(
        "2.1", "absent.java", expected=2)
    assert "takes one answer, not 2" in judge("2.1", "a.java", "b.java", expected=2)
    assert "lightweight came with the tree" in judge("10.1", "lightweight", expected=1)
    assert "-XX:+PrintLockingModes has no my-lock" in judge("10.1", "my-lock", expected=1)
    assert "generational came with the tree" in judge("10.2", "generational", expected=1)
    assert "there is no file none.h" in judge("10.3", "none.h", expected=2)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "Mine.h")
        text = (ROOT / "examples" / "locks" / "ticket.h").read_text()
        path.write_text(text.replace("Ticket", "Mine"))
        assert "it came with the tree" in judge("10.3", path, expected=1)
        path.write_text(text.replace("held.mine + 1", "1 + held.mine"))
        assert "10.3 solved: " in judge("10.3", path)
        path.write_text(text.replace("    crowd.changed(self);\n", ""))
        assert "the model checker refuses it" in judge("10.3", path, expected=1)
    assert "there is no plan my-plan" in judge("10.2", "my-plan", expected=1)
    assert judge("--help").startswith("Judges answers")


def check_what_came_with_the_tree():
    sys.path.insert(0, str(JUDGE.parent))
    import exercises
    table = subprocess.run([VM, "-XX:+PrintLockingModes", "-version"], capture_output=True, text=True).stdout
    assert re.findall(r"^(\S+) +(?:\d+|-) ", table, re.MULTILINE) == exercises.MODES, table
    plans = re.findall(r"^GC_PLAN\((\w+)", (ROOT / "gc" / "plans.def").read_text(), re.MULTILINE)
    assert sorted(plans) == sorted(exercises.PLANS), plans


def main():
    tests = [(number, lambda number=number: check_program(number)) for number in sorted(REASONS)]
    tests += [(number, lambda number=number: check_words(number)) for number in WORDS]
    if (VM.parent / "modelcheck").exists():
        tests += [(number, lambda number=number: check_place(number)) for number in PLACES]
        notes = []
    else:
        notes = ["left out: 9.1, 9.2, 9.3: modelcheck is not built"]
    tests += [("page", check_page), ("marks", check_marks), ("bad-input", check_bad_input), ("tree", check_what_came_with_the_tree)]
    return run_tests(tests, sys.argv[1:], notes)


if __name__ == "__main__":
    sys.exit(main())
