#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of the pages of docs/lessons and of docs/ten-questions.md, and checks that it prints what the page
quotes.

    tests/launcher/lessons.py [PART]       only the pages whose name contains PART

A block ```console has commands ("$ ...") and lines of their output. The output must have these lines in this order, but
may have other lines between them. A number in a quoted line stands for any number, except the line number of a source
file. A count alone in a line (grep -c) also stands for any count except 0, unless the page quotes 0. "..." stands for
anything. A command that quotes nothing may print anything. The script omits commands with `--library N` if no JDK of
release N is installed.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from chosen_home import chosen_home, homes
from test_loop import run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "look"))
import browser as browsers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
LESSONS = ROOT / "docs" / "lessons"
SECTIONS = ["The program", "Run it", "Look for", "Change a flag", "In the code"]
MOST_WORDS = 260      # of prose: two minutes


def pattern_of(line):
    """Returns a regular expression for a quoted line. It matches lines with other numbers and with more or fewer
    spaces, too."""
    text, at = "", 0
    for found in re.finditer(r"\.\.\.|\.java:\d+|0x[0-9a-f]+|\d[\d.,]*[kMG]?|\s+", line):
        text += re.escape(line[at:found.start()])
        token = found.group()
        if token == "...":
            text += ".*"
        elif token.startswith(".java:"):
            text += re.escape(token)
        elif token.isspace():
            text += r"\s+"
        elif token.startswith("0x"):
            text += "0x[0-9a-f]+"
        else:
            text += r"\d[\d.,]*[kMG]?"
        at = found.end()
    return "^" + text + re.escape(line[at:]) + "$"


def quoted_commands(page):
    """Returns [(command, quoted lines)]"""
    commands = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
    return commands


LIBRARY = re.compile(r"\./keyhole --library (\d+)")   # an option of the script ./keyhole, not of the VM


def library_of(command):
    """Returns the home of the JDK that the command's option --library names, or None."""
    asked = LIBRARY.search(command)
    return homes.homes().get(int(asked.group(1))) if asked else None


def can_run(command):
    return LIBRARY.search(command) is None or library_of(command) is not None


def run(command, folder):
    """Runs a command of a page in `folder`, where the command may leave files. On the page, the command calls
    ./keyhole in the root of the tree. The function replaces ./keyhole by the tested VM, and relative paths by paths
    into the tree. Returns the command's output."""
    home = library_of(command)
    words = command if home is None else command.replace(LIBRARY.search(command).group(), "./keyhole")
    environment = os.environ if home is None else {**os.environ, "KEYHOLE_JAVA_HOME": str(home)}
    words = words.replace("./keyhole", VM).replace("docs/lessons/", f"{LESSONS}/")
    words = words.replace("examples/", f"{ROOT}/examples/")
    done = subprocess.run(["bash", "-c", words], cwd=folder, capture_output=True, text=True, timeout=120,
                          env=environment)
    assert done.returncode == 0 or "grep -c" in command, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def check_output(command, quoted, output):
    lines, at = output.splitlines(), 0
    if "grep -c" in command:
        assert len(quoted) == 1 and len(lines) == 1, (command, output)
        assert (quoted[0] == "0") == (lines[0] == "0"), f"{command}: {lines[0]} instead of {quoted[0]}"
        return
    for line in quoted:
        wanted = re.compile(pattern_of(line))
        while at < len(lines) and not wanted.match(lines[at]):
            at += 1
        assert at < len(lines), f"{command}: does not print, or not in this order:\n{line}\nbut:\n{output}"
        at += 1


def check_page(path):
    page = path.read_text()
    assert page.startswith("# ") and page.splitlines()[0].endswith("?"), "a page begins with its question"
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == SECTIONS, "a page has other sections"
    program, = re.findall(r"^```java\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    name = re.search(r"public class (\w+)", program).group(1)
    kept = (LESSONS / "run" / f"{name}.java").read_text()
    assert kept.startswith(program), f"{name}.java is not the page's program"
    assert kept[len(program):].strip().splitlines() == ["// SPDX-FileCopyrightText: The Keyhole authors",
                                                        "// SPDX-License-Identifier: Apache-2.0"], kept
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) <= MOST_WORDS, f"{len(prose.split())} words"
    for file in re.findall(r"`([\w/.-]+/[\w.-]+)`", page.split("## In the code")[1]):
        assert (ROOT / file).exists(), f"there is no {file}"
    commands = quoted_commands(page)
    assert len(commands) >= 2 and any(f"{name}.java" in command for command, _ in commands), commands
    for command, quoted in commands:
        assert not any(line.startswith("$") for line in quoted)
    with tempfile.TemporaryDirectory() as folder:
        for command, quoted in filter(lambda one: can_run(one[0]), commands):
            check_output(command, quoted, run(command, folder))
    shown = subprocess.run([VM, "--explain", path.stem], capture_output=True, text=True)
    assert shown.returncode == 0 and "\x1b" not in shown.stdout and "```" not in shown.stdout, shown
    # Prose fits a terminal of 80 columns; the output of a command may be longer.
    for line in shown.stdout.splitlines():
        assert line.startswith("    ") or len(line) <= 80, f"{len(line)} columns: {line}"
    assert " ".join(prose.replace("#", "").split()) == " ".join(re.sub(r"(?m)^(?:    .*|-+)$", "", shown.stdout).split()), \
        shown.stdout
    for line in program.splitlines():
        assert not line or f"\n    {line}\n" in shown.stdout, f"--explain does not show: {line}"
    alone = subprocess.run([VM, "--explain", path.stem, "--java"], capture_output=True, text=True)
    assert alone.returncode == 0 and alone.stdout == program, alone


def check_questions():
    """There are ten questions, and each is answered by commands whose decisive output is quoted."""
    page = (ROOT / "docs" / "ten-questions.md").read_text()
    parts = re.split(r"^## (\d+)\. (.*\?)$", page, flags=re.MULTILINE)
    numbers, answers = parts[1::3], parts[3::3]
    assert numbers == [str(number) for number in range(1, 11)], numbers
    assert "```" not in parts[0]
    for answer in answers:
        commands = quoted_commands(answer)
        assert commands and any(quoted for _, quoted in commands), answer
        with tempfile.TemporaryDirectory() as folder:
            for command, quoted in commands:
                started = time.monotonic()
                check_output(command, quoted, run(command, folder))
                assert time.monotonic() - started < 120, f"{command} takes more than two minutes"


def check_lists(pages):
    table = re.findall(r"^\| \[([\w-]+)\.md\]\(\1\.md\) \| (.*) \| `\w+\.java` \|$", (LESSONS / "README.md").read_text(), re.MULTILINE)
    questions = {path.stem: path.read_text().splitlines()[0][2:] for path in pages}
    assert dict(table) == questions and len(table) == len(questions), "docs/lessons/README.md lists other pages"
    listed = subprocess.run([VM, "--explain"], capture_output=True, text=True)
    assert listed.returncode == 0
    told = re.sub(r"\n {23}", " ", listed.stdout)   # long questions take two lines
    assert dict(re.findall(r"^  (\S+) +(.*)$", told, re.MULTILINE)) == questions, listed.stdout
    programs = {re.search(r"public class (\w+)", path.read_text()).group(1) for path in pages}
    assert programs == {path.stem for path in LESSONS.glob("run/*.java")}, "a program without a page"


def check_slides():
    """A slide for each lesson, each on one page, in letters of a readable size."""
    missing = browsers.missing()
    if missing:
        print(f"left out: slides ({missing})")
        return
    script = LESSONS / "slides.py"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "slides.html"
        subprocess.run([sys.executable, script, "--output", file], check=True)
        with browsers.browser(width=1280, height=720) as one:
            one.driver.get(f"file://{file}")
            one.until("return document.body.dataset.ready === 'whole'")
            slides = one.run("""return [...document.querySelectorAll('section')].map(slide => [slide.id,
                [slide, ...slide.querySelectorAll('.columns > div')].every(box => box.scrollHeight <= box.clientHeight),
                Math.min(...[...slide.querySelectorAll('.columns > div')].map(box => parseFloat(box.style.fontSize)))])""")
        assert [slide[0] for slide in slides] == re.findall(r"^\| \[([\w-]+)\.md\]", (LESSONS / "README.md").read_text(), re.MULTILINE)
        for topic, fits, pixels in slides:
            assert fits and pixels >= 11, f"{topic}: {pixels} pixels"
        some = subprocess.run([sys.executable, script, "--output", file, "race", "deadlock"], capture_output=True, text=True)
        assert some.returncode == 0 and re.findall(r'<section id="([\w-]+)"', file.read_text()) == ["race", "deadlock"], some
    for words, part in ((["nonsense"], "there is no lesson about 'nonsense'; there are:"),
                        (["--output", "/nowhere/slides.html"], "/nowhere/slides.html: No such file or directory")):
        done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True)
        assert done.returncode == 1 and part in done.stderr, (words, done)


def check_bad_input():
    for words, part in ((["nonsense"], "there is no lesson about 'nonsense'; there are:\n  "),
                        (["--nonsense"], "--explain does not understand --nonsense\n\nUsage: "),
                        (["header", "locks"], "--explain does not understand locks"),
                        (["--java"], "--java needs a topic")):
        done = subprocess.run([VM, "--explain", *words], capture_output=True, text=True)
        assert done.returncode == 1 and part in done.stderr and not done.stdout, (words, done)
    assert subprocess.run([VM, "--explain", "--help"], capture_output=True, text=True).stdout.startswith("Usage: ")
    terminal = subprocess.run(["script", "-qec", f"env TERM=xterm {VM} --explain header", "/dev/null"],
                              capture_output=True, text=True)
    assert "\x1b[1mWhat does `synchronized` write into an object?\x1b[0m" in terminal.stdout, terminal.stdout
    for setting in ("NO_COLOR=1", "TERM=dumb"):
        terminal = subprocess.run(["script", "-qec", f"env {setting} {VM} --explain header", "/dev/null"],
                                  capture_output=True, text=True)
        assert "\x1b" not in terminal.stdout and "synchronized" in terminal.stdout, (setting, terminal.stdout)


def main():
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    pages = sorted(path for path in LESSONS.glob("*.md") if path.name != "README.md")
    checks = [(path.stem, lambda path=path: check_page(path)) for path in pages]
    checks += [("ten-questions", check_questions), ("lists", lambda: check_lists(pages)), ("slides", check_slides),
               ("bad-input", check_bad_input)]
    return run_tests(checks, [part])


if __name__ == "__main__":
    sys.exit(main())
