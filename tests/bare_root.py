#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the README's two commands on a minimal Debian 12, 13 or sid, to find packages that the commands need but do not
install.

    tests/bare_root.py [--suite bookworm|trixie|sid] [--keep] [--second="--quick"]

debootstrap makes a minimal root in build/bare-root-SUITE, with this machine's package source and a copy of the tree. In
this root, `./keyhole examples/DiningPhilosophers.java` installs packages, builds the VM and runs the program, and must
print what `java` prints. Then `./run-tests --configure` (or with the options that --second gives) installs the packages
that the tests need, and configures every build. The compiler's cache is the host's, and packages stay in
build/bare-packages: if the cache and the packages exist, the script takes three minutes. Needs root (or sudo), for
chroot and mounts. --keep does not remove the root.
"""
import argparse
import fcntl
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "java"))
from homes import main_home

JDK = main_home()
PROGRAM = "examples/DiningPhilosophers.java"
AS_ROOT = [] if os.geteuid() == 0 else ["sudo"]
# Runs a command in the bare root. The command sees only its own processes, the host's devices and the compiler cache.
# Its processes and mounts end with the command.
ENTER = """set -e
mount --make-rprivate /
mount --bind "$2" "$1/root/.cache/ccache"
mount --bind "$4" "$1/var/cache/apt/archives"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
# Some versions of unshare leave SIGINT and SIGTERM blocked.
exec python3 -c 'import os, signal, sys
signal.pthread_sigmask(signal.SIG_SETMASK, [])
os.execvp(sys.argv[1], sys.argv[1:])' chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "cd /keyhole && $3"
"""


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def package_sources(suite):
    """Returns [(uri, suite, component)]: package sources of Debian for the suite, derived from this machine's own."""
    # Two of these scripts may run at once, and apt-get does not wait for another's lock on its lists.
    with open(ROOT / "build" / ".apt-lists.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(AS_ROOT + ["apt-get", "update", "-qq"], check=True, capture_output=True)
    lines = output_of(
        "apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)", "Created-By: Packages"
    ).splitlines()
    found = [tuple(line.split()[:3]) for line in lines if line.split()[3:] == ["Debian"]]
    if not found:
        sys.exit("no package source of Debian among these:\n" + "\n".join(lines))
    if any(of == suite for _, of, _ in found):
        return found
    mirror = next(uri for uri, of, _ in found if "-" not in of)
    return [(mirror, suite, "main")]


def remove():
    """Removes the root, but not the packages."""
    # Mounts exist only in the namespaces of the commands, so `rm` cannot delete files of the host through a mount.
    # --one-file-system is a further precaution.
    subprocess.run(AS_ROOT + ["rm", "-rf", "--one-file-system", str(BARE)], check=True)


def make_root(suite, sources):
    remove()
    BARE.mkdir(parents=True)
    PACKAGES.mkdir(parents=True, exist_ok=True)
    mirror = next(uri for uri, of, _ in sources if of == suite)
    made = subprocess.run(
        AS_ROOT + ["debootstrap", "--variant=minbase", f"--cache-dir={PACKAGES}", suite, str(BARE), mirror],
        capture_output=True,
        text=True,
    )
    if made.returncode != 0:
        sys.exit(f"debootstrap failed:\n{made.stdout[-2000:]}{made.stderr[-2000:]}")
    settings = [
        line
        for line in output_of("apt-config", "dump", "Acquire").splitlines()
        if line.startswith(("Acquire::http", "Acquire::Check"))
    ]
    write("etc/apt/sources.list", "".join(f"deb {uri} {of} {component}\n" for uri, of, component in sources))
    write("etc/apt/apt.conf.d/90host", "".join(line + "\n" for line in settings))
    for name in ("etc/resolv.conf", "etc/hosts"):
        write(name, pathlib.Path("/", name).read_text())


def write(name, text):
    subprocess.run(AS_ROOT + ["tee", str(BARE / name)], input=text, check=True, text=True, stdout=subprocess.DEVNULL)


def copy_tree():
    names = output_of("git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard").split(
        "\0"
    )
    there = "\0".join(name for name in names if name and (ROOT / name).exists())
    subprocess.run(AS_ROOT + ["mkdir", "-p", str(BARE / "keyhole"), str(BARE / "root/.cache/ccache")], check=True)
    packed = subprocess.Popen(
        ["tar", "-C", str(ROOT), "-c", "--null", "--files-from=-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    unpacked = subprocess.Popen(
        AS_ROOT + ["tar", "-C", str(BARE / "keyhole"), "-x", "--no-same-owner"], stdin=packed.stdout
    )
    packed.stdin.write(there.encode())
    packed.stdin.close()
    if packed.wait() != 0 or unpacked.wait() != 0:
        sys.exit("the tree could not be copied")


def run_inside(command, seconds):
    cache = output_of("ccache", "--get-config", "cache_dir").strip()
    pathlib.Path(cache).mkdir(parents=True, exist_ok=True)
    try:
        return subprocess.run(
            AS_ROOT
            + [
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "sh",
                "-c",
                ENTER,
                "sh",
                str(BARE),
                cache,
                command,
                str(PACKAGES),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as late:
        parts = [part.decode(errors="replace") for part in (late.stdout, late.stderr) if part]
        return subprocess.CompletedProcess(
            command, -1, parts[0] if parts else "", "".join(parts[1:]) + f"\nnot done after {seconds} s"
        )


class Results:
    passed = failed = 0

    def take(self, name, problem):
        if problem:
            self.failed += 1
            print(f"FAILED {name}\n{problem}", flush=True)
        else:
            self.passed += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--second", default="--configure", help="arguments of ./run-tests")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    global BARE, PACKAGES
    BARE = ROOT / "build" / f"bare-root-{options.suite}"
    PACKAGES = ROOT / "build" / "bare-packages" / options.suite
    for tool in ("debootstrap", "ccache", "unshare", "chroot"):
        if shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None:
            sys.exit(f"tests/bare_root.py: no {tool} on this machine")
    results = Results()
    start = time.monotonic()

    def elapsed(what):
        print(f"{time.monotonic() - start:5.0f} s  {what}", flush=True)

    make_root(options.suite, package_sources(options.suite))
    copy_tree()
    elapsed("a bare root")
    expected = output_of(str(JDK / "bin" / "java"), str(ROOT / PROGRAM))
    first = run_inside(f"./keyhole {shlex.quote(PROGRAM)}", 3600)
    elapsed("the first command: installed, built, run")
    told = [line for line in first.stderr.splitlines() if not line.startswith(("keyhole: ", "debconf: "))]
    if first.returncode != 0:
        # Reports the last lines of the error output, which give the reason, and skips the remaining steps of this
        # script.
        reason = "".join(first.stderr.splitlines(keepends=True)[-25:])
        results.take("the first command", f"exit code {first.returncode}\n{first.stdout[-1000:]}{reason}")
        print(f"{results.passed} passed, {results.failed} failed")
        return 1
    results.take("the first command's exit code", "")
    results.take(
        "the first command's output",
        "" if first.stdout == expected else f"expected:\n{expected}\nfound:\n{first.stdout[-3000:]}",
    )
    results.take("what the first command says beside", "\n".join(told[:40]))
    again = run_inside(f"./keyhole {shlex.quote(PROGRAM)}", 300)
    results.take(
        "the first command again: only the program",
        (
            ""
            if (again.stdout, again.stderr, again.returncode) == (expected, "", 0)
            else f"{again.returncode}\n{again.stdout[-3000:]}{again.stderr[-3000:]}"
        ),
    )
    elapsed("the first command again")
    forced = run_inside("./keyhole -Xcomp -XX:TieredStopAtLevel=4 -Xlog:jit=debug examples/Sieve.java", 300)
    results.take(
        "the optimising tier is there",
        (
            ""
            if forced.returncode == 0 and "] optimised: " in forced.stdout and not forced.stderr
            else f"{forced.returncode}\n{forced.stdout[-3000:]}{forced.stderr[-3000:]}"
        ),
    )
    elapsed("the optimising tier, forced")
    for command, expected in (
        ("check examples/locks/mcs.h --states 200", "0 failed"),
        ("simulate examples/locks/mcs.h --cpus 8 --threads 1,4 --seconds 0.0005 --never-park", "Mcs"),
    ):
        done = run_inside(f"./keyhole lock {command}", 900)
        results.take(
            f"lock {command}",
            (
                ""
                if done.returncode == 0 and expected in done.stdout
                else f"{done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
            ),
        )
    elapsed("keyhole lock: its programs built, run")
    second = run_inside(f"./run-tests {options.second}", 4 * 3600)
    elapsed(f"the second command, {options.second}")
    if options.second != "--configure":
        print(second.stdout)
    results.take(
        f"the second command, {options.second}",
        "" if second.returncode == 0 else f"{second.returncode}\n{second.stdout[-3000:]}{second.stderr[-3000:]}",
    )
    missing = [line for line in second.stdout.splitlines() if "not found" in line and "OpenMP" not in line]
    results.take("the second command leaves nothing out", "\n".join(missing))
    if not options.keep and results.failed == 0:
        remove()
    print(f"{results.passed} passed, {results.failed} failed")
    return 0 if results.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
