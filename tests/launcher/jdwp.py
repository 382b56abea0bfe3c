#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the debugger's agent (-agentlib:jdwp). The results of jshell, of JDI programs and of options are compared with
java's. Other tests send malformed commands, as a debugger that misbehaves.

The programs are in tests/launcher/jdwp. They run in the default configuration and compiled under GC stress; with
`--all` in every configuration, with `--quick` in the default one only. KEYHOLE_VM names another executable.
"""
import os
import pathlib
import random
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys

from chosen_home import chosen_home, home_over

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
SOURCES = ROOT / "tests" / "launcher" / "jdwp"
WORK = ROOT / "build" / "jdwp-tests"
JAVA = str(JDK / "bin" / "java")
STRESSED = "-Xcomp -XX:GCStressInterval=300 -XX:+VerifyAfterGC"
CONFIGURATIONS = ["", "-Xint", "-Xcomp", "-XX:GCStressInterval=100 -XX:+VerifyAfterGC", STRESSED,
                  *["-XX:-UseCompactObjectHeaders"] * pathlib.Path(VM + "-classic").exists(),
                  *["-XX:+UseTinyObjectHeaders"] * pathlib.Path(VM + "-tiny").exists()]

SOURCES_MADE_HERE = {
    "Hello.java": 'public class Hello { public static void main(String[] a) { System.out.println("hello"); } }',
    "Slow.java": """public class Slow {
        public static void main(String[] a) throws Exception {
            long n = 0;
            Object kept = null;
            for (int i = 0; i < 150; i++) {
                for (int j = 0; j < 1000; j++) { n += j; kept = new int[j]; }
                Thread.sleep(10);
            }
            System.out.println("slow " + n + " " + (kept != null));
        }
    }""",
}

OPTIONS = """
-agentlib:jdwp
-agentlib:jdwp=foo
-agentlib:jdwp=foo=bar
-agentlib:jdwp=suspend=y
-agentlib:jdwp=transport=dt_foo,server=y
-agentlib:jdwp=transport=dt_socket
-agentlib:jdwp=transport=dt_socket,server=x
-agentlib:jdwp=transport=dt_socket,server=y,suspend=z
-agentlib:jdwp=transport=dt_socket,address=127.0.0.1:1
-agentlib:jdwp=transport=dt_socket,server=y,suspend=n
-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y
-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:0
-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=abc
-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=nohost.invalid:77
-agentlib:jdwp=transport=dt_socket,server=y,address=x:99999
-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,timeout=200
-Xrunjdwp
-Xrunjdwp:transport=dt_socket,server=y,suspend=n
-Xdebug -Xrunjdwp:transport=dt_socket,server=y,suspend=n
-agentlib:jdwp=transport=dt_socket,server=y,suspend=n -agentlib:jdwp=transport=dt_socket,server=y,suspend=n
-agentlib:nosuch
-agentpath:/no/such.so
-Xrunnosuch
"""

SNIPPETS = r"""int x = 40 + 2
String greet(String n) { return "hi " + n; }
greet("bob")
String greet(String n) { return "HELLO " + n; }
greet("bob")
1/0
throw new IllegalStateException("mine");
class A { int f() { return 1; } }
var a = new A()
a.f()
class A { int f() { return 2; } }
a.f()
class A { int f() { return 2; } int g() { return 3; } }
new A().g()
for (int i = 0; i < 3; i++) System.out.println(i)
System.err.println("to err")
java.util.stream.IntStream.range(0, 5).boxed().map(i -> i * x).toList()
int[] b = {1, 2}
b[5]
enum E { P, Q }
E.valueOf("Q")
record R(int a, String b) {}
new R(1, "z")
undefined()
System.in.read()
/vars
System.exit(3)
1 + 1
/exit 7
"""


class Failures:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, expected, found):
        if expected == found:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {name}")
        if not isinstance(expected, tuple):
            expected, found = (expected,), (found,)
        for label, left, right in zip(("exit code", "stdout", "stderr"), expected, found):
            if left != right:
                print(f"  {label}, wanted:\n{left}\n  {label}:\n{right}")


def build():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for name, source in SOURCES_MADE_HERE.items():
        (WORK / name).write_text(source)
    files = [*sorted(map(str, SOURCES.glob("*.java"))), *SOURCES_MADE_HERE]
    subprocess.run([str(JDK / "bin" / "javac"), "-g", "-encoding", "UTF-8", "-d", ".", *files], check=True, cwd=WORK)


def outcome(command, configuration="", **more):
    environment = dict(os.environ)
    if configuration:
        environment["KEYHOLE_OPTIONS"] = configuration
    done = subprocess.run(command, cwd=WORK, capture_output=True, text=True, timeout=300, env=environment,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
                          **{"stdin": subprocess.DEVNULL} | more)
    return done.returncode, done.stdout, done.stderr


def normalized(result):
    code, out, err = result
    out = re.sub(r"(?<=at address: )\d+", "N", out)
    # Without HotSpot's own frames.
    out = "".join(line for line in out.splitlines(True) if not re.match(r"Native frames|[A-Za-z]  \[|$", line))
    return code, out, re.sub(r" \[(./)?src/.*\]", "", err.replace("OpenJDK 64-Bit Server VM", "Keyhole VM"))


def options(failures):
    for line in OPTIONS.strip().splitlines():
        words = line.split() + ["-cp", ".", "Hello"]
        failures.check(line, normalized(outcome([JAVA, *words])), normalized(outcome([VM, *words])))
    # From the environment.
    for variable in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"):
        os.environ[variable] = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n"
        failures.check(variable, normalized(outcome([JAVA, "Hello"])), normalized(outcome([VM, "Hello"])))
        del os.environ[variable]
    code, out, _ = outcome([VM, "-agentlib:jdwp=help", "Hello"])
    failures.check("help", (0, True), (code, "transport=dt_socket" in out and "hello" not in out))


# --- a debugger in Python, which sends single commands --------------------------------------------------------------

class Debugger:
    def __init__(self, connection):
        self.connection = connection
        self.connection.settimeout(60)
        self.connection.sendall(b"JDWP-Handshake")
        assert self.receive(14) == b"JDWP-Handshake"
        self.last_id = 0

    def receive(self, count):
        data = b""
        while len(data) < count:
            piece = self.connection.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def packet(self):
        length, number, flags, error = struct.unpack(">IIBH", self.receive(11))
        return number, flags, error, self.receive(length - 11)

    # Sends a command, and returns the error and data of the reply. Drops events that arrive before the reply.
    def ask(self, command_set, command, data=b""):
        self.last_id += 1
        self.connection.sendall(struct.pack(">IIBBB", 11 + len(data), self.last_id, 0, command_set, command) + data)
        while True:
            number, flags, error, reply = self.packet()
            if flags == 0x80 and number == self.last_id:
                return error, reply


def serve(suspend, program="Slow"):
    agent = f"-agentlib:jdwp=transport=dt_socket,server=y,suspend={suspend}"
    process = subprocess.Popen(
        [VM, agent, "-cp", ".", program], cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    port = int(re.search(r"\d+$", process.stdout.readline())[0])
    return process, port


def ended(process):
    try:
        out, err = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return "hangs", out, err
    return process.returncode, re.sub(r"Listening .*\n", "", out), err


SLOW = (0, "slow 74925000 true\n", "")


def misbehaviour(failures):
    connect = lambda port: socket.create_connection(("127.0.0.1", port))
    for name, greeting in (("garbage", b"GET / HTTP/1.0\r\n\r\n"), ("nothing", b""), ("half a handshake", b"JDWP-Hand"),
                           ("zeros", bytes(40))):
        process, port = serve("y")
        with connect(port) as connection:
            connection.sendall(greeting)
        with connect(port) as connection:   # the next one is heard
            sizes = (0, struct.pack(">IIIII", 8, 8, 8, 8, 8))
            failures.check(f"{name}, then a debugger", sizes, Debugger(connection).ask(1, 7))
        failures.check(f"{name}, then the program", SLOW, ended(process))   # the debugger has gone: all threads go on
    for name, length in (("a short length", 3), ("a giant length", 0xFFFFFFFF), ("half a packet", 400)):
        process, port = serve("y")
        with connect(port) as connection:
            Debugger(connection).connection.sendall(struct.pack(">IIBBB", length, 1, 0, 1, 1))
        failures.check(name, SLOW, ended(process))
    # The debugger suspends all threads twice, and then disposes of the session: the threads must continue.
    process, port = serve("y")
    with connect(port) as connection:
        debugger = Debugger(connection)
        failures.check("suspend", (0, b""), debugger.ask(1, 8))
        failures.check("no such command", 99, debugger.ask(77, 1)[0])
        failures.check("breakpoints", 99, debugger.ask(15, 1, bytes([2, 0]) + bytes(4))[0])
        failures.check("dispose", (0, b""), debugger.ask(1, 6))
    failures.check("disposed", SLOW, ended(process))
    process, port = serve("y")
    with connect(port) as connection:
        failures.check("exit", (0, b""), Debugger(connection).ask(1, 10, struct.pack(">i", 9)))
    failures.check("exited", (9, "", ""), ended(process))
    # The server at the address where the agent expects a debugger is not a debugger.
    with socket.create_server(("127.0.0.1", 0)) as server:
        agent = f"-agentlib:jdwp=transport=dt_socket,address={server.getsockname()[1]}"
        process = subprocess.Popen([VM, agent, "-cp", ".", "Slow"], cwd=WORK, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        connection, _ = server.accept()
        connection.sendall(b"220 smtp ready, and more of it\r\n")
        code, out, err = ended(process)
        connection.close()
    failures.check("not a debugger", (2, "", True), (code, out, "ERROR: transport error" in err))


def fuzz(failures):
    """Sends every command with good, bad and missing arguments. The VM may answer with errors, but must not crash or
    hang."""
    generator = random.Random(7)
    process, port = serve("y")
    with socket.create_connection(("127.0.0.1", port)) as connection:
        debugger = Debugger(connection)
        threads = debugger.ask(1, 4)[1]
        known = list(struct.unpack(f">{(len(threads) - 4) // 8}Q", threads[4:]))
        classes = debugger.ask(1, 3)[1]
        classes_at = 4
        for _ in range(40):
            known.append(struct.unpack(">Q", classes[classes_at + 1:classes_at + 9])[0])
            classes_at += 13 + struct.unpack(">I", classes[classes_at + 9:classes_at + 13])[0] + 4
        byte = lambda: bytes([generator.getrandbits(8)])
        number = lambda: struct.pack(
            ">I", generator.choice([0, 1, 2, 5, 0x7FFFFFFF, 0xFFFFFFFF, generator.getrandbits(32)])
        )
        identity = lambda: struct.pack(">Q", generator.choice(known + [0, 1, 1 << 63, generator.getrandbits(64)]))
        answers = 0
        for _ in range(1500):
            command_set, command = generator.choice([*range(1, 19), 64]), generator.randrange(1, 24)
            if (command_set, command) in ((1, 6), (1, 10), (1, 9), (11, 10)):
                continue   # hanging up, exit, resume, stop
            data = b"".join(
                generator.choice([number, identity, identity, byte])() for _ in range(generator.randrange(6))
            )
            error, _ = debugger.ask(command_set, command, data)
            answers += error == 0
        failures.check("fuzz: some commands are answered", True, answers > 50)
        failures.check("fuzz: alive", 0, debugger.ask(1, 1)[0])
    failures.check("fuzz: the program", (0, True), (lambda end: (end[0], end[1].startswith("slow")))(ended(process)))


# --- debuggers of the JDK -------------------------------------------------------------------------------------------

def programs(failures, configurations):
    homes = str(home_over(VM) / "bin")
    def snippets(tool, *words):
        code, out, err = outcome([tool, "-s", *words], stdin=None, input=SNIPPETS)
        # When a user first runs a program that uses java.util.prefs, the library makes a folder and prints a message.
        err = re.sub(r".*FileSystemPreferences.*\nINFO: Created user preferences directory\.\n", "", err)
        # If an input line arrives before the first prompt is ready, jshell of some JDK releases prints the line again.
        return code, out.replace("-> " + SNIPPETS.splitlines()[0], "-> "), err
    expected = snippets(str(JDK / "bin" / "jshell"))
    for configuration in configurations:
        for_remote = ["-R" + word for word in configuration.split()]
        failures.check(f"jshell {configuration}", expected, snippets(homes + "/jshell", *for_remote))
    for way in ("launch", "attach"):
        def facts(java, configuration=""):
            return outcome([JAVA, "-cp", ".", "Facts", java, way, *configuration.split(), "-cp", "."])
        expected = facts(JAVA)
        for configuration in configurations:
            failures.check(f"Facts {way} {configuration}", expected, facts(homes + "/java", configuration))
    changes = lambda java, configuration="": outcome(
        [JAVA, "-cp", ".", f"-Dsource={SOURCES}/Changed.java", "Changes", java, *configuration.split()]
    )
    expected = changes(JAVA)
    for configuration in configurations:
        failures.check(f"Changes {configuration}", expected, changes(homes + "/java", configuration))
    turns = lambda java, configuration="": outcome(
        [JAVA, "-cp", ".", "Turns", java, *configuration.split(), "-cp", "."]
    )
    expected = turns(JAVA)
    for configuration in configurations:
        failures.check(f"Turns {configuration}", expected, turns(homes + "/java", configuration))
    expected = outcome([JAVA, "-cp", ".", "Stop"])
    for configuration in configurations:
        code, out, err = outcome([homes + "/java", "-cp", ".", "Stop"], configuration)
        err = re.sub(r"Picked up KEYHOLE_OPTIONS.*\n", "", err)
        failures.check(f"Stop {configuration}", expected, (code, out, err))


def main():
    build()
    failures = Failures()
    options(failures)
    misbehaviour(failures)
    fuzz(failures)
    if "--all" in sys.argv: configurations = CONFIGURATIONS
    elif "--quick" in sys.argv: configurations = [""]
    else: configurations = ["", STRESSED]
    programs(failures, configurations)
    print(f"{failures.passed} passed, {failures.failed} failed")
    return 1 if failures.failed else 0


if __name__ == "__main__":
    sys.exit(main())
