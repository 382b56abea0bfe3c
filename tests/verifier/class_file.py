# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""A class file as a Python object that has a header, members and attributes. A rule may replace each of these parts by
a wrong one."""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "generator"))
import assembler

PUBLIC, PRIVATE, PROTECTED, STATIC, FINAL, SUPER, INTERFACE, ABSTRACT = 1, 2, 4, 8, 16, 32, 0x200, 0x400
OBJECT = "java/lang/Object"


def u2(*values):
    return struct.pack(f">{len(values)}H", *values)


class ClassFile:
    """`version` is "61", or "45.3" with its minor number. The class C extends kit/Base."""

    def __init__(self, version, name="C", parent="kit/Base", flags=PUBLIC | SUPER, interfaces=()):
        major, _, minor = version.partition(".")
        self.major, self.minor = int(major), int(minor or 0)
        self.pool = assembler.Pool()
        self.flags, self.magic, self.tail = flags, 0xCAFEBABE, b""
        self.this = self.pool.class_(name)
        self.parent = self.pool.class_(parent) if parent else 0
        self.interfaces = [self.pool.class_(each) for each in interfaces]
        self.fields, self.methods, self.attributes = [], [], []

    def attribute(self, name, content=b"", length=None):
        length = len(content) if length is None else length
        return struct.pack(">HI", self.pool.utf8(name), length) + content

    def member(self, flags, name, descriptor, attributes=()):
        head = u2(flags, self.pool.utf8(name), self.pool.utf8(descriptor), len(attributes))
        return head + b"".join(attributes)

    def field(self, flags, name, descriptor, attributes=()):
        self.fields.append(self.member(flags, name, descriptor, attributes))

    def method(self, flags, name, descriptor, attributes=()):
        self.methods.append(self.member(flags, name, descriptor, attributes))

    def content(self, text, stack=12, locals=12, attributes=()):
        """Returns the content of a Code attribute; instructions are separated by bars."""
        lines = []
        for words in (each.split() for each in text.split("|")):
            while words and words[0].endswith(":") and words[0][0] != ":":
                lines.append([words.pop(0)])
            if words:
                lines.append(words)
        return assembler.code_of(lines, self.pool, stack, locals, attributes)

    def code(self, flags, name, descriptor, text, stack=12, locals=12, attributes=(), others=()):
        content = self.content(text, stack, locals, attributes)
        self.method(flags, name, descriptor, [self.attribute("Code", content), *others])

    def constructor(self, parent="kit/Base"):
        self.code(PUBLIC, "<init>", "()V", f"aload_0 | invokespecial {parent} <init> ()V | return", 1, 1)

    def bootstrap(self, owner="kit/Base", name="bootstrap"):
        """Adds bootstrap method 0. It returns null, so only the types of the constants that use it matter."""
        type = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;"
        handle = self.pool.constant("method_handle", owner, name, type)
        self.attributes.append(self.attribute("BootstrapMethods", u2(1, handle, 0)))

    def bytes(self):
        parts = [u2(len(self.interfaces), *self.interfaces)]
        for table in (self.fields, self.methods, self.attributes):
            parts += [u2(len(table)), *table]
        head = struct.pack(">IHHH", self.magic, self.minor, self.major, self.pool.next)
        middle = b"".join(self.pool.data) + u2(self.flags, self.this, self.parent)
        return head + middle + b"".join(parts) + self.tail
