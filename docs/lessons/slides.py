#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes slides of the lessons: one page for each, as one HTML file. A browser shows the file, and prints it as a PDF.

    docs/lessons/slides.py [--output slides.html] [TOPIC ...]

The slide of a lesson has its question, its program, and its commands with their output. The text "Look for" follows on
the same page. Without topics, the file has a slide for each lesson, in the order of docs/lessons/README.md. Keys: right
and left, or Page Down and Page Up, go to the next and the previous slide.

The largest font with which everything fits on its page is chosen by the page itself, when it is opened.
"""
import argparse
import html
import pathlib
import re
import sys

LESSONS = pathlib.Path(__file__).resolve().parent

STYLE = """
@page { size: 1280px 720px; margin: 0 }
* { box-sizing: border-box }
body { margin: 0; background: #555; font-family: var(--font, "Helvetica Neue", Arial, sans-serif) }
section { width: 1280px; height: 720px; margin: 0 auto 24px; padding: 28px 40px; background: white; color: #111;
  display: flex; flex-direction: column; overflow: hidden; break-after: page }
h1 { font-size: 34px; margin: 0 0 6px; line-height: 1.15 }
.intro { font-size: 19px; margin: 0 0 12px; line-height: 1.35 }
.columns { flex: 1; min-height: 0; display: flex; gap: 28px }
.columns > div { min-width: 0; overflow: hidden; line-height: 1.3 }
.program { flex: 5 }
.run { flex: 6 }
p, ul { margin: 0 0 .6em }
pre, code { font-family: var(--mono, Menlo, Consolas, monospace) }
pre { margin: 0 0 .6em; white-space: pre-wrap; overflow-wrap: anywhere }
.run pre { background: #f1f3f5; padding: .5em .7em }
.run .command { font-weight: bold }
@media print { body { background: none } section { margin: 0 } }
"""

SCRIPT = """
const fits = box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
function fit(box) {
  let size = 20;
  do box.style.fontSize = `${size}px`; while (!fits(box) && (size -= 0.5) > 6);
}
for (const box of document.querySelectorAll('.columns > div')) fit(box);
document.body.dataset.ready = 'whole';
addEventListener('keydown', event => {
  const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const slides = [...document.querySelectorAll('section')];
  const at = slides.findIndex(slide => slide.getBoundingClientRect().bottom > innerHeight / 2);
  slides[Math.max(0, Math.min(slides.length - 1, at + step))].scrollIntoView();
});
"""


def inline(text):
    """Returns a paragraph of Markdown as HTML: code and emphasis. Links lose their targets."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(f"<code>{html.escape(part[1:-1])}</code>" if part.startswith("`")
                   else re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", html.escape(part)) for part in parts)


def blocks(text):
    """Returns a part of a page as HTML: paragraphs, lists, and console blocks."""
    made = []
    for part in re.split(r"(```\w*\n.*?```)", text, flags=re.DOTALL):
        if part.startswith("```"):
            lines = part.split("\n")[1:-1]
            made.append("<pre>" + "\n".join(f'<span class="command">{html.escape(line)}</span>' if line.startswith("$ ")
                                            else html.escape(line) for line in lines) + "</pre>")
            continue
        for paragraph in filter(str.strip, part.split("\n\n")):
            items = re.split(r"(?:^|\n)\* ", paragraph)[1:]
            if items:
                made.append("<ul>" + "".join(f"<li>{inline(item)}</li>" for item in items) + "</ul>")
            else:
                made.append(f"<p>{inline(paragraph.strip())}</p>")
    return "".join(made)


def slide(path):
    head, *sections = re.split(r"^## (.*)$", path.read_text(), flags=re.MULTILINE)
    title, _, intro = head.removeprefix("# ").partition("\n")
    parts = dict(zip(sections[::2], sections[1::2]))
    # Text between the heading "The program" and the program belongs to the program's column.
    return (f'<section id="{path.stem}"><h1>{inline(title)}</h1><p class="intro">{inline(intro.strip())}</p>'
            f'<div class="columns"><div class="program">{blocks(parts["The program"])}</div>'
            f'<div class="run">{blocks(parts["Run it"])}{blocks(parts["Look for"])}</div></div></section>')


def topics():
    return re.findall(r"^\| \[([\w-]+)\.md\]", (LESSONS / "README.md").read_text(), re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("slides.html"))
    parser.add_argument("topics", nargs="*", metavar="TOPIC")
    options = parser.parse_args()
    known = topics()
    for topic in options.topics:
        if topic not in known:
            sys.exit(f"there is no lesson about '{topic}'; there are:\n  {', '.join(known)}")
    slides = "\n".join(slide(LESSONS / f"{topic}.md") for topic in options.topics or known)
    text = (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Keyhole: lessons</title>'
            f"<style>{STYLE}</style></head><body>\n{slides}\n<script>{SCRIPT}</script></body></html>\n")
    try:
        options.output.write_text(text)
    except OSError as problem:
        sys.exit(f"{options.output}: {problem.strerror}")


if __name__ == "__main__":
    main()
