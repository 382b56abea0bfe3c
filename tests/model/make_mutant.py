#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a mutant: a copy of a header with some lines replaced (mutants.def).

  make_mutant.py DEFINITIONS --list                      NAME|SUBJECT|SUBJECT_FILE|HEADER|SENTENCE|pictures or -, each a line
  make_mutant.py DEFINITIONS NAME SOURCE_ROOT OUTPUT     writes the edited header

The lines to replace are compared with the header token by token, so line breaks and indentation do not count. These
lines must occur exactly once in the header. An `old` after a `new` begins another edit.
"""
import pathlib
import re
import sys


def read(path):
    mutants, mutant = {}, None
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        key, _, rest = line.partition(" ")
        if key == "mutant":
            mutant = {"name": rest.strip(), "edits": []}
            mutants[mutant["name"]] = mutant
        elif key == "of":
            mutant["of"], mutant["file"] = rest.split(" in ")
        elif key in ("old", "new"):
            edits = mutant["edits"]
            if not edits or (key == "old" and edits[-1]["new"]):
                edits.append({"old": [], "new": []})
            edits[-1][key].append(rest.strip())
        elif key == "pictures":
            mutant["pictures"] = "pictures"
        elif key in ("header", "what"):
            mutant[key] = rest.strip()
        else:
            sys.exit(f"{path}: what is '{key}'?")
    return mutants


def pattern_of(lines):
    """Returns a regular expression that matches these lines, with any white space between tokens. A match ends at a
    line's end or before a comment."""
    tokens = re.findall(r"\w+|[^\w\s]", " ".join(lines))
    return r"(?<!\w)" + r"\s*".join(re.escape(token) for token in tokens) + r"(?=[ \t]*(?:\n|//))"


def main():
    mutants = read(sys.argv[1])
    if sys.argv[2] == "--list":
        for m in mutants.values():
            print("|".join((m["name"], m["of"], m["file"].strip(), m["header"], m["what"], m.get("pictures", "-"))))
        return
    mutant, root, output = mutants[sys.argv[2]], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    text = (root / mutant["header"]).read_text()
    for edit in mutant["edits"]:
        places = list(re.finditer(pattern_of(edit["old"]), text))
        if len(places) != 1:
            sys.exit(
                f"mutant {mutant['name']}: its text occurs {len(places)} times in {mutant['header']}, not once: {edit['old']}"
            )
        text = text[:places[0].start()] + "\n".join(edit["new"]) + text[places[0].end():]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text)


if __name__ == "__main__":
    main()
