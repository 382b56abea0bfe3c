# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The text of a generated program as a tree of removable parts, so that a program can be made smaller without knowing
Java.

    Text    pieces in a row, strings and further nodes
    Many    items that may be left out, each on its own: statements, members, cases, catch clauses
    Value   an expression: another expression of its type may stand in its place

An edit is a node and its replacement. An edit may make a program invalid, so shrink.py compiles the program after each
edit.
"""

DEFAULTS = {
    "boolean": "false",
    "byte": "(byte) 0",
    "short": "(short) 0",
    "char": "(char) 0",
    "int": "0",
    "long": "0L",
    "float": "0f",
    "double": "0d",
    "String": '""',
}


class Text:
    def __init__(self, *pieces):
        self.pieces = list(pieces)

    def children(self):
        return [piece for piece in self.pieces if not isinstance(piece, str)]

    def write(self, out):
        for piece in self.pieces:
            if isinstance(piece, str):
                out.append(piece)
            else:
                piece.write(out)


class Many(Text):
    """A list of items that may be left out one by one. Each item of `self.pieces` ends its own line."""


class Value(Text):
    def __init__(self, type, *pieces):
        super().__init__(*pieces)
        self.type = type

    def write(self, out):
        out.append("((Object) (" if self.type == "Object" else "(")   # so that casts of the result may fail
        super().write(out)
        out.append("))" if self.type == "Object" else ")")


def text_of(node):
    out = []
    node.write(out)
    return "".join(out)


def below(node):
    """Yields the node and all nodes below it, larger ones first."""
    level = [node]
    while level:
        yield from level
        level = [child for each in level for child in each.children()]


def size_of(node):
    return len(text_of(node))


def smaller_values(value):
    """Returns replacements of an expression: the default value of its type, and the expressions of its type inside
    it."""
    default = DEFAULTS.get(value.type, f"({value.type}) null")
    if text_of(value) != f"({default})":
        yield [default]
    for inner in below(value):
        if inner is not value and isinstance(inner, Value) and inner.type == value.type:
            yield [inner]


def hoisted(item):
    """Returns replacements of a compound statement: the lists of statements in it."""
    for inner in below(item):
        if inner is not item and isinstance(inner, Many) and inner.pieces:
            yield inner
