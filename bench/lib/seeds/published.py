# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of the five documents, from seeds.toml."""

import pathlib
import tomllib

FILE = pathlib.Path(__file__).resolve().parent.parent / "seeds.toml"
READ = tomllib.loads(FILE.read_text())
NAMES = list(READ["tables"])


class Published:
    """One table of a document. It has `columns`, `rows`, `unit`, `machine`, and its place in the document."""

    def __init__(self, name):
        self.__dict__ |= READ["tables"][name]
        self.title = READ["documents"][self.document]["title"]
        self.source = READ["documents"][self.document]["source"]

    def place_in_words(self):
        return f"Figures of the document ({self.place}), in {self.unit}, measured on {self.machine}."


def document_in_words(name):
    one = READ["documents"][name]
    return f"{one['title']}; {one['source']}."


def gain(before, after):
    """Returns the gain in speed in per cent: a change from 200 ms to 100 ms is a gain of 100 %, as in these
    documents."""
    return (before / after - 1) * 100


def gain_in_words(percent):
    return f"{percent:+.1f} %"
