# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a recording with fixed events and times, so that pictures of its page can be compared with kept ones.

The file has the format that runtime/recorder/file.h describes. The script looks up the kinds of events by their names
in events.def. A file begins with the hash of this table. The script copies the hash from a recording that the VM has
just made.
"""
import pathlib
import re
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
MAGIC = b"KEYHOLE RECORDING\n"
EVENTS, NAMES, CLOCK, END = range(4)
MAIN, LEFT, RIGHT, WRITER, COLLECTOR = 1, 11, 12, 13, 20
WORKERS = 0x8000_0000 + 30, 0x8000_0000 + 31   # not Java threads
NEW, RUNNABLE, SLEEPING, WAITING, PARKED, BLOCKED, TERMINATED = "new runnable sleeping waiting parked blocked terminated".split()


def kinds():
    table = (ROOT / "runtime" / "recorder" / "events.def").read_text()
    return {name: number for number, name in enumerate(re.findall(r"^EVENT\((\w+),", table, re.MULTILINE))}


def states():
    """Returns the numbers of the constants of the enum JavaThreadStatus, as read from java_thread.h."""
    text = (ROOT / "runtime" / "threads" / "java_thread.h").read_text()
    body = re.search(r"enum class JavaThreadStatus[^{]*\{(.*?)\}", text, re.DOTALL).group(1)
    names = {NEW: "New", RUNNABLE: "Runnable", SLEEPING: "Sleeping", WAITING: "InObjectWait", PARKED: "Parked",
             BLOCKED: "BlockedOnMonitorEnter", TERMINATED: "Terminated"}
    body = re.sub(r"//.*", "", body)
    values, last = {}, -1
    for item in (part.strip() for part in body.split(",")):
        if not item:
            continue
        name, _, value = (part.strip() for part in item.partition("="))
        last = int(value, 0) if value else last + 1
        values[name] = last
    return {state: values[name] for state, name in names.items()}


class Writer:
    def __init__(self):
        self.kinds, self.states = kinds(), states()
        self.texts, self.threads, self.events = {}, {}, {}

    def text(self, words):
        return self.texts.setdefault(words, len(self.texts) + 1)

    def add(self, microseconds, thread, kind, a=0, b=0, detail=0):
        row = (round(microseconds * 1000), self.kinds[kind], detail, a, b)
        self.events.setdefault(thread, []).append(row)

    def state(self, microseconds, thread, state):
        self.add(microseconds, thread, "thread_state", thread, detail=self.states[state])

    @staticmethod
    def frame(kind, payload=b"", thread=0, count=0, base=0, nanoseconds=0):
        head = struct.pack("<IBBHIIQqII", 0x4D52464B, kind, 0, 0, thread, count, base, nanoseconds, len(payload), len(payload))
        return head + payload

    @staticmethod
    def columns(rows):
        """Encodes events as encode_columns of file.h does: for each column of values first all lowest bytes, then all
        next ones, and so on. Columns that ascend have differences in place of values. An event's unit of time is four
        ticks."""
        def planes(values, width, differences):
            before, out = 0, []
            for value in values:
                out.append((value - before) % (1 << (8 * width)) if differences else value)
                before = value
            return b"".join(bytes(each >> (8 * byte) & 255 for each in out) for byte in range(width))
        times = [time for time, *_ in rows]
        return (planes(times, 4, True) + planes([row[1] for row in rows], 1, False)
                + planes([row[2] for row in rows], 2, False) + planes([row[3] for row in rows], 4, True)
                + planes([row[4] for row in rows], 4, True))

    def write(self, path, table_hash):
        names = b""
        for kind, texts in ((0, {number: words for words, number in self.texts.items()}), (1, self.threads)):
            for number, words in texts.items():
                encoded = words.encode()
                names += struct.pack("<BIH", kind, number, len(encoded)) + encoded
        # One event unit is four ticks: one nanosecond of this recording.
        out = MAGIC + table_hash + self.frame(CLOCK)
        for thread, rows in self.events.items():
            rows.sort(key=lambda row: row[0])
            out += self.frame(EVENTS, self.columns(rows), thread, len(rows))
        out += self.frame(NAMES, names) + self.frame(CLOCK, base=4_000_000_000, nanoseconds=1_000_000_000)
        pathlib.Path(path).write_bytes(out + self.frame(END))


def write(path, table_hash):
    """Writes a recording in which two threads take two locks in opposite orders and are deadlocked, a third thread
    waits for a notification, and a collection runs."""
    w = Writer()
    w.threads = {MAIN: "main", LEFT: "left-then-right", RIGHT: "right-then-left", WRITER: "writer", COLLECTOR: "Sampler",
                 WORKERS[0]: "GC Thread#0", WORKERS[1]: "GC Thread#1"}
    account, queue = w.text("bank.Account"), w.text("bank.Queue")
    take = w.text("bank.Transfer.run(Transfer.java:14) bci 9")
    second = w.text("bank.Transfer.run(Transfer.java:16) bci 21")
    put, wait = w.text("bank.Queue.put(Queue.java:30) bci 4"), w.text("java.lang.Object.wait(Object.java:338) bci 2")
    method, small = w.text(RUN), w.text("boolean bank.Queue.isEmpty()")
    one, two, jobs = 1, 2, 3
    free_to_held, held_to_free, held_to_monitor = 0b0100, 0b0001, 0b0010
    w.add(0, MAIN, "thread_start", 100)
    for at, thread in ((50, LEFT), (60, RIGHT), (70, WRITER), (80, COLLECTOR)):
        w.add(at, thread, "thread_start", 100 + thread)
        w.state(at + 1, thread, RUNNABLE)
    w.add(100, LEFT, "object", one, account)
    w.add(110, RIGHT, "object", two, account)
    w.add(120, WRITER, "object", jobs, queue)
    w.add(130, MAIN, "hash", jobs, 0x1C0FFEE, 0b0101)
    # In each of these rounds, `left` or `right` owns the lock and hands it over to the other of the two threads.
    for place in range(12):
        start = 200 + 100 * place
        owner, other = (LEFT, RIGHT) if place % 2 == 0 else (RIGHT, LEFT)
        w.add(start, owner, "lock_enter", one, take, free_to_held)
        w.add(start + 20, other, "lock_contended", one, take)
        w.add(start + 20.1, other, "lock_owner", one, owner)
        if place == 0:
            w.add(start + 21, other, "inflate", one, 0, 0)
        w.add(start + 22, other, "lock_step", 1, 0, 0)
        w.state(start + 23, other, BLOCKED)
        w.add(start + 70, owner, "lock_exit", one, take, 0b1010)
        w.state(start + 72, other, RUNNABLE)
        w.add(start + 73, other, "lock_enter", one, take, 0b1010)
        w.add(start + 90, other, "lock_exit", one, take, 0b1010)
    # The thread `writer` waits on an object until main notifies it.
    w.add(150, WRITER, "lock_enter", jobs, put, free_to_held)
    w.add(160, WRITER, "wait_begin", jobs, wait, 0)
    w.state(161, WRITER, WAITING)
    w.add(900, MAIN, "lock_enter", jobs, put, held_to_monitor | 0b1000)
    w.add(905, MAIN, "lock_enter", jobs, put, 0b1010)
    w.add(910, MAIN, "notify", jobs, put, 1)
    w.state(911, WRITER, BLOCKED)
    w.add(940, MAIN, "lock_exit", jobs, put, 0b1010)
    w.add(960, MAIN, "lock_exit", jobs, put, 0b1010)
    w.state(965, WRITER, RUNNABLE)
    w.add(966, WRITER, "wait_end", jobs, wait, 0)
    w.add(990, WRITER, "lock_exit", jobs, put, 0b1010)
    w.state(1000, WRITER, PARKED)
    # Main sleeps; the collector's pause.
    w.state(970, MAIN, SLEEPING)
    collect, full, young = w.text("CollectForAllocation"), w.text("Pause Full"), w.text("Pause Young (Normal)")
    for start, kind, number in ((1500, young, 0), (2600, full, 1)):
        w.add(start, COLLECTOR, "safepoint_request", collect)
        w.add(start + 15, COLLECTOR, "safepoint_reached", collect)
        w.add(start + 16, COLLECTOR, "pause_begin", kind, number)
        for shift, phase in ((17, "Roots"), (40, "Trace"), (150 + 60 * number, "Release Regions")):
            w.add(start + shift, COLLECTOR, "phase", w.text(phase), number)
        w.add(start + 130, COLLECTOR, "moved", one, 0x20000 + number)
        w.add(start + 220 + 90 * number, COLLECTOR, "pause_end", kind, number)
        w.add(start + 225 + 90 * number, COLLECTOR, "safepoint_resume", collect)
        for worker in (0, 1):
            w.add(start + 41 + 3 * worker, WORKERS[worker], "work_begin", 0, 0, worker)
            w.add(start + 140 - 25 * worker, WORKERS[worker], "work_end", 0, 0, worker)
    # Regions are opened and filled one after the other. The young collection empties them into one region; the full
    # collection slides.
    free, open_, filled, emptied, copy, large, slides = 0, 1, 2, 3, 4, 5, 7
    eden, survivor, old = 0, 1, 2
    def region(at, number, before, after, generation=eden, used=1 << 20):
        w.add(at, MAIN, "region", number, used, before << 8 | after << 4 | generation)
    w.add(1, MAIN, "heap_layout", 32, 1 << 20)
    for number in range(8):
        region(100 + 170 * number, number, free, open_, used=0)
        region(270 + 170 * number if number < 7 else 1500.5, number, open_, filled)
    region(600, 31, free, large)
    region(1520, 8, free, copy, survivor, 0)
    for number in range(8):
        region(1518, number, filled, emptied)
        region(1655, number, emptied, free, used=0)
    region(1650, 8, copy, filled, survivor, 700 << 10)
    for number in range(6):
        region(1800 + 120 * number, number, free, open_, used=0)
        region(1920 + 120 * number if number < 5 else 2600.5, number, open_, filled)
    for number, generation in [(number, eden) for number in range(6)] + [(8, survivor)]:
        region(2645, number, filled, slides, generation)
        region(2810, number, slides, filled if number < 2 else free, old if number < 2 else eden, 1 << 20)
    region(2646, 31, large, slides)
    region(2811, 31, slides, free)
    # Code.
    w.add(400, COLLECTOR, "compiled", small, 240, 1)
    w.add(700, COLLECTOR, "compiled", method, 1800, 3)
    w.add(1900, COLLECTOR, "compiled", method, 920, 4)
    w.add(1910, COLLECTOR, "retired", method, w.text("replaced"), 3)
    w.add(2950, COLLECTOR, "retired", method, w.text("class check"), 4)
    # The deadlock of `left` and `right`, which lasts until the recording ends.
    w.add(3000, LEFT, "lock_enter", one, take, 0b1010)
    w.add(3010, RIGHT, "lock_enter", two, take, free_to_held)
    w.add(3060, LEFT, "lock_contended", two, second)
    w.add(3060.1, LEFT, "lock_owner", two, RIGHT)
    w.state(3062, LEFT, BLOCKED)
    w.add(3100, RIGHT, "lock_contended", one, second)
    w.add(3100.1, RIGHT, "lock_owner", one, LEFT)
    w.state(3102, RIGHT, BLOCKED)
    w.state(4000, MAIN, RUNNABLE)
    w.add(4010, MAIN, "thread_end")
    w.write(path, table_hash)


# Stacks, outermost first, each with the thread and the number of samples.
PROFILED = [
    (LEFT, 30, ["bank.Transfer.run(Transfer.java:12) bci 3", "bank.Account.pay(Account.java:20) bci 5"]),
    (LEFT, 10, ["bank.Transfer.run(Transfer.java:12) bci 3", "bank.Account.pay(Account.java:21) bci 9"]),
    (LEFT, 20, ["bank.Transfer.run(Transfer.java:14) bci 9", "java.util.HashMap.get(HashMap.java:563) bci 4",
                "java.util.HashMap.hash(HashMap.java:338) bci 7"]),
    (RIGHT, 25, ["bank.Transfer.run(Transfer.java:14) bci 9", "java.util.HashMap.get(HashMap.java:564) bci 12"]),
    (RIGHT, 10, ["bank.Tree.sum(Tree.java:8) bci 4", "bank.Tree.sum(Tree.java:8) bci 4", "bank.Tree.sum(Tree.java:9) bci 6"]),
    (RIGHT, 5, ["bank.Transfer.run(Transfer.java:16) bci 20"]),
]


def write_profile(path, table_hash):
    """Writes a recording with execution samples: first those of `left`, then those of `right`."""
    w = Writer()
    w.threads = {LEFT: "left-then-right", RIGHT: "right-then-left"}
    for at, thread in ((0, LEFT), (1, RIGHT)):
        w.add(at, thread, "thread_start", 100 + thread)
        w.state(at + 1, thread, RUNNABLE)
    at = 10
    for thread, samples, sites in PROFILED:
        stack = 0
        for site in sites:
            number = w.text(site)
            stack = w.text(f"{stack} {number}")
        for _ in range(samples):
            w.add(at, thread, "execution_sample", stack)
            at += 10
    w.add(1010, LEFT, "thread_end")
    w.add(1011, RIGHT, "thread_end")
    w.write(path, table_hash)


RUN = "void bank.Transfer.run()"
PROFILE = """void bank.Transfer.run()
  calls 1000, 424 bytes; null_check 1
  line   bci
    12     0: iconst_0
    13     1: istore_1
              loop: entered 1000 times, 3000 backward branches, 3.0 each
    13     2: iload_1
    13     3: if_icmpge 14
              taken 1000, not taken 3000
    14     6: invokevirtual #7 bank.Account.pay()V
              bank.Account 3000
    13     9: goto 2
    15    14: return
"""
BASELINE = """L2:
; bci 0 line 12  constant
; bci 1 line 13  store
xor ebx, ebx                                ; 31DB
L0:
; bci 2 line 13  load
; bci 3 line 13  if_icmpge
cmp ebx, dword ptr [r14]                    ; 413B1E
jge L1                                      ; 0F8D........
; bci 6 line 14  invokevirtual
call 2147483953                             ; E843EDFFFF
; bci 9 line 13  goto_back
short jmp L0                                ; EBDD
L1:
; bci 14 line 15  return
ret                                         ; C3
"""
OPTIMISED = """0x80002210 \tpush\trbp
; entry
0x80002214 \tlea\trcx, [r13 + 0x68]
; bci 3 line 13  if_icmpge
0x80002267 \tcmp\tesi, ebx
0x80002269 \tjge\t0x80002291
; bci 4 line 31  putfield, in bank.Account.pay from bci 6 line 14
0x8000226b \tinc\tdword ptr [rdi + 0x10]
; deoptimizes: class, at bci 6 line 14  invokevirtual
0x8000232e \tjmp\t0x800000f5
; bci 14 line 15  return
0x80002273 \tret
"""
GRAPH = """b0:
  jump b1
b1 (loop): b0 b2
  n9 int = phi n3 n30
  branch n10 b3 b2
b2: b1
  guard class n23 @6 [n0 | n1]
  poll @9 [n0 n30 | ]
  jump b1
b3: b1
  return_
"""


def write_code(path, end=""):
    """The listings of one method's code, in the format of jit/code/listings.h."""
    out = b""
    for level, size, *parts in ((3, 1800, PROFILE.replace("3000", "800"), BASELINE, ""), (4, 920, PROFILE, OPTIMISED, GRAPH)):
        encoded = [part.encode() for part in (RUN, "Transfer.java", *parts)]
        out += f"code {level} {size} {' '.join(str(len(part)) for part in encoded)}\n".encode() + b"".join(encoded)
    pathlib.Path(path).write_bytes(out + end.encode())
