# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Judges the answers of a class and prints the marks as CSV: a row for each student, a column for each exercise."""

import csv
import os
import pathlib
import sys

from exercises import EXERCISES, NotYet, Unable


def answers_of(folder):
    """Returns {number: words of the answer} of a student. A word that names a file of the student's folder becomes the
    file's path."""
    answers = {}
    for place, line in enumerate((folder / "answers.txt").read_text().splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        number, *answer = words
        if number not in EXERCISES or not answer or number in answers:
            what = ("there is no such exercise" if number not in EXERCISES else
                    "the answer is missing" if not answer else "a second answer")
            print(f"{folder.name}: answers.txt:{place}: {number}: {what}", file=sys.stderr)
            continue
        answers[number] = [str(folder / word) if (folder / word).is_file() else word for word in answer]
    return answers


def mark_of(student, number, answer):
    try:
        print(f"{student} {number} solved: {EXERCISES[number].judge(answer)}", file=sys.stderr)
        return 1
    except NotYet as reason:
        print(f"{student} {number} not yet: {reason}", file=sys.stderr)
    except Unable as reason:
        print(f"{student} {number} cannot be judged: {reason}", file=sys.stderr)
    return 0


def print_marks(words):
    """Prints a row for each student. Returns the exit code: 2 if there is no student."""
    if len(words) != 1:
        print("judge: --marks takes one folder, which has a folder for each student", file=sys.stderr)
        return 2
    folders = sorted(path.parent for path in pathlib.Path(words[0]).glob("*/answers.txt"))
    if not folders:
        print(f"judge: no folder in {words[0]} has a file answers.txt", file=sys.stderr)
        return 2
    table = csv.writer(sys.stdout, lineterminator=os.linesep)
    table.writerow(["student", *EXERCISES, "solved"])
    for folder in folders:
        answers = answers_of(folder)
        marks = {number: mark_of(folder.name, number, answer) for number, answer in answers.items()}
        table.writerow([folder.name, *(marks.get(number, "") for number in EXERCISES), sum(marks.values())])
        sys.stdout.flush()
    return 0
