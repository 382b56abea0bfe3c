# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""A strict reader of HPROF 1.0.2. Whatever the format does not allow is an error, and so is a reference to an object
that the dump does not have.

    dump = hprof.read(path)          a .gz or .zst file is unpacked first
    dump.classes[id]                 Class: name, superclass, loader, statics, fields
    dump.objects[id]                 Instance, ObjectArray, PrimitiveArray
    dump.roots                       (kind, object id, thread serial or None, frame or None)
    dump.check()                     raises Malformed
    python3 hprof.py FILE            checks and prints a summary
"""
import gzip
import pathlib
import struct
import subprocess
import sys
from collections import namedtuple

Class = namedtuple("Class", "id name superclass loader instance_bytes statics fields")
Instance = namedtuple("Instance", "id class_id data")
ObjectArray = namedtuple("ObjectArray", "id class_id elements")
PrimitiveArray = namedtuple("PrimitiveArray", "id type elements")
Root = namedtuple("Root", "kind id thread frame")
FrameRecord = namedtuple("FrameRecord", "method descriptor source class_serial line")

TYPES = {
    2: ("object", ">Q", 8),
    4: ("boolean", ">?", 1),
    5: ("char", ">H", 2),
    6: ("float", ">f", 4),
    7: ("double", ">d", 8),
    8: ("byte", ">b", 1),
    9: ("short", ">h", 2),
    10: ("int", ">i", 4),
    11: ("long", ">q", 8),
}
ROOTS = {
    0xFF: ("unknown", 0),
    0x01: ("jni global", 8),
    0x02: ("jni local", 8),
    0x03: ("java frame", 8),
    0x04: ("native stack", 4),
    0x05: ("sticky class", 0),
    0x06: ("thread block", 4),
    0x07: ("monitor used", 0),
    0x08: ("thread object", 8),
}


class Malformed(Exception):
    pass


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Malformed(f"ends after {len(self.data)} bytes, {count} wanted at {self.at}")
        piece = self.data[self.at:self.at + count]
        self.at += count
        return piece

    def number(self, code):
        return struct.unpack(">" + code, self.take(struct.calcsize(">" + code)))[0]

    def u1(self): return self.number("B")
    def u2(self): return self.number("H")
    def u4(self): return self.number("I")
    def id(self): return self.number("Q")

    def value(self, tag):
        if tag not in TYPES:
            raise Malformed(f"type {tag} at {self.at}")
        _, code, size = TYPES[tag]
        piece = self.take(size)
        if tag == 4 and piece not in (b"\0", b"\1"):
            raise Malformed(f"a boolean of {piece[0]} at {self.at}")
        return struct.unpack(code, piece)[0]


class Dump:
    def __init__(self):
        self.names, self.loaded, self.frames, self.traces = {}, {}, {}, {}
        self.classes, self.objects, self.roots = {}, {}, []
        self.segments = 0
        self.bytes = 0

    # --- what tests ask -----------------------------------------------------------------------------------------------
    def class_named(self, name):
        found = [c for c in self.classes.values() if c.name == name]
        if len(found) != 1:
            raise Malformed(f"{len(found)} classes are called {name}")
        return found[0]

    def chain(self, class_id):
        while class_id:
            yield self.classes[class_id]
            class_id = self.classes[class_id].superclass

    def fields_of(self, instance):
        """Returns {name: value}. A field that hides a superclass's field takes precedence."""
        reader, values = Reader(instance.data), {}
        for klass in self.chain(instance.class_id):
            for name, tag in klass.fields:
                value = reader.value(tag)
                values.setdefault(name, value)
        if reader.at != len(instance.data):
            raise Malformed(
                f"an instance of {self.classes[instance.class_id].name} has {len(instance.data)} bytes, its fields take {reader.at}"
            )
        return values

    def string(self, object_id):
        fields = self.fields_of(self.objects[object_id])
        value = bytes(b & 0xFF for b in self.objects[fields["value"]].elements)
        return value.decode("latin-1" if fields["coder"] == 0 else "utf-16-le")

    def counts(self):
        """Returns the number of objects by class name, as in a class histogram: a class is an instance of
        java.lang.Class."""
        found = {"java/lang/Class": 0}
        letters = {
            "boolean": "Z",
            "char": "C",
            "float": "F",
            "double": "D",
            "byte": "B",
            "short": "S",
            "int": "I",
            "long": "J",
        }
        for each in self.objects.values():
            name = (
                "[" + letters[TYPES[each.type][0]]
                if isinstance(each, PrimitiveArray)
                else self.classes[each.class_id].name
            )
            found[name] = found.get(name, 0) + 1
        found["java/lang/Class"] += len(self.classes)
        return found

    def check(self):
        for klass in self.classes.values():
            if klass.id not in self.loaded:
                raise Malformed(f"class {klass.name} has no LOAD CLASS record")
            for name, tag, value in klass.statics:
                self.resolve(value if tag == 2 else 0, f"static {klass.name}.{name}")
            for other in (klass.superclass, klass.loader):
                self.resolve(other, f"superclass or loader of {klass.name}")
            if klass.superclass and klass.superclass not in self.classes:
                raise Malformed(f"the superclass of {klass.name} is no class")
        for class_id in self.loaded:
            if class_id not in self.classes:
                raise Malformed(f"class {self.loaded[class_id]} was loaded but is not dumped")
        for each in self.objects.values():
            if isinstance(each, Instance):
                if each.class_id not in self.classes:
                    raise Malformed(f"object {each.id:#x} is of class {each.class_id:#x}, which does not exist")
                for klass in self.chain(each.class_id):
                    pass
                reader = Reader(each.data)
                for klass in self.chain(each.class_id):
                    for name, tag in klass.fields:
                        value = reader.value(tag)
                        self.resolve(value if tag == 2 else 0, f"{klass.name}.{name} of {each.id:#x}")
                if reader.at != len(each.data):
                    raise Malformed(
                        f"{each.id:#x}, a {self.classes[each.class_id].name}, has {len(each.data)} bytes, its fields take {reader.at}"
                    )
            elif isinstance(each, ObjectArray):
                if each.class_id not in self.classes or not self.classes[each.class_id].name.startswith("["):
                    raise Malformed(f"array {each.id:#x} is of no array class")
                for i, element in enumerate(each.elements):
                    self.resolve(element, f"[{i}] of {each.id:#x}")
        for root in self.roots:
            if root.id == 0:
                raise Malformed(f"a null root ({root.kind})")
            self.resolve(root.id, f"root {root.kind}")
            if root.thread is not None and root.thread not in self.thread_serials():
                raise Malformed(f"root {root.kind} names thread {root.thread}, which no trace does")
            if root.kind == "java frame" and root.frame >= len(self.trace_of_thread(root.thread)):
                raise Malformed(
                    f"a root in frame {root.frame} of thread {root.thread}, which has {len(self.trace_of_thread(root.thread))}"
                )
        for serial, (thread, frames) in self.traces.items():
            for frame in frames:
                if frame not in self.frames:
                    raise Malformed(f"trace {serial} names frame {frame}, which does not exist")
        return self

    def thread_serials(self):
        return {thread for thread, _ in self.traces.values() if thread}

    def trace_of_thread(self, thread):
        return next(frames for owner, frames in self.traces.values() if owner == thread)

    def resolve(self, object_id, where):
        if object_id and object_id not in self.objects and object_id not in self.classes:
            raise Malformed(f"{where} is {object_id:#x}, which is not in the dump")

    # --- reading ------------------------------------------------------------------------------------------------------
    def name(self, name_id):
        if name_id not in self.names:
            raise Malformed(f"name {name_id:#x} has no UTF8 record")
        return self.names[name_id]

    def add(self, each):
        if each.id in self.objects or each.id in self.classes or each.id == 0:
            raise Malformed(f"object {each.id:#x} is dumped twice, or null")
        self.objects[each.id] = each

    def segment(self, reader):
        while reader.at < len(reader.data):
            tag = reader.u1()
            if tag in ROOTS:
                kind, more = ROOTS[tag]
                object_id, thread, frame = reader.id(), None, None
                if tag == 0x01:
                    reader.id()
                elif more >= 4:
                    thread = reader.u4()
                    if more == 8:
                        frame = reader.u4()
                        if tag == 0x08 and frame not in self.traces:
                            raise Malformed(f"thread {thread} names trace {frame}, which does not exist")
                self.roots.append(Root(kind, object_id, thread, frame))
            elif tag == 0x20:
                self.class_dump(reader)
            elif tag == 0x21:
                object_id = reader.id()
                self.trace(reader.u4())
                class_id = reader.id()
                self.add(Instance(object_id, class_id, reader.take(reader.u4())))
            elif tag == 0x22:
                object_id = reader.id()
                self.trace(reader.u4())
                length, class_id = reader.u4(), reader.id()
                self.add(ObjectArray(object_id, class_id, struct.unpack(f">{length}Q", reader.take(8 * length))))
            elif tag == 0x23:
                object_id = reader.id()
                self.trace(reader.u4())
                length, kind = reader.u4(), reader.u1()
                if kind not in TYPES or kind == 2:
                    raise Malformed(f"a primitive array of type {kind}")
                _, code, size = TYPES[kind]
                self.add(
                    PrimitiveArray(object_id, kind, struct.unpack(f">{length}{code[1]}", reader.take(size * length)))
                )
            else:
                raise Malformed(f"sub-record {tag:#x} at {reader.at - 1} of a segment")

    def trace(self, serial):
        if serial not in self.traces:
            raise Malformed(f"trace {serial} is named before it is there")

    def class_dump(self, reader):
        class_id = reader.id()
        self.trace(reader.u4())
        superclass, loader = reader.id(), reader.id()
        for _ in range(4):
            reader.id()
        instance_bytes = reader.u4()
        for _ in range(reader.u2()):
            reader.u2()
            reader.value(reader.u1())
        statics = []
        for _ in range(reader.u2()):
            name, tag = self.name(reader.id()), reader.u1()
            statics.append((name, tag, reader.value(tag)))
        fields = []
        for _ in range(reader.u2()):
            name, tag = self.name(reader.id()), reader.u1()
            if tag not in TYPES:
                raise Malformed(f"field {name} of type {tag}")
            fields.append((name, tag))
        if class_id not in self.loaded or class_id in self.classes or class_id in self.objects:
            raise Malformed(f"class {class_id:#x} was not loaded, or is dumped twice")
        self.classes[class_id] = Class(
            class_id, self.loaded[class_id], superclass, loader, instance_bytes, statics, fields
        )


def unpack(path):
    path = pathlib.Path(path)
    if ".hprof.gz" in path.name:
        return gzip.decompress(path.read_bytes())
    if ".hprof.zst" in path.name:
        return subprocess.run(["zstd", "-dcq", str(path)], capture_output=True, check=True).stdout
    return path.read_bytes()


def read(path):
    reader, dump = Reader(unpack(path)), Dump()
    if reader.take(19) != b"JAVA PROFILE 1.0.2\0":
        raise Malformed("no JAVA PROFILE 1.0.2")
    if reader.u4() != 8:
        raise Malformed("ids are not 8 bytes long")
    reader.id()
    serials, ended = {}, False
    while reader.at < len(reader.data):
        tag, _, length = reader.u1(), reader.u4(), reader.u4()
        body = Reader(reader.take(length))
        if ended:
            raise Malformed("records after HEAP DUMP END")
        if tag == 0x01:
            name_id = body.id()
            if name_id in dump.names or name_id == 0:
                raise Malformed(f"name {name_id:#x} is there twice, or null")
            dump.names[name_id] = body.take(length - 8).decode("utf-8", errors="surrogateescape")
        elif tag == 0x02:
            serial, class_id = body.u4(), body.id()
            body.u4()
            if serial in serials or class_id in dump.loaded or serial == 0:
                raise Malformed(f"class serial {serial} or class {class_id:#x} is there twice")
            serials[serial] = class_id
            dump.loaded[class_id] = dump.name(body.id())
        elif tag == 0x04:
            frame_id = body.id()
            method, descriptor, source_id, serial, line = (
                dump.name(body.id()),
                dump.name(body.id()),
                body.id(),
                body.u4(),
                body.number("i"),
            )
            if frame_id in dump.frames or serial not in serials:
                raise Malformed(f"frame {frame_id} is there twice, or of no class")
            dump.frames[frame_id] = FrameRecord(
                method, descriptor, dump.name(source_id) if source_id else None, dump.loaded[serials[serial]], line
            )
        elif tag == 0x05:
            serial, thread, count = body.u4(), body.u4(), body.u4()
            if serial in dump.traces:
                raise Malformed(f"trace {serial} is there twice")
            dump.traces[serial] = (thread, [body.id() for _ in range(count)])
        elif tag == 0x1C:
            dump.segments += 1
            dump.segment(body)
        elif tag == 0x2C:
            ended = True
        else:
            raise Malformed(f"record {tag:#x}")
        if body.at != length:
            raise Malformed(f"record {tag:#x} is {length} bytes long, {body.at} of them are used")
    if not ended:
        raise Malformed("no HEAP DUMP END")
    dump.bytes = len(reader.data)
    return dump


if __name__ == "__main__":
    found = read(sys.argv[1]).check()
    print(
        f"{found.bytes} bytes, {len(found.classes)} classes, {len(found.objects)} objects, {len(found.roots)} roots, {found.segments} segments"
    )
    for name, number in sorted(found.counts().items(), key=lambda row: -row[1])[:20]:
        print(f"{number:>10}  {name}")
