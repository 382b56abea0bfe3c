#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Includes point down only: a file includes only files of its own folder and of lower layers.

Folders of one layer do not include each other. Only the flags of all folders (*_flags.def) are included from below, by
the table that joins them. The plug-in of the optimising tier (jit/llvm) is built once for all header layouts, and
includes the lowered graph and the basic types alone.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = [   # bottom first
    ["runtime/base"],
    ["runtime/object"],
    ["runtime/recorder"],
    ["runtime/threads"],
    ["runtime/sync"],
    ["gc"],
    ["vm/metadata"],
    ["vm"],   # bytecodes
    ["vm/classfile"],
    ["vm/link"],
    ["vm/verify"],
    ["vm/interpreter"],
    ["jit/code", "jit/snippets"],
    ["jit/baseline", "jit/graph", "classlib/natives", "jit/llvm"],
    ["jit/image"],
    ["jit/optimised"],
    ["vm/tools"],
    ["vm/tools/recording", "vm/tools/inspect", "vm/tools/explain", "vm/tools/jdwp"],
    ["vm/tools/look", "vm/tools/attach"],
    ["vm/tools/compare"],
    ["vm/launcher"],
]
LOW_GRAPH = "jit/graph/low_graph.h"   # what the plug-in knows of the VM, with the basic types
LAYER_OF = {home: number for number, layer in enumerate(LAYERS) for home in layer}


def home_of(path):
    return max((home for home in LAYER_OF if path == home or path.startswith(home + "/")), key=len, default="")


def main():
    wrong = []
    for source in sorted(ROOT.glob("**/*")):
        relative = str(source.relative_to(ROOT))
        if source.suffix not in (".h", ".cpp", ".def") or relative.startswith("build/"):
            continue
        home = home_of(relative)
        if not home:
            continue
        for number, line in enumerate(source.read_text().splitlines(), 1):
            match = re.match(r'\s*#include "([^"]+)"', line)
            if not match:
                continue
            target = home_of(match.group(1))
            if relative.startswith("jit/llvm/"):
                if target and target != home and match.group(1) not in (LOW_GRAPH, "runtime/base/types.h"):
                    wrong.append(f"{relative}:{number}: the plug-in includes {match.group(1)}")
                continue
            if match.group(1).endswith("_flags.def") or not target or target == home:
                continue
            if LAYER_OF[target] >= LAYER_OF[home]:
                wrong.append(
                    f"{relative}:{number}: layer {LAYER_OF[home]} includes {match.group(1)} of layer {LAYER_OF[target]}"
                )
    print("\n".join(wrong) if wrong else "includes point down only")
    sys.exit(1 if wrong else 0)


main()
