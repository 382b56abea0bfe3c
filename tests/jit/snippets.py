#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles snippets that break a rule of jit/snippets/README.md, as the build does, and expects the errors that the
sources name.

Each line `// error: text` of snippets/wrong/*.cpp has a part of a message of check_bitcode, such as its beginning.
These sources may cause no other messages. Two kinds of modules may cause no messages at all: the VM's own module in
each layout, and the module that is embedded in each executable (-XX:SnippetBitcodeFile= writes it).
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDER = ROOT / "jit" / "snippets"


def commands_of(config):
    """Yields the compile command of the module for each header layout, as a list of words without the output file."""
    for entry in json.loads((ROOT / "build" / config / "compile_commands.json").read_text()):
        if entry["file"] != str(FOLDER / "module.cpp"):
            continue
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if "clang" in word) :]
        for flag in ("-o", "-c"):
            at = words.index(flag)
            del words[at : at + 2]
        yield words, entry["directory"]


def messages_of(source, words, directory, temporary):
    """Returns the messages of check_bitcode about a source in C++, or in bitcode."""
    text = temporary / (source.stem + ".ll")
    if source.suffix == ".bc":
        words = [words[0], "-x", "ir", "-emit-llvm", "-Xclang", "-disable-llvm-passes"]
    compiled = subprocess.run(
        [*words, "-S", str(source), "-o", str(text)], cwd=directory, capture_output=True, text=True
    )
    if compiled.returncode != 0:
        return [f"does not compile: {compiled.stderr}"]
    checked = subprocess.run(
        [str(FOLDER / "check_bitcode"), str(text), str(FOLDER / "symbols.def")], capture_output=True, text=True
    )
    messages = [line.removeprefix(f"{text}: ") for line in checked.stderr.splitlines()]
    if (checked.returncode != 0) != bool(messages):
        messages.append(f"{len(messages)} messages, but the result {checked.returncode}")
    return messages


def faults_of(source, messages):
    expected = re.findall(rb"^// error: (.*)$", source.read_bytes(), re.MULTILINE)
    expected = [text.decode() for text in expected]
    if (source.parent.name == "wrong") != bool(expected):
        return ["a wrong program says // error: somewhere, the module does not"]
    faults = [f"no message with: {text}" for text in expected if not any(text in message for message in messages)]
    return faults + [f"not expected: {message}" for message in messages if not any(text in message for text in expected)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="release", help="the build whose flags are used")
    options = parser.parse_args()
    commands = list(commands_of(options.config))
    if not commands:
        sys.exit(f"jit/snippets/module.cpp is not compiled by build/{options.config}")
    tasks = [(source, *commands[0]) for source in sorted(HERE.glob("snippets/wrong/*.cpp"))]
    tasks += [(FOLDER / "module.cpp", *command) for command in commands]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        temporary = pathlib.Path(name)
        for vm in sorted((ROOT / "build" / options.config).glob("keyhole*")):
            if not vm.is_file() or not os.access(vm, os.X_OK):
                continue
            written = temporary / f"{vm.name}.bc"
            done = subprocess.run([vm, f"-XX:SnippetBitcodeFile={written}", "-version"], capture_output=True, text=True)
            if done.returncode != 0 or not written.read_bytes().startswith(b"BC\xc0\xde"):
                sys.exit(f"{vm} writes no bitcode: {done.stderr}")
            tasks.append((written, *commands[0]))
        for source, words, directory in tasks:
            faults = faults_of(source, messages_of(source, words, directory, temporary))
            failed += bool(faults)
            if faults:
                print(f"FAILED {source}", *faults, sep="\n  ")
    print(f"{len(tasks) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
