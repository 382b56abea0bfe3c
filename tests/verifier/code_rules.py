# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of JVMS 4.9.1 about opcodes, operands, jumps, switches, numbers of locals and the size of the code, and rules
about subroutines of old versions."""

import re

from cases import VERSIONS, WITH_SUBROUTINES, WITHOUT_FRAMES, Case, body_case, in_method
from class_file import PUBLIC, STATIC, ClassFile


def opcodes():
    """Yields each byte as an opcode, each opcode with operands cut off, and each opcode after wide."""
    for opcode in range(256):
        if 202 <= opcode < 240:  # HotSpot's own instructions, which its messages name
            yield body_case(f"opcode {opcode} of no version", f"bytes {opcode} 0 0", versions=WITHOUT_FRAMES)
            continue
        for operands in ("", "0", "0 0", "0 0 0", "0 0 0 0"):
            name = f"opcode {opcode} with {operands or 'nothing'}, at the end"
            yield body_case(name, f"bytes {opcode} {operands}", end="")
        yield body_case(f"opcode {opcode}", f"bytes {opcode} 0 0 0 0 0 0")
        yield body_case(f"wide {opcode}", f"bytes 0xC4 {opcode} 0 0")
        yield body_case(f"wide {opcode}, cut off", f"return | bytes 0xC4 {opcode}", end="")
        yield body_case(f"wide {opcode}, operand cut off", f"return | bytes 0xC4 {opcode} 0", end="")
        yield body_case(f"unreachable {opcode}", f"return | bytes {opcode}", end="", versions=WITHOUT_FRAMES)
    yield body_case("wide at the end", "return | bytes 0xC4", end="")
    for type in range(256):
        if type < 16 or type % 32 == 0:
            yield body_case(f"newarray {type}", f"iconst_0 | bytes 188 {type}")


def jumps():
    for name, opcode in (("goto", 0xA7), ("ifeq", 0x99), ("ifnull", 0xC6), ("if_acmpeq", 0xA5)):
        operands = {"ifeq": "iconst_0 |", "ifnull": "aconst_null |", "if_acmpeq": "aconst_null | aconst_null |"}
        operands = operands.get(name, "")
        near = [(0, low) for low in (0, 1, 2, 3, 4, 5, 6, 100)]
        for high, low in [*near, (255, 255), (255, 254), (255, 253), (127, 255), (128, 0)]:
            yield body_case(f"{name} by {high} {low}", f"{operands} bytes {opcode} {high} {low} | bytes 16 0 | pop")
    far = ("255 255 255 255", "127 255 255 255", "128 0 0 0", "0 1 0 0", "255 254 255 255")
    for bytes in ("0 0 0 0", "0 0 0 5", "0 0 0 6", "0 0 0 100", *far):
        yield body_case(f"goto_w by {bytes}", f"bytes 200 {bytes} | bytes 16 0 | pop")
        yield body_case(f"jsr_w by {bytes}", f"bytes 201 {bytes} | bytes 16 0 | pop", versions=WITH_SUBROUTINES)


def switches():
    number = lambda value: " ".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))
    lookups = {
        "sorted": [(1, 24), (2, 24)],
        "equal keys": [(1, 24), (1, 24)],
        "unsorted": [(2, 24), (1, 24)],
        "negative first": [(-1, 24), (1, 24)],
        "negative last": [(1, 24), (-1, 24)],
        "into an instruction": [(1, 25), (2, 24)],
        "beyond the end": [(1, 24), (2, 99)],
        "before the start": [(1, 24), (2, -9)],
        "far": [(1, 0x7FFFFFFF), (2, 24)],
        "far back": [(1, -0x80000000), (2, 24)],
    }
    frames = ".frame T /"
    for name, pairs in lookups.items():
        body = number(24 + 2) + f" {number(len(pairs))} " + " ".join(f"{number(k)} {number(t + 2)}" for k, t in pairs)
        yield body_case(f"lookupswitch {name}", f"iconst_0 | nop | nop | bytes 171 {body} | {frames} | nop | nop | nop | T: bytes 16 0 | pop")
    for count in (0, 1, 3, -1, 0x7FFFFFFF, 0x20000000):
        body = f"{number(26)} {number(count)} {number(1)} {number(26)} {number(2)} {number(26)}"
        yield body_case(f"lookupswitch of {count} pairs", f"iconst_0 | nop | nop | bytes 171 {body} | {frames} | nop | T: nop | nop | nop")
    most, least = 0x7FFFFFFF, -0x80000000
    far = ((least, most), (0, most), (most - 1, most))
    for low, high in ((0, 1), (1, 0), (0, 0), (5, 6), (-1, 0), (0, 9), (0, -1), (1, -1), *far):
        body = f"{number(26)} {number(low)} {number(high)} {number(26)} {number(26)}"
        yield body_case(f"tableswitch from {low} to {high}", f"iconst_0 | nop | nop | bytes 170 {body} | {frames} | nop | nop | nop | T: nop")
    for target in (0, 1, 23, 25, 27, 99, -4, -1, 0x7FFFFFFF):
        body = f"{number(26)} {number(0)} {number(1)} {number(target)} {number(26)}"
        yield body_case(f"tableswitch to {target}", f"iconst_0 | nop | nop | bytes 170 {body} | {frames} | nop | nop | nop | T: nop")
        body = f"{number(target)} {number(0)} {number(1)} {number(26)} {number(26)}"
        yield body_case(f"tableswitch, default to {target}", f"iconst_0 | nop | nop | bytes 170 {body} | {frames} | nop | nop | nop | T: nop")
    for opcode in (170, 171):
        for pads in range(1, 4):
            padding = " ".join(["0"] * (pads - 1) + ["7"])
            body = f"{number(40)} {number(0)} {number(0)} {number(40)}"
            yield body_case(f"switch {opcode}, padded with {padding}", f"iconst_0 {'| nop' * (3 - pads)} | bytes {opcode} {padding} {body}" + "| nop" * 30)
        for cut in range(0, 16):
            if (7 <= cut < 10 if opcode == 171 else 11 <= cut < 14):
                continue  # java does not notice that the operand is cut off, and reads beyond the code
            yield body_case(f"switch {opcode} cut off after {cut}", f"return | bytes {opcode} " + " ".join(["0"] * cut), end="")


def sizes():
    """Yields code of zero bytes and code of too many bytes, methods with more arguments than locals, and methods with
    65535 locals or operands."""
    for stack, locals in ((0, 0), (65535, 0), (0, 65535), (65535, 65535)):
        yield body_case(f"stack {stack}, locals {locals}", "nop", stack=stack, locals=locals)
    for descriptor in ("()V", "(I)V", "(J)V", "(JJ)V", "(IJLjava/lang/Object;)V", f"({'I' * 255})V", f"({'I' * 254})V", f"({'J' * 127})V", f"({'J' * 128})V", f"({'I' * 256})V"):
        for locals in (0, 1, 2, 3, 4, 254, 255):
            yield body_case(f"{descriptor[:9]}{len(descriptor)} with {locals} locals", "nop", descriptor=descriptor, locals=locals, stack=0)
            yield body_case(f"instance {descriptor[:9]}{len(descriptor)} with {locals} locals", "nop", descriptor=descriptor, locals=locals, stack=0, flags=PUBLIC)
    for length in (1, 65534, 65535, 65536, 65537):

        def make(version, length=length):
            file = ClassFile(version)
            file.constructor()
            content = file.content("nop " + "| nop" * 9 + "| return", 0, 0)
            code = bytes(length - 1) + b"\xb1"
            content = content[:4] + length.to_bytes(4, "big") + code + bytes(4)
            file.method(PUBLIC | STATIC, "m", "()V", [file.attribute("Code", content)])
            return file.bytes()

        yield Case(f"code of {length} bytes", make)
    for length in (0, 1, 2, 3, 0x7FFFFFFF, 0xFFFFFFFF):

        def make(version, length=length):
            file = ClassFile(version)
            file.constructor()
            content = file.content("nop | return", 0, 0)
            content = content[:4] + length.to_bytes(4, "big") + content[8:]
            file.method(PUBLIC | STATIC, "m", "()V", [file.attribute("Code", content)])
            return file.bytes()

        yield Case(f"code that says {length} bytes", make)

    def small(version):
        """In class files before 45.3, the sizes in a Code attribute have fewer bytes."""
        file = ClassFile("45.2")
        file.method(PUBLIC | STATIC, "m", "()V", [file.attribute("Code", bytes([1, 1, 0, 2, 3, 0xAC, 0, 0, 0, 0]))])
        return file.bytes()

    yield Case("Code of 45.2", small, ["45.3"])


def subroutines():
    """Yields code with jsr and ret: subroutines that are nested, recursive, called from several places, or return to
    another caller, and locals whose types differ between caller and subroutine."""
    bodies = [
        "jsr S | return | S: astore_1 | ret 1",
        "jsr S | jsr S | return | S: astore_1 | ret 1",
        "iconst_0 | istore_2 | jsr S | iload_2 | pop | fconst_0 | fstore_2 | jsr S | fload_2 | pop | return | S: astore_1 | ret 1",
        "iconst_0 | istore_2 | jsr S | iload_2 | pop | return | S: astore_1 | fconst_0 | fstore_2 | ret 1",
        "iconst_0 | istore_2 | jsr S | fload_2 | pop | return | S: astore_1 | fconst_0 | fstore_2 | ret 1",
        "iconst_0 | istore_2 | jsr S | iload_2 | pop | fconst_0 | fstore_2 | jsr S | iload_2 | pop | return | S: astore_1 | ret 1",
        "iconst_0 | istore_2 | jsr S | fconst_0 | fstore_2 | jsr S | return | S: astore_1 | iload_2 | pop | ret 1",
        "jsr S | return | S: astore_1 | jsr T | ret 1 | T: astore_2 | ret 2",
        "jsr S | return | S: astore_1 | jsr T | ret 1 | T: astore_2 | ret 1",
        "jsr S | return | S: astore_1 | jsr S | ret 1",
        "jsr S | return | S: astore_1 | goto T | T: ret 1",
        "jsr S | return | S: astore_1 | iconst_0 | ifeq T | ret 1 | T: ret 1",
        "jsr S | return | S: astore_1 | iconst_0 | ifeq T | return | T: ret 1",
        "jsr S | return | S: astore_1 | aload_1 | astore_2 | ret 2",
        "jsr S | return | S: pop | return",
        "jsr S | return | S: return",
        "jsr S | return | S: astore_1 | return",
        "jsr S | return | S: astore_1 | aconst_null | astore_1 | ret 1",
        "ret 1",
        "iconst_0 | istore_1 | ret 1",
        "aconst_null | astore_1 | ret 1",
        "jsr S | S: astore_1 | ret 1",
        "jsr S | S: pop | return",
        "S: jsr S",
        "S: astore_1 | jsr S",
        "goto T | S: astore_1 | ret 1 | T: jsr S | return",
        "jsr S | return | S: astore_1 | L: iconst_0 | ifeq L | ret 1",
        "jsr S | return | S: dup | astore_1 | astore_2 | ret 2",
        "jsr S | return | S: dup | astore_1 | ret 1",
        "jsr S | pop | return | S: dup | astore_1 | ret 1",
        "iconst_0 | jsr S | pop | return | S: astore_1 | ret 1",
        "iconst_0 | jsr S | fconst_0 | jsr S | return | S: astore_1 | ret 1",
        "jsr S | astore_1 | ret 1 | S: goto T | T: nop | nop | astore_2 | ret 2",
        "jsr S | return | S: astore_1 | jsr T | ret 1 | T: pop | ret 1",
        "jsr S | return | S: astore_1 | iconst_0 | ifeq R | jsr T | R: ret 1 | T: astore_2 | ret 2",
        "iconst_0 | ifeq A | jsr S | return | A: jsr T | return | S: astore_1 | goto U | T: astore_1 | U: ret 1",
        "iconst_0 | ifeq A | jsr S | return | A: jsr T | return | S: astore_1 | jsr U | ret 1 | T: astore_1 | jsr U | ret 1 | U: astore_2 | ret 2",
        "jsr S | return | S: astore_1 | wide_ret 1",
        "jsr_w S | return | S: astore_1 | ret 1",
        "jsr S | return | S: aload_0 | astore_1 | ret 1",
        "jsr S | return | S: areturn",
        "jsr S | return | S: athrow",
        "jsr S | return | S: checkcast java/lang/Object | return",
        "jsr S | return | S: ifnull R | R: return",
        "jsr S | return | S: swap | return",
        "jsr S | return | S: iconst_0 | swap | astore_1 | pop | ret 1",
        "jsr S | return | S: istore_1 | return",
        "jsr S | return | S: astore_1 | iload_1 | return",
        "jsr S | return | S: astore_1 | aload_1 | pop | ret 1",
        "jsr S | return | S: astore_1 | B: nop | E: ret 1 | H: pop | ret 1 | .catch any B E H",
        "jsr S | return | S: astore_1 | B: nop | ret 1 | E: H: astore_2 | aload_2 | athrow | .catch any B E H",
        "B: jsr S | return | E: H: astore_2 | jsr S | aload_2 | athrow | S: astore_1 | ret 1 | .catch any B E H",
        "B: iconst_0 | istore_3 | jsr S | iload_3 | pop | return | E: H: astore_2 | jsr S | aload_2 | athrow | S: astore_1 | ret 1 | .catch any B E H",
        "new kit/Base | astore_2 | jsr S | aload_2 | invokespecial kit/Base <init> ()V | return | S: astore_1 | ret 1",
        "new kit/Base | jsr S | invokespecial kit/Base <init> ()V | return | S: astore_1 | ret 1",
        "jsr S | aload_2 | invokespecial kit/Base <init> ()V | return | S: astore_1 | new kit/Base | astore_2 | ret 1",
        "jsr S | return | S: astore_1 | new kit/Base | dup | invokespecial kit/Base <init> ()V | pop | ret 1",
        "lconst_0 | lstore_2 | jsr S | lload_2 | pop2 | return | S: astore_1 | iconst_0 | istore_3 | ret 1",
        "lconst_0 | lstore_2 | jsr S | lload_2 | pop2 | return | S: astore_1 | ret 1",
        "iconst_0 | istore_2 | jsr S | lload_2 | pop2 | return | S: astore_1 | lconst_0 | lstore_2 | ret 1",
        "jsr S | iload_2 | return | S: astore_1 | iconst_0 | ifeq T | iconst_0 | istore_2 | T: ret 1",
        "iconst_0 | istore_2 | jsr S | iload_2 | return | S: astore_1 | iconst_0 | ifeq T | iinc 2 1 | T: ret 1",
        "iconst_0 | istore_2 | jsr S | iload_2 | return | S: astore_1 | iconst_0 | ifeq T | fconst_0 | fstore_2 | T: ret 1",
        "L: iconst_0 | ifeq M | jsr S | goto L | M: jsr S | return | S: astore_1 | ret 1",
        "iconst_0 | istore_2 | jsr S | iload_2 | return | S: astore_1 | jsr T | ret 1 | T: astore_3 | fconst_0 | fstore_2 | ret 3",
        "iconst_0 | istore_2 | jsr T | jsr S | iload_2 | return | S: astore_1 | jsr T | iload_2 | pop | ret 1 | T: astore_3 | ret 3",
        "jsr S | return | S: astore_1 | jsr T | goto R | T: astore_2 | R: ret 1",
        "jsr S | return | S: astore_1 | jsr T | return | T: astore_2 | iconst_0 | ifeq R | ret 2 | R: ret 1",
        "jsr S | jsr T | return | S: astore_1 | goto X | T: astore_1 | X: iconst_0 | ifeq Y | ret 1 | Y: ret 1",
        "jsr S",
        "jsr S | return | S: astore_1 | ret 2",
        "jsr S | return | S: astore_1 | ret 250",
        "jsr S | return | S: astore_1 | nop",
    ]
    for text in bodies:
        yield body_case(text, text, end="", versions=WITH_SUBROUTINES, locals=5)
        if "aload_0" not in text:
            constructor = re.sub(r"\breturn\b", "aload_0 | invokespecial kit/Base <init> ()V | return", text)
            yield body_case(f"in a constructor: {text}", constructor, end="", versions=["46", "49", "50"], constructor=True, locals=5)
    for text in (
        "jsr S | return | S: astore_1 | aload_0 | invokespecial kit/Base <init> ()V | ret 1",
        "jsr S | aload_0 | invokespecial kit/Base <init> ()V | return | S: astore_1 | ret 1",
        "aload_0 | invokespecial kit/Base <init> ()V | jsr S | return | S: astore_1 | ret 1",
        "aload_0 | jsr S | invokespecial kit/Base <init> ()V | return | S: astore_1 | ret 1",
    ):
        yield body_case(f"of a constructor: {text}", text, end="", versions=WITH_SUBROUTINES, constructor=True)


RULES = [opcodes, jumps, switches, sizes, subroutines]
