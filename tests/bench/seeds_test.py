#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests one small part of `bench/compare seeds`: the test measures it in two pieces, prints it for a terminal, and
writes it into a page.

tests/bench/seeds_test.py      needs build/release with its benchmarks
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = ["monitor", "legacy", "lightweight"]


def seeds(*arguments):
    command = [sys.executable, ROOT / "bench" / "compare", "seeds", "--quick", "--only", "churn", *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)


class Churn(unittest.TestCase):
    def test_goes_on_where_it_was_and_shows_each_mode(self):
        begun = seeds("--fresh", "--limit", 0)
        self.assertEqual(begun.returncode, 3, begun.stderr)
        self.assertRegex(begun.stderr, r"churn: \d+ runs are still to be measured; the same command goes on")
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            done = seeds("--markdown", page)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = page.read_text()
            drawn = (page.parent / "seeds" / "churn.svg").exists()
        self.assertLess(max(map(len, done.stdout.splitlines())), 80)
        self.assertNotIn("\x1b", done.stdout)
        for mode in MODES:
            self.assertRegex(done.stdout, rf"(?m)^Keyhole {mode} +\d+ +\d+")
        self.assertIn("<!-- bench/compare seeds --only churn -->", text)
        self.assertEqual(drawn, "no pictures" not in done.stderr, done.stderr)
        self.assertEqual("![" in text, drawn)

        again = seeds("--limit", 0)
        self.assertEqual((again.returncode, again.stdout), (0, done.stdout), "what was measured is printed again")


if __name__ == "__main__":
    unittest.main()
