#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy finds nothing in the VM: the checks of .clang-tidy, each of them an error.

    tests/tidy.py [--config release] [--times] [PATH ...]

Checks what the build compiles, so a unity source is checked whole, with its headers; headers of the system are not
reported. PATH: only sources that contain or include a file below it, default all. Of the layouts one is enough, and of
sources that are compiled for several programs the first. --times prints how long each source took, and the processor
time of all.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-19"
FOLDERS = ("runtime", "gc", "vm", "jit")   # the native methods of classlib would take another eighth of the time


def parts(source):
    """The files of ours that a compiled file consists of: those that a unity source includes, or the file itself."""
    if "unity" not in source.relative_to(ROOT).parts:
        return [str(source.relative_to(ROOT))]
    included = re.findall(r'#include "([^"]+)"', source.read_text())
    return [os.path.relpath(ROOT / path, ROOT) for path in included]


def sources(build, paths):
    seen = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(ROOT) or not source.exists():
            continue
        files = parts(source)
        if not files or not files[0].startswith(tuple(f"{folder}/" for folder in FOLDERS)):
            continue
        if paths and not any(file == path or file.startswith(path + "/") for file in files for path in paths):
            continue
        if "-emit-llvm" in entry["command"] or tuple(files) in seen:
            continue
        seen.add(tuple(files))
        yield source


def check(build, source):
    began = time.monotonic()
    command = [TIDY, "-p", str(build), "--quiet", f"--header-filter={re.escape(str(ROOT))}/.*", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return source, time.monotonic() - began, done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="release", help="the build that says how sources are compiled")
    parser.add_argument("--times", action="store_true", help="print how long each source took")
    parser.add_argument("path", nargs="*", metavar="PATH")
    options = parser.parse_args()
    build = ROOT / "build" / options.config
    paths = [os.path.relpath(pathlib.Path(path).resolve(), ROOT) for path in options.path]
    wanted = list(sources(build, paths))
    findings, failed = {}, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, seconds, done in pool.map(lambda each: check(build, each), wanted):
            if options.times:
                print(f"{seconds:6.1f} s {source.relative_to(ROOT)}", flush=True)
            if done.returncode == 0:
                continue
            failed += 1
            found = re.split(r"^(?=/\S+:\d+:\d+: (?:error|warning))", done.stdout, flags=re.MULTILINE)
            findings.update((finding.splitlines()[0], finding) for finding in found if finding.startswith("/"))
            if not done.stdout.strip():
                findings[str(source)] = done.stderr
    for finding in findings.values():
        print(finding.replace(f"{ROOT}/", ""))
    if options.times:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time")
    print(f"{len(wanted) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not wanted else 0)


if __name__ == "__main__":
    main()
