# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Rules about instructions that name a constant of each kind, protected members, calls of interface methods, and
classes that extend final classes or override final methods."""

import struct

from cases import PUSH, VERSIONS, Case, body_case, in_method, push
from class_file import ABSTRACT, FINAL, INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC, SUPER, ClassFile, u2

OPERANDS = {
    18: ("", 1), 19: ("", 2), 20: ("", 2), 178: ("", 2), 179: ("iconst_0", 2), 180: ("aconst_null", 2), 181: ("aconst_null | iconst_0", 2),
    182: ("aconst_null", 2), 183: ("aload_0", 2), 184: ("", 2), 185: ("aconst_null", 4), 186: ("", 4), 187: ("", 2), 189: ("iconst_0", 2),
    192: ("aconst_null", 2), 193: ("aconst_null", 2), 197: ("iconst_0", 3),
}  # fmt: skip


def entries(file):
    """Adds an entry of each kind to the constant pool. Returns the indices of these entries, and some indices that have
    no entry."""
    pool = file.pool
    found = {
        "Utf8": pool.utf8("text"),
        "Integer": pool.constant("int", "1"),
        "Float": pool.constant("float", "0"),
        "Long": pool.constant("long", "1"),
        "Double": pool.constant("double", "0"),
        "String": pool.constant("string", "s"),
        "Class": pool.class_("kit/Base"),
        "array class": pool.class_("[[I"),
        "Fieldref": pool.member(9, "kit/Base", "open", "I"),
        "Methodref": pool.member(10, "kit/Base", "open", "()V"),
        "InterfaceMethodref": pool.member(11, "kit/Face", "call", "()V"),
        "NameAndType": pool.name_and_type("x", "I"),
    }
    if file.major >= 51:
        file.bootstrap()
        found |= {
            "MethodHandle": pool.constant("method_handle", "kit/Base", "guardedStatic", "()V"),
            "MethodType": pool.constant("method_type", "()V"),
            "InvokeDynamic": pool.dynamic(18, "x", "()V"),
        }
    if file.major >= 55:
        found |= {"Dynamic": pool.dynamic(17, "x", "I"), "Dynamic of long": pool.dynamic(17, "x", "J")}
    return found | {"0": 0, "second half": found["Long"] + 1, "count": pool.next, "65535": 65535}


KINDS = ["Utf8", "Integer", "Float", "Long", "Double", "String", "Class", "array class", "Fieldref", "Methodref", "InterfaceMethodref", "NameAndType", "MethodHandle", "MethodType", "InvokeDynamic", "Dynamic", "Dynamic of long", "0", "second half", "count", "65535"]


def constants():
    for opcode, (prepare, width) in OPERANDS.items():
        for kind in KINDS:

            def make(version, opcode=opcode, prepare=prepare, width=width, kind=kind):
                file = ClassFile(version)
                file.constructor()
                index = entries(file).get(kind, 0)
                operands = [index >> 8, index & 255, *([0, 0] if opcode == 186 else [1, 0])][:width]
                if width == 1:
                    operands = [index & 255]
                text = f"{prepare} | bytes {opcode} {' '.join(map(str, operands))} | return"
                file.code(PUBLIC, "m", "()V", text)
                return file.bytes()

            yield Case(f"opcode {opcode} of {kind}", make)
    for count in (0, 1, 2, 3, 255):
        for last in (0, 1):
            for descriptor in ("()V", "(I)V", "(J)V"):

                def make(version, count=count, last=last, descriptor=descriptor):
                    file = ClassFile(version)
                    index = file.pool.member(11, "kit/Face", "call", descriptor)
                    text = f"aconst_null | {'iconst_0 |' if descriptor == '(I)V' else 'lconst_0 |' if descriptor == '(J)V' else ''} bytes 185 {index >> 8} {index & 255} {count} {last} | return"
                    file.code(PUBLIC | STATIC, "m", "()V", text)
                    return file.bytes()

                yield Case(f"invokeinterface {descriptor} with {count} {last}", make)
    for third in (0, 1):
        for fourth in (0, 1):

            def make(version, third=third, fourth=fourth):
                file = ClassFile(version)
                file.bootstrap()
                index = file.pool.dynamic(18, "x", "()V")
                file.code(PUBLIC | STATIC, "m", "()V", f"bytes 186 {index >> 8} {index & 255} {third} {fourth} | return")
                return file.bytes()

            yield Case(f"invokedynamic with {third} {fourth}", make)
    for dimensions in (0, 1, 2, 3, 4, 255):
        for type in ("[[[I", "[I", "[Lkit/Base;", "kit/Base", "[" * 255 + "I"):
            pushes = "iconst_0 | " * min(dimensions, 4)
            yield body_case(f"multianewarray {type[:9]} {dimensions}", f"{pushes} multianewarray {type} {dimensions}")
    for depth in (253, 254, 255, 256):
        yield body_case(f"anewarray of {depth} dimensions", f"iconst_0 | anewarray {'[' * depth}I")
        yield body_case(f"checkcast of {depth} dimensions", f"aconst_null | checkcast {'[' * depth}I")


def protected():
    """Yields each kind of access to each protected member, for each class of the accessed object and for each parent of
    the accessing class C."""
    objects = ["C", "Base", "Derived", "Other", "Object", "null", "Object[]", "I[]", "String", "Face", "new"]
    for parent in ("kit/Base", "kit/Derived", "java/lang/Object"):
        for owner in ("kit/Base", "kit/Derived", "C", "java/lang/Object", "[I", "[Ljava/lang/Object;"):
            for object in objects:
                for text in (
                    "getfield {0} guarded I",
                    "getfield {0} open I",
                    "getfield {0} below I",
                    "iconst_0 | putfield {0} guarded I",
                    "aconst_null | putfield {0} guardedObject Ljava/lang/Object;",
                    "invokevirtual {0} guarded ()V",
                    "invokevirtual {0} below ()V",
                    "invokevirtual {0} local ()V",
                    "invokevirtual {0} clone ()Ljava/lang/Object;",
                    "invokevirtual {0} finalize ()V",
                    "invokespecial {0} guarded ()V",
                    "invokespecial {0} clone ()Ljava/lang/Object;",
                    "invokespecial {0} hashCode ()I",
                    "invokespecial interface {0} hashCode ()I",
                ):

                    def make(version, parent=parent, text=text.format(owner), object=object):
                        file = ClassFile(version, parent=parent)
                        file.constructor(parent)
                        file.code(PUBLIC, "m", "()V", f"{PUSH[object]} | {text} | return")
                        return file.bytes()

                    yield Case(f"{text.format(owner)} of {object} in a subclass of {parent}", make, ["46", "49", "50", "52", "61"])
        for owner in ("kit/Base", "kit/Derived", "C", "java/lang/Object", "java/lang/ClassLoader"):
            for descriptor in ("()V", "(I)V", "(J)V", "(Ljava/lang/ClassLoader;)V"):
                push_argument = {"()V": "", "(I)V": "iconst_0 |", "(J)V": "lconst_0 |"}.get(descriptor, "aconst_null |")

                def make(version, parent=parent, owner=owner, descriptor=descriptor, push_argument=push_argument):
                    file = ClassFile(version, parent=parent)
                    file.constructor(parent)
                    text = f"new {owner} | dup | {push_argument} invokespecial {owner} <init> {descriptor} | pop | return"
                    file.code(PUBLIC | STATIC, "m", "()V", text)
                    return file.bytes()

                yield Case(f"new {owner} {descriptor} in a subclass of {parent}", make, call=True)


def interfaces():
    """Yields code in interfaces and classes that calls interface methods, in each combination of invoke instruction,
    kind of method reference and receiver type."""
    for flags, name in ((PUBLIC | INTERFACE | ABSTRACT, "interface"), (PUBLIC | SUPER, "class")):
        for supers in ((), ("kit/Face",), ("kit/Wide",), ("java/lang/Runnable", "kit/Face")):
            for call in (
                "invokespecial interface kit/Face inherited ()I",
                "invokespecial kit/Face inherited ()I",
                "invokespecial interface kit/Wide inherited ()I",
                "invokespecial interface C x ()V",
                "invokespecial C x ()V",
                "invokespecial java/lang/Object hashCode ()I",
                "invokespecial interface java/lang/Object hashCode ()I",
                "invokespecial interface kit/Other x ()V",
                "invokevirtual kit/Face call ()V",
                "invokeinterface kit/Face call ()V",
                "invokeinterface C x ()V",
                "invokeinterface java/lang/Object hashCode ()I",
            ):
                for object in ("C", "Face", "Wide", "Object", "Base", "String", "Object[]", "null"):
                    if "interface" == name and object in ("Base",):
                        continue

                    def make(version, flags=flags, supers=supers, call=call, object=object):
                        parent = "java/lang/Object"
                        file = ClassFile(version, parent=parent, flags=flags, interfaces=supers)
                        if not flags & INTERFACE:
                            file.constructor(parent)
                        file.code(PUBLIC, "m", "()V", f"{PUSH[object]} | {call} | return")
                        file.code(PRIVATE, "x", "()V", "return")
                        return file.bytes()

                    yield Case(f"{call} on {object} in a {name} of {','.join(supers)}", make, ["49", "50", "51", "52", "55", "61", "65", "69"])
    for call in (
        "aconst_null | invokestatic interface kit/Face shared ()I",
        "aconst_null | invokestatic kit/Face shared ()I",
        "aconst_null | invokestatic interface kit/Base guardedStatic ()V",
        "aconst_null | invokestatic kit/Base guardedStatic ()V",
        "ldc string s | invokeinterface java/lang/Object hashCode ()I",
        "ldc string s | invokeinterface kit/Face hashCode ()I",
        "ldc string s | invokeinterface java/lang/CharSequence hashCode ()I",
        "ldc string s | invokeinterface java/lang/CharSequence length ()I",
        "ldc string s | invokeinterface java/lang/CharSequence getClass ()Ljava/lang/Class;",
        "ldc string s | invokeinterface java/lang/CharSequence clone ()Ljava/lang/Object;",
        "ldc string s | invokeinterface java/lang/CharSequence finalize ()V",
        "ldc string s | invokeinterface java/lang/CharSequence missing ()V",
        "ldc string s | invokeinterface java/lang/Runnable run ()V",
        "ldc string s | invokeinterface java/lang/String length ()I",
        "ldc string s | invokevirtual java/lang/CharSequence length ()I",
        "ldc string s | invokevirtual java/lang/String length ()I",
        "ldc string s | invokevirtual java/lang/String missing ()I",
        "ldc string s | invokevirtual java/lang/String valueOf (I)Ljava/lang/String;",
        "invokestatic java/lang/String length ()I",
        "getstatic kit/Base open I",
        "getstatic kit/Base missing I",
        "getstatic kit/Base local I",
        "getstatic kit/Base hidden I",
        "getstatic kit/Local x I",
        "getstatic kit/Face CONSTANT I",
        "iconst_0 | putstatic kit/Face CONSTANT I",
        "getstatic not/There x I",
        "new kit/Base | dup | invokespecial kit/Base <init> ()V | getfield kit/Base guardedStatic I",
        "new kit/Base | dup | invokespecial kit/Base <init> ()V | getfield kit/Base hidden I",
        "new kit/Base | dup | invokespecial kit/Base <init> ()V | iconst_0 | putfield kit/Base settled I",
        "new kit/Base | dup | invokespecial kit/Base <init> ()V | invokevirtual kit/Base hidden ()V",
        "new kit/Base | dup | invokespecial kit/Base <init> ()V | invokevirtual kit/Base local ()V",
        "new kit/Base | dup | invokespecial kit/Base <init> ()V | invokevirtual kit/Base guardedStatic ()V",
        "new kit/Base | dup | invokespecial kit/Base <init> ()V | invokeinterface kit/Face call ()V",
        "new kit/Base | dup | lconst_0 | invokespecial kit/Base <init> (J)V",
        "new kit/Base | dup | fconst_0 | invokespecial kit/Base <init> (F)V",
        "new kit/Base | dup | iconst_0 | invokespecial kit/Base <init> (I)V",
    ):
        yield Case(call, in_method(f"{call} | return"), call=True)


def receivers():
    """Yields invokespecial instructions in an interface. At run time, their receiver must be an instance of that
    interface."""
    for call in ("invokespecial interface kit/Face inherited ()I", "invokespecial interface C x ()I", "invokespecial java/lang/Object hashCode ()I"):
        for object in ("ldc string s", "aconst_null", "new java/lang/Object | dup | invokespecial java/lang/Object <init> ()V", "iconst_0 | newarray int"):

            def make(version, call=call, object=object):
                file = ClassFile(version, parent="java/lang/Object", flags=PUBLIC | INTERFACE | ABSTRACT, interfaces=["kit/Face"])
                file.code(PUBLIC | STATIC, "m", "()V", f"{object} | {call} | return")
                file.code(PRIVATE, "x", "()I", "iconst_1 | ireturn")
                return file.bytes()

            yield Case(f"{call} on {object}", make, ["52", "55", "61", "65", "69"], call=True)


def supers():
    """Yields illegal superclasses and superinterfaces, and methods that override final ones."""
    parents = "kit/Base kit/Sealed kit/Face kit/Local kit/Choice kit/Half java/lang/String java/lang/Enum java/lang/Runnable not/There C java/lang/Object java/lang/Record java/lang/Class java/lang/ref/SoftReference [I"
    for parent in parents.split():
        for flags in (PUBLIC | SUPER, PUBLIC, PUBLIC | INTERFACE | ABSTRACT, PUBLIC | FINAL | SUPER):

            def make(version, parent=parent, flags=flags):
                return ClassFile(version, parent=parent, flags=flags).bytes()

            yield Case(f"extends {parent}, flags {flags:x}", make)
        for count in (1, 2):

            def make(version, parent=parent, count=count):
                return ClassFile(version, interfaces=[parent] * count).bytes()

            yield Case(f"implements {parent}, {count} times", make)
    methods = [(name, "()V") for name in "open closed guarded guardedStatic closedStatic local hidden wait finalize".split()]
    methods += [("getClass", "()Ljava/lang/Class;"), ("hashCode", "()I"), ("clone", "()Ljava/lang/Object;")]
    for name, type in methods:
        for flags in (PUBLIC, PRIVATE, PROTECTED, 0, STATIC | PUBLIC, FINAL | PUBLIC, ABSTRACT | PUBLIC):

            def make(version, name=name, type=type, flags=flags):
                file = ClassFile(version, flags=PUBLIC | SUPER | (ABSTRACT if flags & ABSTRACT else 0))
                end = {"V": "return", "I": "iconst_0 | ireturn"}.get(type[-1], "aconst_null | areturn")
                if flags & ABSTRACT:
                    file.method(flags, name, type)
                else:
                    file.code(flags, name, type, end)
                return file.bytes()

            yield Case(f"overrides {name}{type}, flags {flags:x}", make)


RULES = [constants, protected, interfaces, receivers, supers]
