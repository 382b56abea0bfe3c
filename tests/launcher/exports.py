#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the names that the executable exports, and the features that depend on these names. The VM exports only the
names that loaded locks need. A C library whose functions have names that also occur in the VM's libraries calls its own
functions. A crash report names functions that are not exported. The plug-in of the optimising tier loads.

    tests/launcher/exports.py [--library 25] [NAME ...]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import homes, main_home
from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "exports-tests"
# Names that the linker exports in any case: templates of the C++ library that shared libraries instantiate as well, and
# the executable's copies of a shared library's variables.
ALLOWED = r"std::|fmt::v\d+::|(vtable|typeinfo|typeinfo name) for (std|fmt)::|(stdin|stdout|stderr|environ|__environ)@"
OWN_ZSTD = """unsigned ZSTD_versionNumber(void) { return 4711; }
const char* ffi_call(void) { return "own"; }
unsigned version(void) { return ZSTD_versionNumber(); }
int is_own(void) { return ffi_call()[0] == 'o'; }
"""
CALLER = """import java.lang.foreign.*;

public class Caller {
    public static void main(String[] arguments) throws Throwable {
        SymbolLookup library = SymbolLookup.libraryLookup(java.nio.file.Path.of(arguments[0]), Arena.global());
        for (String name : new String[] {"version", "is_own"}) {
            System.out.println((int) Linker.nativeLinker().downcallHandle(library.find(name).get(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT)).invokeExact());
        }
    }
}
"""


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def exported_names(executable):
    lines = output_of("nm", "-D", "--defined-only", "--demangle", str(executable)).splitlines()
    return [line.split(maxsplit=2)[2] for line in lines]


def names_for_locks():
    """Returns a regular expression for the names that loaded locks may use (vm/launcher/for_locks.txt)."""
    text = (ROOT / "vm" / "launcher" / "for_locks.txt").read_text()
    return "|".join(re.escape(name).replace(r"\*", ".*") for name in re.findall(r"^ +(keyhole::\S+);$", text, re.M))


def only_names_for_locks_are_exported():
    for executable in [VM] + [str(each) for each in sorted(pathlib.Path(VM).parent.glob("keyhole-[ct]*[cy]"))]:
        names = exported_names(executable)
        wrong = [name for name in names if not re.match(f"{ALLOWED}|(thread-local initialization .*|TLS .*)?({names_for_locks()})", name)]
        assert len(names) > 50, names
        assert not wrong, f"{executable} exports {len(wrong)} names: {wrong[:10]}"


def plug_in_exports_its_entry_only():
    plugin = pathlib.Path(VM).parent / "libkeyhole-llvm.so"
    assert not plugin.exists() or exported_names(plugin) == ["keyhole_llvm_plugin"], exported_names(plugin)


def library_calls_its_own_functions():
    """If the VM exported zstd and libffi with default visibility, the dynamic linker would bind the C library's calls
    to the VM's functions, because the VM was loaded first."""
    (WORK / "own.c").write_text(OWN_ZSTD)
    (WORK / "Caller.java").write_text(CALLER)
    library = WORK / "libown.so"
    output_of("clang-19", "-shared", "-fPIC", "-O0", "-o", str(library), str(WORK / "own.c"))
    found = {number: home for number, home in homes().items() if number >= 22 and (home / "bin/javac").exists()}
    if not found:
        print("left out: library_calls_its_own_functions (no JDK 25)")
        return
    home = found[max(found)]
    output_of(str(home / "bin" / "javac"), "-d", str(WORK), str(WORK / "Caller.java"))
    command = [VM, f"-Djava.home={home}", "--enable-native-access=ALL-UNNAMED", "-cp", str(WORK), "Caller"]
    shown = output_of(*command, str(library))
    assert shown == "4711\n1\n", shown


def crash_report_names_functions():
    (WORK / "Waits.java").write_text(
        "public class Waits { public static void main(String[] a) throws Exception {"
        " System.out.println(ProcessHandle.current().pid()); Thread.sleep(100000); } }"
    )
    output_of(str(main_home() / "bin" / "javac"), "-d", str(WORK), str(WORK / "Waits.java"))
    crashing = subprocess.Popen(
        [VM, "-cp", str(WORK), "Waits"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=WORK
    )
    pid = int(crashing.stdout.readline())
    os.kill(pid, 11)
    out, err = crashing.communicate(timeout=60)
    shown = re.search(r"Native frames:\n(.*?)\n\n", out + err, re.DOTALL)
    assert shown, (out + err)[:2000]
    assert re.search(r"keyhole\((_ZN7keyhole\S+|main)\+0x[0-9a-f]+\) \[0x", shown.group(1)), shown.group(1)


def main():
    main_home()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    tests = by_name(
        [
            only_names_for_locks_are_exported,
            plug_in_exports_its_entry_only,
            library_calls_its_own_functions,
            crash_report_names_functions,
        ]
    )
    return run_tests(tests, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
