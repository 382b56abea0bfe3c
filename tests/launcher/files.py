#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests a VM whose files are changed, cut or forged while it uses them: mapped buffers and segments, jars and class
files of the running program, jars that state wrong sizes, recordings. Also tests limits of files, and processes without
/proc or with another user's rights. Results are compared with java's where java has the feature. The programs are
tests/launcher/files/*.java.

    tests/launcher/files.py [--library 25] [word in a test's name ...]
"""
import json
import os
import pathlib
import pwd
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

from chosen_home import chosen_home, release
from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
SOURCES = ROOT / "tests" / "launcher" / "files"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="keyhole-files-"))
CLASSES = WORK / "classes"
RELEASE = release(JDK)
NOTES = []


def run(command, seconds=120, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=seconds, **options)


def java(*words, **options):
    return run([JDK / "bin" / "java", *words], **options)


def keyhole(*words, **options):
    return run([VM, *words], **options)


def output(result):
    return result.returncode, result.stdout.decode(errors="replace")


def megabytes_of(command):
    """Returns the exit code, standard error, and the maximum memory of the process."""
    with open(WORK / "stderr", "w+b") as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read().decode(errors="replace"), usage.ru_maxrss / 1024


# --- memory that is mapped from files ---------------------------------------------------------------------------------

MODES = [(), ("-Xint",), ("-Xcomp",), ("-XX:TieredStopAtLevel=1",), ("-XX:Tier4InvocationThreshold=10",)]


# java throws the InternalError of a failed access at the next safepoint of the thread, which may come after the
# exception handler. So the test expects only the lines that every VM must print.
MESSAGE = ("a fault occurred in an unsafe memory access operation" if RELEASE >= 21
           else "a fault occurred in a recent unsafe memory access operation in compiled Java code")


def check_output(program, expected):
    for flags in MODES:
        result = keyhole(*flags, "-cp", CLASSES, program)
        lines = [line.replace(MESSAGE, "InternalError") for line in result.stdout.decode().splitlines()]
        wrong = [(line, wanted) for line, wanted in zip(lines, expected) if line != wanted]
        assert lines == expected and result.returncode == 0, (flags, wrong[:3], lines[-3:], result.stderr[-2000:])


def mapped_buffers():
    reads = ["get", "getChar", "getLong", "getDouble", "bulk get", "short bulk get", "long view", "into direct", "hashCode"]
    writes = ["put", "putInt", "bulk put", "from direct"]
    rows = 3 * ([(name, "InternalError") for name in reads] + [("equals", "no error"), ("write", "IOException: Bad address")])
    rows += 2 * [(name, "InternalError") for name in writes]
    rows += [("load", "InternalError"), ("force", "no error"), ("read into", "IOException: Bad address")]
    expected = [f"{name}: {outcome}" for name, outcome in rows for _ in range(3)]
    check_output("MappedFiles", expected + [
        "the first page is there: 5", "failures while it is there: 0", "failures when it is not: 2000",
        "every thread is told: true", "grown: 9 9"])


def mapped_segments():
    if RELEASE < 22:
        return
    rows = [(name, "InternalError") for name in ("get", "set", "copy", "toArray", "fill", "mismatch")] + [("there", "no error")]
    check_output("MappedSegments", 2 * [f"{name}: {outcome}" for name, outcome in rows] + ["goes on"])


# --- class files and jars of the running program ----------------------------------------------------------------------

CHANGES = ["empty", "start", "half", "zeros", "replaced", "deleted"]


def make_jar(path, compression, names=None):
    with zipfile.ZipFile(path, "w", compression) as jar:
        for file in sorted(CLASSES.iterdir()):
            if names is None or file.name in names:
                jar.write(file, file.name)
        jar.writestr("resource.txt", "text " * 20000)


def changed_jars():
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for change in CHANGES:
            results = []
            for start in (java, keyhole):
                jar = WORK / "changed.jar"
                make_jar(jar, compression)
                results.append(output(start("-cp", jar, "ChangedJar", jar, change)))
            # After the changes "half", "replaced" and "deleted", a VM may or may not find a class in the rest of the
            # jar, so the two VMs' outputs may differ.
            assert results[1][0] == 0 and results[1][1].endswith("end\n"), (change, results[1])
            assert results[0] == results[1] or change in ("half", "replaced", "deleted"), (change, compression, *results)
            assert "loaded before: 2997 56" in results[1][1], results[1]


def changed_class_files():
    for change in ("empty", "zeros", "deleted"):
        folder = WORK / "folder"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(CLASSES, folder)
        result = keyhole("-cp", folder, "ChangedJar", folder / "Loaded.class", change)
        assert result.returncode == 0, result
        assert b"loaded before: 2997 56\nclass: 7\n" in result.stdout, result


def zip_bytes(name, data, method, claimed_compressed, claimed_size, crc):
    """Makes a jar with one entry. The entry's local header and the jar's directory state the claimed sizes."""
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, method, 0, 0, crc, claimed_compressed, claimed_size, len(name), 0)
    central = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, method, 0, 0, crc, claimed_compressed, claimed_size,
                          len(name), 0, 0, 0, 0, 0, 0)
    start = len(local) + len(name) + len(data)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, len(central) + len(name), start, 0)
    return local + name + data + central + name + end


def jars_that_claim_too_much():
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflater.compress((CLASSES / "Loaded.class").read_bytes()) + deflater.flush()
    most = 0xFFFFFFFE
    for name in (b"Loaded.class", b"META-INF/MANIFEST.MF"):
        for method, compressed in ((8, len(packed)), (8, most), (0, most), (8, most // 1032)):
            (WORK / "bomb.jar").write_bytes(zip_bytes(name, packed, method, compressed, most, 1))
            for words in (["-cp", WORK / "bomb.jar", "Loaded"], ["-jar", WORK / "bomb.jar"]):
                code, errors, megabytes = megabytes_of([VM, *words])
                assert code == 1 and errors and megabytes < 400, (name, method, compressed, code, errors, megabytes)


def cut_counters():
    """The file with the running VM's counters, which jps and jstat read, is truncated."""
    process = subprocess.Popen([VM, "-cp", str(CLASSES), "Counters"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    assert process.stdout.readline() == "begun\n"
    user = pwd.getpwuid(os.geteuid()).pw_name
    os.truncate(f"/tmp/hsperfdata_{user}/{process.pid}", 0)
    rest, _ = process.communicate("\n", timeout=60)
    assert (rest, process.returncode) == ("done\n", 0), (rest, process.returncode)


# --- recordings -------------------------------------------------------------------------------------------------------

HARMFUL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def names_of_threads_in_recordings():
    recording = WORK / "names.khr"
    result = keyhole(f"-XX:StartRecording={recording}", "-cp", CLASSES, "NamedThreads")
    assert result.returncode == 0, result
    objects = set()
    for options in ([], ["--waits"], ["--summary"], ["--to=json"], ["--waits", "--to=json"]):
        text = keyhole("--show", recording, *options).stdout.decode()   # which is UTF-8
        assert not HARMFUL.search(text), (options, HARMFUL.search(text))
        if "--to=json" in options:
            for line in text.splitlines():
                event = json.loads(line)
                if event.get("class") == "java.lang.Class" and "object" in event:
                    objects.add(event["object"])
        if not options:
            for name in ("\\u001b]0;title\\u0007", "\\u009b31m red", "line\\u000aend", "\\u202eright", '"quoted\\'):
                assert name in text, name
    for number in sorted(objects)[:3]:
        for options in ([], ["--to=json"]):
            text = keyhole("--show", recording, f"--picture={number}", *options).stdout.decode()
            assert not HARMFUL.search(text), text
    trace = WORK / "names.perfetto"
    assert keyhole("--show", recording, "--to=perfetto", f"--output={trace}").returncode == 0
    assert b"\xed\xa0\xbd" not in trace.read_bytes()   # half of a character is no UTF-8


def recordings_that_claim_too_much():
    recording, forged = WORK / "small.khr", WORK / "forged.khr"
    assert keyhole(f"-XX:StartRecording={recording}", "-XX:RecordEvents=classes", "-cp", CLASSES, "NamedThreads").returncode == 0
    content = recording.read_bytes()
    start = len(b"KEYHOLE RECORDING\n") + 8

    def frame(kind, codec, payload, count=0, raw=None):
        return struct.pack("<IBBHIIQqII", 0x4D52464B, kind, codec, 0, 1, count, 0, 0, len(payload) if raw is None else raw,
                           len(payload)) + payload

    far_text = struct.pack("<BIH", 0, 0xFFFFFFFF, 1) + b"x"
    event = struct.pack("<IHHII", 1, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF)
    frames = [frame(1, 0, far_text), frame(0, 2, event, count=1), frame(0, 1, b"\x28\xb5\x2f\xfd" + bytes(20), 4_000_000, 60_000_000),
              frame(0, 0, b"", count=0xFFFFFFFF), frame(1, 1, b"\x28\xb5\x2f\xfd" + bytes(20), raw=0xFFFFFFFF)]
    for extra in frames:
        forged.write_bytes(content[:start] + extra + content[start:])
        for words in (["--show", forged], ["--show", forged, "--to=json"], ["--look", "--recording", forged, "--output",
                      WORK / "page.html"]):
            code, errors, megabytes = megabytes_of([VM, *words])
            assert code in (0, 1) and megabytes < 800, (words, extra[:60], code, errors, megabytes)


# --- limits, /proc, rights --------------------------------------------------------------------------------------------

def limited_files():
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8 * 1024, resource.RLIM_INFINITY))
    words = ["-cp", CLASSES, "LimitedFile"]
    expected, actual = output(java(*words, preexec_fn=limit)), output(keyhole(*words, preexec_fn=limit))
    assert actual == expected, (actual, expected)
    result = keyhole(f"-Xlog:class+load:file={WORK / 'limited.log'}", "-cp", CLASSES, "NamedThreads", preexec_fn=limit)
    assert result.returncode == 0, result
    result = keyhole(f"-XX:StartRecording={WORK / 'limited.khr'}", "-cp", CLASSES, "NamedThreads", preexec_fn=limit)
    assert result.returncode == 0, result


def without_proc():
    """The VM finds its own folder through /proc. Without /proc it must not load an overlay or a plug-in from the
    working directory instead, even if files with their names are there."""
    folder = WORK / "elsewhere"
    folder.mkdir()
    for name in ("keyhole-overlay-17.jar", f"keyhole-overlay-{RELEASE}.jar", "libkeyhole-llvm.so"):
        (folder / name).write_bytes(b"not the overlay")
    alone = ["unshare", "--mount", "sh", "-c", 'umount -l /proc && exec "$@"', "sh"]
    if run([*alone, "true"]).returncode != 0:
        NOTES.append("without_proc: /proc cannot be unmounted here, so nothing was tested")
        return
    result = run([*alone, VM, "-cp", CLASSES, "Loaded"], cwd=folder)
    assert result.returncode == 1 and b"Main method not found" in result.stderr + result.stdout or \
        b"main" in result.stderr.lower() + result.stdout.lower(), result
    assert b"overlay" not in result.stderr, result
    result = run([*alone, VM, "-cp", CLASSES, "NamedThreads"], cwd=folder)
    assert (result.returncode, result.stdout) == (0, b"300000\n"), result


def with_other_rights():
    """Like java, a process that runs setuid takes no options and no library from the environment."""
    if os.geteuid() != 0:
        NOTES.append("with_other_rights: only root makes a setuid file for another user, so nothing was tested")
        return
    folder = WORK / "setuid"
    folder.mkdir()
    WORK.chmod(0o755)
    build = pathlib.Path(VM).parent
    for file in [build / "keyhole", *build.glob("keyhole-overlay-*.jar")]:
        shutil.copy(file, folder)
    executable = folder / "keyhole"
    environment = {"PATH": "/usr/bin:/bin", "KEYHOLE_OPTIONS": "-Dfrom=KEYHOLE_OPTIONS", "JAVA_TOOL_OPTIONS": "-Dfrom=TOOL",
                   "JDK_JAVA_OPTIONS": "-Dfrom=JDK", "_JAVA_OPTIONS": "-Dfrom=JAVA"}
    words = [executable, "-XshowSettings:properties", "-version"]
    plain = run(words, env=environment)
    assert b"Picked up JAVA_TOOL_OPTIONS" in plain.stderr and b"from = " in plain.stderr, plain
    for hostile in ({"KEYHOLE_JAVA_HOME": "/nowhere"}, {"KEYHOLE_OVERLAY": "/nowhere.jar"}):
        assert run(words, env={**environment, **hostile}).returncode != 0, hostile
    os.chown(executable, 65534, 65534)
    executable.chmod(0o4755)
    for hostile in ({}, {"KEYHOLE_JAVA_HOME": "/nowhere"}, {"KEYHOLE_OVERLAY": "/nowhere.jar"}):
        result = run(words, env={**environment, **hostile})
        assert result.returncode == 0 and b"Picked up" not in result.stderr and b"from = " not in result.stderr, result


def main():
    try:
        CLASSES.mkdir()
        sources = [file for file in SOURCES.glob("*.java") if RELEASE >= 22 or file.name != "MappedSegments.java"]
        run([JDK / "bin" / "javac", "-d", CLASSES, *sources]).check_returncode()
        tests = [mapped_buffers, mapped_segments, changed_jars, changed_class_files, jars_that_claim_too_much,
                 cut_counters, names_of_threads_in_recordings, recordings_that_claim_too_much, limited_files,
                 without_proc, with_other_rights]
        return run_tests(by_name(tests), sys.argv[1:], NOTES)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
