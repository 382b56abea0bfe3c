#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests tools that attach: jps, jcmd, jstack, jmap, jinfo, com.sun.tools.attach, JMX clients, and malformed requests.

The same program runs on java and on Keyhole. The tools of every installed JDK (17, and 25 if present) inspect both VMs,
and must print the same text except for values that vary from run to run. Options: --vm-args "..." adds flags to
Keyhole; --loop N runs all tests N times.
"""
import argparse
import contextlib
import glob
import os
import pathlib
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time

from chosen_home import chosen_home, homes, release

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
JAVA = str(JDK / "bin/java")
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
# The JDKs whose tools are tested: (name, folder of its programs).
TOOLS = [
    (str(number), home / "bin") for number, home in sorted(homes.homes().items()) if (home / "bin" / "javac").exists()
]
WORK = ROOT / "build" / "attach-tests"
USER = pwd.getpwuid(os.geteuid()).pw_name
COUNTERS = pathlib.Path(f"/tmp/hsperfdata_{USER}")
SECONDS = 300   # time limit of a step that takes a second on an idle machine

vm_arguments = []
passed, failed = 0, 0


def check(name, expected, found):
    global passed, failed
    if expected == found:
        passed += 1
        return
    failed += 1
    import difflib
    def lines(value):
        return value.splitlines() if isinstance(value, str) else [repr(value)]
    print(f"FAILED {name}")
    print(
        "\n".join(
            "    " + line
            for line in list(
                difflib.unified_diff(lines(expected), lines(found), "expected", "found", lineterm="", n=2)
            )[:60]
        ),
        flush=True,
    )


class Target:
    """The program, which runs on one VM and waits for tools. With `stale`, an attach socket's file for the VM's process
    id exists before the VM starts, but no process listens on that socket."""

    def __init__(self, vm, options=(), stale=False):
        self.is_keyhole = vm == VM
        def prepare():
            if stale:
                socket.socket(socket.AF_UNIX).bind(f"/tmp/.java_pid{os.getpid()}")
        self.process = subprocess.Popen(
            [vm]
            + (vm_arguments if self.is_keyhole else [])
            + ["-Xmx64m", "-Dsome.name=some value", *options, "-cp", "classes", "Attached", "one", "two"],
            cwd=WORK,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=prepare,
            bufsize=0,
        )
        self.pid = self.process.pid
        self.begin = b""
        while not self.begin.endswith(b"ready\n"):
            line = self.process.stdout.readline()
            self.begin += line
            if not line:
                break

    def finish(self):
        """Ends the program. Returns the lines that it printed after "ready", and its exit code."""
        try:
            output = self.process.communicate(b"", timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "does not end", None
        return output.decode(errors="replace"), self.process.returncode

    @property
    def socket_path(self):
        return f"/tmp/.java_pid{self.pid}"


@contextlib.contextmanager
def target(vm, options=(), stale=False):
    made = Target(vm, options, stale)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
        made.process.wait()
        pathlib.Path(made.socket_path).unlink(missing_ok=True)   # killed, it leaves its socket behind
        made.process.stdout.close()


def run(command, **more):
    try:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=WORK,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            **more,
        )
    except subprocess.TimeoutExpired:
        return "does not end"
    return done.stdout.decode(errors="replace") + f"exit code {done.returncode}"


def normal(text, of):
    """Returns the text without parts that vary by run or by VM."""
    text = text.replace(str(of.pid), "PID")
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"\d+\.\d{3} (s|secs)\b", r"0.000 \1", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}", "DATE", text)
    text = re.sub(r"\[\d+ bytes in", "[N bytes in", text)
    text = re.sub(r"(OpenJDK|Keyhole) 64-Bit (Server )?VM version .*", "VM version", text)
    text = re.sub(
        r"jvm_args: .*",
        lambda match: (
            "jvm_args: -Xmx64m -Dsome.name=some value "
            if "-Xmx64m -Dsome.name=some value " in match.group(0)
            else match.group(0)
        ),
        text,
    )
    return text


# --- the same words as HotSpot ----------------------------------------------------------------------------------------

COMMANDS = [
    "nonsense",
    "help nonsense",
    "help VM.uptime GC.run",
    "VM.uptime",
    "VM.uptime -date",
    "VM.uptime -date=false",
    "VM.uptime -date=maybe",
    "VM.uptime -date -date",
    "VM.uptime later",
    "VM.version",
    "VM.command_line",
    "GC.run",
    "GC.heap_dump",
    "GC.heap_dump -gz=ten DUMP",
    "GC.heap_dump -gz=12 DUMP",
    "GC.heap_dump -gz=3 DUMP",
    "GC.heap_dump DUMP",
    "GC.heap_dump -overwrite -all DUMP",
    "GC.heap_dump 'DUMP",
    "GC.heap_dump /nonexistent/dump",
    "VM.set_flag",
    "VM.set_flag MinHeapFreeRatio",
    "VM.set_flag MinHeapFreeRatio many",
    "VM.set_flag MinHeapFreeRatio 101",
    "VM.set_flag MinHeapFreeRatio 99",
    "VM.set_flag MinHeapFreeRatio 30",
    "VM.set_flag HeapDumpOnOutOfMemoryError perhaps",
    "VM.set_flag HeapDumpOnOutOfMemoryError 1",
    "VM.set_flag MaxHeapSize 1000000",
    "VM.set_flag NoSuchFlag 1",
    "ManagementAgent.status",
    "ManagementAgent.start nonsense=1",
    "ManagementAgent.start jdp.port=none",
    "ManagementAgent.stop",
]
OTHER_TOOLS = [
    ["jinfo", "-flag", "MinHeapFreeRatio"],
    ["jinfo", "-flag", "NoSuchFlag"],
    ["jinfo", "-flag", "MinHeapFreeRatio=35"],
    ["jinfo", "-flag", "MinHeapFreeRatio"],
    ["jinfo", "-flag", "MinHeapFreeRatio=350"],
    ["jinfo", "-flag", "-UseTLAB"],
    ["jinfo", "-flag", "+HeapDumpOnOutOfMemoryError"],
    ["jinfo", "-flag", "NoSuchFlag=1"],
    ["jinfo", "-flag", "HeapDumpOnOutOfMemoryError"],
    ["jinfo", "-flag", "HeapDumpPath=/tmp/here"],
    ["jinfo", "-flag", "HeapDumpPath"],
    ["jmap", "-dump:live,format=b,file=DUMP"],
    ["jmap", "-dump:format=b,file=DUMP"],
    ["jmap", "-histo:live,file=HISTOGRAM"],
]


def compare_commands(tools, java, keyhole):
    name, programs = tools
    answers = {}
    for of in (java, keyhole):
        dump, histogram = WORK / f"dump-{of.pid}-{name}.hprof", WORK / f"histogram-{of.pid}-{name}"
        def fill(word):
            return word.replace("DUMP", str(dump)).replace("HISTOGRAM", str(histogram))
        def clean(text):
            return normal(text.replace(str(dump), "DUMP").replace(str(histogram), "HISTOGRAM"), of)
        found = answers[of] = {}
        for command in COMMANDS:
            found[f"jcmd {command}"] = clean(run([programs / "jcmd", of.pid, fill(command)]))
            if command.startswith("GC.heap_dump -gz=3"):
                found["dump is compressed"] = dump.read_bytes()[:2] == b"\x1f\x8b" if dump.exists() else False
                dump.unlink(missing_ok=True)
        found["dump is a dump"] = dump.read_bytes()[:18] == b"JAVA PROFILE 1.0.2" if dump.exists() else False
        dump.unlink(missing_ok=True)
        for number, command in enumerate(OTHER_TOOLS):
            found[f"{number} {' '.join(command)}"] = clean(
                run([programs / fill(word) if word == command[0] else fill(word) for word in command] + [of.pid])
            )
        dump.unlink(missing_ok=True)
        found["histogram in a file"] = (
            bool(re.search(r"(?m)^ *\d+: +\d+ +\d+  \[B \(java\.base@", histogram.read_text()))
            if histogram.exists()
            else False
        )
        for way in (
            ["jmap", "-histo"],
            ["jmap", "-histo:live"],
            ["jcmd", "GC.class_histogram"],
            ["jcmd", "GC.class_histogram -all -parallel=2"],
        ):
            text = run([programs / way[0], way[1], of.pid] if way[0] == "jmap" else [programs / "jcmd", of.pid, way[1]])
            byte_arrays = re.search(r"(?m)^ *\d+: +(\d+) +(\d+)  \[B \(java\.base@17", text)
            found[" ".join(way)] = (
                re.findall(r"(?m)^ num .*|^-+$", text),
                byte_arrays is not None and int(byte_arrays.group(2)) > 1_000_000,
                bool(re.search(r"(?m)^Total +\d+ +\d+$", text)),
            )
    for each, expected in answers[java].items():
        check(f"tools of {name}: {each}", expected, answers[keyhole][each])


def compare_help(tools, java, keyhole):
    name, programs = tools
    listing = run([programs / "jcmd", keyhole.pid, "help"])
    commands = re.findall(r"(?m)^[A-Z]\w+\.\w+$", listing)
    check(f"tools of {name}: commands", True, len(commands) >= 15)
    check(
        f"tools of {name}: end of help",
        "\n\nFor more information about a specific command use 'help <command>'.\nexit code 0",
        listing[listing.index("\nhelp\n") + 5 :],
    )
    known_to_java = [command for command in commands if not command.startswith("Recording.")]
    for command in known_to_java + ["help"]:
        expected, found = (normal(run([programs / "jcmd", of.pid, "help " + command]), of) for of in (java, keyhole))
        expected = re.sub(r"(?m)^\t-e : .*\n", "", expected)   # of Thread.print: what threads allocated
        check(f"tools of {name}: help {command}", expected, found)


def section(dump, thread):
    match = re.search(rf'(?ms)^"{thread}" (.*?)^$', dump)
    text = match.group(0) if match else "no such thread"
    text = re.sub(r"#\d+( \[\d+\])?|cpu=\S+|elapsed=\S+|nid=(0x[0-9a-f]+|\d+)|0x[0-9a-f]+", "X", text)
    return re.sub(r" \[X\]", "", text)


def compare_dumps(tools, java, keyhole):
    name, programs = tools
    for way in (["jstack"], ["jstack", "-l"], ["jcmd", "Thread.print"], ["jcmd", "Thread.print -l"]):
        dumps = [
            run([programs / way[0]] + way[1:] + [of.pid] if way[0] == "jstack" else [programs / "jcmd", of.pid, way[1]])
            for of in (java, keyhole)
        ]
        for thread in ("main", "holder", "locker", "Finalizer"):
            check(f"tools of {name}: {' '.join(way)}: {thread}", section(dumps[0], thread), section(dumps[1], thread))
        check(
            f"tools of {name}: {' '.join(way)}: the listener",
            True,
            '"Attach Listener" #' in dumps[1] and dumps[1].endswith("exit code 0"),
        )


def compare_lists(tools, java, keyhole):
    name, programs = tools
    for way in (["jps"], ["jps", "-l"], ["jps", "-lm"], ["jps", "-lmv"], ["jcmd", "-l"]):
        lines = []
        for of in (java, keyhole):
            text = run([programs / way[0]] + way[1:])
            lines.append(
                [
                    normal(line, of).replace(" ".join(vm_arguments) + " ", "", 1 if vm_arguments else 0)
                    for line in text.splitlines()
                    if line.startswith(f"{of.pid} ")
                ]
            )
        check(f"tools of {name}: {' '.join(way)}", lines[0], lines[1])
    properties = [run([programs / "jinfo", "-sysprops", of.pid]) for of in (java, keyhole)]
    for text in properties:
        check(
            f"tools of {name}: jinfo -sysprops",
            True,
            "some.name=some value" in text.replace("\\ ", " ") and f"java.specification.version={release(JDK)}" in text,
        )
    flags = run([programs / "jcmd", keyhole.pid, "VM.flags"])
    check(f"tools of {name}: VM.flags", True, "-XX:MaxHeapSize=67108864 " in flags)
    check(
        f"tools of {name}: VM.flags -all",
        True,
        "[Global flags]" in run([programs / "jcmd", keyhole.pid, "VM.flags -all"]),
    )
    check(
        f"tools of {name}: VM.system_properties",
        True,
        "some.name=some value" in run([programs / "jcmd", keyhole.pid, "VM.system_properties"]).replace("\\ ", " "),
    )
    check(
        f"tools of {name}: GC.heap_info",
        True,
        run([programs / "jcmd", keyhole.pid, "GC.heap_info"]).endswith("exit code 0"),
    )


def compare_tools():
    with target(JAVA) as java, target(VM) as keyhole:
        for tools in TOOLS:
            compare_commands(tools, java, keyhole)
            compare_help(tools, java, keyhole)
            compare_dumps(tools, java, keyhole)
            compare_lists(tools, java, keyhole)
        outputs = [of.finish() for of in (java, keyhole)]
        check("what the programs printed meanwhile", outputs[0], outputs[1])
        check(
            "files that remain",
            [],
            [path for path in (keyhole.socket_path, COUNTERS / str(keyhole.pid)) if os.path.lexists(path)],
        )


def compare_java_clients():
    """Compares a tool in Java that runs on each VM and attaches to a program on each VM."""
    results = {}
    for of_vm in (JAVA, VM):
        for tool_vm in (JAVA, VM):
            with target(of_vm) as of:
                text = run([tool_vm] + (vm_arguments if tool_vm == VM else []) + ["-cp", "classes", "Attacher", of.pid])
                arguments = " ".join(vm_arguments) + " " if of_vm == VM and vm_arguments else ""
                results[of_vm, tool_vm] = normal(text, of).replace(arguments, "")
                check("what the program printed meanwhile", ("end\n", 0), of.finish())
    for (of_vm, tool_vm), text in results.items():
        check(f"{tool_vm} attaches to {of_vm}", results[JAVA, JAVA], text)


def compare_agents():
    """Agents in Java are loaded into each VM."""
    (WORK / "manifest").write_text("Agent-Class: Agent\n")
    (WORK / "no-agent").write_text("Nothing: here\n")
    for jar, manifest in (("agent.jar", "manifest"), ("none.jar", "no-agent")):
        subprocess.run(
            [
                str(JDK / "bin/jar"),
                "cfm",
                str(WORK / jar),
                str(WORK / manifest),
                "-C",
                str(WORK / "classes"),
                "Agent.class",
            ],
            check=True,
        )
    results = []
    for vm in (JAVA, VM):
        with target(vm) as of:
            loads = [
                WORK / "agent.jar",
                "",
                WORK / "agent.jar",
                "some=thing",
                WORK / "none.jar",
                "",
                WORK / "missing.jar",
                "",
                WORK / "agent.jar",
                "throw",
                WORK / "agent.jar",
                "still works",
            ]
            tool = run([JAVA, "-cp", "classes", "Attacher", of.pid, "agents"] + loads)
            output, code = of.finish()
            # The comparison ignores the frames that call the agent, which differ between VMs, and a warning that
            # HotSpot's instrument library prints.
            results.append(
                (
                    tool,
                    re.sub(r"(?m)^(\tat |\t\.\.\. |\*\*\* java.lang.instrument ASSERTION FAILED).*\n", "", output),
                    code,
                )
            )
    for what, java, keyhole in zip(("tool", "program", "exit code"), *results):
        check(f"agents: {what}", java, keyhole)


# --- requests that no tool would write --------------------------------------------------------------------------------

def request(*strings, version="1"):
    strings = list(strings) + [""] * (4 - len(strings))
    return b"".join(string.encode() + b"\0" for string in [version] + strings)


def ask(of, raw, close_writing=False):
    """Sends a request to the attach socket. Returns the VM's answer, or the error."""
    with socket.socket(socket.AF_UNIX) as client:
        answer = b""
        try:
            client.connect(of.socket_path)   # waits while the socket's queue is full; with a time limit, it would fail
            client.settimeout(SECONDS)
            client.sendall(raw)
            if close_writing:
                client.shutdown(socket.SHUT_WR)
            while part := client.recv(65536):
                answer += part
        except OSError as error:
            answer += type(error).__name__.encode()
        return answer.decode(errors="replace")


def without_reset(answer):
    """Returns the answer, or an empty text in place of the error of a reset connection. If the VM closes a connection
    before it has read the whole request, the kernel resets the connection. Then it depends on timing whether the test
    reads an empty answer or gets the error."""
    return "" if answer in ("ConnectionResetError", "BrokenPipeError") else answer


def ask_as_nobody(of, raw):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgid(65534)
        os.setuid(65534)
        answer = ask(of, raw)
        os.write(writing, without_reset(answer).encode()[:100])
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        return pipe.read().decode()


REQUESTS = [
    ("unknown operation", request("nonsense"), False),
    ("getversion", request("getversion", "options"), False),
    ("version 2", request("jcmd", "help", version="2"), False),
    ("half a request", b"1\0jcmd\0", True),
    ("nothing", b"", True),
    ("another protocol", b"GET / HTTP/1.0\r\n\r\n", True),
    ("a long command", request("x" * 17), False),
    ("a long argument", request("jcmd", "x" * 1025), False),
    ("a long version", b"1" * 50 + b"\0" + request("jcmd"), False),
    ("the longest argument", request("printflag", "x" * 1024), False),
    ("no flag", request("printflag"), False),
    ("no value", request("setflag", "MinHeapFreeRatio"), False),
    ("no file", request("dumpheap"), False),
    ("neither live nor all", request("dumpheap", "/tmp/never", "some"), False),
    ("a bad level", request("dumpheap", "/tmp/never", "-live", "10"), False),
    ("another histogram", request("inspectheap", "some"), False),
    ("no command", request("jcmd"), False),
    ("two commands", request("jcmd", "VM.uptime\nVM.uptime -date"), False),
    ("data dump", request("datadump"), False),
    ("stop", request("jcmd", "stop\nVM.uptime"), False),
]


def odd_requests():
    with target(JAVA) as java, target(VM) as keyhole:
        for of in (java, keyhole):
            check("attached", "exit code 0", run([JDK / "bin/jcmd", of.pid, "VM.uptime"]).splitlines()[-1])
        for name, raw, close_writing in REQUESTS:
            check(
                f"request: {name}",
                without_reset(normal(ask(java, raw, close_writing), java)),
                without_reset(normal(ask(keyhole, raw, close_writing), keyhole)),
            )
        native = ask(keyhole, request("load", "nothing", "false", ""))
        check("request: a native agent", True, native.startswith("-1\nnothing was not loaded.\n"))
        ask(keyhole, request("load", "instrument", "false", "/nonexistent.jar"))
        # If a request is too long, the VM stops reading it.
        check(
            "request: noise",
            "",
            without_reset(ask(keyhole, b"1\0jcmd\0" + b"x" * 1_000_000)),
        )
        for length in range(0, len(request("threaddump")), 3):
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(keyhole.socket_path)
                client.sendall(request("threaddump")[:length])
        for _ in range(20):   # asked for, and not waited for
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(keyhole.socket_path)
                client.sendall(request("threaddump"))
        check("request: after all these", True, '"holder"' in ask(keyhole, request("threaddump")))
        if os.geteuid() == 0:
            os.chmod(keyhole.socket_path, 0o666)
            check("request of another user", "", ask_as_nobody(keyhole, request("threaddump")))
        check(
            "what the program printed meanwhile",
            ("Error opening zip file or JAR manifest missing: /nonexistent.jar\nend\n", 0),
            keyhole.finish(),
        )


# --- comings and goings -----------------------------------------------------------------------------------------------

def several_at_once():
    with target(VM) as of:
        tools = [
            subprocess.Popen(
                [str(TOOLS[i % len(TOOLS)][1] / "jcmd"), str(of.pid), "Thread.print"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            for i in range(4)
        ]
        for tool in tools:
            text = tool.communicate(timeout=SECONDS)[0].decode()
            check("one of several at once", (True, 0), ('"holder"' in text, tool.returncode))
        check("end after several at once", 0, of.finish()[1])


def sockets_that_are_stale():
    with target(VM, stale=True) as of:
        check("a stale socket", "exit code 0", run([JDK / "bin/jcmd", of.pid, "VM.uptime"]).splitlines()[-1])
        os.unlink(of.socket_path)
        check("a socket that was removed", "exit code 0", run([JDK / "bin/jcmd", of.pid, "VM.uptime"]).splitlines()[-1])
        check("again", "exit code 0", run([JDK / "bin/jcmd", of.pid, "VM.uptime"]).splitlines()[-1])
        check("what the program printed meanwhile", ("end\n", 0), of.finish())
        check("sockets that remain", False, os.path.lexists(of.socket_path))


def signals_without_trigger():
    with target(VM) as of:
        of.process.send_signal(signal.SIGQUIT)
        line = b""
        while not line.startswith(b" Monitors in use"):
            line = of.process.stdout.readline()
        check("no socket before somebody attaches", False, os.path.lexists(of.socket_path))
        check("attached", "exit code 0", run([JDK / "bin/jcmd", of.pid, "VM.uptime"]).splitlines()[-1])
        of.process.send_signal(signal.SIGQUIT)
        line = b""
        while not line.startswith(b" Monitors in use"):
            line = of.process.stdout.readline()
        check("dumps", ("\nend\n", 0), of.finish())


def doors_that_are_closed():
    for options, tools in (
        (["-XX:+DisableAttachMechanism"], [["jcmd", "PID", "VM.uptime"], ["jstack", "PID"]]),
        (["-XX:-UsePerfData"], [["jcmd", "PID", "VM.uptime"], ["jps"]]),
        (["-XX:+PerfDisableSharedMem"], [["jps"]]),
    ):
        with target(JAVA, options) as java, target(VM, options) as keyhole:
            for tool in tools:
                texts = []
                for of in (java, keyhole):
                    text = run([JDK / "bin" / tool[0]] + [str(of.pid) if word == "PID" else word for word in tool[1:]])
                    texts.append(normal(text, of) if tool != ["jps"] else str(of.pid) in text)
                check(f"{options[0]}: {' '.join(tool)}", texts[0], texts[1])
            check(f"{options[0]}: output", java.finish(), keyhole.finish())
    with target(VM, ["-XX:+StartAttachListener"]) as of:
        check(
            "-XX:+StartAttachListener",
            "0\n-XX:+StartAttachListener\n",
            ask(of, request("printflag", "StartAttachListener")),
        )
    with target(VM, ["-XX:-EnableDynamicAgentLoading", "-XX:+StartAttachListener"]) as of:
        check(
            "-XX:-EnableDynamicAgentLoading",
            "-1\nDynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.\n",
            ask(of, request("load", "instrument", "false", "any.jar")),
        )


def counters_of_the_dead():
    with target(VM) as of:
        check("counters", True, (COUNTERS / str(of.pid)).exists())
        of.process.kill()
        of.process.wait()
    check("counters of a killed process", True, (COUNTERS / str(of.pid)).exists())
    with target(VM) as other:
        check("counters of a killed process, after the next start", False, (COUNTERS / str(of.pid)).exists())
        check("end", ("end\n", 0), other.finish())


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def remote_management():
    for way in ("option", "command"):
        port = free_port()
        settings = ["jmxremote.authenticate=false", "jmxremote.ssl=false", f"jmxremote.port={port}"]
        options = [f"-Dcom.sun.management.{setting}" for setting in settings] if way == "option" else []
        with target(VM, options + ["-Djava.rmi.server.hostname=127.0.0.1"]) as of:
            if way == "command":
                check("ManagementAgent.start", f"{of.pid}:\nCommand executed successfully\nexit code 0",
                      run([JDK / "bin/jcmd", of.pid, " ".join(["ManagementAgent.start"] + settings)]))
            for client in (JAVA, VM):
                check(
                    f"JMX port by {way}, {client}",
                    "remote: true true\nexit code 0",
                    run([client, "-cp", "classes", "Attacher", of.pid, port]),
                )
            status = run([JDK / "bin/jcmd", of.pid, "ManagementAgent.status"])
            check(
                f"JMX port by {way}: status",
                True,
                "Connection Type: remote" in status and f"com.sun.management.jmxremote.port = {port}" in status,
            )
            check(
                f"JMX port by {way}: stop",
                True,
                "Command executed successfully" in run([JDK / "bin/jcmd", of.pid, "ManagementAgent.stop"]),
            )
            check(f"JMX port by {way}: end", ("end\n", 0), of.finish())
    bad = [
        run([vm, "-Dcom.sun.management.jmxremote.port=none", "-cp", "classes", "Attached"]).splitlines()
        for vm in (JAVA, VM)
    ]
    check("no port", [bad[0][0], bad[0][-1]], [bad[1][0], bad[1][-1]])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vm-args", default="")
    parser.add_argument("--loop", type=int, default=1)
    parser.add_argument("--only", default="", help="run the groups whose names contain this")
    options = parser.parse_args()
    vm_arguments.extend(shlex.split(options.vm_args))
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "classes").mkdir(parents=True)
    subprocess.run(
        [str(JDK / "bin/javac"), "-d", str(WORK / "classes")]
        + sorted(glob.glob(str(ROOT / "tests/launcher/attach/*.java"))),
        check=True,
    )
    groups = [
        compare_tools,
        compare_java_clients,
        compare_agents,
        odd_requests,
        several_at_once,
        sockets_that_are_stale,
        signals_without_trigger,
        doors_that_are_closed,
        counters_of_the_dead,
        remote_management,
    ]
    for _ in range(options.loop):
        for group in groups:
            if options.only in group.__name__:
                group()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
