# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs mutexbench on the simulated machine for figures 1 to 3 of Dice & Kogan's paper. Several commands use these
runs."""

import json
import pathlib
import sys

from lib.processes import json_results

THREADS = [1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 60, 72]
FIGURES = {1: (0, 0, "maximum contention"), 2: (1, 200, "moderate contention"), 3: (1, 1000, "light contention")}


def simulate(bench, arguments, json_file):
    return json_results([bench, "--world", "simulated"] + arguments, json_file)


def spin_flags(spin):
    """Returns the flags for the spinning of a waiter before it parks. "paper": 2500 PAUSEs; "default": half the
    cost of parking and waking up in the cost model."""
    return ["--flag", "SpinPauses=2500"] if spin == "paper" else []


def collect(bench, seconds, runs, spin, json_file, others=()):
    """Executes the runs of all figures, with `seconds` of simulated time and `runs` seeds each, and returns their
    results. Also writes them to the file. `others` are further arguments of mutexbench."""
    results = []
    for number, (csl, ncsl, _) in FIGURES.items():
        print(f"figure {number} ...", file=sys.stderr)
        results += simulate(
            bench,
            [
                "--algorithm",
                "all",
                "--threads",
                ",".join(map(str, THREADS)),
                "--csl",
                csl,
                "--ncsl",
                ncsl,
                "--seconds",
                seconds,
                "--runs",
                runs,
            ]
            + spin_flags(spin)
            + list(others),
            json_file,
        )
    pathlib.Path(json_file).write_text(json.dumps({"spin": spin, "seconds": seconds, "results": results}))
    return results
