# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a script one after the other. All scripts choose, time and count their tests in this way."""

import subprocess
import time

PROBLEMS = (AssertionError, subprocess.SubprocessError, OSError, KeyError, ValueError)


def run_tests(tests, wanted=(), notes=(), problems=PROBLEMS):
    """Returns the script's exit code. `tests`: pairs of a name and a function; a test fails if its function raises one
    of `problems`. `wanted`: runs only tests whose names contain one of these words; without words, all run. `notes`:
    lines that tests may add; they are printed last."""
    passed, failures = 0, []
    for name, test in tests:
        if wanted and not any(word in name for word in wanted):
            continue
        started = time.monotonic()
        try:
            test()
            passed += 1
        except problems as problem:
            failures.append(f"{name}: {type(problem).__name__}: {problem}")
        print(f"{name} ({time.monotonic() - started:.1f} s)", flush=True)
    for note in notes:
        print(note)
    if failures:
        print("FAILED", *failures, sep="\n")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def by_name(functions):
    return [(function.__name__, function) for function in functions]
