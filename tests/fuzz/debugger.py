#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs random sessions of a debugger (JDWP) with every command. Arguments have the right types but name the wrong
things, have the wrong types, are cut short or too long. Meanwhile threads run, are suspended and end, and classes are
loaded and unloaded. The VM must reply to each command, listen again after each session, and end as the program does.

    tests/fuzz/debugger.py [--seed N] [--rounds N | --seconds N]

A round is one VM and four sessions of 150 commands. The same seed draws the same commands, but the identities of
objects that it sends depend on the run.
"""
import random
import socket
import struct
import sys
import time

from inspected_program import WORK, Inspected, run_rounds

SESSIONS_PER_ROUND = 4
COMMANDS_PER_SESSION = 150
SECONDS_TO_REPLY = 20
IDENTITIES_KEPT = 200   # identities of each kind (threads, classes, ...) that a session keeps

# {(command set, command): the types of its arguments, one letter each}. The letters: o object, t thread, r class, m
# method, f field, F frame, g thread group, p class of the program, q object of the program, s string, i number, b byte,
# v tagged value, u untagged value, c class file; [...] is a counted list.
COMMANDS = {
    (1, 1): "", (1, 2): "s", (1, 3): "", (1, 4): "", (1, 5): "", (1, 7): "", (1, 8): "", (1, 9): "", (1, 11): "s",
    (1, 12): "", (1, 13): "", (1, 14): "[oi]", (1, 15): "", (1, 16): "", (1, 17): "", (1, 18): "[rc]", (1, 19): "s",
    (1, 20): "", (1, 21): "[r]", (1, 22): "",
    (2, 1): "r", (2, 2): "r", (2, 3): "r", (2, 4): "r", (2, 5): "r", (2, 6): "r[f]", (2, 7): "r", (2, 8): "r",
    (2, 9): "r", (2, 10): "r", (2, 11): "r", (2, 12): "r", (2, 13): "r", (2, 14): "r", (2, 15): "r", (2, 16): "ri",
    (2, 17): "r", (2, 18): "r", (2, 19): "r",
    (3, 1): "r", (3, 2): "p[fu]", (3, 3): "rtm[v]i", (3, 4): "rtm[v]i", (4, 1): "ri", (5, 1): "rtm[v]i",
    (6, 1): "rm", (6, 2): "rm", (6, 3): "rm", (6, 4): "rm", (6, 5): "rm",
    (9, 1): "o", (9, 2): "o[f]", (9, 3): "q[fu]", (9, 5): "o", (9, 6): "otrm[v]i", (9, 7): "o", (9, 8): "o",
    (9, 9): "o", (9, 10): "oi", (10, 1): "o",
    (11, 1): "t", (11, 2): "t", (11, 3): "t", (11, 4): "t", (11, 5): "t", (11, 6): "tii", (11, 7): "t", (11, 8): "t",
    (11, 9): "t", (11, 11): "t", (11, 12): "t", (11, 13): "t", (11, 14): "tv",
    (12, 1): "g", (12, 2): "g", (12, 3): "g", (13, 1): "o", (13, 2): "oii", (13, 3): "qi[u]", (14, 1): "o",
    (15, 1): "bb[bu]", (15, 2): "bi", (15, 3): "", (16, 1): "tF[ib]", (16, 2): "tF[iv]", (16, 3): "tF", (16, 4): "tF",
    (17, 1): "o", (18, 1): "o", (18, 2): "o",
}
# ClassType.SetValues, ObjectReference.SetValues and ArrayReference.SetValues take p and q: they change only classes and
# objects of the program, because the library may break if its own are changed.
TAGS = b"BCDFIJSVZLstgl[cX\0"
NUMBERS = [0, 1, 2, 3, 5, 100, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
STRINGS = ["", "LInspected;", "Ljava/lang/String;", "[I", "[", "L", ";", "I", "V", "Lno/Such;", "x" * 70000, "\0", "\u00e4"]


class HungUp(Exception):
    """The VM has closed the connection."""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def connected(port):
    """Returns a connection. Retries, because the VM listens again only after it has noticed the end of the previous
    session."""
    until = time.monotonic() + SECONDS_TO_REPLY
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=SECONDS_TO_REPLY)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


class Session:
    def __init__(self, port, dice, class_files):
        self.dice = dice
        self.class_files = class_files
        self.connection = connected(port)
        self.connection.sendall(b"JDWP-Handshake")
        self.receive(14)
        self.last = 0
        self.known = {kind: [] for kind in "otrmfFgpq"}

    def receive(self, count):
        data = b""
        while len(data) < count:
            piece = self.connection.recv(count - len(data))
            if not piece:
                raise HungUp
            data += piece
        return data

    def ask(self, command, data):
        """Sends a command, and returns the error number and the data of the reply."""
        self.last += 1
        self.connection.sendall(struct.pack(">IIBBB", 11 + len(data), self.last, 0, *command) + data)
        while True:
            length, number, flags, error = struct.unpack(">IIBH", self.receive(11))
            reply = self.receive(length - 11)
            if flags == 0x80 and number == self.last:
                return error, reply

    # --- identities that the session knows ---------------------------------------------------------------------------

    def learn(self, kind, identities):
        self.known[kind] = (self.known[kind] + list(identities))[-IDENTITIES_KEPT:]

    def look_around(self):
        """Learns threads, classes, members, frames and objects from the VM's own replies."""
        _, reply = self.ask((1, 4), b"")
        threads = struct.unpack_from(f">{struct.unpack_from('>I', reply)[0]}Q", reply, 4)
        self.learn("t", threads)
        self.learn("o", threads)
        _, reply = self.ask((1, 5), b"")
        self.learn("g", struct.unpack_from(f">{struct.unpack_from('>I', reply)[0]}Q", reply, 4))
        _, reply = self.ask((1, 3), b"")
        at, classes = 4, {}
        for _ in range(struct.unpack_from(">I", reply)[0]):
            identity, length = struct.unpack_from(">xQI", reply, at)
            classes[identity] = reply[at + 13:at + 13 + length]
            at += 13 + length + 4
        own = [identity for identity, name in classes.items() if name.startswith(b"LInspected")]
        self.learn("r", self.dice.sample(sorted(classes), 60) + own * 10)
        self.learn("p", own)
        for owner in own + self.dice.sample(sorted(classes), 5):
            for command, kind in (((2, 4), "f"), ((2, 5), "m")):
                error, reply = self.ask(command, struct.pack(">Q", owner))
                at = 4
                for _ in range(0 if error else struct.unpack_from(">I", reply)[0]):
                    self.learn(kind, [struct.unpack_from(">Q", reply, at)[0]])
                    at += 8
                    for _ in range(2):
                        at += 4 + struct.unpack_from(">I", reply, at)[0]
                    at += 4
            _, reply = self.ask((2, 11), struct.pack(">Q", owner))
            if len(reply) == 8:
                self.learn("o", struct.unpack(">Q", reply))
            error, reply = self.ask((2, 16), struct.pack(">QI", owner, 5))
            if not error and owner in own:
                found = struct.unpack_from(">I", reply)[0]
                objects = [struct.unpack_from(">xQ", reply, 4 + 9 * i)[0] for i in range(found)]
                self.learn("o", objects)
                self.learn("q", objects)
        for thread in self.dice.sample(threads, min(3, len(threads))):
            self.ask((11, 2), struct.pack(">Q", thread))
            error, reply = self.ask((11, 6), struct.pack(">Qii", thread, 0, -1))
            for i in range(0 if error else struct.unpack_from(">I", reply)[0]):
                self.learn("F", struct.unpack_from(">Q", reply, 4 + 33 * i))
                self.learn("m", struct.unpack_from(">Q", reply, 4 + 33 * i + 17))
            if self.dice.random() < 0.5:
                self.ask((11, 3), struct.pack(">Q", thread))

    # --- commands ----------------------------------------------------------------------------------------------------

    def identity(self, kind):
        if kind not in "pq" and self.dice.random() < 0.15:
            kind = self.dice.choice("otrmfFg")
        if self.known[kind] and self.dice.random() < 0.9:
            return self.dice.choice(self.known[kind])
        return self.dice.choice([0, 1, 1 << 63, (1 << 64) - 1, self.dice.getrandbits(64), self.dice.getrandbits(12)])

    def value(self):
        return self.dice.choice([
            struct.pack(">Q", self.identity("o")), struct.pack(">I", self.dice.choice(NUMBERS)),
            self.dice.randbytes(1), self.dice.randbytes(2), self.dice.randbytes(8),
        ])

    def arguments(self, shape):
        data, at = b"", 0
        while at < len(shape):
            letter = shape[at]
            if letter == "[":
                end = shape.index("]", at)
                count = self.dice.choice([0, 1, 1, 2, 3])
                claimed = self.dice.choice(NUMBERS) if self.dice.random() < 0.08 else count
                data += struct.pack(">I", claimed)
                for _ in range(count):
                    data += self.arguments(shape[at + 1:end])
                at = end
            elif letter in "otrmfFgpq":
                data += struct.pack(">Q", self.identity(letter))
            elif letter == "s":
                text = self.dice.choice(STRINGS).encode()
                claimed = self.dice.choice(NUMBERS) if self.dice.random() < 0.1 else len(text)
                data += struct.pack(">I", claimed) + text
            elif letter == "i":
                data += struct.pack(">I", self.dice.choice(NUMBERS))
            elif letter == "b":
                data += bytes([self.dice.choice([*range(13), 40, 41, 42, 90, 99, 255])])
            elif letter == "v":
                data += bytes([self.dice.choice(TAGS)]) + self.value()
            elif letter == "u":
                data += self.value()
            elif letter == "c":
                file = bytearray(self.dice.choice(self.class_files))
                for _ in range(self.dice.randrange(3)):
                    file[self.dice.randrange(len(file))] = self.dice.randrange(256)
                data += struct.pack(">I", len(file)) + file
            at += 1
        return data

    def random_command(self):
        command = self.dice.choice(sorted(COMMANDS))
        data = self.arguments(COMMANDS[command])
        if command[0] not in (3, 9, 13, 16) or command[1] not in (2, 3):   # cut, it could change the library
            if self.dice.random() < 0.08:
                data = data[:self.dice.randrange(len(data) + 1)]
            if self.dice.random() < 0.05:
                data += self.dice.randbytes(self.dice.randrange(1, 20))
        if self.dice.random() < 0.03:
            command = (self.dice.randrange(70), self.dice.randrange(30))
            if command in ((1, 6), (1, 10), (11, 10)) or command not in COMMANDS and command[0] in (1, 11):
                command = (77, 1)   # replaces a command that disconnects, ends the VM or stops a thread
        return command, data

    def hang_up(self):
        """Ends the session: sends Dispose, breaks off in the middle of a command, or just closes the connection."""
        way = self.dice.randrange(4)
        if way == 0:
            self.ask((1, 6), b"")
        elif way == 1:
            self.connection.sendall(struct.pack(">IIBBB", self.dice.choice([0, 3, 10, 400, 0x7FFFFFFF, 0xFFFFFFFF]),
                                                1, 0, 1, 1))
        elif way == 2:
            self.connection.sendall(self.dice.randbytes(self.dice.randrange(1, 11)))
        self.connection.close()


def one_round(seed):
    """Runs one VM with random sessions. Returns a description of what went wrong, or None."""
    dice = random.Random(f"debugger {seed}")
    class_files = [file.read_bytes() for file in sorted(WORK.glob("Inspected*.class"))]
    port = free_port()
    program = Inspected([f"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:{port}"])
    sent = None
    try:
        for _ in range(SESSIONS_PER_ROUND):
            session = Session(port, dice, class_files)
            for number in range(COMMANDS_PER_SESSION):
                if number % 50 == 0:
                    session.look_around()
                sent = session.random_command()
                session.ask(*sent)
                if trouble := program.trouble():
                    return f"after {sent}: {trouble}"
            session.hang_up()
        if trouble := program.end():
            return f"after {sent}: {trouble}"
        return None
    except (HungUp, TimeoutError, ConnectionError) as error:
        return f"{type(error).__name__} after {sent}: {program.trouble()}"
    finally:
        program.kill()


if __name__ == "__main__":
    sys.exit(run_rounds(one_round, __doc__))
