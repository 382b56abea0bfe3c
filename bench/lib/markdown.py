# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown, and the generated blocks of a page.

A block lies between `<!-- NAME -->` and `<!-- end of NAME -->`. Writing it replaces what is between them and leaves the
prose around them alone; a page without the block gets it at its end.
"""


def table(head, rows, left=1):
    """`left` columns are aligned to the left, the others, which hold figures, to the right."""
    text = [("| " + " | ".join(map(str, line)) + " |").replace("|  |", "| |") for line in [head, *rows]]
    text.insert(1, "|" + "---|" * left + "--:|" * (len(head) - left))
    return "\n".join(text) + "\n"


def replace_block(page, name, body):
    """The page's text with this body in the block of this name."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    block = f"{begin}\n{body.strip()}\n{end}"
    if begin not in page:
        return f"{page.rstrip()}\n\n{block}\n".lstrip()
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{begin} has no {end}")
    return before + block + after
