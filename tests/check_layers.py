#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a file includes only files of its own folder and of lower layers.

A header is implemented in its own folder or in a lower one: no .cpp of a higher folder defines a function that the
header declares. If a lower layer needs a higher one, the lower layer declares an interface, and the higher layer
registers an implementation of it (vm/link/execution_engine.h).

Folders of one layer do not include each other. There is one exception: the table of all flags includes the *_flags.def
of all folders. The plug-in of the optimising tier (jit/llvm) is built once for all header layouts, and includes only
the lowered graph and the basic types. Some folders have rooms, that is, subfolders that form layers in the same way.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = [   # the bottom layer first
    ["runtime/base"],
    ["runtime/object"],
    ["runtime/recorder"],
    ["runtime/threads"],
    ["runtime/sync"],
    ["gc"],
    ["vm/metadata"],
    ["vm"],   # the bytecodes
    ["vm/classfile", "vm/code"],
    ["vm/frames/layout"],
    ["vm/link"],
    ["vm/verify"],
    ["vm/frames"],
    ["vm/interpreter"],
    ["jit/code", "jit/snippets"],
    ["jit/baseline", "jit/graph", "classlib/natives", "jit/llvm"],
    ["jit/image", "jit/middle"],
    ["jit/optimised"],
    ["vm/tools"],
    ["vm/tools/recording", "vm/tools/inspect", "vm/tools/explain", "vm/tools/jdwp", "vm/tools/lab"],
    ["vm/tools/look", "vm/tools/attach"],
    ["vm/tools/compare", "vm/tools/explore"],
    ["vm/tools/step"],
    ["vm/launcher"],
]
ROOMS = {   # folder: its rooms, bottom first; "" is the folder itself
    "jit/graph": [["low"], ["ir"], ["build", "optimize"], ["lower"], [""]],
}
LOW_GRAPH = "jit/graph/low/low_graph.h"   # the plug-in includes this header and the basic types only
LAYER_OF = {home: number for number, layer in enumerate(LAYERS) for home in layer}


def home_of(path):
    return max((home for home in LAYER_OF if path == home or path.startswith(home + "/")), key=len, default="")


TEXT = re.compile(r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"')
REMARKS = re.compile(r"//[^\n]*|/\*(?:.|\n)*?\*/|'(?:\\.|[^'\\\n])'|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.M)
ATTRIBUTES = re.compile(
    r"\[\[[^\]]*\]\]|\b(?:alignas|__attribute__|noexcept|decltype)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
ACCESS = re.compile(r"^(?:(?:public|private|protected)\s*:\s*)+")


def function_of(head):
    """Returns the name before the first parenthesis of a declaration or definition: f or Class::f, and interp_f for
    HANDLER(f)."""
    head = ATTRIBUTES.sub("", head)
    found = re.search(r"([A-Za-z_~][\w:~]*|operator\s*\S+)\s*\(\s*(\w*)", head)
    if not found or ("=" in head[: found.start()] and "operator" not in head):
        return None
    return f"interp_{found[2]}" if found[1] == "HANDLER" else found[1]


def functions(text):
    """Returns [(whether it is a definition, qualified name)] for the functions at namespace and class scope of a
    file."""
    text = REMARKS.sub(" ", TEXT.sub('""', text))
    found, scopes, position = [], [], 0   # a scope of None is a body
    for mark in re.finditer(r"[{};]", text):
        head, position = ACCESS.sub("", text[position : mark.start()].strip()), mark.end()
        in_body = None in scopes
        if mark[0] == "}":
            scopes = scopes[:-1]
            continue
        if mark[0] == "{" and not in_body:
            space = re.search(r"(?:^|\s)namespace(?:\s+([\w:]+))?\s*$", head)
            plain = re.sub(r"template\s*<[^{}]*?>\s*", "", ATTRIBUTES.sub("", head))
            kind = re.match(r"(?:class|struct|union)\s+(?:\w+\([^)]*\)\s+)*(\w+)(?!.*\)\s*(?:const)?$)", plain)
            if space:
                scopes.append(space[1] or "anonymous")
                continue
            if kind:
                scopes.append(kind[1])
                continue
        name = None if in_body else function_of(head)
        is_declaration = mark[0] == ";" and not re.match(r"(using|typedef|friend|static_assert|enum)\b", head)
        if name and (mark[0] == "{" or is_declaration and not re.search(r"=\s*(0|default|delete)$", head)):
            found.append((mark[0] == "{", "::".join(scopes + [name])))
        if mark[0] == "{":
            scopes.append(None)
    return found


def check_implementations(sources):
    """Checks that no header is implemented in a higher folder."""
    headers, wrong = {}, []
    for path, text in sources.items():
        for is_definition, name in functions(text) if path.endswith(".h") else []:
            if not is_definition:
                headers.setdefault(name, set()).add(path)
    for path, text in sources.items():
        for is_definition, name in functions(text) if path.endswith(".cpp") else []:
            layers = {LAYER_OF[home_of(header)] for header in headers.get(name, ())}
            homes = {home_of(header) for header in headers.get(name, ())}
            if is_definition and homes and home_of(path) not in homes and max(layers) < LAYER_OF[home_of(path)]:
                wrong.append(f"{path}: {name} is declared below, in {', '.join(sorted(headers[name]))}")
    return wrong


def check_map(corrects):
    """Checks that the map in README.md has a numbered row with the folders of each layer, and that the top layer is the
    first row."""
    readme, wrong, shown, previous = ROOT / "README.md", [], set(), len(LAYERS)
    lines = readme.read_text().splitlines(keepends=True)
    for index, line in enumerate(lines):
        row = re.match(r"\| (\d+) \| (.*?) \|", line)
        if not row:
            continue
        homes = re.findall(r"\[`([^`]+)`\]", row[2])
        numbers = {LAYER_OF.get(home) for home in homes}
        shown.update(homes)
        if len(numbers) != 1 or None in numbers:
            wrong.append(f"README.md:{index + 1}: {row[2]} is not one layer of tests/check_layers.py")
            continue
        number = numbers.pop()
        if corrects:
            lines[index] = f"| {number} |" + line[row.end(1) + 2:]
        elif int(row[1]) != number:
            wrong.append(f"README.md:{index + 1}: layer {row[1]} is {number} (KEYHOLE_BLESS=1 numbers the rows)")
        if number > previous:
            wrong.append(f"README.md:{index + 1}: layer {number} is below layer {previous}")
        previous = number
    if corrects:
        readme.write_text("".join(lines))
    return wrong + [f"README.md: the map has no row for {home}" for home in LAYER_OF if home not in shown]


def room_level(folder, path):
    room = path[len(folder) + 1 :].rpartition("/")[0].split("/")[0]
    return room, next(number for number, rooms in enumerate(ROOMS[folder]) if room in rooms)


def main():
    wrong, sources = [], {}
    for source in sorted(ROOT.glob("**/*")):
        relative = str(source.relative_to(ROOT))
        if source.suffix not in (".h", ".cpp", ".def") or relative.startswith("build/"):
            continue
        home = home_of(relative)
        if not home:
            continue
        sources[relative] = source.read_text()
        for number, line in enumerate(sources[relative].splitlines(), 1):
            match = re.match(r'\s*#include "([^"]+)"', line)
            if not match:
                continue
            target = home_of(match.group(1))
            if relative.startswith("jit/llvm/"):
                if target and target != home and match.group(1) not in (LOW_GRAPH, "runtime/base/types.h"):
                    wrong.append(f"{relative}:{number}: the plug-in includes {match.group(1)}")
                continue
            if target == home and home in ROOMS:
                (room, level), (other, below) = room_level(home, relative), room_level(home, match.group(1))
                if below >= level and room != other:
                    wrong.append(f"{relative}:{number}: room {room or home} includes {match.group(1)}")
            if match.group(1).endswith("_flags.def") or not target or target == home:
                continue
            if LAYER_OF[target] >= LAYER_OF[home]:
                wrong.append(
                    f"{relative}:{number}: layer {LAYER_OF[home]} includes {match.group(1)} of layer {LAYER_OF[target]}"
                )
    wrong += check_implementations(sources)
    wrong += check_map(os.environ.get("KEYHOLE_BLESS") == "1")
    print("\n".join(wrong) if wrong else "includes point down only, as README.md draws them")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
