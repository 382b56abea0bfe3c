# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of JVMS 4.10.1.9. Each instruction gets operands of each type, too few operands, and too small a stack; its
result is used as each type."""

import pathlib
import re

from cases import FRAME, LETTERS, PUSH, STORE, WITH_FRAMES, Case, body_case, in_method, push, store

TABLE = pathlib.Path(__file__).resolve().parents[2] / "vm" / "bytecodes.def"
ROW = re.compile(r'BYTECODE\(0x\w+, \w+, "(\w+)", (\w+), "([^"]*)", "([^"]*)"')
ELEMENTS = dict(zip("ilfdabcs", ["I[]", "J[]", "F[]", "D[]", "Object[]", "B[]", "C[]", "S[]"]))
DEFAULTS = {"athrow": ["Throwable"], "arraylength": ["I[]"]}

# Instructions that name an entry of the constant pool: (text, types of the operands).
WITH_CONSTANTS = [
    ("getstatic kit/Base guardedStatic I", []),
    ("putstatic kit/Base guardedStatic I", ["int"]),
    ("putstatic C s J", ["long"]),
    ("putstatic C s D", ["double"]),
    ("putstatic C s F", ["float"]),
    ("putstatic C s Ljava/lang/String;", ["String"]),
    ("putstatic C s Lkit/Face;", ["Face"]),
    ("putstatic C s [Ljava/lang/Object;", ["Object[]"]),
    ("putstatic C s Z", ["int"]),
    ("getfield kit/Base open I", ["Base"]),
    ("getfield kit/Base guarded I", ["C"]),
    ("getfield C x J", ["C"]),
    ("getfield kit/Derived below I", ["Derived"]),
    ("putfield kit/Base open I", ["Base", "int"]),
    ("putfield kit/Base guarded I", ["C", "int"]),
    ("putfield C x J", ["C", "long"]),
    ("putfield C x Lkit/Derived;", ["C", "Derived"]),
    ("putfield C x [[I", ["C", "I[][]"]),
    ("invokevirtual kit/Base open ()V", ["Base"]),
    ("invokevirtual kit/Base guarded ()V", ["C"]),
    ("invokevirtual kit/Base guardedObject ()Ljava/lang/Object;", ["C"]),
    ("invokevirtual java/lang/Object clone ()Ljava/lang/Object;", ["C"]),
    ("invokevirtual java/lang/Object finalize ()V", ["C"]),
    ("invokevirtual C x (IJLjava/lang/String;D)J", ["C", "int", "long", "String", "double"]),
    ("invokevirtual [I clone ()Ljava/lang/Object;", ["I[]"]),
    ("invokevirtual [Ljava/lang/String; hashCode ()I", ["String[]"]),
    ("invokestatic kit/Base guardedStatic ()V", []),
    ("invokestatic C x (FLkit/Face;[Ljava/lang/Object;Z)F", ["float", "Face", "Object[]", "int"]),
    ("invokeinterface kit/Face call ()V", ["Face"]),
    ("invokeinterface kit/Face call (J)V", ["Face", "long"]),
    ("invokeinterface java/lang/Object hashCode ()I", ["Object"]),
    ("invokedynamic x (ILkit/Base;)Lkit/Face;", ["int", "Base"]),
    ("checkcast kit/Derived", ["Object"]),
    ("checkcast [I", ["Object"]),
    ("instanceof kit/Face", ["Object"]),
    ("anewarray kit/Face", ["int"]),
    ("anewarray [I", ["int"]),
    ("multianewarray [[[I 2", ["int", "int"]),
    ("multianewarray [[Lkit/Face; 1", ["int"]),
    ("newarray byte", ["int"]),
    ("new kit/Base", []),
    ("ldc int 1", []),
    ("ldc float 0", []),
    ("ldc2_w long 0", []),
    ("ldc2_w double 0", []),
    ("ldc class kit/Base", []),
    ("ldc method_type (I)V", []),
    ("ldc method_handle kit/Base guardedStatic ()V", []),
    ("ldc dynamic x I", []),
    ("ldc dynamic x Lkit/Face;", []),
    ("ldc2_w dynamic x J", []),
]
# Instructions that need `this`, so they are tested in an instance method, whose local 0 is an object of class C.
SPECIAL = [
    ("invokespecial kit/Base open ()V", ["C"]),
    ("invokespecial kit/Base guarded ()V", ["C"]),
    ("invokespecial C m ()V", ["C"]),
    ("invokespecial kit/Base <init> ()V", ["new"]),
    ("invokespecial kit/Base <init> (I)V", ["new", "int"]),
    ("invokespecial kit/Other <init> ()V", ["new"]),
    ("invokespecial java/lang/Object hashCode ()I", ["C"]),
    ("invokespecial interface kit/Face inherited ()I", ["C"]),
]


def rows():
    """Yields the mnemonic, operand format and operands of each instruction that bytecodes.def describes fully."""
    for name, format, pops, pushes in ROW.findall(TABLE.read_text()):
        if "*" in pops or format == "wide":
            continue
        kinds = [LETTERS[letter] for letter in pops]
        if re.fullmatch(r"[ilfdabcs]a(load|store)", name):
            kinds[0] = ELEMENTS[name[0]]
        yield name, format, DEFAULTS.get(name, kinds)


def fixed_instructions():
    for name, format, kinds in rows():
        if format == "none" and not name.endswith("return") and not re.fullmatch(r"\w+_\d|nop|wide", name):
            yield name, kinds
        elif format == "branch2" and name not in ("goto", "jsr"):
            yield f"{name} T | .frame T / | T:", kinds
    yield "pop", ["int"]
    yield "pop2", ["int", "int"]
    yield "pop2", ["long"]
    for name, depth in (("dup", 1), ("dup_x1", 2), ("dup_x2", 3), ("dup2", 2), ("dup2_x1", 3), ("dup2_x2", 4), ("swap", 2)):
        yield name, ["int"] * depth
    for name, kinds in (
        ("dup_x2", ["long", "int"]),
        ("dup2", ["double"]),
        ("dup2_x1", ["int", "long"]),
        ("dup2_x2", ["long", "double"]),
        ("dup2_x2", ["int", "int", "long"]),
        ("dup2_x2", ["double", "int", "int"]),
    ):
        yield name, kinds
    yield "tableswitch 0 T T default T | .frame T / | T:", ["int"]
    yield "lookupswitch 1 T 5 T default T | .frame T / | T:", ["int"]


def with_dynamic(text):
    return (lambda file: file.bootstrap()) if "dynamic" in text else None


def framed(text, constructor):
    return text.replace(".frame T /", ".frame T this /") if constructor else text


def operands():
    for text, kinds in [*fixed_instructions(), *WITH_CONSTANTS, *SPECIAL]:
        short = text.split("|")[0].strip()
        how = {"prepare": with_dynamic(text)}
        yield body_case(f"{short}: as it should", f"{push(kinds)} | {text}", kinds, **how)
        for at in range(len(kinds)):
            for wrong in PUSH:
                if wrong == kinds[at]:
                    continue
                given = [*kinds[:at], wrong, *kinds[at + 1 :]]
                body = framed(f"{push(given)} | {text}", "this" in given)
                yield body_case(f"{short}: operand {at} is {wrong}", body, given, **how)
        if kinds:
            yield body_case(f"{short}: too few operands", f"{push(kinds[1:])} | {text}", kinds[1:], **how)
            yield body_case(f"{short}: no operands", text, **how)
        for stack in range(6):
            yield body_case(f"{short}: stack of {stack}", f"{push(kinds)} | {text}", kinds, stack=stack, **how)
        for letter in "ilfda":
            body = f"{push(kinds)} | {text} | {letter}store 5"
            yield body_case(f"{short}: result as {letter}", body, kinds, **how)
        yield body_case(f"{short}: result in an array", f"{push(kinds)} | {text} | arraylength", kinds, **how)


def locals():
    """Yields loads of each type from a local of each kind, and stores of each kind. Also yields accesses to one of the
    two locals that a long or a double occupies, and accesses to locals beyond the method's max_locals."""
    for letter, own in LETTERS.items():
        for kind in PUSH:
            for load in (f"{letter}load 1", f"{letter}load_1", f"wide_{letter}load 1"):
                body = f"{push([kind])} | {store(kind, 1)} | {load}"
                yield body_case(f"{load} of {kind}", body, [kind])
            for place in (f"{letter}store 1", f"{letter}store_1", f"wide_{letter}store 1"):
                yield body_case(f"{place} of {kind}", f"{push([kind])} | {place}", [kind])
                if kind == own:
                    yield body_case(f"{place} and return", f"{push([kind])} | {place} | {letter}load 1", [kind])
        for local in (0, 1, 2, 3, 4, 5, 255):
            yield body_case(f"{letter}load {local} unset", f"{letter}load {local}", locals=4)
            yield body_case(f"{letter}store {local} of 4", f"{PUSH[own]} | {letter}store {local}", locals=4)
            yield body_case(f"wide {letter}load {local} unset", f"wide_{letter}load {local}", locals=4)
        for first in ("int", "long", "double", "Object"):
            for distance in (0, 1, 2):
                body = f"{PUSH[own]} | {letter}store 2 | {PUSH[first]} | {store(first, 1 + distance)} | {letter}load 2"
                yield body_case(f"{letter} after {first} at {distance}", body)
        for kind in PUSH:
            yield body_case(f"iinc of {kind}", f"{push([kind])} | {store(kind, 1)} | iinc 1 1", [kind])
    for local in (0, 3, 4, 255):
        yield body_case(f"iinc {local} of 4", f"iinc {local} 1", locals=4)
        yield body_case(f"wide iinc {local} of 4", f"wide_iinc {local} 1", locals=4)


def returns():
    """Yields each return instruction in methods of each type, with each operand."""
    types = ["V", "I", "Z", "B", "J", "F", "D", "Ljava/lang/Object;", "Ljava/lang/String;", "Lkit/Face;", "Lkit/Derived;", "[I", "[Ljava/lang/Object;", "[Lkit/Face;", "LC;"]
    for type in types:
        for name, kind in (("return", None), ("ireturn", "int"), ("lreturn", "long"), ("freturn", "float"), ("dreturn", "double")):
            kinds = [kind] if kind else []
            yield body_case(f"{name} in {type}", push(kinds), kinds, descriptor=f"(){type}", end=name)
            if kind:
                yield body_case(f"{name} in {type}, no operand", "nop", descriptor=f"(){type}", end=name)
        for kind in PUSH:
            if kind != "this":
                yield body_case(f"areturn of {kind} in {type}", push([kind]), [kind], descriptor=f"(){type}", end="areturn")
        yield body_case(f"falls off in {type}", "nop", descriptor=f"(){type}", end="")
    for end in ("return", "ireturn", "areturn", "athrow"):
        for text in ("nop", "aload_0", "iconst_0", "aload_0 | invokespecial kit/Base <init> ()V", "aload_0 | invokespecial kit/Base <init> ()V | aload_0"):
            yield body_case(f"{end} in a constructor after {text}", text, constructor=True, end=end)


def joins():
    """Yields joins of control flow: a value of each kind meets a value of each other kind, in a local and on the stack.
    The other kind is declared by a frame, or comes from another path."""
    for kind in PUSH:
        for other in PUSH:
            kinds = [kind, other]
            if kind == "return address" or other == "return address":
                continue
            constructor = "this" in kinds
            here, there = FRAME.get(kind, "new:N"), FRAME.get(other, "new:N")
            this = "this," if constructor else ""
            # A value of the kind `kind` reaches a jump's target, whose frame declares the kind `other`.
            set = f"{PUSH[kind]} | {store(kind, 1)}" if kind != "new" else "N: new kit/Base | astore 1"
            if there != "new:N" or kind == "new":
                top = this or "top,"
                body = f"{set} | goto T | .frame T {top}{there} / | T: nop"
                yield body_case(f"local {kind} to a frame of {other}", body, kinds, WITH_FRAMES)
                value = PUSH[kind] if kind != "new" else "N: new kit/Base"
                body = f"{value} | goto T | .frame T {this} / {there} | T: nop"
                yield body_case(f"operand {kind} to a frame of {other}", body, kinds, WITH_FRAMES)
                yield body_case(f"operand {kind} falls into a frame of {other}", body.replace("goto T |", ""), kinds, WITH_FRAMES)
            # By two paths.
            for letter in "ilfda":
                start = "iconst_0 | ifeq E"
                body = f"{start} | {PUSH[kind]} | {store(kind, 1)} | goto T | E: {PUSH[other]} | {store(other, 1)} | T: {letter}load 1"
                yield body_case(f"locals {kind} and {other} meet as {letter}", body, kinds, ["46", "49"])
            body = f"{start} | {PUSH[kind]} | goto T | E: {PUSH[other]} | T: nop"
            yield body_case(f"operands {kind} and {other} meet", body, kinds, ["46", "49"])
            use = "checkcast java/lang/Object | invokevirtual kit/Base open ()V"
            yield body_case(f"operands {kind} and {other} meet, as a Base", f"{body} | invokevirtual kit/Base open ()V", kinds, ["49"])
            yield body_case(f"operands {kind} and {other} meet, as an array", f"{body} | arraylength", kinds, ["49"])


def missing():
    """Yields code with a join of a class that cannot be loaded and another type. The verifiers of both VMs must try to
    load the class for the same other types."""
    absent = {"Missing": "aconst_null | checkcast not/There", "Missing[]": "aconst_null | checkcast [Lnot/There;"}
    for first, text in absent.items():
        for other in ("Object", "Throwable", "Face", "I[]", "I[][]", "String[]", "Object[]", "null", "int"):
            orders = {f"{first} then {other}": (text, PUSH[other]), f"{other} then {first}": (PUSH[other], text)}
            for name, values in orders.items():
                for stored in ("", " | astore 1") if other != "int" else ("",):
                    body = f"iconst_0 | ifeq E | {values[0]}{stored} | goto T | E: {values[1]}{stored} | T: nop"
                    yield body_case(f"{name} meet{stored}", body, versions=["46", "49"])
            type = FRAME[other]
            yield body_case(f"{first} to a frame of {other}", f"{text} | goto T | .frame T / {type} | T: nop", versions=WITH_FRAMES)
        uses = [f"putstatic C o {type}" for type in ("Ljava/lang/Object;", "Lkit/Face;", "[Ljava/lang/Object;", "[Lkit/Base;")]
        uses += ["invokevirtual kit/Base open ()V", "invokevirtual java/lang/Object hashCode ()I", "checkcast kit/Base"]
        for use in [*uses, "arraylength", "athrow"]:
            yield body_case(f"{use} of {first}", f"{text} | {use}")


RULES = [operands, locals, returns, joins, missing]
