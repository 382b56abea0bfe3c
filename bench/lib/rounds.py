# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Interleaves rounds: each case runs once before any case runs again, so a busy minute affects all cases alike."""

import sys


def interleaved(rounds, cases, quiet=False):
    """Yields (number of the round from 0, case). Unless `quiet`, reports the end of each round on stderr."""
    cases = list(cases)
    for number in range(rounds):
        for case in cases:
            yield number, case
        if not quiet:
            print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
