# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Prints a report while it grows. With --write, the report becomes a block of a results page, with its origin at the
top."""

import datetime
import pathlib
import shutil
import subprocess
import sys
import textwrap

from lib import markdown
from lib.machine import machine_class
from lib.places import RESULTS, ROOT

# Options of the command that do not influence the figures.
WITH_VALUE = {"--markdown", "--json", "--vm", "--bench", "--keyhole", "--figures", "--other", "--limit"}
ALONE = {"--write", "--readme", "--fresh"}


def add_write_options(parser, *aliases):
    parser.add_argument("--write", *aliases, action="store_true", help="put the tables into the page of bench/results")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="... into this file instead")


def origin(command, machine):
    """Returns the command, the date, the machine and the commit in one line."""
    words, arguments = [], iter(sys.argv[1:])
    for word in arguments:
        option, equals, _ = word.partition("=")
        if option in WITH_VALUE or (option == "--only" and option in command):  # a block for each --only
            equals or next(arguments, None)
        elif option not in ALONE and word not in command.split():
            words.append(word)

    def git(*arguments):
        if shutil.which("git") is None:
            return ""
        return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True).stdout.strip()

    commit = git("rev-parse", "--short=8", "HEAD") or "unknown"
    if git("status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    return f"`{' '.join([command, *words])}`; {datetime.date.today()}; {machine}; commit {commit}."


class Report:
    """One block of a report. `name` is its marker and begins with the command; `page` is in bench/results unless it is
    absolute. `machine` is the measured machine, by default this one. With `columns`, paragraphs and tables are printed
    for a terminal of this width; the page gets Markdown in any case."""

    PAGE_COLUMNS = 120

    def __init__(self, name, page, options, machine=None, columns=None):
        self.name, self.machine, self.text, self.columns = name, machine or machine_class(), [], columns
        self.file = options.markdown or (RESULTS / page if options.write and page else None)
        if options.write and not self.file:
            sys.exit(f"{name} has no page: --markdown FILE")

    def say(self, text=""):
        if self.columns:
            print(textwrap.fill(text, self.columns - 1) + "\n", flush=True)
            self.text.append(self.filled(text) + "\n")
        else:
            print(text, flush=True)
            self.text.append(text)

    def filled(self, text):
        return textwrap.fill(text, self.PAGE_COLUMNS, break_on_hyphens=False, break_long_words=False)

    def table(self, head, rows, left=1):
        if self.columns:
            print(markdown.plain(head, rows, left, self.columns), flush=True)
            self.text.append(markdown.table(head, rows, left))
        else:
            self.say(markdown.table(head, rows, left))

    def picture(self, path, caption):
        """Adds a picture, whose file is beside the page."""
        self.text.append(f"![{caption}]({path})\n")

    def finish(self):
        """Writes the block if --write was given."""
        if self.file:
            page = self.file.read_text() if self.file.exists() else ""
            body = self.filled(origin(self.name, self.machine)) + "\n\n" + "\n".join(self.text)
            self.file.write_text(markdown.replace_block(page, self.name, body))
            print(f"written: {self.file}", file=sys.stderr)
