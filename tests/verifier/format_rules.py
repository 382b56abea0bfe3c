# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of JVMS 4.1 to 4.8 about headers, flags, constants, names, descriptors and attributes of a class file."""

import itertools
import struct

from cases import VERSIONS, Case
from class_file import ABSTRACT, FINAL, INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC, SUPER, ClassFile, u2

SOME = ["45.3", "46", "49", "50", "51", "52", "55", "60", "61", "65", "69"]
OBJECT = "java/lang/Object"


def case(name, change, versions=None, **how):
    """Makes a case from a class with a constructor and a method, to which `change` is applied."""

    def make(version):
        file = ClassFile(version, **how)
        if not file.flags & INTERFACE:
            file.constructor(how.get("parent", "kit/Base"))
        change(file)
        return file.bytes()

    return Case(name, make, versions)


def combinations(bits, most):
    for size in range(most + 1):
        for chosen in itertools.combinations(bits, size):
            yield sum(chosen)


def flags():
    """Yields combinations of flags of classes, fields and methods, in classes and interfaces."""
    for flags in combinations([1, 2, 0x10, 0x20, 0x200, 0x400, 0x1000, 0x2000, 0x4000, 0x8000], 4):

        def make(version, flags=flags):
            file = ClassFile(version, parent=OBJECT)
            file.flags = flags
            return file.bytes()

        yield Case(f"class flags {flags:x}", make, SOME)
    for kind, header in (("class", PUBLIC | SUPER | ABSTRACT), ("interface", PUBLIC | INTERFACE | ABSTRACT)):
        for flags in combinations([1, 2, 4, 8, 0x10, 0x40, 0x80, 0x1000, 0x4000, 0x20, 0x8000], 4):

            def make(version, flags=flags, header=header):
                file = ClassFile(version, parent=OBJECT, flags=header)
                file.field(flags, "x", "I")
                return file.bytes()

            yield Case(f"field flags {flags:x} in a {kind}", make, ["46", "49", "50", "61", "69"])
        for name in ("m", "<init>", "<clinit>"):
            for flags in combinations([1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x400, 0x800, 0x1000], 3):

                def make(version, flags=flags, header=header, name=name):
                    file = ClassFile(version, parent=OBJECT, flags=header)
                    if flags & 0x500:
                        file.method(flags, name, "()V")
                    else:
                        file.code(flags, name, "()V", "aconst_null | athrow", 1, 1)
                    return file.bytes()

                yield Case(f"{name} with flags {flags:x} in a {kind}", make, SOME)
    for name in ("m", "<init>", "<clinit>", "<other>", "<", ">", "a<b"):
        for type in ("()V", "(I)V", "()I", "(", "()", "V", "I", ""):
            for flags in (PUBLIC, PUBLIC | STATIC):
                yield case(f"method {name}{type} with flags {flags}", lambda f, n=name, t=type, w=flags: f.code(w, n, t, "aconst_null | athrow"), parent=OBJECT)


NAMES = ["", "a", "a.b", "a;b", "a[b", "a/b", "/a", "a/", "a//b", "<init>", "<clinit>", "<a>", "a>b", "[I", "[La;", "[La", "[", "La;", "a b", "a-b", "\u00e9", "\u4e2d", "1a", "a\\b", "I", "[[I", "[V"]
TYPES = "I V Z X II [ [I [V L; La La; La;I La.b; La/b; L/a; La//b; La[b; [La; [La a ()V La<b; i J D".split()
TYPES += ["", "[" * 255 + "I", "[" * 256 + "I"]
METHOD_TYPES = "()V ( ) () (V)V ()X (I (I) (I)V (I)VV (II)I (L)V (La)V (La;)V (La;I)V ()La ()La; ()[V ([)V ([I)[I I".split()
METHOD_TYPES += ["", "(I)I)", "(()V)V", f"([{'[' * 255}I)V"]
METHOD_TYPES += [f"({letter * count})V" for letter, count in (("J", 127), ("J", 128), ("I", 255), ("I", 256))]


bytes_from_hex = bytes.fromhex


def names():
    """Yields illegal names and descriptors of classes, members and constants."""
    for name in NAMES:
        short = ascii(name)
        yield Case(f"class named {short}", lambda v, n=name: ClassFile(v, name=n).bytes())
        yield Case(f"superclass named {short}", lambda v, n=name: ClassFile(v, parent=n).bytes())
        yield Case(f"interface named {short}", lambda v, n=name: ClassFile(v, interfaces=[n]).bytes())
        yield case(f"class constant named {short}", lambda f, n=name: f.pool.class_(n))
        yield case(f"field named {short}", lambda f, n=name: f.field(PUBLIC, n, "I"))
        yield case(f"method named {short}", lambda f, n=name: f.code(PUBLIC, n, "()V", "return"))
        yield case(f"abstract method named {short}", lambda f, n=name: f.method(PUBLIC | ABSTRACT, n, "()V"))
        for type in ("I", "()V", "()I"):
            yield case(f"NameAndType {short} {type}", lambda f, n=name, t=type: f.pool.name_and_type(n, t))
            for tag in (9, 10, 11, 18, 17):

                def owned(f, name=name, type=type, tag=tag):
                    if tag < 12:
                        f.pool.member(tag, "kit/Base", name, type)
                    else:
                        f.bootstrap()
                        f.pool.dynamic(tag, name, type)

                yield case(f"member {tag} {short} {type}", owned, ["46", "49", "51", "55", "61"])
    for type in TYPES:
        short = type if len(type) < 20 else f"{type[:4]}...{len(type)}"
        yield case(f"field of type {short}", lambda f, t=type: f.field(PUBLIC, "x", t))
        yield case(f"NameAndType of type {short}", lambda f, t=type: f.pool.name_and_type("x", t))
        yield case(f"Fieldref of type {short}", lambda f, t=type: f.pool.member(9, "kit/Base", "x", t))
        yield case(f"class constant {short}", lambda f, t=type: f.pool.class_(t))
    for type in METHOD_TYPES:
        short = type if len(type) < 20 else f"{type[:4]}...{len(type)}"
        yield case(f"method of type {short}", lambda f, t=type: f.method(PUBLIC | 0x100, "x", t))
        yield case(f"static method of type {short}", lambda f, t=type: f.method(PUBLIC | STATIC | 0x100, "x", t))
        yield case(f"Methodref of type {short}", lambda f, t=type: f.pool.member(10, "kit/Base", "x", t))
        yield case(f"InterfaceMethodref of type {short}", lambda f, t=type: f.pool.member(11, "kit/Face", "x", t))
        yield case(f"MethodType {short}", lambda f, t=type: f.pool.constant("method_type", t))
    texts = "00 c080 c181 80 c2 c241 e08080 e4b8ad e4b8 e4 f0908080 eda080edb080 ff 61c3a9 e04180 e08041"
    for bytes in map(bytes_from_hex, texts.split()):
        raw = lambda f, b=bytes: f.pool.add(("raw", b), lambda: struct.pack(">BH", 1, len(b)) + b)
        yield case(f"text {bytes.hex()}", raw)


def constants():
    """Yields constant pools with wrong tags, references between entries, kinds of method handles, and dynamic constants
    without bootstrap methods."""
    sizes = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
    for tag in range(0, 24):
        for bytes in (b"\0" * sizes.get(tag, 2), b"\0\1" * (sizes.get(tag, 2) // 2)):
            yield case(f"tag {tag} with {bytes.hex()}", lambda f, t=tag, b=bytes: f.pool.add("raw", lambda: bytes_of(t, b)))
        yield case(f"tag {tag} cut off", lambda f, t=tag: f.pool.add("raw", lambda: bytes_of(t, b"")))
    yield case("tag 255", lambda f: f.pool.add("raw", lambda: b"\xff\0\0"))

    def kinds(f):
        pool = f.pool
        return {
            "utf8": pool.utf8("a"), "class": pool.class_("a"), "string": pool.constant("string", "a"), "int": pool.constant("int", "1"),
            "long": pool.constant("long", "1"), "field": pool.member(9, "kit/Base", "open", "I"), "method": pool.member(10, "kit/Base", "open", "()V"),
            "init": pool.member(10, "kit/Base", "<init>", "()V"), "interface": pool.member(11, "kit/Face", "call", "()V"), "type": pool.name_and_type("a", "I"),
            "method type": pool.name_and_type("a", "()V"), "0": 0, "beyond": 9999, "upper": pool.constant("long", "1") + 1,
        }  # fmt: skip

    every = list(kinds(ClassFile("61")))
    for first in every:
        for tag in (7, 8, 16, 19, 20):
            yield case(f"tag {tag} of {first}", lambda f, t=tag, a=first: f.pool.add("raw", lambda: bytes_of(t, u2(kinds(f)[a]))), SOME)
        for handle in range(0, 11):
            change = lambda f, h=handle, a=first: add_handle(f, h, kinds(f)[a])
            yield case(f"handle of kind {handle} of {first}", change, ["50", "51", "52", "61"])
        for second in every:
            for tag in (9, 10, 11, 12, 17, 18):
                if tag in (17, 18) and first != "0":
                    continue
                pair = lambda f, a=first, b=second: u2(kinds(f)[a], kinds(f)[b])
                change = lambda f, t=tag, p=pair: f.pool.add("raw", lambda: bytes_of(t, p(f)))
                yield case(f"tag {tag} of {first} and {second}", change, ["49", "51", "55", "61"])
    for name in ("<init>", "<clinit>", "x"):
        for kind in range(1, 10):
            for tag in (9, 10, 11):
                type = "I" if tag == 9 else "()V"
                member = lambda f, g=tag, n=name, t=type: f.pool.member(g, "kit/Base", n, t)
                change = lambda f, k=kind, m=member: add_handle(f, k, m(f))
                yield case(f"handle of kind {kind} of {tag} {name}", change, ["51", "52", "61"])
    yield case("a long at the end", lambda f: (f.pool.constant("long", "1"), setattr(f.pool, "next", f.pool.next - 1)))
    yield case("one entry too many", lambda f: setattr(f.pool, "next", f.pool.next + 1))
    yield case("one entry too few", lambda f: setattr(f.pool, "next", f.pool.next - 1))
    yield case("no entries", lambda f: setattr(f.pool, "next", 0))
    yield case("one entry", lambda f: setattr(f.pool, "next", 1))


def bytes_of(tag, content):
    return bytes([tag]) + content


def add_handle(file, kind, index):
    file.pool.add("raw", lambda: bytes_of(15, struct.pack(">BH", kind, index)))


def headers():
    """Yields files with a wrong magic number, wrong indices of the class itself, wrong lists of interfaces or duplicate
    members, and files that are cut off or too long."""
    for magic in (0, 0xCAFEBABF, 0xBEBAFECA, 0xFFFFFFFF):
        yield case(f"magic {magic:x}", lambda f, m=magic: setattr(f, "magic", m))
    for index in (0, 1, 9999):
        for place in ("this", "parent"):
            yield case(f"{place} is {index}", lambda f, p=place, i=index: setattr(f, p, i))
        yield case(f"interface is {index}", lambda f, i=index: f.interfaces.append(i))
    yield case("superclass itself", lambda f: setattr(f, "parent", f.this))
    yield case("an interface with a superclass", lambda f: None, flags=PUBLIC | INTERFACE | ABSTRACT, parent="kit/Base")
    for tail in (b"\0", b"\0" * 100):
        yield case(f"{len(tail)} bytes more", lambda f, t=tail: setattr(f, "tail", t))
    for field in (("x", "I"), ("x", "J"), ("y", "I")):
        yield case(f"fields x I and {field}", lambda f, w=field: (f.field(PUBLIC, "x", "I"), f.field(PUBLIC, *w)))
    for method in (("x", "()V"), ("x", "()I"), ("y", "()V")):
        yield case(f"methods x ()V and {method}", lambda f, w=method: (f.method(0x101, "x", "()V"), f.method(0x101, *w)))
    whole = lambda version: full(version).bytes()
    for at in range(0, 700, 3):
        yield Case(f"cut off at {at}", lambda v, a=at: whole(v)[:a], ["46", "50", "61"])
    old = ((0, 0), (44, 0), (45, 0), (45, 3), (45, 65535), (46, 1), (55, 65535))
    for major, minor in (*old, (56, 1), (61, 1)):
        yield Case(f"version {major}.{minor}", lambda v, a=major, b=minor: struct.pack(">IHH", 0xCAFEBABE, b, a) + whole("52")[8:], ["52"])


def full(version):
    file = ClassFile(version)
    file.constructor()
    file.field(PUBLIC | STATIC | FINAL, "x", "I", [file.attribute("ConstantValue", u2(file.pool.constant("int", "1")))])
    file.code(PUBLIC, "y", "()V", "S: nop | E: return | .frame H object:C / object:java/lang/Throwable | H: pop | return | .catch any S E H", 1, 1)
    file.attributes.append(file.attribute("SourceFile", u2(file.pool.utf8("C.java"))))
    return file


def attributes():
    """Yields each attribute at each place: empty, too short, too long, twice, and with wrong indices."""
    shapes = {
        "ConstantValue": lambda p: u2(p.constant("int", "1")),
        "SourceFile": lambda p: u2(p.utf8("C.java")),
        "Signature": lambda p: u2(p.utf8("Ljava/lang/Object;")),
        "Exceptions": lambda p: u2(1, p.class_("java/lang/Error")),
        "InnerClasses": lambda p: u2(1, p.class_("C$D"), p.class_("C"), p.utf8("D"), 9),
        "EnclosingMethod": lambda p: u2(p.class_("D"), p.name_and_type("m", "()V")),
        "Synthetic": lambda p: b"",
        "Deprecated": lambda p: b"",
        "LineNumberTable": lambda p: u2(1, 0, 7),
        "LocalVariableTable": lambda p: u2(1, 0, 1, p.utf8("x"), p.utf8("I"), 0),
        "LocalVariableTypeTable": lambda p: u2(1, 0, 1, p.utf8("x"), p.utf8("I"), 0),
        "StackMapTable": lambda p: u2(0),
        "BootstrapMethods": lambda p: u2(0),
        "MethodParameters": lambda p: bytes([1]) + u2(p.utf8("x"), 0),
        "NestHost": lambda p: u2(p.class_("C")),
        "NestMembers": lambda p: u2(1, p.class_("C$D")),
        "PermittedSubclasses": lambda p: u2(1, p.class_("C$D")),
        "Record": lambda p: u2(1, p.utf8("x"), p.utf8("I"), 0),
        "RuntimeVisibleAnnotations": lambda p: u2(0),
        "RuntimeInvisibleAnnotations": lambda p: u2(0),
        "RuntimeVisibleTypeAnnotations": lambda p: u2(0),
        "RuntimeVisibleParameterAnnotations": lambda p: b"\0",
        "AnnotationDefault": lambda p: b"I" + u2(p.constant("int", "1")),
        "SourceDebugExtension": lambda p: b"text",
        "Module": lambda p: u2(0, 0, 0),
        "Code": lambda p: u2(1, 1) + struct.pack(">I", 1) + b"\xb1" + u2(0, 0),
        "Unknown": lambda p: b"12345",
    }
    places = ("class", "field", "static field", "method", "native method", "Code", "interface")

    def put(file, place, attributes):
        if place in ("class", "interface"):
            file.attributes += attributes
        elif place == "field":
            file.field(PUBLIC, "x", "I", attributes)
        elif place == "static field":
            file.field(PUBLIC | STATIC, "x", "I", attributes)
        elif place == "method":
            file.code(PUBLIC, "y", "(I)V", "return", 2, 2, others=attributes)
        elif place == "native method":
            file.method(PUBLIC | 0x100, "y", "(I)V", attributes)
        else:
            file.code(PUBLIC | STATIC, "y", "(I)V", "nop | return", 2, 2, attributes=attributes)

    def change(data, how):
        if how == "as it should":
            return data
        if how == "empty":
            return b""
        if how == "short":
            return data[:-1]
        if how == "long":
            return data + b"\0"
        where, value = how
        return data[:where] + struct.pack(">H", value) + data[where + 2 :] if len(data) >= where + 2 else data

    hows = ["as it should", "empty", "short", "long"] + [(at, value) for at in (0, 2, 4, 6, 8, 10) for value in (0, 1, 2, 65535)]
    for name, shape in shapes.items():
        for place in places:
            header = {"flags": PUBLIC | INTERFACE | ABSTRACT, "parent": OBJECT} if place == "interface" else {}
            for how in hows:
                versions = SOME if isinstance(how, str) else ["49", "55", "61", "69"]
                changed = lambda f, n=name, s=shape, h=how: [f.attribute(n, change(s(f.pool), h))]
                damage = lambda f, p=place, c=changed: put(f, p, c(f))
                yield case(f"{name} of {place}, {how}", damage, versions, **header)
            twice = lambda f, n=name, s=shape, p=place: put(f, p, [f.attribute(n, s(f.pool))] * 2)
            yield case(f"{name} of {place}, twice", twice, SOME, **header)
            for length in (0, 1, 0x7FFFFFFF, 0xFFFFFFFF):
                said = lambda f, n=name, s=shape, l=length: [f.attribute(n, s(f.pool), l)]
                damage = lambda f, p=place, a=said: put(f, p, a(f))
                yield case(f"{name} of {place}, said to have {length:x} bytes", damage, ["49", "61"], **header)
    for place in places:
        for index in (0, 2, 9999):
            yield case(f"attribute of {place} with name {index}", lambda f, p=place, i=index: put(f, p, [u2(i, 0, 0)]), SOME)
    for type in ("I", "J", "F", "D", "Z", "B", "C", "S", "Ljava/lang/String;", "Ljava/lang/Object;", "[I"):
        for kind in ("int", "long", "float", "double", "string", "class"):
            for flags in (PUBLIC | STATIC, PUBLIC):
                value = lambda f, k=kind: f.attribute("ConstantValue", u2(f.pool.constant(k, "1" if k not in ("string", "class") else "s")))
                yield case(f"ConstantValue of {type}: {kind}, flags {flags}", lambda f, t=type, w=flags, v=value: f.field(w, "x", t, [v(f)]), SOME)


def variables():
    """Yields faults in LocalVariableTable and LocalVariableTypeTable: ranges, names, types, locals, duplicates, and
    entries that one of the two tables lacks."""
    index = lambda file, text: file.pool.utf8(text) if isinstance(text, str) else text

    def entry(file, start=0, length=1, name="x", type="I", local=0):
        return u2(start, length, index(file, name), index(file, type), local)

    kinds = {"plain": "LocalVariableTable", "generic": "LocalVariableTypeTable"}

    def with_tables(name, *tables, versions=None):
        def change(f):
            content = lambda rows: u2(len(rows)) + b"".join(entry(f, **row) for row in rows)
            attributes = [f.attribute(kinds[kind], content(rows)) for kind, rows in tables]
            f.code(PUBLIC | STATIC, "y", "(I)V", "nop | return", 2, 3, attributes=attributes)

        return case(name, change, versions)

    values = {
        "start": (0, 1, 2, 65535), "length": (0, 2, 3, 65535), "local": (1, 2, 3, 65535), "name": ("", "a.b", "<init>", "a b", 0, 2, 9999),
        "type": ("J", "D", "V", "()V", "La", "TT;", "[", "", 0, 2, 9999),
    }  # fmt: skip
    for kind in kinds:
        for key, options in values.items():
            for value in options:
                yield with_tables(f"{kind}: {key} {ascii(value)}", (kind, [{key: value}]))
                yield with_tables(f"{kind}: {key} {ascii(value)}, beside one that is right", ("plain", [{}]), (kind, [{"local": 1}, {key: value}]))
        for local in (0, 1, 2, 3):
            for type in ("J", "D", "I"):
                yield with_tables(f"{kind}: {type} in {local}", (kind, [{"type": type, "local": local}]))
        yield with_tables(f"{kind}: twice", (kind, [{}, {}]))
        yield with_tables(f"{kind}: twice in two tables", (kind, [{}]), (kind, [{}]))
        for key, value in (("start", 1), ("length", 2), ("name", "y"), ("type", "F"), ("local", 1)):
            yield with_tables(f"{kind}: but for {key}", (kind, [{}, {key: value}]))
            yield with_tables(f"plain, and {kind} but for {key}", ("plain", [{}]), (kind, [{key: value}]))
            yield with_tables(f"{kind} but for {key}, and plain", (kind, [{key: value}]), ("plain", [{}]))
    yield with_tables("plain and generic", ("plain", [{}]), ("generic", [{"type": "TT;"}]))
    yield with_tables("plain and generic twice", ("plain", [{}]), ("generic", [{}, {}]))
    yield with_tables("generic alone", ("generic", [{}]))
    yield with_tables("generic twice, alone", ("generic", [{}, {}]))


RULES = [flags, names, constants, headers, attributes, variables]
