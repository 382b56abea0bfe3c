#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Every folder of the VM has a README.md that names each of its files: as `file.h`, as `file.*`, or by its stem with `.cpp` beside it.

Also: each source file opens with its licence and a sentence, and no file of the VM has grown past 1000 lines.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["runtime", "gc", "vm"]


def main():
    wrong = []
    for top in FOLDERS:
        for folder in sorted({path.parent for path in (ROOT / top).rglob("*") if path.suffix in (".h", ".cpp", ".def")}):
            relative = folder.relative_to(ROOT)
            readme = folder / "README.md"
            # A small folder may be described by the one above.
            text = readme.read_text() if readme.exists() else ""
            parent = folder.parent / "README.md"
            if not text and parent.exists():
                text = parent.read_text()
            if not text:
                wrong.append(f"{relative}: no README.md")
                continue
            for path in sorted(folder.iterdir()):
                if path.suffix not in (".h", ".cpp", ".def"):
                    continue
                if not re.search(r"(?<![\w-])" + re.escape(path.stem) + r"(?![\w-])", text):
                    wrong.append(f"{relative}/{path.name}: not in the README")
                lines = path.read_text().splitlines()
                if len(lines) < 4 or "SPDX" not in lines[0] or not lines[3].startswith("//"):
                    wrong.append(f"{relative}/{path.name}: does not open with licence and purpose")
                if len(lines) > 1000:
                    wrong.append(f"{relative}/{path.name}: {len(lines)} lines")
    print("\n".join(wrong) if wrong else "every file is listed")
    sys.exit(1 if wrong else 0)


main()
