#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests bench/explore: the arithmetic of its tables, and a run with two programs.

tests/bench/explore_test.py      needs build/release, or the Keyhole binary that the variable KEYHOLE names
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))
sys.dont_write_bytecode = True
from lib import explorations  # noqa: E402
from lib.explorations import Result  # noqa: E402


def found(schedules, seconds, cpu_seconds=1.0):
    return Result(True, schedules, seconds, cpu_seconds, "failure")


def missed(schedules, seconds, end="complete"):
    return Result(False, schedules, seconds, 1.0, end)


class Tables(unittest.TestCase):
    def test_medians_are_of_the_explorations_that_found_the_fault(self):
        runs = [found(10, 1.0, 2.0), found(30, 2.0, 4.0), missed(5000, 60.0)]
        self.assertEqual(explorations.cells(runs), ["2 of 3", "20", "1.5", "3", "12.5"])

    def test_a_miss_says_why_and_how_many_schedules(self):
        self.assertEqual(explorations.cells([missed(5000, 50.0)]), ["no: complete", "> 5,000", "50", "1", "100"])
        self.assertEqual(explorations.cells([missed(None, 5.0, "killed")]), ["no: killed", "–", "5", "1", "–"])

    def test_the_last_row_has_the_medians_of_all_that_were_found(self):
        rows = explorations.table_rows({"A": [found(1, 1.0)], "B": [found(3, 2.0)], "C": [missed(100, 9.0)]})
        self.assertEqual(rows[-1], ["median of those found", "", "2", "1.5", "1", "1.25"])
        self.assertEqual([len(row) for row in rows], [len(explorations.HEAD)] * 4)
        self.assertEqual(len(explorations.table_rows({"C": [missed(100, 9.0)]})), 1)

    def test_counts_programs_of_each_suite(self):
        sctbench = {"AccountBad": [missed(1, 1.0), found(1, 1.0)], "Lazy01Bad": [missed(9, 1.0)]}
        runs = sctbench | {"Pool149": [found(2, 1.0)]}
        self.assertEqual(explorations.count_text(runs), "Found: 1 of 2 (sctbench), 1 of 1 (jacontebe).")


class Reports(unittest.TestCase):
    def test_ends_of_explorations(self):
        report = {"verdict": "none", "uncontrolled": "", "complete": False, "finished_bound": None}
        report |= {"stopped": "after 10 s", "schedules": 7, "seconds": 10.0}
        self.assertEqual(explorations.result_of(report, 2.0), Result(False, 7, 10.0, 2.0, "stopped after 10 s"))
        for change, end in [({"complete": True}, "complete"), ({"uncontrolled": "uses sockets"}, "uses sockets"),
                            ({"finished_bound": 2, "stopped": ""}, "complete up to 2 preemptions")]:
            self.assertEqual(explorations.result_of(report | change, 2.0).end, end)
        result = explorations.result_of(report | {"verdict": "failure", "failure": "a deadlock"}, 2.0)
        self.assertEqual((result.found, result.end), (True, "a deadlock"))
        result = explorations.result_of(report | {"verdict": "uncontrolled", "failure": "a deadlock"}, 2.0)
        self.assertEqual((result.found, result.end), (False, "the replay of the failure had other events: a deadlock"))


class Programs(unittest.TestCase):
    def test_the_readme_lists_each_program_with_its_fault(self):
        readme = (explorations.PROGRAMS / "README.md").read_text()
        listed = dict(re.findall(r"(?m)^\| `(\w+)` \| (.*?) \| \d+ \|$", readme))
        self.assertEqual(set(listed), set(explorations.programs()))
        for name, source in explorations.programs().items():
            comment = " ".join(line[3:] for line in source.read_text().splitlines()[3:] if line.startswith("// "))
            self.assertTrue(comment.startswith(listed[name]), name)

    def test_two_programs(self):
        vm = os.environ.get("KEYHOLE", ROOT / "build" / "release" / "keyhole")
        with tempfile.TemporaryDirectory() as folder:
            samples, page = pathlib.Path(folder) / "samples.json", pathlib.Path(folder) / "page.md"
            for name in ("Deadlock01Bad", "Jdk7132378"):
                words = [BENCH / "explore" / "explore", "--only", name, "--schedules", 1000, "--vm", vm]
                words += ["--json", samples, "--markdown", page]
                done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^\| {name} \| yes \| \d+ \|")
                (result,) = json.loads(samples.read_text())["auto"][name]
                self.assertTrue(result["found"])
                self.assertIn("<!-- bench/explore/explore -->", page.read_text())


if __name__ == "__main__":
    unittest.main()
