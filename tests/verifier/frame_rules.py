# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Rules about StackMapTable (JVMS 4.7.4, 4.10.1.4): the encoding of frames, the places that need a frame, and the
contents of frames at joins and handlers."""

from cases import FRAME, PUSH, VERSIONS, WITH_FRAMES, Case, body_case, in_method, push, store
from class_file import OBJECT, PUBLIC, STATIC, ClassFile, u2


def raw(name, text, table, versions=None, **how):
    return body_case(name, f"{text} | .frames {' '.join(str(each) for each in table)}", end="", versions=versions or VERSIONS, **how)


def encodings():
    """Yields frames of each shape, right and wrong, at the target of a jump. The `goto` has bci 0, and its target has
    bci 3."""
    jump, long_jump = "goto T | T: return", "lconst_0 | lstore_0 | goto T | T: return"
    shapes = {
        "same": [3],
        "same, too early": [2],
        "same, too late": [4],
        "same, at 0": [0],
        "same, beyond the end": [63],
        "one operand": [67, 1],
        "one operand, too early": [66, 1],
        "one operand cut off": [67],
        "one operand extended": [247, 0, 3, 1],
        "one operand extended, cut off": [247, 0, 3],
        "one operand extended, offset cut off": [247, 0],
        "one long": [67, 4],
        "chop 1": [250, 0, 3],
        "chop 2": [249, 0, 3],
        "chop 3": [248, 0, 3],
        "chop cut off": [250, 0],
        "extended": [251, 0, 3],
        "extended cut off": [251, 0],
        "extended far": [251, 255, 255],
        "append 1": [252, 0, 3, 1],
        "append 1 top": [252, 0, 3, 0],
        "append 2 tops": [253, 0, 3, 0, 0],
        "append 3 tops": [254, 0, 3, 0, 0, 0],
        "append long": [252, 0, 3, 4],
        "append 3 longs": [254, 0, 3, 4, 4, 4],
        "append cut off": [254, 0, 3, 0, 0],
        "full empty": [255, 0, 3, 0, 0, 0, 0],
        "full cut off": [255, 0, 3, 0, 0, 0],
        "full without offset": [255, 0],
        "full, too many locals": [255, 0, 3, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        "full, too many locals, then no type": [255, 0, 3, 0, 13, *[0] * 13, 1, 99],
        "full, too many longs, then no type": [255, 0, 3, 0, 7, *[4] * 7, 0, 1, 99],
        "full, as many longs as fit, then no type": [255, 0, 3, 0, 6, *[4] * 6, 0, 1, 99],
        "full, 65535 locals": [255, 0, 3, 255, 255, 0, 0, 0],
        "full, too many operands": [255, 0, 3, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        "full, an operand": [255, 0, 3, 0, 0, 0, 1, 0],
        "full, tops": [255, 0, 3, 0, 2, 0, 0, 0, 0],
        "full, long last": [255, 0, 3, 0, 4, 0, 0, 0, 4, 0, 0],
        "full, long before the last": [255, 0, 3, 0, 3, 0, 0, 4, 0, 0],
        "null": [252, 0, 3, 5],
        "uninitialised this": [252, 0, 3, 6],
        "object 0": [252, 0, 3, 7, 0, 0],
        "object 2, a class": [252, 0, 3, 7, 0, 2],
        "object 1, a text": [252, 0, 3, 7, 0, 1],
        "object 999": [252, 0, 3, 7, 3, 231],
        "object cut off": [252, 0, 3, 7, 0],
        "uninitialised 0": [252, 0, 3, 8, 0, 0],
        "uninitialised 1": [252, 0, 3, 8, 0, 1],
        "uninitialised 999": [252, 0, 3, 8, 3, 231],
        "uninitialised cut off": [252, 0, 3, 8, 0],
        "type 9": [252, 0, 3, 9],
        "type 255": [252, 0, 3, 255],
    } | {f"reserved {kind}": [kind, 0, 3, 0] for kind in (128, 200, 246)}
    for name, frame in shapes.items():
        yield raw(f"{name}", jump, [0, 1, *frame], stack=2, locals=4)
        yield raw(f"{name}, one byte more", jump, [0, 1, *frame, 0], stack=2, locals=4, versions=WITH_FRAMES)
        if "cut off" not in name:
            yield raw(f"{name}, twice", jump, [0, 2, *frame, *frame], stack=2, locals=4, versions=WITH_FRAMES)
        later = [5 if each == 3 and at < 3 else each for at, each in enumerate(frame)]
        yield raw(f"{name}, after a long", long_jump, [0, 1, *later], stack=2, locals=4)
        for locals in (0, 1, 2):
            yield raw(f"{name}, {locals} locals", jump, [0, 1, *frame], stack=0, locals=locals, versions=WITH_FRAMES)
        yield raw(f"{name}, in a constructor", "goto T | T: aload_0 | invokespecial kit/Base <init> ()V | return", [0, 1, *frame], stack=2, locals=4, constructor=True)
    for table in ([], [0], [0, 0], [0, 1], [255, 255], [0, 0, 3]):
        yield raw(f"table {table}", jump, table)
        yield raw(f"table {table}, no jump", "return", table)
    for tables in (1, 2, 3):
        for versions in (VERSIONS,):

            def make(version, tables=tables):
                file = ClassFile(version)
                file.constructor()
                extra = [file.attribute("StackMapTable", bytes([0, 1, 3])) for _ in range(tables)]
                file.code(PUBLIC | STATIC, "m", "()V", jump, attributes=extra)
                return file.bytes()

            yield Case(f"{tables} tables", make, versions)
    # Chop frames remove one to three of the locals that hold arguments.
    for descriptor in ("(I)V", "(J)V", "(IJ)V", "(JI)V", "(DJI)V", "(Ljava/lang/String;)V"):
        for kind in (248, 249, 250):
            for type in (0, 1, 4):
                table = [0, 2, kind, 0, 3, 252, 0, 2, type]
                yield raw(f"chop by {251 - kind}, then append {type} in {descriptor}", "goto T | T: goto U | U: return", table, descriptor=descriptor, locals=6)


def places():
    """Yields code with missing frames, with frames where none is needed, and with frames in unreachable code."""
    for name, text in {
        "after goto": "goto T | nop | .frame T / | T: nop",
        "after return": "return | nop",
        "after athrow": "aconst_null | athrow | nop",
        "after tableswitch": "iconst_0 | tableswitch 0 T default T | nop | .frame T / | T: nop",
        "after lookupswitch": "iconst_0 | lookupswitch 0 T default T | nop | .frame T / | T: nop",
        "unreachable with a frame": "goto T | .frame D / | D: nop | .frame T / | T: nop",
        "unreachable that underflows": "goto T | .frame D / | D: pop | .frame T / | T: nop",
        "unreachable that falls off": "return | .frame D / | D: nop",
        "unreachable with operands": "return | .frame D / int | D: ireturn",
        "unreachable without a frame": "goto T | pop | .frame T / | T: nop",
        "no frame at a goto's target": "goto T | T: nop",
        "no frame at an if's target": "iconst_0 | ifeq T | nop | T: nop",
        "no frame at a target behind": "T: nop | goto T",
        "no frame at a switch's case": "iconst_0 | tableswitch 0 T default U | .frame U / | U: nop | T: nop",
        "no frame at a switch's default": "iconst_0 | tableswitch 0 U default T | .frame U / | U: nop | T: nop",
        "no frame at a handler": "S: nop | E: return | H: pop | .catch any S E H",
        "a frame at 0": ".frame T / | T: nop | iconst_0 | ifeq T",
        "a frame at 0 with a local": ".frame T int / | T: nop | iconst_0 | ifeq T",
        "a frame at 0 with an operand": ".frame T / int | T: pop",
        "frames everywhere": ".frame A / | A: nop | .frame B / | B: iconst_0 | .frame C / int | C: pop | .frame D / | D: nop",
        "a frame inside an instruction": "iconst_0 | bytes 0x10 | .frame T / int | T: bytes 0 | pop | pop",
        "a frame at the end": "return | .frame T / | T:",
        "a frame behind the end": "nop | return | .frame T / | T:",
        "goto_w": "goto_w T | .frame T / | T: nop",
        "goto_w without a frame": "goto_w T | T: nop",
        "goto itself": ".frame T / | T: goto T",
        "falls off": "nop | .frame T / | T: nop",
        "infinite loop at the end": "nop | .frame T / | T: nop | goto T",
    }.items():
        yield body_case(name, text, end="" if name in ("falls off", "a frame behind the end", "unreachable that falls off", "a frame at the end") else "return")


def matches():
    """Yields frames whose stack depth or number of locals does not match the code: at targets of jumps, at instructions
    that code falls into, at targets of switches, and at handlers."""
    frames = ["/", "int /", "int,int /", "/ int", "/ int,int", "top /", "long /", "/ long", "int,top /", "float /", "null /", "object:java/lang/String /", "/ float", "/ null", "/ top"]
    bodies = {
        "goto": "{0} | goto T | .frame T {1} | T: nop",
        "falls in": "{0} | .frame T {1} | T: nop",
        "if": "{0} | iconst_0 | ifeq T | return | .frame T {1} | T: nop",
        "ifnull": "{0} | aconst_null | ifnull T | return | .frame T {1} | T: nop",
        "tableswitch": "{0} | iconst_0 | tableswitch 0 T default U | .frame T {1} | T: return | .frame U / | U: nop",
        "tableswitch's default": "{0} | iconst_0 | tableswitch 0 U default T | .frame T {1} | T: return | .frame U / | U: nop",
        "lookupswitch": "{0} | iconst_0 | lookupswitch 0 U 7 T default U | .frame T {1} | T: return | .frame U / | U: nop",
        "handler": "{0} | S: nop | E: return | .frame H {1} | H: nop | .catch any S E H",
        "handler, changed inside": "S: {0} | nop | E: return | .frame H {1} | H: nop | .catch any S E H",
    }
    for prepare in ("nop", "iconst_0", "iconst_0 | istore_0", "iconst_0 | istore_0 | iconst_0 | istore_1", "lconst_0", "lconst_0 | lstore_0", "ldc string s | astore_0", "iconst_0 | iconst_0"):
        for body, text in bodies.items():
            for frame in frames:
                if "handler" in body:
                    locals = frame.split(" /")[0] if " /" in frame else ""
                    for thrown in ("object:java/lang/Throwable", "object:java/lang/Object", "object:java/lang/Error", "int", ""):
                        yield body_case(f"{body} after {prepare}: {frame} {thrown}", text.format(prepare, f"{locals} / {thrown}"), versions=WITH_FRAMES, locals=4)
                else:
                    yield body_case(f"{body} after {prepare}: {frame}", text.format(prepare, frame), versions=WITH_FRAMES, locals=4)
    for stack in (0, 1, 2):
        yield body_case(f"handler with a stack of {stack}", "S: nop | E: return | .frame H / object:java/lang/Throwable | H: nop | .catch any S E H", stack=stack)
        for caught in ("any", "java/lang/Error", "java/lang/String"):
            for handler in ("pop", "astore 0", "athrow", "areturn"):
                for before in ("S: nop | E: return", "return | S: nop | E: return", "S: nop | E: bytes 0xFE"):
                    text = f"{before} | .frame H / object:java/lang/Throwable | H: {handler} | .catch {caught} S E H"
                    yield body_case(f"stack of {stack}, {caught} caught by {handler}, {before}", text, stack=stack)


def ranges():
    """Yields exception tables with empty, overlapping, nested and misplaced ranges, and with types that cannot be
    caught."""
    middle = "S: nop | bytes 0x10 | M: bytes 0 | pop | E: return | .frame H / object:{0} | H: pop | return | Z:"
    for type in ("java/lang/Throwable", "java/lang/Object", "java/lang/String", "java/lang/Exception", "kit/Base", "kit/Face", "not/There", "[I", "java/lang/Error", "C"):
        for caught in (type, "any"):
            for covered in ("S E", "S M", "M E", "E S", "S S", "S Z", "H Z", "E H"):
                for handler in ("H", "M", "S", "Z", "E"):
                    if type != "java/lang/Throwable" and (covered != "S E" or handler != "H"):
                        continue
                    yield body_case(f"{caught} from {covered} to {handler}, frame {type}", f"{middle.format(type)} | .catch {caught} {covered} {handler}", end="")
    for index in (1, 3, 999, 65535):
        for place in range(4):

            def make(version, index=index, place=place):
                file = ClassFile(version)
                file.constructor()
                row = [0, 1, 2, 0]
                row[place] = index
                content = file.content("nop | return | .frame H / object:java/lang/Throwable | H: pop | return", 2, 2)
                at = content.index(b"\0\0", 8 + 4)
                file.method(PUBLIC | STATIC, "m", "()V", [file.attribute("Code", content[:12] + u2(1, *row) + content[14:])])
                return file.bytes()

            yield Case(f"row with {index} at {place}", make)


def two_faults():
    """Yields classes whose constructor and method are both wrong, for different reasons. The verifier by type inference
    begins with the last method, and the verifier by type checking begins with the first method. Each verifier reports
    only the first fault that it finds."""
    misplaced = "S: nop | bytes 0x10 | M: bytes 0 | pop | return | .frame H / object:java/lang/Throwable | H: pop | return | .catch java/lang/Throwable S M H"
    faults = {"misplaced range": misplaced, "underflow": "pop | return", "bad index": "bytes 183 0 110 | return"}
    for first, of_constructor in faults.items():
        for second, of_method in faults.items():

            def make(version, of_constructor=of_constructor, of_method=of_method):
                file = ClassFile(version)
                file.code(PUBLIC, "<init>", "()V", "aload_0 | invokespecial kit/Base <init> ()V | " + of_constructor)
                file.code(PUBLIC | STATIC, "m", "()V", of_method)
                return file.bytes()

            yield Case(f"{first} in the constructor, {second} in the method", make)


RULES = [encodings, places, matches, ranges, two_faults]
