#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Sends random requests to the socket by which tools attach: operations, diagnostic commands and their options, known
or invented, complete or cut short. The VM must answer a plain request afterwards, keep its memory and files within
bounds, and end as the program does.

    tests/fuzz/attach.py [--seed N] [--rounds N | --seconds N]

A round is one VM and 150 requests. The same seed sends the same requests.
"""
import os
import pathlib
import random
import re
import signal
import socket
import sys
import time

from inspected_program import Inspected, run_rounds

REQUESTS_PER_ROUND = 150
SECONDS_TO_ANSWER = 60
OPERATIONS = ["threaddump", "jcmd", "properties", "agentProperties", "dumpheap", "inspectheap", "setflag", "printflag",
              "datadump", "getversion", "load"]
# Commands that open ports for other machines.
NOT_SENT = ("ManagementAgent.start", "ManagementAgent.start_local")
TEXTS = ["", " ", "all", "-all", "-live", "-l", "options", "help", "filename=", "=", "\"", "'", "a" * 1023, "a" * 1024,
         "a" * 1025, "-1", "0", "2147483648", "99999999999999999999", "true", "MinHeapFreeRatio", "HeapDumpPath",
         "MaxHeapFreeRatio=1", "dump-%p.hprof", "./x", "../x", "/proc/self/mem", "/dev/full", "%s%n%x", "\u00e4\u4e2d",
         "-gz=1", "-gz=10", "-overwrite", "parallel=2", "what=all", "output=#1", "decorators=x", "disable", "list"]


def exchange(path, pieces, close_early):
    """Sends `pieces` one after the other. Returns the answer, "no answer" after a timeout, or "" if the client closes
    early."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(SECONDS_TO_ANSWER)
        answer = b""
        try:
            client.connect(path)
            for piece in pieces:
                client.sendall(piece)
            if close_early:
                return ""
            client.shutdown(socket.SHUT_WR)
            while part := client.recv(65536):
                answer += part
        except (ConnectionResetError, BrokenPipeError):
            pass   # the VM may close the connection before it has read the whole request
        except TimeoutError:
            return "no answer"
        return answer.decode(errors="replace")


def commands_of(path):
    listing = exchange(path, [b"1\0jcmd\0help\0\0\0"], False)
    return [name for name in re.findall(r"^([A-Z]\w+\.\w+)$", listing, re.MULTILINE) if name not in NOT_SENT]


def random_text(dice):
    if dice.random() < 0.8:
        return dice.choice(TEXTS)
    character = lambda: chr(dice.choice([dice.randrange(1, 128), dice.randrange(1, 0x800)]))
    return "".join(character() for _ in range(dice.randrange(40)))


def random_request(dice, commands):
    operation = dice.choice(OPERATIONS + ["jcmd"] * 12 + [random_text(dice)])
    arguments = [random_text(dice) for _ in range(dice.choice([0, 1, 2, 3, 3, 3, 4]))]
    if operation == "jcmd" and arguments:
        words = [dice.choice(commands), *(random_text(dice) for _ in range(dice.randrange(3)))]
        arguments[0] = dice.choice([" ", " ", "\n", ","]).join(words) if dice.random() < 0.95 else random_text(dice)
    if operation == "dumpheap" and arguments:
        arguments[0] = dice.choice(["heap.hprof", "", "/dev/full", "no/such/folder"])
    strings = ["1", operation, *arguments]
    while len(strings) < 5 and dice.random() < 0.95:
        strings.append("")
    raw = bytearray(b"".join(text.encode("utf-8", "surrogatepass") + b"\0" for text in strings))
    for _ in range(dice.choice([0] * 8 + [1, 2, 5])):
        raw[dice.randrange(len(raw))] = dice.randrange(256)
    if dice.random() < 0.05:
        del raw[dice.randrange(len(raw)):]
    return bytes(raw)


def one_round(seed):
    """Runs one VM with random requests. Returns a description of what went wrong, or None."""
    dice = random.Random(f"attach {seed}")
    program = Inspected()
    path = f"/tmp/.java_pid{program.process.pid}"
    trigger = pathlib.Path(f"/tmp/.attach_pid{program.process.pid}")
    sent = b""
    try:
        trigger.touch()
        os.kill(program.process.pid, signal.SIGQUIT)
        until = time.monotonic() + SECONDS_TO_ANSWER
        while not os.path.exists(path) and time.monotonic() < until:
            time.sleep(0.01)
        if not os.path.exists(path):
            return f"does not listen: {program.trouble() or program.first_line}"
        commands = commands_of(path)
        if not commands:
            return "lists no diagnostic commands"
        for number in range(REQUESTS_PER_ROUND):
            sent = random_request(dice, commands)
            cut = dice.randrange(len(sent) + 1) if dice.random() < 0.2 else len(sent)
            answer = exchange(path, [sent[:cut], sent[cut:]], dice.random() < 0.1)
            if answer == "no answer":
                return f"does not answer {sent!r}"
            if trouble := program.trouble():
                return f"after {sent!r}: {trouble}"
        if '"waits"' not in exchange(path, [b"1\0threaddump\0\0\0\0"], False):
            return "answers a plain request no longer"
        if trouble := program.end():
            return f"after {sent!r}: {trouble}"
        return None
    finally:
        program.kill()
        trigger.unlink(missing_ok=True)
        pathlib.Path(path).unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(run_rounds(one_round, __doc__))
