#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that all stack walks use virtual frames (vm/frames/layout/virtual_frame.h), because code that follows caller
pointers from frame to frame would miss inlined activations.

Only the code that makes virtual frames and links frames may read `->caller` of a frame. Only returns and unwinding may
use `caller_of(frame)`.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("runtime", "gc", "vm", "jit", "classlib")
RULES = {
    re.compile(r"->caller\b"): {
        "vm/frames/layout/virtual_frame.h",  # makes virtual frames
        "vm/frames/layout/make_frame.h",  # makes frames, and defines caller_of
        "vm/frames/materialization.cpp",  # makes the frames of inlined activations
    },
    re.compile(r"\bcaller_of\("): {
        "vm/frames/layout/make_frame.h",
        "vm/interpreter/handlers/frame_macros.h",  # returns from methods
        "vm/interpreter/handlers/handlers_compiled.cpp",
        "vm/interpreter/handlers/handlers_entry.cpp",
        "vm/interpreter/handlers/handlers_over.h",
        "vm/interpreter/handlers/handlers_sync.cpp",
        "vm/frames/unwind.cpp",
    },
}


def main():
    wrong = []
    for folder in FOLDERS:
        for source in sorted((ROOT / folder).glob("**/*")):
            if source.suffix not in (".h", ".cpp", ".def"):
                continue
            relative = str(source.relative_to(ROOT))
            for number, line in enumerate(source.read_text().splitlines(), 1):
                code = line.split("//")[0]
                for pattern, allowed in RULES.items():
                    if pattern.search(code) and relative not in allowed:
                        wrong.append(
                            f"{relative}:{number}: walks frames by hand (vm/frames/layout/virtual_frame.h): {line.strip()}"
                        )
    print("\n".join(wrong) if wrong else "stacks are walked as virtual frames")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
