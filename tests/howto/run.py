#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Applies the code of the how-tos to a copy of the tree, builds the copy, runs each page's commands, and checks their
output.

    tests/howto/run.py                  all pages of docs/howto on one copy, built once
    tests/howto/run.py lock plan        only these pages
    tests/howto/run.py --pages          applies the pages to the copy, and builds nothing

The copy is build/howto/tree. The copy has a separate build with one header layout. This build shares the compiler's
cache, so the compiler compiles only files that the how-tos change. The copy stays, and the next run writes only changed
files.

The fenced blocks of a page are applied in order. A block `new=PATH` is a whole file. A block `file=PATH` with
`after="TEXT"`, `before="TEXT"` or `replace="TEXT"` is put after, before or in place of the one line of the file that
contains the text. The commands of `sh` blocks are run as they are written; PROMISES has the expected output of each. A
page fails if PROMISES lacks one of its commands.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "java"), str(TESTS)]
from homes import main_home
from tree_files import tree_files

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "docs" / "howto"
TREE = ROOT / "build" / "howto" / "tree"
JDK = main_home()
SECONDS = 900  # for a command

# The build targets that a page's commands need, in addition to the VM and its overlay.
TARGETS = {
    "lock": ["runtime_sync_test", "modelcheck", "mutexbench"],
    "plan": ["gc_test"],
    "native": [],
    "bytecode": ["vm_interpreter_test"],
    "flag": [],
    "event": [],
    "test": ["runtime_object_test", "jit_graph_test"],
    "node": ["jit_graph_test"],
    "phase": ["jit_graph_test"],
}
ALL_PASS = r"(?m)^[1-9]\d* passed, 0 failed"
UNIT_TESTS_PASS = r"\[  PASSED  \] [1-9]\d* tests?"
# With these flags, the optimising tier compiles a method after ten calls.
AT_ONCE = "-XX:-BackgroundCompilation -XX:Tier3InvocationThreshold=5 -XX:Tier4InvocationThreshold=10"
# {command: patterns that its output must match, in this order; a dot also matches the end of a line}
PROMISES = {
    "build/release/tests/runtime_sync_test --gtest_filter='*test_and_set*'": [
        r"ContractTest\.ContendedCounterIsExact/test_and_set",
        r"CountersTest\.AreThoseOfItsIdea/test_and_set",
        UNIT_TESTS_PASS,
    ],
    "build/release/modelcheck --algorithm test-and-set --states 25000": [
        r"ok +test-and-set +recursion ",
        r"wait-timeout ",
        ALL_PASS,
    ],
    "tests/java/run.py --config release --locking test-and-set threads/": [ALL_PASS],
    "./keyhole -XX:LockingMode=test-and-set examples/DiningPhilosophers.java": [r"philosopher-4 has eaten 1000 meals"],
    "build/release/mutexbench --algorithm test-and-set --threads 4 --seconds 0.002 --world simulated": [
        r"test-and-set +4 "
    ],
    "docs/course/judge 10.1 test-and-set": [r"10.1 solved: test-and-set keeps the contract"],
    "docs/course/judge 10.2 sliding": [r"10.2 solved: sliding keeps what plans promise"],
    "build/release/tests/gc_test --gtest_filter='*PlansTest.*/sliding'": [
        r"AFullHeapIsNotTheEnd/sliding",
        UNIT_TESTS_PASS,
    ],
    "./keyhole -XX:GCPlan=sliding -Xmx32m -Xlog:gc examples/LockChurn.java": [r"Using Sliding", r"Pause Full"],
    "./keyhole -XX:GCPlan=sliding -XX:GCStressInterval=100 -XX:+VerifyAfterGC examples/IdentityHash.java": [
        r"differences: 0"
    ],
    "tests/java/run.py --config gc-100 --vm-args=-XX:GCPlan=sliding gc/Survival gc/References gc/IdentityHashes": [
        ALL_PASS
    ],
    "javac --patch-module java.base=build/release/classlib/overlay-17"
    " --add-exports java.base/jdk.internal.misc=ALL-UNNAMED -d build/howto build/howto/ShowProcessor.java": [],
    "./keyhole --add-exports java.base/jdk.internal.misc=ALL-UNNAMED -cp build/howto ShowProcessor": [
        r"^on a processor\nstill on one\n$"
    ],
    "ctest --test-dir build/release -R link_checker": [r"100% tests passed, 0 tests failed out of 1"],
    "ctest --test-dir build/release -R 'OperationColumns|Handlers'": [
        r"100% tests passed, 0 tests failed out of [1-9]\d"
    ],
    "javac -d build/howto build/howto/Complements.java": [],
    "./keyhole -XX:+TraceBytecodes -cp build/howto Complements | grep -m 3 'Complements.*constant_ixor'": [
        r"Complements\.(complement|mixed)\(int\).* constant_ixor "
    ],
    "./keyhole -Xcomp -XX:CompileOnly=Complements -XX:+PrintAssembly -cp build/howto Complements": [
        r"  ixor\n(?:[^\n]*\n)?xor \w+, -1 ",
        r"-42 0 2147483647\n",
    ],
    "./keyhole -Xint -cp build/howto Complements": [r"^-42 0 2147483647\n-?\d+\n$"],
    "./keyhole -XX:+PrintFlagsFinal -version | grep ClassHistogramRows": [r"ClassHistogramRows += 0 .*manageable"],
    "./keyhole -XX:ClassHistogramRows=-1 -version": [r"ClassHistogramRows.*outside the allowed range"],
    "./keyhole -XX:+PrintClassHistogram -XX:ClassHistogramRows=5 examples/Deadlock.java 9 & sleep 6; kill -QUIT $!; wait": [
        r"\n   5: +\d+ +\d+  \S+[^\n]*\nTotal "
    ],
    "javac -d build/howto build/howto/Interrupts.java": [],
    "./keyhole -XX:StartRecording=build/howto/run.khr -XX:RecordEvents=threads -cp build/howto Interrupts": [r"^woken\n"],
    "./keyhole --show build/howto/run.khr --event=thread_interrupted": [r"\bmain\b.*thread_interrupted.*sleeper"],
    "./keyhole --show build/howto/run.khr --event=thread_interrupted --to=json": [r'"event": ?"thread_interrupted".*"whose"'],
    "tests/java/run.py --config release --config interpreter --config xcomp lang/DigitSums": [r"(?m)^3 passed, 0 failed"],
    "tests/java/run.py --config gc-100 --locking all lang/DigitSums": [ALL_PASS],
    "build/release/tests/runtime_object_test --gtest_filter='AlignmentTest.*'": [r"\[  PASSED  \] 1 test"],
    "build/release/tests/jit_graph_test --gtest_filter='*sums_of_constants_fold*'": [r"\[  PASSED  \] 1 test"],
    "build/release/tests/jit_graph_test --gtest_filter='*rotation_is_folded*'": [
        r"IsAsExpected/rotation_is_folded",
        UNIT_TESTS_PASS,
    ],
    "javac -d build/howto build/howto/Rotations.java": [],
    "./keyhole -cp build/howto Rotations": [r"^-?\d+ "],
    f"./keyhole {AT_ONCE} -XX:CompileOnly=Rotations -XX:PrintIR=build -cp build/howto Rotations | grep -m 1 irotate_left": [
        r"n\d+ int = irotate_left n\d+ n\d+\n"
    ],
    "build/release/tests/jit_graph_test --gtest_filter='*multiplication_becomes_a_shift*:RandomGraphTest.*'": [
        r"IsAsExpected/multiplication_becomes_a_shift",
        UNIT_TESTS_PASS,
    ],
    "javac -d build/howto build/howto/Multiples.java": [],
    "./keyhole -cp build/howto Multiples": [r"^-?\d+ "],
    f"./keyhole {AT_ONCE} -XX:CompileOnly=Multiples -XX:PrintIR=reduce_strength -cp build/howto Multiples | grep -m 1 ishl": [
        r"n\d+ int = ishl n\d+ n\d+\n"
    ],
}
# These end with an error.
REFUSED = {"./keyhole -XX:ClassHistogramRows=-1 -version"}
# Commands whose output must be java's: {command: name of the program that java runs}.
SAME_AS_JAVA = {
    "./keyhole -Xint -cp build/howto Complements": "Complements",
    "./keyhole -cp build/howto Rotations": "Rotations",
    "./keyhole -cp build/howto Multiples": "Multiples",
}

failures = 0
passed = 0


def check(name, fault):
    global failures, passed
    if fault:
        failures += 1
        print(f"FAILED {name}\n{fault}\n")
    else:
        passed += 1
        print(f"ok     {name}", flush=True)


class Block:
    """A fenced block of a page: its language, its target, its lines."""

    def __init__(self, page, info, text):
        self.page = page
        self.language = info.split()[0] if info.split() else ""
        self.text = text
        self.new = (re.findall(r" new=(\S+)", info) or [None])[0]
        place = re.search(r' file=(\S+) (after|before|replace)="(.*)"$', info)
        self.file, self.how, self.anchor = place.groups() if place else (None, None, None)
        self.path = self.new or self.file


def blocks_of(page):
    text = (PAGES / f"{page}.md").read_text()
    fences = re.findall(r"(?m)^```(.+)\n((?:.*\n)*?)^```$", text)
    return [Block(page, info, body) for info, body in fences]


def apply(block, contents):
    """Applies a block to `contents`, {path: text}. Returns an empty text, or the reason why the block does not fit the
    file."""
    if block.new:
        if block.new in contents:
            return f"{block.new} exists already"
        contents[block.new] = block.text
        return ""
    if block.file not in contents:
        return f"no file {block.file}"
    lines = contents[block.file].splitlines(keepends=True)
    found = [i for i, line in enumerate(lines) if block.anchor in line]
    if len(found) != 1:
        return f"{block.file}: {len(found)} lines contain {block.anchor}"
    at = found[0]
    begin, end = {"after": (at + 1, at + 1), "before": (at, at), "replace": (at, at + 1)}[block.how]
    lines[begin:end] = [block.text]
    contents[block.file] = "".join(lines)
    return ""


def fit(pages):
    """Returns the files in which the copy must differ from the tree, {path: text}, or None if a page does not fit the
    tree."""
    before = failures
    contents = {}
    for name in tree_files():
        try:
            contents[name] = (ROOT / name).read_text()
        except UnicodeDecodeError:
            pass  # no how-to edits it
    changed = set()
    for page in pages:
        prose = re.sub(r"(?m)^```(.+)\n((?:.*\n)*?)^```$", "", (PAGES / f"{page}.md").read_text())
        faults = []
        for block in blocks_of(page):
            if block.path is None:
                if block.language != "sh":
                    faults.append(f"a block of {block.language or 'no language'} that says nowhere where it goes")
                continue
            faults += [fault for fault in [apply(block, contents)] if fault]
            changed.add(block.path)
            if (
                block.path not in prose
                and not block.path.startswith("build/")
                and not block.path.startswith("docs/locks/t")
            ):
                faults.append(f"{block.path} is edited, and the text does not name it")
        for name in re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.\w+)`", prose):
            if name not in contents and "NAME" not in name and not name.startswith("build/"):
                faults.append(f"the text names {name}, which there is not")
        for command in commands_of(page):
            if command not in PROMISES:
                faults.append(f"what does this command show? {command}")
        check(f"{page}: the page fits the tree", "\n".join(faults))
    return {name: contents[name] for name in changed} if failures == before else None


def commands_of(page):
    """Returns the commands of the page's sh blocks, without those that build. Comments are cut off, continued lines are
    joined."""
    commands = []
    for block in blocks_of(page):
        if block.language == "sh":
            for line in block.text.replace("\\\n", "").splitlines():
                command = re.sub(r"\s+#.*", "", re.sub(r"  +", " ", line)).strip()
                if command and not command.startswith("cmake --build"):
                    commands.append(command)
    return commands


def write_copy(changed):
    """Updates the copy TREE from ROOT, with the changes of the pages. The function does not write a file that already
    has the new contents, so that the build does not compile the file again."""
    wanted = {name: (ROOT / name).read_bytes() for name in tree_files()}
    wanted |= {name: text.encode() for name, text in changed.items()}
    for name, data in wanted.items():
        path = TREE / name
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if (ROOT / name).is_file():
            path.chmod((ROOT / name).stat().st_mode)
    for path in TREE.rglob("*"):
        name = path.relative_to(TREE).as_posix()
        if (
            path.is_file()
            and not name.startswith(("build/release/", "build/java-tests/", ".git/"))
            and name not in wanted
        ):
            path.unlink()
    # Makes the copy a git repository, because checks that run in the copy ask git for the names of the copy's files.
    if shutil.which("git"):
        if not (TREE / ".git").exists():
            subprocess.run(["git", "init", "-q", str(TREE)], check=True)
        subprocess.run(["git", "-C", str(TREE), "add", "-A"], check=True)


def run(command):
    environment = dict(os.environ, PATH=f"{JDK / 'bin'}:{os.environ['PATH']}")
    try:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=TREE,
            env=environment,
            text=True,
            errors="replace",
            timeout=SECONDS,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, -1, stdout=f"not done after {late.timeout} s")


def build(pages):
    targets = ["keyhole", "keyhole_overlay"] + sorted({target for page in pages for target in TARGETS[page]})
    for command in [
        "cmake --preset release -DKEYHOLE_BUILD_TESTS=ON -DKEYHOLE_LAYOUTS=compact -DKEYHOLE_MODEL_MUTANTS=OFF",
        "cmake --build --preset release --target " + " ".join(targets),
    ]:
        done = run(command)
        if done.returncode != 0:
            check("the copy is built", done.stdout[-6000:])
            return False
    (TREE / "build" / "release" / ".complete").touch()  # ./keyhole builds nothing
    check("the copy is built", "")
    return True


def fault_of(command):
    done = run(command)
    position = 0
    for pattern in PROMISES[command]:
        found = re.compile(pattern, re.S).search(done.stdout, position)
        if not found:
            return f"exit code {done.returncode}, and not to be seen: {pattern}\n{done.stdout[-3000:]}"
        position = found.end()
    if (done.returncode != 0) != (command in REFUSED):
        return f"exit code {done.returncode}\n{done.stdout[-3000:]}"
    if command in SAME_AS_JAVA:
        expected = run(f"java -cp build/howto {SAME_AS_JAVA[command]}").stdout
        if done.stdout != expected:
            return f"java prints\n{expected}and this\n{done.stdout}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", metavar="PAGE", help=", ".join(TARGETS))
    parser.add_argument("--pages", action="store_true", help="only whether the pages fit the tree")
    options = parser.parse_args()
    pages = options.page or list(TARGETS)
    if unknown := set(pages) - set(TARGETS):
        sys.exit(f"no how-to {', '.join(sorted(unknown))}")
    if not options.page:
        written = {path.stem for path in PAGES.glob("*.md")} - {"README"}
        check("every page is tested", "" if written == set(TARGETS) else f"{sorted(written ^ set(TARGETS))}")
    changed = fit(pages)
    if changed is not None:
        write_copy(changed)
        for name in ["layers", "frames", "readmes", "rules", "width"]:
            done = run(f"python3 tests/check_{name}.py")
            check(f"the copy passes check_{name}", "" if done.returncode == 0 else done.stdout)
        if not options.pages and build(pages):
            for page in pages:
                for command in commands_of(page):
                    check(f"{page}: {command}", fault_of(command))
    print(f"{passed} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
