# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes class files from text. The default version is 49, which needs no stack map frames and allows `jsr`.

.class NAME INTERFACE...
.field FLAGS NAME DESCRIPTOR                    FLAGS: public+static
.method FLAGS NAME DESCRIPTOR STACK LOCALS
  L1:                                           a label
  iload 3, wide_iload 3, iinc 2 -5              the mnemonics of the JVMS; wide_ before a mnemonic for its wide form; iload_3 and the like for short forms
  ldc int 5, ldc_w string abc, ldc2_w double 0x3ff0000000000000       int, float and double, long by their bits
  getstatic CLASS NAME DESCRIPTOR, invokevirtual CLASS NAME DESCRIPTOR, new CLASS, multianewarray [[I 2
  goto L1, tableswitch LOW L1 L2 default L3, lookupswitch 1 L1 100 L2 default L3
  invokestatic interface CLASS NAME DESCRIPTOR    of an interface; invokedynamic NAME DESCRIPTOR, of bootstrap method 0
  bytes 0xC4 0x15                               these bytes, as they are
  .catch CLASS|any FROM TO HANDLER
  .frame LABEL int,object:C,top / new:L1        a full frame of StackMapTable: its locals, its operands
  .frames 0x00 0x01 ...                         the whole StackMapTable, as it is
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
FRAME_TYPES = {"top": 0, "int": 1, "float": 2, "double": 3, "long": 4, "null": 5, "this": 6}   # "this": uninitialised
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
            data = make()  # before `next` is read, because make() may add entries to the pool
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

    def name_and_type(self, name, descriptor):
        return self.add(
            ("type", name, descriptor), lambda: struct.pack(">BHH", 12, self.utf8(name), self.utf8(descriptor))
        )

    def member(self, tag, owner, name, descriptor):
        kind = self.name_and_type(name, descriptor)
        return self.add((tag, owner, name, descriptor), lambda: struct.pack(">BHH", tag, self.class_(owner), kind))

    def dynamic(self, tag, name, descriptor, bootstrap=0):
        kind = self.name_and_type(name, descriptor)
        return self.add((tag, bootstrap, name, descriptor), lambda: struct.pack(">BHH", tag, bootstrap, kind))

    def constant(self, type, text, *more):
        if type == "string":
            return self.named(8, text)
        if type == "class":
            return self.class_(text)
        if type == "method_type":
            return self.named(16, text)
        if type == "method_handle":  # refers to a static method
            target = self.member(10, text, *more)
            return self.add(("handle", target), lambda: struct.pack(">BBH", 15, 6, target))
        if type == "dynamic":
            return self.dynamic(17, text, *more)
        bits = int(text, 0)
        if type in ("int", "float"):
            return self.add((type, bits), lambda: struct.pack(">BI", {"int": 3, "float": 4}[type], bits & 0xFFFFFFFF))
        return self.add(
            (type, bits), lambda: struct.pack(">BQ", {"long": 5, "double": 6}[type], bits & 0xFFFFFFFFFFFFFFFF), slots=2
        )


def instruction(words, pool, at, labels):
    """Returns the bytes of one instruction. A label whose position is not known yet counts as 0."""
    name = words[0]
    distance = lambda label: labels.get(label, at) - at
    if name == "bytes":
        return bytes(int(each, 0) for each in words[1:])
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
        index = pool.constant(words[1], *(words[2:] or [""]))
        if name == "ldc" and index < 256:
            return head + struct.pack(">B", index)
        return bytes([OPCODES["ldc_w" if name == "ldc" else name]]) + struct.pack(">H", index)
    if name in ("getstatic", "putstatic", "getfield", "putfield"):
        return head + struct.pack(">H", pool.member(9, *words[1:4]))
    if name in ("invokevirtual", "invokespecial", "invokestatic"):
        if words[1] == "interface":
            return head + struct.pack(">H", pool.member(11, *words[2:5]))
        return head + struct.pack(">H", pool.member(10, *words[1:4]))
    if name == "invokeinterface":
        return head + struct.pack(">HBB", pool.member(11, *words[1:4]), argument_slots(words[3]) + 1, 0)
    if name == "invokedynamic":
        return head + struct.pack(">HH", pool.dynamic(18, *words[1:3]), 0)
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
    return head + bytes(int(each) for each in words[1:2])  # the index of a local, if the instruction has one


def frame_types(words, pool, labels):
    encoded = [
        struct.pack(">BH", 7, pool.class_(word[7:]))
        if word.startswith("object:")
        else struct.pack(">BH", 8, labels[word[4:]])
        if word.startswith("new:")
        else bytes([FRAME_TYPES[word]])
        for word in words
    ]
    return struct.pack(">H", len(encoded)) + b"".join(encoded)


def stack_map_table(frames, pool, labels):
    """Returns the bytes of a table of full frames. `frames` has (label, the words after it in `.frame`), in the order
    of the code."""
    content, last = struct.pack(">H", len(frames)), -1
    for label, words in frames:
        middle = words.index("/")
        locals, stack = ([w for w in "".join(half).split(",") if w] for half in (words[:middle], words[middle + 1 :]))
        content += struct.pack(">BH", 255, labels[label] - last - 1)
        content += frame_types(locals, pool, labels) + frame_types(stack, pool, labels)
        last = labels[label]
    return content


def attribute(pool, name, content):
    return struct.pack(">HI", pool.utf8(name), len(content)) + content


def code_of(lines, pool, stack, locals, attributes=()):
    """Returns the content of a Code attribute. `attributes` are attributes of the Code attribute."""
    labels, last = {}, None
    while labels != last:  # until no label moves: the padding of a switch depends on its position
        last, found, at, parts, catches, frames, whole = labels, {}, 0, [], [], [], None
        for words in lines:
            if words[0].endswith(":"):
                found[words[0][:-1]] = at
            elif words[0] == ".catch":
                catches.append(words[1:])
            elif words[0] == ".frame":
                frames.append((words[1], words[2:]))
            elif words[0] == ".frames":
                whole = bytes(int(each, 0) for each in words[1:])
            else:
                parts.append(instruction(words, pool, at, last))
                at += len(parts[-1])
        labels = found
    code = b"".join(parts)
    table = b"".join(
        struct.pack(">HHHH", labels[a], labels[b], labels[h], 0 if type == "any" else pool.class_(type))
        for type, a, b, h in catches
    )
    if frames:
        whole = stack_map_table(frames, pool, labels)
    attributes = ([attribute(pool, "StackMapTable", whole)] if whole is not None else []) + list(attributes)
    return (
        struct.pack(">HHI", stack, locals, len(code))
        + code
        + struct.pack(">H", len(catches))
        + table
        + struct.pack(">H", len(attributes))
        + b"".join(attributes)
    )


def assemble(text):
    """Returns the class file, or None if none can be made: a label is missing, a jump is too far, or a method is too
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
