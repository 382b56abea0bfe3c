# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown, and the generated blocks of a page.

A block lies between `<!-- NAME -->` and `<!-- end of NAME -->`. Writing a block replaces the text between these two
comments, and keeps the prose around them. A page without the block gets the block at its end.
"""


def table(head, rows, left=1):
    """Returns a table in Markdown. `left` columns are aligned to the left; the other columns hold figures and are
    aligned to the right."""
    text = [("| " + " | ".join(map(str, line)) + " |").replace("|  |", "| |") for line in [head, *rows]]
    text.insert(1, "|" + "---|" * left + "--:|" * (len(head) - left))
    return "\n".join(text) + "\n"


def plain(head, rows, left=1, columns=80):
    """Returns a table for a terminal: columns side by side, without lines. If the terminal is narrow, there is little
    space between columns."""
    lines = [list(map(str, line)) for line in [head, *rows]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) < columns else " "
    return "\n".join(
        gap.join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    ) + "\n"


def replace_block(page, name, body):
    """Returns the page's text with `body` in the block of this name."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    block = f"{begin}\n{body.strip()}\n{end}"
    if begin not in page:
        return f"{page.rstrip()}\n\n{block}\n".lstrip()
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{begin} has no {end}")
    return before + block + after
