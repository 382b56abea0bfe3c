# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""gdb's commands for a VM, running or in a core file: headers, objects, classes, methods, frames, locks, threads.

    cmake --build --preset release --target keyhole
    gdb -x vm/tools/gdb/keyhole.py --args build/release/keyhole ...

    (gdb) keyhole threads                  all threads: id, state, status, what they hold and await
    (gdb) keyhole stack [THREAD]           Java frames: method, bytecode index, line; default: gdb's current thread
    (gdb) keyhole object ADDRESS           class, header, fields or elements
    (gdb) keyhole header ADDRESS           lock bits, age, hash, class
    (gdb) keyhole lock ADDRESS             who holds and awaits the lock of an object
    (gdb) keyhole class NAME|ADDRESS|ID    a class: state, super class, fields, methods
    (gdb) keyhole method ADDRESS           a method: its class, its entries, its bytecodes' length
    (gdb) keyhole frame ADDRESS            one frame: its locals and operands as slots

In a debug build, `print` describes a Klass*, Method*, Symbol* or Object* as these commands do. A release build has no
types, so they are read from keyhole_gdb_types.o beside the executable.
"""

import pathlib
import re

import gdb

LOCK_WORDS = {0: "locked, owner on a lock stack or queued elements", 1: "unlocked", 2: "inflated", 3: "forwarded"}
STATUS = {0: "NEW", 0x5: "RUNNABLE", 0xE1: "TIMED_WAITING (sleeping)", 0x191: "WAITING (on object monitor)",
          0x1A1: "TIMED_WAITING (on object monitor)", 0x291: "WAITING (parking)", 0x2A1: "TIMED_WAITING (parking)",
          0x401: "BLOCKED (on object monitor)", 0x2: "TERMINATED"}
ELEMENTS = {"Z": ("uint8_t", 1), "B": ("int8_t", 1), "C": ("uint16_t", 2), "S": ("int16_t", 2), "I": ("int32_t", 4),
            "J": ("int64_t", 8), "F": ("float", 4), "D": ("double", 8)}
SHOWN_ELEMENTS = 10


class Failure(gdb.GdbError):
    pass


def load_types():
    """Loads the types of a release build from the object file beside the executable."""
    try:
        gdb.lookup_type("keyhole::gdb::Layout")
        return
    except gdb.error:
        pass
    program = gdb.current_progspace().filename
    if program is None:
        raise Failure("no program: give gdb an executable or a core file")
    executable = pathlib.Path(program)
    suffix = {"keyhole-classic": "_classic", "keyhole-tiny": "_tiny"}.get(executable.name, "")
    types = executable.parent / f"keyhole_gdb_types{suffix}.o"
    if not types.exists():
        raise Failure(f"no {types}: cmake --build --preset release --target {executable.name}")
    gdb.execute(f"add-symbol-file {types} 0", to_string=True)


def type_of(name):
    return gdb.lookup_type(name)


def number(name):
    """Returns a constant of the header layout."""
    field = next(field for field in type_of("keyhole::gdb::Layout").fields() if field.name.endswith("::" + name))
    return field.enumval


def at(name, address):
    """Returns the object of the given type at an address."""
    return gdb.Value(int(address)).cast(type_of(name).pointer()).dereference()


def read(address, size, signed=False):
    data = gdb.selected_inferior().read_memory(int(address), size).tobytes()
    return int.from_bytes(data, "little", signed=signed)


def plain(value):
    """Unwraps a std::atomic, or the model checker's Plain; returns other values unchanged."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        for field in kind.fields():
            if field.is_base_class or field.name in ("_M_b", "_M_p", "_M_i", "value_", "value"):
                return plain(value[field])
    return value


def word(value):
    return int(plain(value)) & 0xFFFF_FFFF_FFFF_FFFF


def variable(name, kind):
    """Returns a variable of the VM. A release build has its symbol only, not its type."""
    return gdb.parse_and_eval(f"*({kind}*)&'{name}'")


def text_of(symbol):
    address = int(symbol)
    if address == 0:
        return "?"
    value = at("keyhole::Symbol", address)
    data = gdb.selected_inferior().read_memory(int(value["bytes_"].address), int(value["length_"])).tobytes()
    return data.decode("utf-8", "replace")


def dotted(symbol):
    return text_of(symbol).replace("/", ".")


def klass_at(address):
    klass = at("keyhole::Klass", address)
    return at("keyhole::InstanceKlass", address) if int(klass["kind"]) <= 2 else klass


def klass_of_id(identity):
    return read(number("klass_table") + 8 * identity, 8)


def header_of(address):
    return read(address, number("word_bytes"))


def klass_of(address):
    """Returns the address of an object's Klass."""
    if number("klass_is_in_word"):
        bits = header_of(address)
        identity = bits >> number("klass_shift")
    else:
        identity = read(address + number("word_bytes"), 4)
    found = klass_of_id(identity & ((1 << 22) - 1))
    if found == 0:
        raise Failure(f"no object at {address:#x}: there is no class {identity}")
    return found


def monitors():
    """Yields every ObjectMonitor in use: one list has them all, with or without a monitor table."""
    current = word(variable("keyhole::sync::monitors", "keyhole::sync::MonitorList")["first_"])
    while current != 0:
        monitor = at("keyhole::ObjectMonitor", current)
        yield monitor
        current = word(monitor["next_in_list"])


def monitor_of(address):
    """Returns the ObjectMonitor of an object, or None."""
    return next((monitor for monitor in monitors() if word(monitor["object"]) == address), None)


def header_text(address):
    bits = header_of(address)
    lock = bits & 3
    parts = [f"{bits:#0{2 + 2 * number('word_bytes')}x}", LOCK_WORDS[lock]]
    if lock != 3:
        # Without a monitor table, an inflated header points to the monitor, which stores the object's age and hash.
        pointer = bits & ((1 << number("klass_shift")) - 1) & ~3
        if lock == 2 and any(int(monitor.address) == pointer for monitor in monitors()):
            parts.append(f"monitor {pointer:#x}")
        else:
            parts.append(f"age {(bits >> number('age_shift')) & 15}")
            if number("hash_is_in_word"):
                identity_hash = (bits >> number("hash_shift")) & ((1 << number("hash_bits")) - 1)
                parts.append(f"hash {identity_hash:#x}" if identity_hash else "no hash")
    return ", ".join(parts)


def string_text(address):
    """Returns the text of a java.lang.String, or None."""
    klass = klass_at(klass_of(address))
    fields = {text_of(field["name"]): int(field["offset"]) for field in fields_of(klass, False)}
    array = read(address + fields["value"], 4) << number("narrow_shift")
    if array == 0:
        return None
    length = read(array + number("array_length_offset"), 4)
    data = gdb.selected_inferior().read_memory(array + number("array_base"), min(length, 400)).tobytes()
    return data.decode("latin-1" if read(address + fields["coder"], 1) == 0 else "utf-16-le", "replace")


def brief(address):
    """One line of an object."""
    if address == 0:
        return "null"
    name = dotted(klass_at(klass_of(address))["name"])
    if name == "java.lang.String":
        return f'"{string_text(address)}"'
    if name.startswith("["):
        return f"{name} of {read(address + number('array_length_offset'), 4)} @{address:#x}"
    return f"{name} @{address:#x}"


def fields_of(klass, statics):
    return [klass["fields"][i] for i in range(int(klass["field_count"]))
            if bool(int(klass["fields"][i]["access_flags"]) & 8) == statics]


def value_at(address, descriptor):
    if descriptor[0] in "L[":
        return brief(read(address, 4) << number("narrow_shift"))
    kind, size = ELEMENTS[descriptor[0]]
    if descriptor[0] == "Z":
        return "true" if read(address, 1) else "false"
    if descriptor[0] in "FD":
        return str(gdb.Value(address).cast(gdb.lookup_type(kind).pointer()).dereference())
    value = read(address, size, signed=descriptor[0] != "C")
    return repr(chr(value)) if descriptor[0] == "C" else str(value)


def object_lines(address):
    klass_address = klass_of(address)
    klass = klass_at(klass_address)
    name = text_of(klass["name"])
    yield f"{name.replace('/', '.')} @{address:#x}"
    yield f"  header: {header_text(address)}"
    if name.startswith("["):
        length = read(address + number("array_length_offset"), 4)
        yield f"  length: {length}"
        descriptor = name[1:]
        size = 4 if descriptor[0] in "L[" else ELEMENTS[descriptor[0]][1]
        base = address + number("array_base_of_longs" if size == 8 else "array_base")
        for i in range(min(length, SHOWN_ELEMENTS)):
            yield f"  [{i}] = {value_at(base + i * size, descriptor)}"
        if length > SHOWN_ELEMENTS:
            yield f"  ... {length - SHOWN_ELEMENTS} more"
        return
    if name == "java/lang/String":
        yield f'  text: "{string_text(address)}"'
    chain = []
    while klass_address != 0:
        klass = klass_at(klass_address)
        chain.append(klass)
        klass_address = int(klass["super"])
    for klass in reversed(chain):
        for field in fields_of(klass, False):
            descriptor = text_of(field["descriptor"])
            yield f"  {text_of(field['name'])} = {value_at(address + int(field['offset']), descriptor)}"


def method_name(method):
    holder = at("keyhole::Klass", int(method["holder"]))
    return f"{dotted(holder['name'])}.{text_of(method['name'])}{text_of(method['descriptor'])}"


def line_of(method, bci):
    count, table, line = int(method["line_count"]), int(method["lines"]), -1
    best = -1
    for i in range(count):
        data = gdb.selected_inferior().read_memory(table + 4 * i, 4).tobytes()
        start, number_of_line = int.from_bytes(data[:2], "big"), int.from_bytes(data[2:], "big")
        if best < start <= bci:
            best, line = start, number_of_line
    return line


def bci_of(method, pc):
    """Returns the bytecode index of a frame's pc, or -1 if the pc is a call site of compiled code."""
    body = word(method["body"])
    if body == 0:
        return -1
    code = at("keyhole::MethodCode", body)
    first = body + code.type.sizeof
    size = type_of("keyhole::Instruction").sizeof
    index = (pc - first) // size
    return int(code["bcis"][index]) if first <= pc and index < int(code["instruction_count"]) else -1


def frame_text(frame):
    kind = re.sub(r".*::", "", str(frame["kind"]))
    if int(frame["method"]) == 0:
        return "(C++ called Java)"
    method = at("keyhole::Method", int(frame["method"]))
    place = "native" if kind == "Native" else ""
    if not place:
        bci = bci_of(method, int(frame["pc"]))
        place = f"bci {bci}, line {line_of(method, bci)}" if bci >= 0 else "compiled"
    return f"{method_name(method)}  {place}{'' if kind in ('Interpreted', 'Native') else ', ' + kind.lower()}"


def threads():
    current = int(variable("keyhole::threads::internal::first_thread", "unsigned long"))
    while current != 0:
        thread = at("keyhole::JavaThread", current)
        yield current, thread
        current = int(thread["next"])


def thread_name(thread):
    if int(thread["vm_name"]) != 0:
        return thread["vm_name"].string()
    java = int(thread["thread_object"])
    if java == 0:
        return "?"
    klass_address = klass_of(java)
    while klass_address != 0:
        klass = klass_at(klass_address)
        for field in fields_of(klass, False):
            if text_of(field["name"]) == "name" and text_of(klass["name"]) == "java/lang/Thread":
                name = read(java + int(field["offset"]), 4) << number("narrow_shift")
                return string_text(name) if name else "?"
        klass_address = int(klass["super"])
    return "?"


def name_of_id(identity):
    for _, thread in threads():
        if int(thread["id"]) == identity:
            return f"{thread_name(thread)} (id {identity})"
    return f"id {identity}"


def current_thread():
    selected = gdb.selected_thread()
    if selected is None:
        raise Failure("no thread is selected")
    for address, thread in threads():
        carrier = int(thread["carrier"])
        if carrier and int(at("keyhole::Carrier", carrier)["os_id"]) == selected.ptid[1]:
            return address
    raise Failure("gdb's current thread runs no Java; `keyhole threads` lists those that do")


def lock_lines(address):
    yield brief(address)
    yield f"  header: {header_text(address)}"
    holders = [thread_name(thread) for _, thread in threads()
               if any(int(thread["lock_records"][i]["object"]) == address for i in range(int(thread["lock_record_top"])))
               or any(int(thread["lock_stack"][i]) == address for i in range(int(thread["lock_stack_top"])))]
    if holders:
        yield f"  on the lock stack or in the lock records of: {', '.join(holders)}"
    monitor = monitor_of(address)
    if monitor is None:
        return
    owner = word(monitor["owner"])
    yield f"  monitor {int(monitor.address):#x}: " + (
        "free" if owner == 0 else "held by an anonymous owner" if owner == 1 else
        f"held by {name_of_id(owner)}, {int(plain(monitor['recursions'])) + 1} deep")
    queued, waiter = [], word(monitor["entry_list"])
    while waiter != 0:
        node = gdb.Value(waiter).cast(plain(monitor["entry_list"]).type).dereference()
        queued.append(thread_name(node["thread"].dereference()))
        waiter = word(node["next"])
    if queued:
        yield f"  entry list, newest first: {', '.join(queued)}"
    first = waiter = word(monitor["wait_set"])
    waiting = []
    while waiter != 0:
        node = gdb.Value(waiter).cast(plain(monitor["wait_set"]).type).dereference()
        waiting.append(thread_name(node["thread"].dereference()))
        waiter = word(node["wait_next"])
        if waiter == first:
            break
    if waiting:
        yield f"  wait set: {', '.join(waiting)}"


def class_named(text):
    if re.fullmatch(r"0x[0-9a-f]+", text):
        return int(text, 16)
    if text.isdigit():
        return klass_of_id(int(text))
    wanted = text.replace(".", "/")
    for identity in range(1, 1 << 16):
        klass = klass_of_id(identity)
        if klass != 0 and text_of(at("keyhole::Klass", klass)["name"]) == wanted:
            return klass
    raise Failure(f"no class {text} among the first 65,535")


def class_lines(address):
    klass = klass_at(address)
    kind = re.sub(r".*::", "", str(klass["kind"]))
    yield f"{dotted(klass['name'])}  Klass @{address:#x}, id {int(klass['id'])}, {kind}"
    if int(klass["super"]):
        yield f"  super: {dotted(at('keyhole::Klass', int(klass['super']))['name'])}"
    if klass.type.name != "keyhole::InstanceKlass":
        return
    yield f"  state: {re.sub(r'.*::', '', str(plain(klass['state'])))}, instances of {int(klass['instance_bytes'])} bytes"
    for statics in (False, True):
        for field in fields_of(klass, statics):
            yield (f"  {'static ' if statics else ''}{text_of(field['descriptor'])} {text_of(field['name'])}"
                   f" at {int(field['offset'])}")
    for i in range(int(klass["method_count"])):
        method = klass["methods"][i].dereference()
        yield f"  {text_of(method['name'])}{text_of(method['descriptor'])}  Method @{int(method.address):#x}"


def method_lines(address):
    method = at("keyhole::Method", address)
    yield method_name(method)
    yield (f"  flags {int(method['access_flags']):#06x}, {int(method['max_locals'])} locals, "
           f"{int(method['max_stack'])} operands, {int(method['code_length'])} bytes of bytecode")
    yield f"  entry {word(method['entry']):#x}, from compiled code {word(method['entry_from_code']):#x}"
    body = word(method["body"])
    compiled = word(at("keyhole::MethodCode", body)["compiled"]) if body else 0
    yield f"  body {body:#x}, {'compiled: ' + hex(compiled) if compiled else 'not compiled'}"


def frame_lines(address):
    frame = at("keyhole::Frame", address)
    yield f"Frame @{address:#x}: {frame_text(frame)}"
    yield f"  caller {int(frame['caller']):#x}, lock records from {int(frame['lock_record_base'])}"
    if int(frame["method"]) == 0:
        return
    method = at("keyhole::Method", int(frame["method"]))
    for i in range(int(method["max_locals"])):
        yield f"  local {i} = {int(frame['locals'][i]):#x}"
    slot, top = address + frame.type.sizeof, int(frame["sp"])
    for i in range(max(0, (top - slot) // 8 + 1)):
        yield f"  operand {i} = {read(slot + 8 * i, 8):#x}"


def stack_lines(address):
    thread = at("keyhole::JavaThread", address)
    yield f'"{thread_name(thread)}"'
    frame, number_of_frame = int(thread["top_frame"]), 0
    while frame != 0:
        value = at("keyhole::Frame", frame)
        yield f"#{number_of_frame}  {frame_text(value)}  @{frame:#x}"
        frame, number_of_frame = int(value["caller"]), number_of_frame + 1


def thread_lines():
    for address, thread in threads():
        state = re.sub(r".*::", "", str(plain(thread["state"])))
        status = STATUS.get(int(plain(thread["status"])), "?")
        line = f'"{thread_name(thread)}" id {int(thread["id"])} @{address:#x}  {state}, {status}'
        for field, words in (("blocked_on", "blocked on"), ("waiting_on", "waits on")):
            monitor = word(thread[field])
            if monitor:
                line += f", {words} {brief(word(at('keyhole::ObjectMonitor', monitor)['object']))}"
        yield line


class Keyhole(gdb.Command):
    """Looks into the VM: keyhole threads|stack|object|header|lock|class|method|frame [ARGUMENT]."""

    KINDS = {
        "threads": lambda _: thread_lines(),
        "stack": lambda text: stack_lines(address_of(text) if text else current_thread()),
        "object": lambda text: object_lines(address_of(text)),
        "header": lambda text: [header_text(address_of(text)) + ", " + brief(address_of(text))],
        "lock": lambda text: lock_lines(address_of(text)),
        "class": lambda text: class_lines(class_named(text)),
        "method": lambda text: method_lines(address_of(text)),
        "frame": lambda text: frame_lines(address_of(text)),
    }

    def __init__(self):
        super().__init__("keyhole", gdb.COMMAND_DATA)

    def complete(self, text, _):
        return [name for name in self.KINDS if name.startswith(text)]

    def invoke(self, text, _):
        words = text.split(None, 1)
        if not words or words[0] not in self.KINDS:
            raise Failure(self.__doc__)
        if len(words) == 1 and words[0] not in ("threads", "stack"):
            raise Failure(f"keyhole {words[0]} needs an address")
        load_types()
        try:
            for line in self.KINDS[words[0]](words[1] if len(words) > 1 else ""):
                print(line)
        except gdb.MemoryError as error:
            raise Failure(f"nothing readable there: {error}") from None


def address_of(text):
    return int(gdb.parse_and_eval(text).cast(gdb.lookup_type("unsigned long")))


class Printer:
    """Lets `print` show a pointer in a debug build: its address, then the description that the commands print."""

    SHOWN = {
        "keyhole::Symbol": lambda address: f'"{text_of(address)}"',
        "keyhole::Klass": lambda address: dotted(klass_at(address)["name"]),
        "keyhole::InstanceKlass": lambda address: dotted(klass_at(address)["name"]),
        "keyhole::Method": lambda address: method_name(at("keyhole::Method", address)),
        "keyhole::Object": brief,
        "keyhole::Frame": lambda address: frame_text(at("keyhole::Frame", address)),
    }

    def __init__(self, value, shown):
        self.value, self.shown = value, shown

    def to_string(self):
        address = int(self.value)
        if address == 0:
            return "null"
        try:
            return f"{address:#x} {self.shown(address)}"
        except (gdb.error, Failure):
            return f"{address:#x}"


def printer_of(value):
    kind = value.type.strip_typedefs()
    if kind.code != gdb.TYPE_CODE_PTR:
        return None
    shown = Printer.SHOWN.get(str(kind.target().unqualified()))
    return Printer(value, shown) if shown else None


Keyhole()
gdb.pretty_printers.append(printer_of)
