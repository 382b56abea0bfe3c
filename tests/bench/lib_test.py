#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests bench/lib: a page keeps its prose when a generated block is replaced, ratios and digits are computed and
rounded correctly, pages name the origin of their numbers, and samples are kept. Also checks the numbers in the
published documents, and the tables that `bench/compare seeds` makes about these documents."""

import argparse
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
sys.dont_write_bytecode = True
from lib import gc_log, kept, large, markdown, progress, report, rounds, summary  # noqa: E402
from lib.seeds import suite  # noqa: E402
from lib.seeds.published import NAMES, Published, gain  # noqa: E402

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


    def test_plain_table(self):
        self.assertEqual(markdown.plain(["", "x"], [["one", 1], ["two", 10]]), "      x\none   1\ntwo  10\n")


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

    def test_young_pauses(self):
        log = "GC(0) Pause Young (Normal) 2M->1M(4M) 1.500ms\nGC(1) Pause Full 4M->1M(4M) 9.000ms\nGC(2) Pause Young 2.25ms"
        self.assertEqual(gc_log.young_pauses(log), [1.5, 2.25])


class KeptSamples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "samples.json"

    def test_go_on_where_they_were(self):
        first = kept.Kept(self.file, {"seconds": 1})
        first.measure(("a", 2), lambda: [1.5])
        again = kept.Kept(self.file, {"seconds": 1})
        self.assertEqual(again.samples, {("a", 2): [1.5]})
        self.assertEqual(again.missing([("a", 2), ("b", 2)], 3), 5)

    def test_of_another_key_are_dropped(self):
        kept.Kept(self.file, {"seconds": 1}).measure(("a",), lambda: [1])
        self.assertEqual(kept.Kept(self.file, {"seconds": 2}).samples, {})
        self.assertEqual(kept.Kept(self.file, {"seconds": 1}, fresh=True).samples, {})


class ProgressLines(unittest.TestCase):
    def test_one_every_ten_seconds_and_never_wider_than_a_terminal(self):
        now = [0.0]
        out = io.StringIO()
        shown = progress.Progress("part", 30, out, lambda: now[0])
        for step in range(30):
            shown.begin(f"step {step} " + "x" * 100)
            now[0] += 4
            shown.end()
        lines = out.getvalue().splitlines()
        self.assertEqual(len(lines), 10)
        self.assertTrue(lines[1].startswith("[4/30, 2 min left] part: step 3 x"))
        self.assertLess(max(map(len, lines)), 80)


class Documents(unittest.TestCase):
    def test_each_table_has_its_place_and_full_rows(self):
        for name in NAMES:
            table = Published(name)
            self.assertTrue(table.title and table.source and table.place and table.machine and table.unit, name)
            self.assertTrue(all(len(row) == len(table.columns) for row in table.rows), name)

    def test_gains_are_those_that_the_documents_print(self):
        rows = {row[0]: row for row in Published("dacapo-aarch64").rows}
        self.assertEqual([len(Published(name).rows) for name in NAMES[:4]], [18, 18, 20, 16])
        self.assertAlmostEqual(gain(*rows["sunflow"][1:]), 30.67, places=2)
        self.assertAlmostEqual(gain(*rows["tradesoap"][1:]), -2.52, places=2)


class LargeWorkloads(unittest.TestCase):
    TEXT = "iteration 9000000 8000000 1f\n" + "iteration 2000000 1000000 1f\n" * 5 + "compilers 70000000\ncollectors 0\n"

    def test_directives_may_be_repeated(self):
        for name, source in large.workloads().items():
            given = large.directives(source)
            self.assertTrue(int(given["iterations"]) > 2, name)
            for library in given.get("maven", "").split():
                self.assertEqual(library.count(":"), 2, name)

    def test_steady_is_the_last_third(self):
        sample = large.sample_of(self.TEXT + "      12  parks   a thread went to sleep\n", 1.5, 2.5, 2048, 6)
        self.assertEqual([sample["first"], sample["steady"], sample["steady CPU"]], [0.009, 0.002, 0.001])
        self.assertEqual([sample["compilers"], sample["peak"], sample["parks"], sample["unparks"]], [0.07, 2, 12, 0])

    def test_a_digest_that_changes_is_an_error(self):
        with self.assertRaises(SystemExit):
            large.sample_of(self.TEXT.replace("1f", "2f", 1), 1.5, 2.5, 2048, 6)


class Part:
    """A part of `bench/compare seeds` with two cases; the case `simulated` gives the same numbers in each run."""

    name, document, two_cores = "part", "paper", "it shows."

    def __init__(self):
        self.measured = []

    def cases(self):
        return [("a",), ("simulated",)]

    def measure(self, case):
        self.measured.append(case)
        return [1.0]

    def report(self, report, samples):
        report.table(["case", "samples"], [[case[0], len(values)] for case, values in samples.items()])


class Seeds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def quietly(self, what, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            return what(*arguments), out.getvalue()

    def test_what_was_measured_is_not_measured_again(self):
        part = Part()
        samples = kept.Kept(self.folder / "samples.json", {})
        self.assertEqual(self.quietly(suite.measure, part, samples, 2, None)[0], 0)
        self.assertEqual(part.measured, [("a",), ("simulated",), ("a",)])
        self.assertEqual(self.quietly(suite.measure, part, samples, 2, None)[0], 0)
        self.assertEqual(len(part.measured), 3)

    def test_ends_when_the_time_is_over(self):
        part = Part()
        self.assertEqual(self.quietly(suite.measure, part, kept.Kept(self.folder / "none.json", {}), 2, 0)[0], 3)
        self.assertEqual(part.measured, [])

    def test_measures_what_is_simulated_alone(self):
        part = Part()
        samples = kept.Kept(self.folder / "samples.json", {})
        self.assertEqual(self.quietly(suite.measure, part, samples, 2, None, True)[0], 2)
        self.assertEqual(part.measured, [("simulated",)])

    def test_a_report_is_narrow_on_the_terminal_and_markdown_on_the_page(self):
        parser = argparse.ArgumentParser()
        report.add_write_options(parser)
        page = self.folder / "page.md"
        samples = kept.Kept(self.folder / "samples.json", {})
        samples.samples = {("a",): [1.0, 2.0]}
        _, printed = self.quietly(suite.show, Part(), samples, 2, parser.parse_args(["--markdown", str(page)]))
        self.assertIn("case  samples\na           2\n", printed)
        self.assertLess(max(map(len, printed.splitlines())), suite.COLUMNS)
        self.assertIn("<!-- bench/compare seeds --only part -->", page.read_text())
        self.assertIn("| case | samples |\n|---|--:|\n| a | 2 |\n", page.read_text())


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
