# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Shows the progress of a long command on stderr: a line that is rewritten on a terminal, elsewhere one every ten seconds."""

import sys
import time

COLUMNS = 79
SECONDS_BETWEEN_LINES = 10


class Progress:
    """Shows the progress through `total` steps of about the same length."""

    def __init__(self, title, total, out=None, clock=time.monotonic):
        self.title, self.total, self.out, self.clock = title, total, out or sys.stderr, clock
        self.done, self.start, self.last = 0, clock(), None

    def line(self, what):
        left = ""
        if self.done:
            seconds = (self.clock() - self.start) / self.done * (self.total - self.done)
            left = f", {seconds / 60:.0f} min left" if seconds >= 90 else f", {seconds:.0f} s left"
        return f"[{self.done + 1}/{self.total}{left}] {self.title}: {what}"[:COLUMNS]

    def begin(self, what):
        """Begins the next step."""
        now = self.clock()
        if self.out.isatty():
            print("\r" + self.line(what).ljust(COLUMNS), end="", file=self.out, flush=True)
        elif self.last is None or now - self.last >= SECONDS_BETWEEN_LINES:
            print(self.line(what), file=self.out, flush=True)
            self.last = now

    def end(self):
        """Ends the step."""
        self.done += 1
        if self.done == self.total:
            self.close()

    def close(self):
        if self.out.isatty():
            print("\r" + " " * COLUMNS + "\r", end="", file=self.out, flush=True)
