#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that no modules import each other in a circle: the TypeScript of the page of --look, the Java classes of the
overlay, C++ headers. Checks also that importing a Python script does not run it.

tests/check_layers.py checks the order of C++ folders; this test looks at single headers. Java classes of one package
need no import to use each other, so circles inside a package are not seen, and are allowed.
"""
import pathlib
import re
import sys

from tree_files import tree_files

ROOT = pathlib.Path(__file__).resolve().parent.parent


def circles(graph):
    """Returns the strongly connected components of more than one node, and nodes that import themselves (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for next_node in sorted(graph[node]):
            if next_node not in number:
                visit(next_node)
                low[node] = min(low[node], low[next_node])
            elif next_node in stack:
                low[node] = min(low[node], number[next_node])
        if low[node] == number[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1 or node in graph[node]:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def page():
    folder = ROOT / "vm/tools/look/page/source"
    modules = {path.stem: path.read_text() for path in folder.glob("*.ts")}
    return {name: {other for other in re.findall(r'from "\./(\w+)"', text) if other in modules}
            for name, text in modules.items()}


def overlay():
    classes = {}
    for layer in ("java.base", "since-21", "since-25"):
        for path in (ROOT / "classlib" / layer).rglob("*.java"):
            text = path.read_text()
            package = re.search(r"^package ([\w.]+);", text, re.MULTILINE)
            if package:
                classes.setdefault(f"{package[1]}.{path.stem}", set()).update(
                    re.findall(r"^import (?:static )?([\w.]+?)(?:\.[a-z_]\w*)?;", text, re.MULTILINE))
    return {name: imports & classes.keys() for name, imports in classes.items()}


def headers():
    graph = {}
    for home in ("runtime", "gc", "vm", "jit", "classlib/natives"):
        for path in (ROOT / home).rglob("*.h"):
            graph[path.relative_to(ROOT).as_posix()] = set(
                re.findall(r'^#include "([^"]+\.h)"', path.read_text(), re.MULTILINE))
    return {name: includes & graph.keys() for name, includes in graph.items()}


def scripts_without_guard():
    """Returns the Python files that call main() when they are imported."""
    files = [ROOT / name for name in tree_files()]
    texts = {path: path.read_text(errors="replace") for path in files
             if path.suffix == ".py" or path.is_file() and not path.suffix and path.read_bytes()[:2] == b"#!"}
    assert len(texts) > 50, f"only {len(texts)} scripts found"
    return [path.relative_to(ROOT) for path, text in texts.items()
            if re.search(r"^(?:sys\.exit\()?(?:\d+ if )?main\(.*\)", text, re.MULTILINE)]


def main():
    wrong = [f"{name}: main() without `if __name__ == \"__main__\":`" for name in scripts_without_guard()]
    for what, graph in (("page", page()), ("overlay", overlay()), ("headers", headers())):
        assert len(graph) > 20, f"{what}: only {len(graph)} files found"
        wrong += [f"{what}: a circle of {', '.join(circle)}" for circle in circles(graph)]
    print("\n".join(wrong) if wrong else "no circles of imports, and no script that runs when it is imported")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
