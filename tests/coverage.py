#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Measures line coverage: builds the VM with counters, runs a part of the tests, and prints a table of folders.

    tests/coverage.py [--parts unit,java,launcher,jit] [--units NAME,...] [--scripts NAME,...] [--sample N]
                      [--minutes M] [--add] [--no-build] [--no-run] [--files FOLDER]

The build is the preset `coverage` (KEYHOLE_COVERAGE, cmake/options.cmake) with one header layout. The part `unit`
builds and runs the unit tests of UNITS, or those that --units names. The part `java` runs all differential programs in
the release configuration, with each library of LIBRARIES that is installed, and each Nth program (--sample) in the
configurations TIERS. The parts `launcher` and `jit` run scripts of these folders, or only those that
--scripts names. No part begins later than M minutes after the first part, and no part may take more than a third of M
minutes. The script names each part that fails or is stopped, and counts the lines that the part ran. Lines of a process
that a signal kills do not count. --add keeps the counts of earlier runs of this build.

The table counts the lines of functions that the VM or its plug-in contains. If only unit tests run, the table counts
the lines of functions that the unit tests contain. The table omits functions that the linker drops, inline functions
without a caller and templates without an instance. --files lists the files of a folder instead of the table. The script
needs the packages of `.ci/install-packages build tests coverage`.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "java"))
import homes

BUILD = ROOT / "build" / "coverage"
RAW = BUILD / "profiles"
VM = BUILD / "keyhole"
PLUGIN = BUILD / "libkeyhole-llvm.so"
UNITS = ["runtime_base", "runtime_object", "runtime_recorder", "runtime_threads", "runtime_sync", "gc", "vm_metadata",
         "vm_classfile", "vm_link", "vm_link_indy", "vm_verify", "vm_frames", "vm_interpreter", "vm_tools", "jit_code",
         "jit_baseline", "jit_graph", "jit_low_graph", "jit_llvm", "jit_lowered", "jit_image", "jit_optimised",
         "classlib_natives"]
OF_BACK_ENDS = ["jit_llvm", "jit_lowered"]   # many of their tests run a second time, with the middle tier's back end
LIBRARIES = [17, 25]
TIERS = ["xcomp", "middle", "optimised"]
LAUNCHER = ["run.py", "recording.py", "attach.py", "jdwp.py --quick", "thread_dump.py", "heap_dump.py", "agents.py",
            "modules.py", "loading.py", "findings.py", "explore.py", "explore_memory.py", "step.py", "lock_lab.py",
            "files.py", "lessons.py", "compare_locks.py", "options.py", "first_run.py", "look.py"]
JIT = ["code_image.py", "optimising_tier.py", "method_data.py", "code_cache.py"]
ROOMS = ("vm/tools", "jit/graph")   # folders whose subfolders have rows of their own
LEAST = 80                          # percent; lower values are marked


def parts_of(names, units, chosen, sample):
    """Yields (name, command) for each command that the script runs."""
    python = [sys.executable]
    if "unit" in names:
        for name in units:
            command = [str(BUILD / "tests" / f"{name}_test"), "--gtest_brief=1"]
            yield f"{name}_test", command
        if set(OF_BACK_ENDS) & set(units):
            yield "jit_middle_test", ["ctest", "--test-dir", str(BUILD), "-L", "jit_middle_test", "--output-on-failure"]
    if "java" in names:
        program = [*python, "tests/java/run.py", "--vm", str(VM)]
        for library in LIBRARIES:
            if library in homes.homes():
                yield f"java-{library}", [*program, "--library", str(library)]
        configurations = [word for name in TIERS for word in ("--config", name)]
        yield "java-tiers", [*program, *configurations, "--sample", str(sample)]
    for folder, scripts in (("launcher", LAUNCHER), ("jit", JIT)):
        if folder in names:
            for script in scripts:
                name, *options = script.split()
                if chosen and name not in chosen:
                    continue
                vm = ["--vm", str(VM)] if folder == "jit" else []
                yield name, [*python, f"tests/{folder}/{name}", *options, *vm]


def run(name, command, seconds):
    """Runs a command of a part, and prints how it ended."""
    environment = dict(os.environ, KEYHOLE_VM=str(VM), LLVM_PROFILE_FILE=str(RAW / "%4m.profraw"))
    began = time.monotonic()
    with open(BUILD / f"coverage-{name}.log", "w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True)
        try:
            ended = f"exit code {process.wait(timeout=seconds)}"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            ended = "stopped"
    print(f"{time.monotonic() - began:6.0f} s  {name}: {ended}", flush=True)


def counted(names, units):
    """Returns {path: (lines, lines that ran)} of the tree's files."""
    merged = BUILD / "coverage.profdata"
    subprocess.run(["llvm-profdata-19", "merge", "-sparse", "--failure-mode=all", "-o", merged, *RAW.glob("*.profraw")],
                   check=True)
    binaries = [VM, PLUGIN] if names != ["unit"] else [BUILD / "tests" / f"{name}_test" for name in units]
    binaries = [str(path) for path in binaries if path.exists()]   # without LLVM's packages there is no plug-in
    objects = [word for path in binaries[1:] for word in ("-object", path)]
    shown = subprocess.run(["llvm-cov-19", "export", "-summary-only", "-instr-profile", merged, binaries[0],
                            *objects],
                           check=True, capture_output=True, text=True).stdout
    files = {}
    for file in json.loads(shown)["data"][0]["files"]:
        path = file["filename"].removeprefix(f"{ROOT}/")
        if (ROOT / path).is_file() and not path.startswith(("/", "build/", "tests/")):
            files[path] = (file["summary"]["lines"]["count"], file["summary"]["lines"]["covered"])
    return files


def room_of(path):
    folders = pathlib.PurePosixPath(path).parent.parts
    return "/".join(folders[:3 if "/".join(folders[:2]) in ROOMS else 2])


def percent(lines, ran):
    return f"{100 * ran / max(lines, 1):.0f} %"


def print_table(files):
    rooms = collections.defaultdict(lambda: [0, 0])
    for path, (lines, ran) in files.items():
        for room in (room_of(path), "all") if lines else ():   # files that only define macros have no lines
            rooms[room][0] += lines
            rooms[room][1] += ran
    total = rooms.pop("all")
    print("\n| folder | lines | run |\n|---|---:|---:|")
    for room, (lines, ran) in sorted(rooms.items()):
        mark = " (!)" if 100 * ran < LEAST * lines else ""
        print(f"| `{room}` | {lines:,} | {percent(lines, ran)}{mark} |")
    print(f"| all | {total[0]:,} | {percent(*total)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="unit,java,launcher,jit")
    parser.add_argument("--units", default=",".join(UNITS), metavar="NAME,...")
    parser.add_argument("--scripts", default="", metavar="NAME,...")
    parser.add_argument("--sample", type=int, default=4, metavar="N", help="each Nth program, another in each row")
    parser.add_argument("--minutes", type=float, default=60, metavar="M")
    parser.add_argument("--add", action="store_true", help="keep what earlier runs counted")
    parser.add_argument("--no-build", action="store_true", help="the build is there")
    parser.add_argument("--no-run", action="store_true", help="print what the last run counted")
    parser.add_argument("--files", metavar="FOLDER", help="the files of a folder in place of the table")
    options = parser.parse_args()
    names, units = options.parts.split(","), options.units.split(",")
    for tool in ("llvm-profdata-19", "llvm-cov-19"):
        if shutil.which(tool) is None:
            sys.exit(f"no {tool}: .ci/install-packages coverage")
    if not options.no_build and not options.no_run:
        targets = [f"{name}_test" for name in units if "unit" in names]
        targets += ["keyhole", "keyhole_overlay"] if names != ["unit"] else []
        targets += ["look_page"] if "launcher" in names and shutil.which("npm") else []
        subprocess.run([".ci/build", "coverage", "-DKEYHOLE_BUILD_TESTS=ON", "--", "--target", *targets], cwd=ROOT,
                       check=True, stdout=sys.stderr)
    if not options.no_run:
        if not options.add:
            shutil.rmtree(RAW, ignore_errors=True)
        began = time.monotonic()
        chosen = options.scripts.split(",") if options.scripts else []
        for name, command in parts_of(names, units, chosen, options.sample):
            if time.monotonic() - began > 60 * options.minutes:
                print(f"          {name}: left out, the time is over")
            else:
                run(name, command, 20 * options.minutes)
    files = counted(names, units)
    if options.files:
        for path, (lines, ran) in sorted(files.items(), key=lambda item: item[1][1] - item[1][0]):
            if path.startswith(options.files):
                print(f"{percent(lines, ran):>6} of {lines:5}  {path}")
    else:
        print_table(files)


if __name__ == "__main__":
    main()
