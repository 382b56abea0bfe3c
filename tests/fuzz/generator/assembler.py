# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Class files of version 49 from text: no frames to write down, and `jsr` is allowed.

.class NAME INTERFACE...
.field FLAGS NAME DESCRIPTOR                    FLAGS: public+static
.method FLAGS NAME DESCRIPTOR STACK LOCALS
  L1:                                           a label
  iload 3, wide_iload 3, iinc 2 -5              the mnemonics of the JVMS; wide_ in front of what can be wide; iload_3 and its like for what is short
  ldc int 5, ldc_w string abc, ldc2_w double 0x3ff0000000000000       int, float and double, long by their bits
  getstatic CLASS NAME DESCRIPTOR, invokevirtual CLASS NAME DESCRIPTOR, new CLASS, multianewarray [[I 2
  goto L1, tableswitch LOW L1 L2 default L3, lookupswitch 1 L1 100 L2 default L3
  .catch CLASS|any FROM TO HANDLER
.end
"""

import struct

OPCODES = {
    name: code
    for code, name in enumerate(
        "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w "
        "iload lload fload dload aload".split()
    )
}
OPCODES |= {
    f"{t}{what}_{n}": base + 4 * i + n
    for what, base in (("load", 26), ("store", 59))
    for i, t in enumerate("ilfda")
    for n in range(4)
}
OPCODES |= (
    {f"{t}aload": 46 + i for i, t in enumerate("ilfdabcs")}
    | {f"{t}store": 54 + i for i, t in enumerate("ilfda")}
    | {f"{t}astore": 79 + i for i, t in enumerate("ilfdabcs")}
)
OPCODES |= {name: 87 + i for i, name in enumerate("pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap".split())}
OPCODES |= {
    f"{t}{name}": 96 + 4 * k + i
    for k, name in enumerate("add sub mul div rem neg".split())
    for i, t in enumerate("ilfd")
}
OPCODES |= {
    name: 120 + i
    for i, name in enumerate(
        "ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg "
        "ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn "
        "lreturn freturn dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic invokeinterface invokedynamic new "
        "newarray anewarray arraylength athrow checkcast instanceof monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w".split()
    )
}
BRANCHES = {name for name in OPCODES if name.startswith("if")} | {"goto", "jsr", "goto_w", "jsr_w"}
ARRAY_TYPES = {"boolean": 4, "char": 5, "float": 6, "double": 7, "byte": 8, "short": 9, "int": 10, "long": 11}
FLAGS = {"public": 1, "private": 2, "static": 8, "final": 16, "synchronized": 32, "volatile": 64, "super": 32}
VERSION = 49


def flags_of(word):
    return sum(FLAGS[each] for each in word.split("+") if each)


def argument_slots(descriptor):
    count = at = 0
    text = descriptor[1 : descriptor.index(")")]
    while at < len(text):
        count += 2 if text[at] in "JD" else 1
        while text[at] == "[":
            at += 1
        at = text.index(";", at) + 1 if text[at] == "L" else at + 1
    return count


class Pool:
    def __init__(self):
        self.known, self.data, self.next = {}, [], 1

    def add(self, key, make, slots=1):
        if key not in self.known:
            data = make()  # first: it may add entries of its own
            self.known[key] = self.next
            self.next += slots
            self.data.append(data)
        return self.known[key]

    def utf8(self, text):
        encoded = text.encode("utf-8")
        return self.add(("utf8", text), lambda: struct.pack(">BH", 1, len(encoded)) + encoded)

    def named(self, tag, name):
        return self.add((tag, name), lambda: struct.pack(">BH", tag, self.utf8(name)))

    def class_(self, name):
        return self.named(7, name)

    def member(self, tag, owner, name, descriptor):
        kind = self.add(
            ("type", name, descriptor), lambda: struct.pack(">BHH", 12, self.utf8(name), self.utf8(descriptor))
        )
        return self.add((tag, owner, name, descriptor), lambda: struct.pack(">BHH", tag, self.class_(owner), kind))

    def constant(self, type, text):
        if type == "string":
            return self.named(8, text)
        if type == "class":
            return self.class_(text)
        bits = int(text, 0)
        if type in ("int", "float"):
            return self.add((type, bits), lambda: struct.pack(">BI", {"int": 3, "float": 4}[type], bits & 0xFFFFFFFF))
        return self.add(
            (type, bits), lambda: struct.pack(">BQ", {"long": 5, "double": 6}[type], bits & 0xFFFFFFFFFFFFFFFF), slots=2
        )


def instruction(words, pool, at, labels):
    """Its bytes; a label that is not known yet counts as 0."""
    name = words[0]
    distance = lambda label: labels.get(label, at) - at
    if name.startswith("wide_"):
        base = name[5:]
        return struct.pack(">BBH", OPCODES["wide"], OPCODES[base], int(words[1])) + (
            struct.pack(">h", int(words[2])) if base == "iinc" else b""
        )
    code = OPCODES[name]
    head = bytes([code])
    if name in ("goto_w", "jsr_w"):
        return head + struct.pack(">i", distance(words[1]))
    if name in BRANCHES:
        return head + struct.pack(">h", distance(words[1]))
    if name in ("tableswitch", "lookupswitch"):
        padded = head + bytes(-(at + 1) % 4)
        where = words.index("default")
        padded += struct.pack(">i", distance(words[where + 1]))
        if name == "tableswitch":
            low, targets = int(words[1]), words[2:where]
            return (
                padded
                + struct.pack(">ii", low, low + len(targets) - 1)
                + b"".join(struct.pack(">i", distance(each)) for each in targets)
            )
        pairs = [(int(words[n]), words[n + 1]) for n in range(1, where, 2)]
        return (
            padded
            + struct.pack(">i", len(pairs))
            + b"".join(struct.pack(">ii", key, distance(label)) for key, label in sorted(pairs))
        )
    if name in ("ldc", "ldc_w", "ldc2_w"):
        index = pool.constant(words[1], words[2] if len(words) > 2 else "")
        if name == "ldc" and index < 256:
            return head + struct.pack(">B", index)
        return bytes([OPCODES["ldc_w" if name == "ldc" else name]]) + struct.pack(">H", index)
    if name in ("getstatic", "putstatic", "getfield", "putfield"):
        return head + struct.pack(">H", pool.member(9, *words[1:4]))
    if name in ("invokevirtual", "invokespecial", "invokestatic"):
        return head + struct.pack(">H", pool.member(10, *words[1:4]))
    if name == "invokeinterface":
        return head + struct.pack(">HBB", pool.member(11, *words[1:4]), argument_slots(words[3]) + 1, 0)
    if name in ("new", "anewarray", "checkcast", "instanceof"):
        return head + struct.pack(">H", pool.class_(words[1]))
    if name == "multianewarray":
        return head + struct.pack(">HB", pool.class_(words[1]), int(words[2]))
    if name == "newarray":
        return head + bytes([ARRAY_TYPES[words[1]]])
    if name == "bipush":
        return head + struct.pack(">b", int(words[1]))
    if name == "sipush":
        return head + struct.pack(">h", int(words[1]))
    if name == "iinc":
        return head + struct.pack(">Bb", int(words[1]), int(words[2]))
    return head + bytes(int(each) for each in words[1:2])  # a local's index, or nothing


def code_of(lines, pool, stack, locals):
    """The Code attribute's content."""
    labels, last = {}, None
    while labels != last:  # distances of switches to their operands depend on where they are
        last, found, at, parts, catches = labels, {}, 0, [], []
        for words in lines:
            if words[0].endswith(":"):
                found[words[0][:-1]] = at
            elif words[0] == ".catch":
                catches.append(words[1:])
            else:
                parts.append(instruction(words, pool, at, last))
                at += len(parts[-1])
        labels = found
    code = b"".join(parts)
    table = b"".join(
        struct.pack(">HHHH", labels[a], labels[b], labels[h], 0 if type == "any" else pool.class_(type))
        for type, a, b, h in catches
    )
    return (
        struct.pack(">HHI", stack, locals, len(code))
        + code
        + struct.pack(">H", len(catches))
        + table
        + struct.pack(">H", 0)
    )


def assemble(text):
    """The class file, or None when the text does not make one: a label that is gone, a jump too far, a method too
    long."""
    try:
        return parse(text)
    except (struct.error, KeyError, ValueError, IndexError):
        return None


def parse(text):
    pool, fields, methods = Pool(), [], []
    lines = [line.split() for line in text.splitlines() if line.strip()]
    name, interfaces, at = None, [], 0
    while at < len(lines):
        words = lines[at]
        at += 1
        if words[0] == ".class":
            name, interfaces = words[1], words[2:]
        elif words[0] == ".field":
            fields.append(struct.pack(">HHHH", flags_of(words[1]), pool.utf8(words[2]), pool.utf8(words[3]), 0))
        elif words[0] == ".method":
            end = lines.index([".end"], at)
            content = code_of(lines[at:end], pool, int(words[4]), int(words[5]))
            at = end + 1
            methods.append(
                struct.pack(
                    ">HHHHHI",
                    flags_of(words[1]),
                    pool.utf8(words[2]),
                    pool.utf8(words[3]),
                    1,
                    pool.utf8("Code"),
                    len(content),
                )
                + content
            )
    this, parent = pool.class_(name), pool.class_("java/lang/Object")
    implemented = b"".join(struct.pack(">H", pool.class_(each)) for each in interfaces)
    tail = struct.pack(">HHHH", flags_of("public+super"), this, parent, len(interfaces)) + implemented
    tail += (
        struct.pack(">H", len(fields))
        + b"".join(fields)
        + struct.pack(">H", len(methods))
        + b"".join(methods)
        + struct.pack(">H", 0)
    )
    return struct.pack(">IHHH", 0xCAFEBABE, 0, VERSION, pool.next) + b"".join(pool.data) + tail
