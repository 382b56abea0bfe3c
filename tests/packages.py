#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the Debian package and the tarball of Keyhole in a bare root, a minimal Debian system of this machine's
release. Installs the package there and runs Java. Then unpacks the tarball there and runs Java from its folder.

    tests/packages.py [--build build/release | --made-in build/bare-root-trixie] [--keep]

With --made-in, the packages are made inside a bare root that `tests/bare_root.py --keep` has left, and are installed in
a new bare root of the same Debian. So a machine tests the packages of other Debian releases, too.

The packages are those of the target `packages`, which this script builds unless they exist. Files that are not built,
such as further header layouts, are not in the packages and are not tested. `cmake --install` must make the same files.
Needs root (or sudo), for chroot and mounts, as tests/bare_root.py does.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import bare_root

HELLO = """public class Hello {
    public static void main(String[] args) {
        System.out.println("Hello from " + System.getProperty("java.vm.name"));
    }
}
"""
SAID = "Hello from Keyhole VM\n"
LAYOUTS = {"keyhole": "", "keyhole-classic": "-XX:-UseCompactObjectHeaders ", "keyhole-tiny": "-XX:+UseTinyObjectHeaders "}
LATER = ("lib/keyhole/home",)   # the package's installation makes this folder, for the machine's JDK


def suite_of_this_machine():
    lines = pathlib.Path("/etc/os-release").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["VERSION_CODENAME"].strip('"')


def files_below(folder):
    names = (str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return {name for name in names if not name.startswith(LATER)}


def files_in_tarball(tarball):
    with tarfile.open(tarball) as packed:
        return {member.name.split("/", 1)[1] for member in packed if not member.isdir()}


def dockerfile_step():
    """Returns the command by which the last stage of the Dockerfile installs the package from /tmp."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    steps = [line for line in text.splitlines() if line.startswith("RUN ")]
    return steps[-1].removeprefix("RUN ")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--made-in", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    for tool in ("debootstrap", "unshare", "dpkg-shlibdeps"):   # .ci/install-packages package installs dpkg-shlibdeps
        if shutil.which(tool, path="/usr/bin:/usr/sbin:/bin:/sbin") is None:
            print(f"left out: packages: there is no {tool} on this machine\n0 passed, 0 failed")
            return 0
    suite = options.made_in.name.removeprefix("bare-root-") if options.made_in else suite_of_this_machine()
    results, start = bare_root.Results(), time.monotonic()
    if options.made_in:
        bare_root.BARE, bare_root.PACKAGES = options.made_in.resolve(), ROOT / "build" / "bare-packages" / suite
        options.build = bare_root.BARE / "keyhole" / "build" / "release"
        making = ".ci/install-packages package && cd build/release && cpack --config CPackConfig.cmake"
        made = bare_root.run_inside(f"rm -rf /tmp/prefix && {making} && cmake --install . --prefix /tmp/prefix", 1800)
    else:
        cpack = ["cpack", "--config", "CPackConfig.cmake"]
        made = subprocess.run(cpack, cwd=options.build, capture_output=True, text=True, timeout=900)
    if made.returncode != 0:
        print(f"FAILED packages: cpack\n{made.stdout[-2000:]}{made.stderr[-2000:]}\n0 passed, 1 failed")
        return 1
    packages = options.build / "packages"
    (deb,), (tarball,) = packages.glob("keyhole_*.deb"), packages.glob("keyhole-*.tar.gz")
    print(f"{time.monotonic() - start:5.0f} s  packages: {deb.stat().st_size >> 20} and {tarball.stat().st_size >> 20} MiB")

    with tempfile.TemporaryDirectory() as prefix:
        if options.made_in:
            prefix = bare_root.BARE / "tmp" / "prefix"
        else:
            bare_root.output_of("cmake", "--install", str(options.build), "--prefix", prefix)
        installed, packed = files_below(pathlib.Path(prefix)), files_in_tarball(tarball)
        results.take("cmake --install makes what is in the tarball", "\n".join(sorted(installed ^ packed)))
    results.take("documents", "" if "share/doc/keyhole/docs/look.md" in packed else "share/doc/keyhole/docs/look.md")

    bare_root.BARE = ROOT / "build" / "package-root"
    bare_root.PACKAGES = ROOT / "build" / "bare-packages" / f"{suite}-packages"
    bare_root.make_root(suite, bare_root.package_sources(suite))
    for folder in ("keyhole", "root/.cache/ccache"):
        subprocess.run(bare_root.AS_ROOT + ["mkdir", "-p", str(bare_root.BARE / folder)], check=True)
    bare_root.write("keyhole/Hello.java", HELLO)
    for file in (deb, tarball, ROOT / "examples" / "Deadlock.java"):
        subprocess.run(bare_root.AS_ROOT + ["cp", str(file), str(bare_root.BARE / "keyhole")], check=True)
    print(f"{time.monotonic() - start:5.0f} s  a bare root of {suite}", flush=True)

    def inside(name, command, expected, seconds=180):
        done = bare_root.run_inside(command, seconds)
        good = done.returncode == 0 and (expected(done) if callable(expected) else done.stdout == expected)
        results.take(name, "" if good else f"{done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")

    inside(
        "the package is installed, by the step of the Dockerfile",
        f"mv {deb.name} /tmp && {dockerfile_step()} && test -x /usr/lib/keyhole/home/bin/java",
        lambda done: True,
        1200,
    )
    print(f"{time.monotonic() - start:5.0f} s  the package with all that it needs", flush=True)
    for executable, flags in LAYOUTS.items():
        if f"lib/keyhole/{executable}" in packed:
            inside(executable, f"keyhole {flags}Hello.java", SAID)
    inside("a home for tools", "/usr/lib/keyhole/home/bin/java Hello.java", SAID)
    inside("-version", "keyhole -version 2>&1", lambda done: done.stdout.startswith("Keyhole "))
    if "lib/keyhole/look-page.html" in packed:
        inside(
            "--look without Node",
            "! command -v node && keyhole --look Deadlock.java 1 && grep -q '<script' Deadlock.look.html",
            lambda done: "the page of " in done.stderr,
        )
    for tool in ("modelcheck", "mutexbench"):
        if f"bin/keyhole-{tool}" in packed:
            inside(tool, f"keyhole-{tool} --help", lambda done: done.stdout)
    inside(
        "the tarball in another folder",
        f"mkdir /opt/anywhere && tar -C /opt/anywhere --strip-components=1 -xf {tarball.name} &&"
        " /opt/anywhere/bin/keyhole Hello.java && test -x /opt/anywhere/lib/keyhole/home/bin/java",
        SAID,
    )
    inside("removed without a rest", "apt-get remove -qq -y keyhole && ! ls -d /usr/lib/keyhole", lambda done: True)
    print(f"{time.monotonic() - start:5.0f} s  all")
    if not options.keep and results.failed == 0:
        bare_root.remove()
    print(f"{results.passed} passed, {results.failed} failed")
    return 0 if results.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
