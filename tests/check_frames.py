#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Java stacks are walked as views (vm/link/frame_views.h): a walk by hand would miss inlined activations.

Only the code that makes views and links frames reads `->caller` of a frame; only returns and unwinding use
`caller_of(frame)`, the way back from a callee.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("runtime", "gc", "vm", "jit", "classlib")
RULES = {
    re.compile(r"->caller\b"): {
        "vm/link/frame_views.h",        # views
        "vm/interpreter/java_frames.h",  # making a frame, caller_of
        "vm/interpreter/frame_views.cpp",  # frames made of views
    },
    re.compile(r"\bcaller_of\("): {
        "vm/interpreter/java_frames.h",
        "vm/interpreter/frame_macros.h",  # returns
        "vm/interpreter/handlers_compiled.cpp",
        "vm/interpreter/handlers_entry.cpp",
        "vm/interpreter/handlers_sync.cpp",
        "vm/interpreter/unwind.cpp",
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
                            f"{relative}:{number}: walks frames by hand (vm/link/frame_views.h): {line.strip()}"
                        )
    print("\n".join(wrong) if wrong else "stacks are walked as views")
    sys.exit(1 if wrong else 0)


main()
