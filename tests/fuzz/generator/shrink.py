# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the tree of a program smaller while a condition still holds for the program: leaves out items, replaces
compound statements by the statements in them, and replaces expressions by simpler ones.

Each pass tries every possible edit, the largest ones first. Passes repeat until a pass has changed nothing, or the time
is over.
"""
import time

from tree import Many, Value, below, hoisted, size_of, smaller_values, text_of


def shrink(tree, holds, seconds):
    """Edits `tree` in place. `holds(text)` says whether the program is still accepted and still differs."""
    until = time.monotonic() + seconds
    tried = set()

    def try_edit(node, pieces):
        """Replaces the node's pieces, and keeps the edit if the text is shorter and `holds(text)`."""
        before, node.pieces = node.pieces, pieces
        text = text_of(tree)
        if len(text) < try_edit.length and text not in tried and time.monotonic() < until:
            tried.add(text)
            if holds(text):
                try_edit.length = len(text)
                return True
        node.pieces = before
        return False

    try_edit.length = size_of(tree)
    changed = True
    while changed and time.monotonic() < until:
        length = try_edit.length
        for node in list(below(tree)):
            if isinstance(node, Many):
                leave_out(node, try_edit)
        for node in list(below(tree)):
            if isinstance(node, Many):
                for number in range(len(node.pieces) - 1, -1, -1):
                    item = node.pieces[number]
                    if not isinstance(item, str):
                        for inner in hoisted(item):
                            if try_edit(node, node.pieces[:number] + inner.pieces + node.pieces[number + 1:]):
                                break
        for node in list(below(tree)):
            if isinstance(node, Value):
                for pieces in smaller_values(node):
                    if try_edit(node, pieces):
                        break
        changed = try_edit.length < length


def leave_out(node, try_edit):
    """Tries to leave out runs of neighbouring items: first all items, then half of them, and so on down to single
    items."""
    run = len(node.pieces)
    while run > 0:
        at = 0
        while at < len(node.pieces):
            if not try_edit(node, node.pieces[:at] + node.pieces[at + run:]):
                at += run
        run //= 2
