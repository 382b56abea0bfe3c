#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""bench/lib: a page keeps its prose when a block is replaced; ratios, digits, rounds; where figures come from."""

import argparse
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
sys.dont_write_bytecode = True
from lib import markdown, report, rounds, summary  # noqa: E402

PAGE = "# Page\n\nbefore\n\n<!-- a -->\nold\n<!-- end of a -->\n\nverdict\n"


class Blocks(unittest.TestCase):
    def test_replaces_the_block_alone(self):
        self.assertEqual(markdown.replace_block(PAGE, "a", "new\n"), PAGE.replace("old", "new"))

    def test_a_name_is_not_its_beginning(self):
        page = PAGE.replace("<!-- a", "<!-- a --short").replace("end of a", "end of a --short")
        self.assertEqual(markdown.replace_block(page, "a", "new"), page + "\n<!-- a -->\nnew\n<!-- end of a -->\n")

    def test_a_block_without_end_is_an_error(self):
        with self.assertRaises(ValueError):
            markdown.replace_block("<!-- a -->\nold\n", "a", "new")

    def test_table(self):
        self.assertEqual(markdown.table(["", "x"], [["one", 1]]), "| | x |\n|---|--:|\n| one | 1 |\n")


class Summaries(unittest.TestCase):
    def test_spread(self):
        self.assertEqual(summary.spread([3, 1, 2]), "2.00 (1.00–3.00)")
        self.assertEqual(summary.spread([]), "–")

    def test_rounds_without_a_divisor_drop_out(self):
        self.assertEqual(summary.ratios([1, 2], [0, 4]), [0.5])

    def test_geometric_mean(self):
        self.assertAlmostEqual(summary.geometric_mean([1, 4]), 2)

    def test_digits(self):
        self.assertEqual([summary.figure(value) for value in (1.2345, 99.96, 1234.5)], ["1.23", "100", "1234"])
        self.assertEqual([summary.millions(value) for value in (1.234e6, 56.78e6)], ["1.23", "56.8"])

    def test_each_case_runs_once_before_any_runs_again(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(list(rounds.interleaved(2, "ab")), [(0, "a"), (0, "b"), (1, "a"), (1, "b")])


class Origins(unittest.TestCase):
    def test_says_what_was_measured_and_not_where(self):
        parser = argparse.ArgumentParser()
        report.add_write_options(parser)
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            options = parser.parse_args(["--markdown", str(page)])
            arguments = sys.argv
            sys.argv = ["compare", "kernels", "--rounds", "7", "--vm", "/some/where", f"--markdown={page}"]
            try:
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    one = report.Report("bench/compare kernels", "kernels.md", options)
                    one.table(["kernel"], [["Fib"]])
                    one.finish()
            finally:
                sys.argv = arguments
            text = page.read_text()
        self.assertRegex(
            text, r"^<!-- bench/compare kernels -->\n`bench/compare kernels --rounds 7`; \d{4}-\d\d-\d\d; \d+ CPUs, "
        )
        self.assertRegex(text, r"GiB; commit \w+")
        self.assertNotIn("/some/where", text)


if __name__ == "__main__":
    unittest.main()
