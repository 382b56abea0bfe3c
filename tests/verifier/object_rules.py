# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of JVMS 4.10.1.4 and 4.10.2.4 about objects that are not initialised, in constructors, branches, loops and
handlers."""

from cases import VERSIONS, WITH_FRAMES, WITHOUT_FRAMES, Case, body_case, in_method
from class_file import ABSTRACT, FINAL, INTERFACE, PUBLIC, STATIC, SUPER, ClassFile

SUPER_CALL = "invokespecial kit/Base <init> ()V"


def handlers():
    """Yields code with exception handlers around super() and around new. The handlers differ in the code that they
    cover, in their frames, and in their last instructions."""
    frames = ["this /", "top /", "/", "object:C /", "this,int /"]
    ends = {
        "throws": "athrow",
        "returns": "pop | return",
        "loops": "pop | goto H2 | .frame H2 {0} / | H2: goto H2",
        "calls super": "pop | aload_0 | invokespecial kit/Base <init> ()V | return",
        "throws another": "pop | aconst_null | athrow",
        "branches": "ifnull H3 | return | .frame H3 {0} / | H3: aconst_null | athrow",
        "throws on both": "ifnull H3 | aconst_null | athrow | .frame H3 {0} / | H3: aconst_null | athrow",
        "switches": "pop | iconst_0 | tableswitch 0 H3 default H4 | .frame H3 {0} / | H3: aconst_null | athrow | .frame H4 {0} / | H4: return",
        "reads this": "pop | aload_0 | pop | aconst_null | athrow",
        "sets a field": "pop | aload_0 | iconst_0 | putfield C f I | aconst_null | athrow",
        "uses this": "pop | aload_0 | invokevirtual kit/Base open ()V | aconst_null | athrow",
    }
    covers = {
        "the call": ("aload_0 | S: invokespecial kit/Base <init> ()V | E: return", "S E"),
        "load and call": ("S: aload_0 | invokespecial kit/Base <init> ()V | E: return", "S E"),
        "all": ("S: aload_0 | invokespecial kit/Base <init> ()V | return | E:", "S H"),
        "what precedes": ("S: nop | nop | E: aload_0 | invokespecial kit/Base <init> ()V | return", "S E"),
        "what follows": ("aload_0 | invokespecial kit/Base <init> ()V | S: nop | E: return", "S E"),
        "a branch without the call": (
            "iconst_0 | ifeq T | S: iconst_1 | pop | E: goto T | .frame T this / | T: aload_0 | invokespecial kit/Base <init> ()V | return",
            "S E",
        ),
    }
    for caught in ("any", "java/lang/Throwable", "java/lang/Exception", "kit/Base"):
        for cover, (body, range) in covers.items():
            for frame in frames:
                for how, end in ends.items():
                    if caught != "any" and how not in ("throws", "returns"):
                        continue
                    type = "java/lang/Throwable" if caught == "any" else caught
                    local = frame[:-1].strip()
                    text = f"{body} | .frame H {frame} object:{type} | H: {end.format(local)} | .catch {caught} {range} H"
                    name = f"handler of {caught} around {cover}, frame {frame}, {how}"
                    versions = VERSIONS if frame in frames[:2] else WITH_FRAMES
                    yield body_case(name, text, constructor=True, end="", versions=versions)
    # A second handler covers the code of the first handler.
    for inner in ("athrow", "pop | return", "pop | goto G"):
        text = (
            "S: aload_0 | invokespecial kit/Base <init> ()V | E: return | .frame H this / object:java/lang/Throwable | H: athrow"
            f" | .frame G this / object:java/lang/Throwable | G: {inner} | .catch any S E H | .catch any H G G"
        )
        yield body_case(f"a handler of a handler: {inner}", text, constructor=True, end="")
    # The object is initialised on only one of the paths to the handler.
    for frame in ("this", "top", "object:C"):
        text = (
            "S: iconst_0 | ifeq T | aload_0 | invokespecial kit/Base <init> ()V | return | .frame T this / | T: aload_0 |"
            f" invokespecial kit/Base <init> ()V | E: return | .frame H {frame} / object:java/lang/Throwable | H: athrow | .catch any S E H"
        )
        yield body_case(f"two calls in one range, frame {frame}", text, constructor=True, end="")


def created():
    """Yields code that uses objects that `new` has made: in handlers, loops and branches, initialised twice, or
    initialised by another class's constructor."""
    for frame in ("new:N", "top", "object:kit/Base"):
        for range in ("S E", "S F", "E F", "N F"):
            for end in ("athrow", "pop | aload_1 | invokespecial kit/Base <init> ()V | return", "pop | aload_1 | pop | return", "pop | return"):
                text = (
                    "N: new kit/Base | astore_1 | S: aload_1 | invokespecial kit/Base <init> ()V | E: nop | F: return |"
                    f" .frame H top,{frame} / object:java/lang/Throwable | H: {end} | .catch any {range} H"
                )
                yield body_case(f"new around {range}, frame {frame}, {end}", text, end="")
    for frame in ("new:N", "top", "object:kit/Base", "null"):
        text = f"N: new kit/Base | astore_1 | goto L | .frame L top,{frame} / | L: nop | iconst_0 | ifeq L"
        yield body_case(f"an uninitialised object around a loop, frame {frame}", text)
        text = f".frame L top,{frame} / | aconst_null | astore_1 | L: nop | N: new kit/Base | astore_1 | iconst_0 | ifeq L"
        yield body_case(f"an uninitialised object at the end of a loop, frame {frame}", text)
        text = f"aconst_null | astore_1 | .frame L top,{frame} / | L: N: new kit/Base | dup | aload_1 | pop | astore_1 | invokespecial kit/Base <init> ()V | goto L"
        yield body_case(f"an object of each round, frame {frame}", text, end="")
        text = f"N: new kit/Base | iconst_0 | ifeq T | nop | .frame T / {frame} | T: invokespecial kit/Base <init> ()V"
        yield body_case(f"an uninitialised operand over a branch, frame {frame}", text)
        text = f"N: new kit/Base | dup | astore_1 | iconst_0 | ifeq T | dup | invokespecial kit/Base <init> ()V | .frame T top,{frame} / {frame} | T: pop"
        yield body_case(f"initialised on one path, frame {frame}", text)
    for number, text in enumerate(
        [
            "new kit/Base | dup | invokespecial kit/Base <init> ()V | invokespecial kit/Base <init> ()V",
            "new kit/Base | dup | invokespecial kit/Base <init> ()V | invokevirtual kit/Base open ()V",
            "new kit/Base | dup | dup | astore_1 | invokespecial kit/Base <init> ()V | pop | aload_1 | invokevirtual kit/Base open ()V",
            "new kit/Base | invokespecial java/lang/Object <init> ()V",
            "new kit/Base | invokespecial C <init> ()V",
            "new kit/Derived | invokespecial kit/Base <init> ()V",
            "new C | invokespecial kit/Base <init> ()V",
            "new C | dup | invokespecial C <init> ()V | putstatic C o LC;",
            "new kit/Base | new kit/Base | invokespecial kit/Base <init> ()V | invokespecial kit/Base <init> ()V",
            "new kit/Base | new kit/Base | swap | invokespecial kit/Base <init> ()V | invokevirtual kit/Base open ()V",
            "aconst_null | invokespecial kit/Base <init> ()V",
            "iconst_0 | invokespecial kit/Base <init> ()V",
            "aconst_null | checkcast kit/Base | invokespecial kit/Base <init> ()V",
            "new kit/Base | dup | iconst_0 | invokespecial kit/Base <init> (I)V",
            "new kit/Base | invokevirtual kit/Base <init> ()V",
            "new kit/Base | invokestatic kit/Base <init> ()V",
            "new kit/Base | invokeinterface kit/Base <init> ()V",
            "new [I | pop",
            "new [Ljava/lang/Object; | invokespecial java/lang/Object <init> ()V",
            "new not/There | pop",
            "new kit/Face | pop",
            "new kit/Base | dup | invokespecial kit/Base <init> ()I",
        ]
    ):
        yield body_case(f"{number}: {text}", text)


def constructors():
    """Yields constructors that call super() or this() not at all, twice, on some paths, of another class or on another
    object, and constructors that access fields before the call."""
    bodies = [
        "return",
        "aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | invokespecial C <init> (J)V | return",
        "aload_0 | invokespecial java/lang/Object <init> ()V | return",
        "aload_0 | invokespecial kit/Derived <init> ()V | return",
        "aload_0 | iconst_0 | invokespecial kit/Base <init> (I)V | return",
        "aload_0 | lconst_0 | invokespecial kit/Base <init> (J)V | return",
        "aload_0 | invokespecial kit/Base <init> ()V | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | dup | invokespecial kit/Base <init> ()V | invokespecial kit/Base <init> ()V | return",
        "aload_0 | dup | invokespecial kit/Base <init> ()V | invokevirtual C x ()V | return",
        "aload_0 | dup | invokespecial kit/Base <init> ()V | areturn",
        "new C | dup | invokespecial C <init> ()V | pop | return",
        "new C | dup | invokespecial C <init> ()V | astore_0 | return",
        "aconst_null | astore_0 | return",
        "aload_0 | astore_1 | aconst_null | astore_0 | aload_1 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | aconst_null | astore_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | iconst_0 | putfield C f I | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | lconst_0 | putfield C j J | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | aload_0 | putfield C o Ljava/lang/Object; | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | iconst_0 | putfield kit/Base open I | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | iconst_0 | putfield kit/Base guarded I | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | iconst_0 | putfield C open I | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | iconst_0 | putfield C missing I | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | fconst_0 | putfield C f F | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | iconst_0 | putfield C s I | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | getfield C f I | pop | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | getfield kit/Base guarded I | pop | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | invokevirtual C x ()V | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | invokespecial C x ()V | aload_0 | invokespecial kit/Base <init> ()V | return",
        "iconst_0 | ifeq T | aload_0 | invokespecial kit/Base <init> ()V | .frame T {0} / | T: return",
        "iconst_0 | ifeq T | aload_0 | invokespecial kit/Base <init> ()V | goto U | .frame T this / | T: aload_0 | invokespecial kit/Base <init> ()V | .frame U {0} / | U: return",
        "iconst_0 | ifeq T | aload_0 | invokespecial kit/Base <init> ()V | return | .frame T {0} / | T: aload_0 | invokespecial kit/Base <init> ()V | return",
        "iconst_0 | ifeq T | nop | .frame T {0} / | T: aload_0 | invokespecial kit/Base <init> ()V | return",
        "goto T | .frame T {0} / | T: aload_0 | invokespecial kit/Base <init> ()V | iconst_0 | ifeq T | return",
        ".frame L {0} / | L: goto L",
        "aload_0 | goto T | .frame T {0} / this | T: invokespecial kit/Base <init> ()V | return",
        "aload_0 | goto T | .frame T top / this | T: invokespecial kit/Base <init> ()V | return",
        "aconst_null | astore_0 | goto T | .frame T {0} / | T: return",
        "aconst_null | athrow",
        "aload_0 | athrow",
        "aload_0 | monitorenter | aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | ifnull T | nop | .frame T this / | T: aload_0 | invokespecial kit/Base <init> ()V | return",
        "aload_0 | aload_0 | if_acmpeq T | nop | .frame T this / | T: aload_0 | invokespecial kit/Base <init> ()V | return",
    ]

    def members(file):
        file.field(PUBLIC, "f", "I")
        file.field(PUBLIC, "j", "J")
        file.field(PUBLIC, "o", "Ljava/lang/Object;")
        file.field(PUBLIC | STATIC, "s", "I")

    for text in bodies:
        for frame in ("this", "top", "object:C", "", "null") if "{0}" in text else ("",):
            yield body_case(f"{text} with {frame}", text.format(frame), constructor=True, end="", prepare=members)
    # A constructor calls <init> of kit/Base, which is not its direct superclass.
    for parent in ("java/lang/Object", "kit/Derived", "java/lang/Throwable"):

        def make(version, parent=parent):
            file = ClassFile(version, parent=parent)
            file.code(PUBLIC, "<init>", "()V", "aload_0 | invokespecial kit/Base <init> ()V | return")
            return file.bytes()

        yield Case(f"super() of kit/Base in a subclass of {parent}", make)


def instantiated():
    """Yields code that instantiates classes which cannot be instantiated. The errors come at run time, so the method is
    called."""
    for type in (
        "java/lang/Class java/lang/Object java/lang/Number java/lang/Runnable kit/Half kit/Face kit/Choice kit/Local kit/Base"
        " kit/Sealed java/lang/Enum java/lang/String java/lang/Void java/lang/ref/Reference java/lang/Module java/lang/Override"
        " java/lang/invoke/MethodHandle java/lang/invoke/VarHandle java/lang/StackTraceElement not/There java/lang/Process"
    ).split():
        yield Case(f"new {type}", in_method(f"new {type} | pop | return"), call=True)
        yield Case(f"anewarray {type}", in_method(f"iconst_1 | anewarray {type} | pop | return"), call=True)
        yield Case(f"checkcast {type}", in_method(f"aconst_null | checkcast {type} | pop | return"), call=True)
        yield Case(f"instanceof {type} of null", in_method(f"aconst_null | instanceof {type} | pop | return"), call=True)
        yield Case(f"instanceof {type}", in_method(f"ldc string s | instanceof {type} | pop | return"), call=True)
        yield Case(f"multianewarray {type}", in_method(f"iconst_0 | iconst_m1 | multianewarray [[L{type}; 2 | pop | return"), call=True)
        yield Case(f"ldc {type}", in_method(f"ldc class {type} | pop | return"), call=True)


RULES = [handlers, created, constructors, instantiated]
