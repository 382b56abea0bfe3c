#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the chain of threads that wait for each other, from a recording of examples/Deadlock.java.

    docs/pictures/waits.py            writes waits.svg
    docs/pictures/waits.py --check    records and draws again, and fails if the picture differs from waits.svg

The picture has no times and no numbers of objects, so every run draws the same one.
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VM = pathlib.Path(os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole")))
PROGRAM = ROOT / "examples" / "Deadlock.java"
PICTURE = HERE / "waits.svg"

THREAD, LOCK, HEIGHT, GAP, TOP, LEFT = 196, 132, 76, 84, 46, 12   # sizes of boxes, and the room between them
STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1f2328 } .code { font: 12px ui-monospace, monospace }
  .small { font-size: 12px; fill: #57606a } .name { font-weight: 600 }
  .thread { fill: #ddf4ff; stroke: #0969da } .lock { fill: #fff8c5; stroke: #9a6700 }
  .arrow { fill: none; stroke: #57606a; stroke-width: 1.5 } .cycle { stroke: #cf222e } .found { fill: #cf222e }
  marker path { fill: #57606a }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .thread { fill: #0c2d6b } .lock { fill: #4b2900 }
    .cycle { stroke: #ff7b72 } .found { fill: #ff7b72 }
  }
"""


def record():
    """Returns the waits that had not ended when the recording ended: thread, owner, class of the lock, place."""
    with tempfile.TemporaryDirectory() as folder:
        recording = pathlib.Path(folder, "run.khr")
        subprocess.run(
            [VM, f"-XX:StartRecording={recording}", PROGRAM, "1"], check=True, capture_output=True, timeout=120
        )
        shown = subprocess.run(
            [VM, "--show", recording, "--waits", "--to=json"], check=True, capture_output=True, text=True, timeout=120
        )
    return [wait for wait in map(json.loads, shown.stdout.splitlines()) if wait.get("at_the_end")]


def chain_of(waits):
    """Returns a chain of waits, and the owner of the last wait's lock. The thread of each wait holds the lock for which
    the thread of the wait before it waits."""
    by_thread = {wait["thread"]: wait for wait in waits}
    chain, thread = [], min(by_thread)
    while thread in by_thread and by_thread[thread] not in chain:
        chain.append(by_thread[thread])
        thread = chain[-1]["owner"]
    return chain, thread


def text(x, y, words, kind="", anchor="middle"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" class="{kind}">{html.escape(words)}</text>'


def box(x, width, kind, radius):
    return f'<rect x="{x}" y="{TOP}" width="{width}" height="{HEIGHT}" rx="{radius}" class="{kind}"/>'


def draw(waits):
    chain, last = chain_of(waits)
    is_cycle = last == chain[0]["thread"]
    middle = TOP + HEIGHT // 2
    source = PROGRAM.read_text().splitlines()
    parts, x = [], LEFT

    def thread(name, lines):
        parts.append(box(x, THREAD, "thread", 8))
        for row, (words, kind) in enumerate([(name, "name"), *lines]):
            parts.append(text(x + THREAD // 2, TOP + 24 + 20 * row, words, kind))

    def arrow(words):
        parts.append(f'<path d="M{x} {middle} H{x + GAP - 4}" class="arrow" marker-end="url(#head)"/>')
        parts.append(text(x + GAP // 2 - 2, middle - 8, words, "small"))

    for number, wait in enumerate(chain):
        file, line = re.search(r"\((\w+\.java):(\d+)\)", wait["at"]).groups()
        thread(wait["thread"], [(f"waits at {file}:{line}", "small"), (source[int(line) - 1].strip(" {"), "code")])
        x += THREAD
        arrow("waits for")
        x += GAP
        parts.append(box(x, LOCK, "lock", HEIGHT // 2))
        parts.append(text(x + LOCK // 2, middle - 4, f"lock {number + 1}", "name"))
        parts.append(text(x + LOCK // 2, middle + 16, wait["class"].rsplit(".", 1)[-1], "small"))
        x += LOCK
        if number + 1 < len(chain) or not is_cycle:
            arrow("held by")
            x += GAP
    below = TOP + HEIGHT + 34
    if is_cycle:
        begin, end = x - LOCK // 2, LEFT + THREAD // 2
        path = f"M{begin} {TOP + HEIGHT} V{below} H{end} V{TOP + HEIGHT + 4}"
        parts.append(f'<path d="{path}" class="arrow cycle" marker-end="url(#head)"/>')
        parts.append(text((begin + end) // 2, below - 8, "held by the first thread: a deadlock", "found"))
    else:
        thread(last, [("does not wait for a lock", "small")])
        x += THREAD
    parts.append(text(LEFT, 24, f"Who waits for whom in examples/{PROGRAM.name}", "name", "start"))
    width, height = x + LEFT, below + 16
    head = '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<style>{STYLE}</style>",
        f'<defs>{head}<path d="M0 0 L8 4 L0 8 z"/></marker></defs>',
        *parts,
        "</svg>\n",
    ])


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    picture = draw(record())
    if not sys.argv[1:]:
        PICTURE.write_text(picture)
        return 0
    differs = picture != PICTURE.read_text()
    if differs:
        print(f"FAILED: a new recording gives another picture than {PICTURE.relative_to(ROOT)}:\n{picture}")
    print(f"{1 - differs} passed, {int(differs)} failed")
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
