#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the inspection of a running program's heap: heap dumps, the class histogram, the flags that react to an
OutOfMemoryError, and -Xlog:gc+alloc.

The output is compared with java's. A dump's contents are compared with the program's objects, and with the class
histogram of the same moment.
"""
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hprof

from chosen_home import chosen_home, release

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "heap-dump-tests"

SOURCE = """
import java.util.*;
public class Dumped {
    static class Base { int shadowed = 11; long wide = 0x1122334455667788L; }
    static class Leaf extends Base {
        int shadowed = 22; byte b = -7; char c = 'x'; boolean yes = true; short s = -300; float f = 1.5f; double d = -2.25; String name; Leaf next; Object[] all;
    }
    enum Colour { RED, GREEN }
    static final Leaf KEPT = new Leaf();
    static int counter = 4711;
    static volatile boolean holding;
    static double ratio = 0.125;
    static Object[] arrays;
    static List<byte[]> filler = new ArrayList<>();
    static void fill() { while (true) filler.add(new byte[50_000]); }
    static void inFrame(Leaf localLeaf) { synchronized (localLeaf) { fill(); } }
    public static void main(String[] a) throws Exception {
        KEPT.name = "kept \\u00e9"; KEPT.next = new Leaf(); KEPT.next.name = "\\u4f60 next"; KEPT.next.next = KEPT; KEPT.all = new Object[] {KEPT, null, "text", 7};
        arrays = new Object[] {new boolean[] {true, false}, new char[] {'a', '\\uffff'}, new float[] {1.5f}, new double[] {-0.5}, new byte[] {-1, 2}, new short[] {-2},
                               new int[] {1, -2, 3}, new long[] {Long.MIN_VALUE}, new int[300_000], new Object[200_000], new int[0], new Leaf[2][3], Colour.GREEN};
        ((int[]) arrays[8])[299_999] = 99; ((Object[]) arrays[9])[199_999] = KEPT;
        Thread other = new Thread(() -> { Leaf held = new Leaf(); held.name = "held"; synchronized (held) { holding = true; while (counter != 0) { Thread.onSpinWait(); } } }, "other");
        other.setDaemon(true); other.start(); while (!holding) Thread.onSpinWait();
        Leaf local = new Leaf(); local.name = "local";
        try { inFrame(local); } catch (OutOfMemoryError e) { filler = null; System.out.println("caught " + e.getMessage()); }
        System.out.println("on");
        if (a.length > 0) Thread.sleep(60_000);   // the test sends signals meanwhile, and ends it
    }
}
"""
BUSY = """
public class Busy {
    static volatile Object sink;
    public static void main(String[] a) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) { threads[i] = new Thread(() -> { for (int k = 0; k < 400_000; k++) sink = new byte[100]; }); threads[i].start(); }
        for (Thread thread : threads) thread.join();
        System.gc();
    }
}
"""
passed = failed = 0


def test(function):
    global passed, failed
    folder = WORK / function.__name__
    folder.mkdir()
    try:
        function(folder)
        passed += 1
    except (AssertionError, hprof.Malformed, subprocess.SubprocessError, OSError) as problem:
        failed += 1
        print(f"FAILED {function.__name__}: {problem}", flush=True)


def run(vm, flags, folder, limit=None, main="Dumped"):
    def prepare():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    done = subprocess.run(
        [vm] + flags + ["-cp", str(WORK / "classes"), main],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=prepare,
    )
    return done


def comparable(text):
    text = re.sub(r"java_pid\d+", "java_pidN", text)
    return re.sub(r"\[\d+ bytes in \d+\.\d+ secs\]", "[N bytes in N secs]", text)


def same_as_java(flags, folder, limit=None):
    """Runs both VMs in folders of their own. Returns Keyhole's result."""
    (folder / "java").mkdir()
    (folder / "keyhole").mkdir()
    expected = run(str(JDK / "bin/java"), ["-Xmx32m", "-XX:+UseSerialGC"] + flags, folder / "java", limit)
    found = run(VM, ["-Xmx32m"] + flags, folder / "keyhole", limit)
    for what in ("stdout", "stderr", "returncode"):
        mine, theirs = getattr(found, what), getattr(expected, what)
        if what != "returncode":
            mine, theirs = comparable(mine), comparable(theirs)
        assert mine == theirs, f"{what}: {mine!r}, java's is {theirs!r}"
    return found


def only_file(folder, pattern):
    files = list((folder / "keyhole").glob(pattern))
    assert len(files) == 1, f"{pattern}: {files}"
    return files[0]


def check_contents(dump):
    leaf = dump.class_named("Dumped$Leaf")
    main = dump.class_named("Dumped")
    assert [name for name, _ in leaf.fields] == [
        "shadowed",
        "b",
        "c",
        "yes",
        "s",
        "f",
        "d",
        "name",
        "next",
        "all",
    ], leaf.fields
    assert dump.classes[leaf.superclass].name == "Dumped$Base"
    assert dump.class_named("java/lang/Object").superclass == 0
    assert dump.class_named("java/util/List").superclass == 0
    assert main.loader != 0 and dump.class_named("java/lang/String").loader == 0
    statics = {name: value for name, _, value in main.statics}
    assert statics["counter"] == 4711 and statics["ratio"] == 0.125, statics
    kept = dump.objects[statics["KEPT"]]
    fields = dump.fields_of(kept)
    wanted = {
        "shadowed": 22,
        "b": -7,
        "c": ord("x"),
        "yes": True,
        "s": -300,
        "f": 1.5,
        "d": -2.25,
        "wide": 0x1122334455667788,
    }
    assert {name: fields[name] for name in wanted} == wanted, fields
    assert dump.string(fields["name"]) == "kept \u00e9"
    following = dump.fields_of(dump.objects[fields["next"]])
    assert dump.string(following["name"]) == "\u4f60 next" and following["next"] == kept.id
    own, null, text, seven = dump.objects[fields["all"]].elements
    assert (
        own == kept.id
        and null == 0
        and dump.string(text) == "text"
        and dump.fields_of(dump.objects[seven])["value"] == 7
    )
    arrays = [dump.objects[each] for each in dump.objects[statics["arrays"]].elements]
    assert [list(each.elements) for each in arrays[:8]] == [
        [True, False],
        [97, 0xFFFF],
        [1.5],
        [-0.5],
        [-1, 2],
        [-2],
        [1, -2, 3],
        [-(2**63)],
    ]
    assert len(arrays[8].elements) == 300_000 and arrays[8].elements[-1] == 99 and sum(arrays[8].elements) == 99
    assert len(arrays[9].elements) == 200_000 and arrays[9].elements[-1] == kept.id
    assert arrays[10].elements == ()
    assert (
        dump.classes[arrays[11].class_id].name == "[[LDumped$Leaf;"
        and dump.classes[dump.objects[arrays[11].elements[0]].class_id].name == "[LDumped$Leaf;"
    )
    assert dump.string(dump.fields_of(arrays[12])["name"]) == "GREEN"

    # The dump has the objects that the threads' frames hold, and the line of each frame.
    def leaf_called(kind, name):
        found = [
            root
            for root in dump.roots
            if root.kind == kind and getattr(dump.objects.get(root.id), "class_id", 0) == leaf.id
        ]
        return [
            root
            for root in found
            if dump.fields_of(dump.objects[root.id])["name"]
            and dump.string(dump.fields_of(dump.objects[root.id])["name"]) == name
        ]

    def method_of(root):
        return dump.frames[dump.trace_of_thread(root.thread)[root.frame]]
    assert "inFrame" in {method_of(root).method for root in leaf_called("java frame", "local")}
    frame = next(method_of(root) for root in leaf_called("java frame", "local") if method_of(root).method == "inFrame")
    assert frame.source == "Dumped.java" and frame.class_serial == "Dumped" and frame.line > 0
    assert leaf_called("java frame", "held"), "the other thread's local is no root"
    assert leaf_called("monitor used", "local") and leaf_called("monitor used", "held")
    names = {
        dump.string(dump.fields_of(dump.objects[root.id])["name"])
        for root in dump.roots
        if root.kind == "thread object"
    }
    assert {"main", "other"} <= names, names
    kinds = {root.kind for root in dump.roots}
    assert {
        "java frame",
        "native stack",
        "sticky class",
        "monitor used",
        "thread object",
        "jni global",
        "unknown",
    } <= kinds, kinds


def histogram_rows(text):
    rows = {}
    for count, size, name in re.findall(r"^ *\d+: +(\d+) +(\d+)  (\S+)(?: \(.*\))?$", text, re.MULTILINE):
        rows[name.replace(".", "/")] = rows.get(name.replace(".", "/"), 0) + int(
            count
        )  # two loaders may each define a class of this name
    return rows


def heap_dump_holds_what_the_program_made(folder):
    same_as_java(["-XX:+HeapDumpOnOutOfMemoryError"], folder)
    path = only_file(folder, "java_pid*.hprof")
    assert path.stat().st_mode & 0o777 == 0o600
    check_contents(hprof.read(path).check())


def visualvm_reader():
    """Returns the jar of VisualVM's heap library: from the installed package, or else extracted from the package's
    archive, because the rest of the package, a graphical program, is not needed."""
    jar = "usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar"
    unpacked = ROOT / "build" / "packages"
    for root in (pathlib.Path("/"), unpacked):
        if (root / jar).exists():
            return root / jar
    unpacked.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["apt-get", "download", "-qq", "visualvm"], cwd=unpacked, capture_output=True, check=True, timeout=120
    )
    archive = next(unpacked.glob("visualvm_*.deb"))
    subprocess.run(["dpkg-deb", "-x", str(archive), str(unpacked)], check=True)
    return unpacked / jar


def visualvm_reads_it(folder):
    run(VM, ["-Xmx32m", "-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=h.hprof"], folder)
    dump = hprof.read(folder / "h.hprof").check()
    reader = visualvm_reader()
    subprocess.run(
        [str(JDK / "bin/javac"), "-cp", str(reader), "-d", str(folder), str(ROOT / "tests/launcher/ReadDump.java")],
        check=True,
    )
    done = subprocess.run(
        [str(JDK / "bin/java"), "-cp", f"{reader}:{folder}", "ReadDump", "h.hprof"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    leaf = dump.class_named("Dumped$Leaf")
    leaves = sum(1 for each in dump.objects.values() if getattr(each, "class_id", 0) == leaf.id)
    lines = done.stdout.splitlines()
    assert f"leaves {leaves} of Dumped$Base" in lines and f"kept {0x1122334455667788} -2.25 true" in lines, (
        done.stdout + done.stderr
    )
    assert (
        "text text" in lines
        and "counter 4711" in lines
        and "threads true frames true" in lines
        and "reached true" in lines
    ), (done.stdout + done.stderr)
    # VisualVM's number of visited objects does not include classes.
    assert f"visited {len(dump.objects)}" in lines, (len(dump.objects), len(dump.classes), done.stdout + done.stderr)


def every_object_of_the_histogram_is_in_the_dump(folder):
    done = run(
        VM, ["-Xmx32m", "-XX:+HeapDumpOnOutOfMemoryError", "-Xlog:gc+heap=trace", "-XX:HeapDumpPath=h.hprof"], folder
    )
    rows, counts = histogram_rows(done.stdout), hprof.read(folder / "h.hprof").check().counts()
    hidden = lambda name: name.split("/0x")[0].split("+0x")[0]
    merged = [{}, {}]
    for into, table in zip(merged, (rows, counts)):
        for name, count in table.items():
            into[hidden(name)] = into.get(hidden(name), 0) + count
    # The dump and the histogram have the same numbers of instances, but different names of hidden classes and of the
    # mirrors of primitive types.
    primitive_mirrors = sum(counts.values()) - sum(rows.values())
    different = {
        name: (merged[0].get(name), merged[1].get(name))
        for name in merged[0].keys() | merged[1].keys()
        if merged[0].get(name) != merged[1].get(name)
    }
    assert primitive_mirrors == 0 and not different and len(rows) > 100, different


def dump_survives_collections_at_every_step(folder):
    done = run(
        VM,
        [
            "-Xmx32m",
            "-XX:+HeapDumpOnOutOfMemoryError",
            "-XX:HeapDumpPath=h.hprof",
            "-XX:GCStressSafepointInterval=50",
            "-XX:+GCPoisonFromSpace",
            "-XX:+VerifyBeforeGC",
        ],
        folder,
    )
    assert done.returncode == 0 and "caught" in done.stdout, done.stdout + done.stderr
    check_contents(hprof.read(folder / "h.hprof").check())


def dump_path_may_be_a_folder(folder):
    (folder / "into").mkdir()
    done = run(VM, ["-Xmx32m", "-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=into"], folder)
    files = list((folder / "into").glob("java_pid*.hprof"))
    assert len(files) == 1 and f"Dumping heap to into/{files[0].name} ...\n" in done.stdout, done.stdout
    hprof.read(files[0]).check()


def dump_is_compressed(folder):
    sizes = {}
    for suffix, flag in (("", "-Dnone"), (".gz", "-XX:HeapDumpGzipLevel=6"), (".zst", "-XX:HeapDumpZstdLevel=3")):
        done = run(VM, ["-Xmx32m", "-XX:+HeapDumpOnOutOfMemoryError", flag], folder)
        files = [path for path in folder.glob(f"java_pid*.hprof{suffix}") if path.name.endswith(suffix or ".hprof")]
        assert len(files) == 1 and f"[{files[0].stat().st_size} bytes in" in done.stdout, (files, done.stdout)
        sizes[suffix] = files[0].stat().st_size
        check_contents(hprof.read(files[0]).check())
    assert sizes[".gz"] * 4 < sizes[""] and sizes[".zst"] * 4 < sizes[""], sizes


def full_disk_is_told(folder):
    same_as_java(["-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=d.hprof"], folder, limit=100_000)
    assert (folder / "keyhole" / "d.hprof").stat().st_size <= 100_000
    try:
        hprof.read(folder / "keyhole" / "d.hprof")
        raise AssertionError("half a dump passes for a whole one")
    except hprof.Malformed:
        pass


def missing_folder_is_told(folder):
    same_as_java(["-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=/nonexistent/d.hprof"], folder)


def existing_file_is_kept(folder):
    (folder / "java").mkdir()
    (folder / "d.hprof").write_text("mine")
    done = run(VM, ["-Xmx32m", "-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=d.hprof"], folder)
    assert (
        "Unable to create d.hprof: File exists\n" in done.stdout and (folder / "d.hprof").read_text() == "mine"
    ), done.stdout


def exit_on_out_of_memory(folder):
    found = same_as_java(["-XX:+ExitOnOutOfMemoryError"], folder)
    assert found.returncode == 3 and "Terminating due to java.lang.OutOfMemoryError: Java heap space\n" == found.stdout


def commands_on_out_of_memory(folder):
    found = run(VM, ["-Xmx32m", "-XX:OnOutOfMemoryError=echo first %p; echo second%%"], folder)
    assert re.search(
        r'^#\n# java\.lang\.OutOfMemoryError: Java heap space\n# -XX:OnOutOfMemoryError="echo first %p; echo second%%"\n'
        r'#   Executing /bin/sh -c "echo first (\d+)"\.\.\.\nfirst \1\n#   Executing /bin/sh -c " ?echo second%"\.\.\.\nsecond%\ncaught ',
        found.stdout,
    ), found.stdout


def crash_on_out_of_memory(folder):
    found = run(VM, ["-Xmx32m", "-XX:+CrashOnOutOfMemoryError"], folder)
    assert found.returncode not in (0, 1), found.returncode
    assert found.stdout.startswith("Aborting due to java.lang.OutOfMemoryError: Java heap space\n"), found.stdout
    assert "OutOfMemory encountered: Java heap space" in found.stdout + found.stderr, found.stdout + found.stderr


def histogram_at_sigquit(folder):
    program = subprocess.Popen(
        [VM, "-Xmx32m", "-XX:+PrintClassHistogram", "-cp", str(WORK / "classes"), "Dumped", "stay"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    text = ""
    try:
        while "on\n" not in text:
            text += program.stdout.readline()
        program.send_signal(signal.SIGQUIT)
        while not re.search(r"^Total ", text, re.MULTILINE):
            line = program.stdout.readline()
            assert line, text
            text += line
    finally:
        program.kill()
        program.wait()
    assert "Full thread dump" in text
    assert re.search(
        rf"^ num     #instances         #bytes  class name \(module\)\n-------------------------------------------------------\n   1: +\d+ +\d+  \S+ \(java\.base@{release(JDK)}\.",
        text,
        re.MULTILINE,
    ), text
    rows = histogram_rows(text)
    assert rows["Dumped$Leaf"] >= 3 and rows["Dumped$Colour"] == 2 and rows["java/lang/Thread"] >= 3, rows
    total = re.search(r"^Total +(\d+) +(\d+)$", text, re.MULTILINE)
    assert int(total.group(1)) == sum(rows.values())


def allocation_is_logged(folder):
    done = run(VM, ["-Xmx64m", "-Xmn38m", "-XX:+UseTLAB", "-Xlog:gc+alloc=debug,gc+tlab=debug"], folder, main="Busy")
    line = re.search(
        r"GC\(0\) (\d+) pieces, (\d+) CAS failures, (\d+) probes, (\d+) early refills, (\d+) slow rounds; regions: (\d+) opened, (\d+) retired, waste (\d+)B",
        done.stdout,
    )
    assert line and int(line.group(6)) > 100, done.stdout
    assert re.search(r"GC\(0\) retired: \d+K of slot \d+(, \d+K of slot \d+)*", done.stdout), done.stdout
    assert re.search(
        r"GC\(0\) TLAB totals: thrds: \d+  refills: \d+ max: \d+ slow allocs: \d+ max \d+ waste: +\d+\.\d% gc: \d+B max: \d+B slow: \d+B max: \d+B",
        done.stdout,
    ), done.stdout
    assert re.search(r"Total: \d+ pieces,", done.stdout) and re.search(
        r"Total: regions opened in each of the \d+ slots [^:]*:( \d+)+", done.stdout
    ), done.stdout
    without = run(VM, ["-Xmx64m", "-XX:-UseTLAB", "-Xlog:gc+alloc"], folder, main="Busy")
    assert int(re.search(r"Total: (\d+) pieces", without.stdout).group(1)) > 1_600_000, without.stdout   # each object
    # Each of the program's four threads allocates in an allocation slot of its own, so at least four slots have opened
    # regions.
    slots = re.search(r"regions opened in each of the \d+ slots [^:]*:((?: \d+)+)", without.stdout).group(1).split()
    assert len([count for count in slots if int(count) > 10]) >= 4, slots


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "classes").mkdir(parents=True)
    for name, text in (("Dumped", SOURCE), ("Busy", BUSY)):
        (WORK / f"{name}.java").write_text(text)
        subprocess.run(
            [str(JDK / "bin/javac"), "-encoding", "utf-8", "-d", "classes", f"{name}.java"], cwd=WORK, check=True
        )
    for function in [
        heap_dump_holds_what_the_program_made,
        visualvm_reads_it,
        every_object_of_the_histogram_is_in_the_dump,
        dump_survives_collections_at_every_step,
        dump_path_may_be_a_folder,
        dump_is_compressed,
        full_disk_is_told,
        missing_folder_is_told,
        existing_file_is_kept,
        exit_on_out_of_memory,
        commands_on_out_of_memory,
        crash_on_out_of_memory,
        histogram_at_sigquit,
        allocation_is_logged,
    ]:
        if len(sys.argv) < 2 or any(word in function.__name__ for word in sys.argv[1:]):
            test(function)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
