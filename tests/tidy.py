#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that clang-tidy finds nothing in the VM. The checks are those of .clang-tidy; each finding is an error.

    tests/tidy.py [--config release] [--times] [--no-cache] [PATH ...]

The script checks the files that the build compiles. So clang-tidy checks a unity source as a whole, together with the
headers; the script does not report findings in system headers. With PATH, the script checks only sources that contain
or include a file below PATH. Only one header layout is checked, and a source that is compiled for several programs is
checked once. --times prints how long each source took, and the processor time of all.

The script does not check a source again if the last check had no finding and no file has changed since. For each
compilation, a cache (a folder inside ccache's folder) stores the checksums of all files that the compilation read.
--no-cache neither reads nor writes this cache.
"""
import argparse
import concurrent.futures
import functools
import hashlib
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
FOLDERS = ("runtime", "gc", "vm", "jit")   # not classlib: its native methods would take an eighth more time


KEPT = 8                     # versions of a source that the cache keeps
SECONDS_UNUSED = 30 * 86400  # an entry is removed if it was not used for this time


@functools.lru_cache(maxsize=None)
def checksum(path):
    try:
        return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()
    except OSError:
        return ""


def from_the_top(text):
    """Removes the folder of the checkout from a command's text, because all checkouts share the cache."""
    return text.replace(f"{ROOT}/", "").replace(str(ROOT), ".")


class Cache:
    """The cache of compilations without a finding. It is a folder with a file for each compilation and set of checks.
    Each entry of such a file is a {path: checksum} of the files that one compilation has read."""

    def __init__(self):
        asked = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True, check=True)
        self.folder = pathlib.Path(asked.stdout.strip()) / "keyhole-tidy"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.version = subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=True).stdout
        self.version += (ROOT / ".clang-tidy").read_text()

    def entry(self, source, command):
        # The bytes of a precompiled header differ between folders, so the cache uses the checksum of the header's text.
        headers = [checksum(f"{path}.sum") for path in re.findall(r"-include-pch -Xclang (\S+)", command)]
        key = json.dumps([self.version, from_the_top(str(source)), from_the_top(command), headers])
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    @staticmethod
    def versions(entry):
        try:
            return json.loads(entry.read_text())
        except (OSError, ValueError):
            return []

    def is_known(self, entry):
        known = any(all(checksum(path) == value for path, value in version.items()) for version in self.versions(entry))
        if known:
            entry.touch()
        return known

    def store(self, entry, files):
        version = {from_the_top(path): checksum(path) for path in files}
        new = entry.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps([version, *self.versions(entry)[:KEPT - 1]]))
        new.replace(entry)

    def remove_unused(self):
        for entry in self.folder.iterdir():
            try:
                if time.time() - entry.stat().st_mtime > SECONDS_UNUSED:
                    entry.unlink()
            except FileNotFoundError:   # another run has replaced or removed the file
                pass


def parts(source):
    """Returns the sources of a compiled file: the sources that a unity source includes, or else the file itself."""
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
        yield source, entry["command"]


def check(build, source, command, cache):
    """Returns (source, seconds, clang-tidy's result). The result is None if the cache knows the source."""
    began, began_at = time.monotonic(), time.time()
    entry = cache and cache.entry(source, command)
    if entry and cache.is_known(entry):
        return source, time.monotonic() - began, None
    tidy = [TIDY, "-p", str(build), "--quiet", f"--header-filter={re.escape(str(ROOT))}/.*", "--extra-arg=-H"]
    done = subprocess.run([*tidy, str(source)], capture_output=True, text=True, cwd=ROOT)
    if entry and done.returncode == 0:
        files = [str(source), *re.findall(r"^\.+ (/.*)$", done.stderr, flags=re.MULTILINE)]   # -H prints included files
        if all(os.stat(path).st_mtime < began_at for path in files):
            cache.store(entry, files)
    return source, time.monotonic() - began, done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="release", help="the build that says how sources are compiled")
    parser.add_argument("--times", action="store_true", help="print how long each source took")
    parser.add_argument("--no-cache", action="store_true", help="check all, also what has not changed")
    parser.add_argument("path", nargs="*", metavar="PATH")
    options = parser.parse_args()
    build = ROOT / "build" / options.config
    paths = [os.path.relpath(pathlib.Path(path).resolve(), ROOT) for path in options.path]
    wanted = list(sources(build, paths))
    cache = None if options.no_cache else Cache()
    findings, failed, known = {}, 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, seconds, done in pool.map(lambda each: check(build, *each, cache), wanted):
            if options.times:
                print(f"{seconds:6.1f} s {source.relative_to(ROOT)}", flush=True)
            known += done is None
            if done is None or done.returncode == 0:
                continue
            failed += 1
            found = re.split(r"^(?=/\S+:\d+:\d+: (?:error|warning))", done.stdout, flags=re.MULTILINE)
            findings.update((finding.splitlines()[0], finding) for finding in found if finding.startswith("/"))
            if not done.stdout.strip():
                findings[str(source)] = re.sub(r"^\.+ /.*\n", "", done.stderr, flags=re.MULTILINE)
    for finding in findings.values():
        print(finding.replace(f"{ROOT}/", ""))
    if options.times:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time, {known} sources known from before")
    if cache:
        cache.remove_unused()
    print(f"{len(wanted) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not wanted else 0)


if __name__ == "__main__":
    main()
