#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a mutant: a copy of a header with some lines replaced (mutants.def).

  make_mutant.py DEFINITIONS --list                      NAME|SUBJECT|SUBJECT_FILE|HEADER|SENTENCE|pictures or -, each a line
  make_mutant.py DEFINITIONS NAME SOURCE_ROOT OUTPUT     writes the edited header

Lines are compared without their indentation. The lines to replace must occur exactly once. An `old` after a `new`
begins another edit.
"""
import pathlib
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


def main():
    mutants = read(sys.argv[1])
    if sys.argv[2] == "--list":
        for m in mutants.values():
            print("|".join((m["name"], m["of"], m["file"].strip(), m["header"], m["what"], m.get("pictures", "-"))))
        return
    mutant, root, output = mutants[sys.argv[2]], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    lines = (root / mutant["header"]).read_text().splitlines()
    for edit in mutant["edits"]:
        bare = [line.strip() for line in lines]
        size = len(edit["old"])
        places = [i for i in range(len(bare) - size + 1) if bare[i:i + size] == edit["old"]]
        if len(places) != 1:
            sys.exit(
                f"mutant {mutant['name']}: its text occurs {len(places)} times in {mutant['header']}, not once: {edit['old']}"
            )
        lines[places[0]:places[0] + size] = edit["new"]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
