# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Generates random class files, as text for assembler.py, with code that the JVMS allows and javac does not generate.

    blocks in any order, jumped to from anywhere: loops with several entries, backward branches that carry operands,
        goto_w and jsr_w over short distances
    stacks that are not empty where paths meet; uninitialised objects that stay on the stack during a branch
    jsr and ret, nested, called from places with different contents of a local that the subroutine does not use
    handlers inside their own ranges, ranges that overlap and nest in no order
    monitors that are entered and left in no order, or not at all
    every dup form over every mixture of categories; wide forms where short ones would do; locals that change their types

A block begins with a known stack, its *shape*, and known types of the scratch locals. Local 0, `fuel`, bounds the time
of a method. Each backward jump and each handler decrements `fuel`. At zero, the code does not take the backward jump,
and the handler ends the method.

Types: I J F D; O Object, S String, T Throwable, P the class itself; [I [J [B [D [O arrays.
"""
import random

from tree import Many, Text

CLASS_OF = {
    "O": "java/lang/Object",
    "S": "java/lang/String",
    "T": "java/lang/Throwable",
    "[I": "[I",
    "[J": "[J",
    "[B": "[B",
    "[D": "[D",
    "[O": "[Ljava/lang/Object;",
}
ARRAYS = {
    "[I": ("int", "I", "ia"),
    "[J": ("long", "J", "la"),
    "[B": ("byte", "I", "ba"),
    "[D": ("double", "D", "da"),
    "[O": (None, "O", "aa"),
}
LETTER = {"I": "i", "J": "l", "F": "f", "D": "d"}
NUMBERS = ["I", "J", "F", "D"]
REFERENCES = ["O", "S", "P", "[I", "[J", "[B", "[D", "[O"]
TYPES = NUMBERS + REFERENCES
INTS = [
    0,
    1,
    -1,
    2,
    3,
    7,
    31,
    32,
    33,
    63,
    64,
    100,
    127,
    128,
    -128,
    -129,
    255,
    32767,
    -32768,
    65536,
    2147483647,
    -2147483648,
    1000000007,
]
LONGS = [0, 1, -1, 2, 31, 63, 64, 255, 1 << 31, 1 << 32, (1 << 63) - 1, -(1 << 63), -3, 10**12]
FLOATS = [
    0x0,
    0x80000000,
    0x3F800000,
    0xBF800000,
    0x7FC00000,
    0x7F800000,
    0xFF800000,
    1,
    0x4B800000,
    0x4F000000,
    0xCF000001,
    0x40200000,
]
DOUBLES = [
    0x0,
    1 << 63,
    0x3FF0000000000000,
    0xBFF0000000000000,
    0x7FF8000000000000,
    0x7FF0000000000000,
    0xFFF0000000000000,
    1,
    0x43E0000000000000,
    0x41DFFFFFFFC00000,
    0xC1E0000000200000,
    0x4004000000000000,
]
CATCHABLE = [
    "any",
    "any",
    "java/lang/Throwable",
    "java/lang/RuntimeException",
    "java/lang/ArithmeticException",
    "java/lang/NullPointerException",
    "java/lang/IndexOutOfBoundsException",
]
SIMPLE = [  # (instruction, types that it pops, type that it pushes)
    *[(f"{t}{op}", [u, u], u) for u, t in LETTER.items() for op in ("add", "sub", "mul")],
    *[(f"{t}{op}", [u, u], u) for u, t in LETTER.items() if u in "FD" for op in ("div", "rem")],
    *[(f"{t}neg", [u], u) for u, t in LETTER.items()],
    *[(f"{t}{op}", [u, u], u) for u, t in LETTER.items() if u in "IJ" for op in ("and", "or", "xor")],
    *[(f"{t}{op}", [u, "I"], u) for u, t in LETTER.items() if u in "IJ" for op in ("shl", "shr", "ushr")],
    *[(f"{LETTER[u]}2{LETTER[v]}", [u], v) for u in NUMBERS for v in NUMBERS if u != v],
    ("i2b", ["I"], "I"),
    ("i2c", ["I"], "I"),
    ("i2s", ["I"], "I"),
    ("lcmp", ["J", "J"], "I"),
    ("fcmpl", ["F", "F"], "I"),
    ("fcmpg", ["F", "F"], "I"),
    ("dcmpl", ["D", "D"], "I"),
    ("dcmpg", ["D", "D"], "I"),
    ("nop", [], None),
    *[("arraylength", [a], "I") for a in ARRAYS],
    ("invokestatic java/lang/Math max (II)I", ["I", "I"], "I"),
    ("invokestatic java/lang/Math min (JJ)J", ["J", "J"], "J"),
    ("invokestatic java/lang/Math abs (D)D", ["D"], "D"),
    ("invokestatic java/lang/Math sqrt (D)D", ["D"], "D"),
    ("invokevirtual java/lang/String length ()I", ["S"], "I"),
    (
        "invokevirtual java/lang/String concat (Ljava/lang/String;)Ljava/lang/String;\n  invokestatic Digest cut (Ljava/lang/String;)Ljava/lang/String;",
        ["S", "S"],
        "S",
    ),
    ("invokestatic java/lang/String valueOf (D)Ljava/lang/String;", ["D"], "S"),
    ("invokestatic java/lang/Integer valueOf (I)Ljava/lang/Integer;", ["I"], "O"),
    ("invokestatic java/lang/Long valueOf (J)Ljava/lang/Long;", ["J"], "O"),
    ("invokeinterface java/lang/CharSequence length ()I", ["S"], "I"),
    ("invokeinterface java/lang/Comparable compareTo (Ljava/lang/Object;)I", ["S", "O"], "I"),
    ("invokestatic Digest cut (Ljava/lang/String;)Ljava/lang/String;", ["S"], "S"),
    *[(f"instanceof {CLASS_OF[u]}", ["O"], "I") for u in ("S", "T", "[I", "[O")],
    *[(f"idiv", ["I", "I"], "I"), (f"irem", ["I", "I"], "I"), (f"ldiv", ["J", "J"], "J"), (f"lrem", ["J", "J"], "J")],
]

SMALL = [  # (name, descriptor, arguments, result, code): without branches, short enough to be inlined
    ("quotient", "(II)I", ["I", "I"], "I", "iload_0 iload_1 idiv ireturn"),
    ("rest", "(JJ)J", ["J", "J"], "J", "lload_0 lload_2 lrem lreturn"),
    ("element", "([II)I", ["[I", "I"], "I", "aload_0 iload_1 iaload ireturn"),
    ("size", "(Ljava/lang/String;)I", ["S"], "I", "aload_0 invokevirtual:java/lang/String:length:()I ireturn"),
    (
        "letter",
        "(Ljava/lang/String;I)I",
        ["S", "I"],
        "I",
        "aload_0 iload_1 invokevirtual:java/lang/String:charAt:(I)C ireturn",
    ),
    ("second", "(DJ)J", ["D", "J"], "J", "lload_2 lreturn"),
    ("first", "(DFI)D", ["D", "F", "I"], "D", "dload_0 fload_2 f2d dadd iload_3 i2d dsub dreturn"),
    ("same", "(Ljava/lang/Object;)Ljava/lang/Object;", ["O"], "O", "aload_0 areturn"),
    ("swapped", "(IF)F", ["I", "F"], "F", "iload_0 i2f fload_1 swap fdiv freturn"),
    ("narrow", "(I)I", ["I"], "I", "iload_0 i2b iload_0 i2c iadd iload_0 bipush:7 ishr ixor ireturn"),
    ("assigned", "(IJ)J", ["I", "J"], "J", "iinc:0:3 iload_0 i2l lload_1 ladd lstore_1 lload_1 lreturn"),
    ("cast", "(Ljava/lang/Object;)Ljava/lang/String;", ["O"], "S", "aload_0 checkcast:java/lang/String areturn"),
]


def width(type):
    return 2 if type in ("J", "D") else 1


def slots(stack):
    return sum(map(width, stack))


def fits(type, wanted):
    return type == wanted or (wanted == "O" and type not in NUMBERS)


class Method:
    """`signature`: (name, argument types, result type)."""

    def __init__(self, program, signature, callees, blocks):
        self.program, self.dice, self.callees = program, program.dice, callees
        self.name, self.arguments, self.result = signature
        self.lines, self.highest, self.labels = [], 0, 0
        dice = self.dice
        # Locals: the fuel, the arguments, some locals of each type that never change their type, and scratch locals,
        # whose type depends on the path.
        self.fixed = {}   # {local: its type}
        at = 0
        for type in ["I"] + self.arguments:
            self.fixed[at] = type
            at += width(type)
        self.first_free = at
        for type in dice.sample(TYPES, len(TYPES)) + [dice.choice(TYPES) for _ in range(dice.randrange(6))]:
            at += 300 if dice.random() < 0.01 else 0
            self.fixed[at] = type
            at += width(type)
        self.scratch_locals = [at + 2 * n for n in range(4)]
        self.return_locals = [at + 8 + n for n in range(3)]   # return addresses of subroutines, by nesting level
        self.handler_local = at + 11
        self.locals = at + 12
        self.scratch = {}   # the types that scratch locals have here
        self.stack = []
        self.shapes = [[]] + [[dice.choice(TYPES) for _ in range(dice.choice([1, 1, 2, 3, 5]))] for _ in range(2)]
        self.scratches = [{}] + [
            {local: dice.choice(TYPES) for local in self.scratch_locals if dice.random() < 0.7} for _ in range(2)
        ]
        self.make(blocks)

    # Emitting

    def emit(self, text, pops=0, push=None):
        if pops:
            del self.stack[-pops:]
        if push:
            self.stack.append(push)
        self.highest = max(self.highest, slots(self.stack))
        self.lines.append(text)

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def local(self, what, index, more=""):
        """Returns a load, store or iinc in one of its encodings."""
        short = index < 4 and what not in ("iinc", "ret")
        form = self.dice.random()
        if index > 255 or form < 0.1:
            return f"wide_{what} {index}{more}"
        return f"{what}_{index}" if short and form < 0.7 else f"{what} {index}{more}"

    def constant(self, type):
        dice = self.dice
        if type == "I":
            v = dice.choice(INTS)
            if -1 <= v <= 5 and dice.random() < 0.7:
                text = f"iconst_{v}" if v >= 0 else "iconst_m1"
            elif -128 <= v <= 127 and dice.random() < 0.7:
                text = f"bipush {v}"
            else:
                text = (
                    f"sipush {v}"
                    if -32768 <= v <= 32767 and dice.random() < 0.7
                    else f"{dice.choice(['ldc', 'ldc_w'])} int {v}"
                )
        elif type == "J":
            v = dice.choice(LONGS)
            text = f"lconst_{v}" if v in (0, 1) and dice.random() < 0.7 else f"ldc2_w long {v}"
        elif type == "F":
            text = (
                dice.choice(["fconst_0", "fconst_1", "fconst_2"])
                if dice.random() < 0.3
                else f"ldc float {dice.choice(FLOATS)}"
            )
        elif type == "D":
            text = (
                dice.choice(["dconst_0", "dconst_1"])
                if dice.random() < 0.3
                else f"ldc2_w double {dice.choice(DOUBLES)}"
            )
        elif type in ("S", "O"):
            text = "ldc string " + dice.choice(["a", "key", "Keyhole", "12"])
        elif type == "P":
            text = f"getstatic {self.program.name} self L{self.program.name};"
        elif type == "T":
            text = f"getstatic {self.program.name} thrown Ljava/lang/RuntimeException;"
        else:
            self.emit(self.constant_text_of_length())
            self.stack.append("I")
            self.highest = max(self.highest, slots(self.stack))
            name = ARRAYS[type][0]
            self.emit(f"newarray {name}" if name else "anewarray java/lang/Object", 1, type)
            return
        if type not in NUMBERS and dice.random() < 0.03:
            text = "aconst_null"
        self.emit(text, 0, type)

    def constant_text_of_length(self):
        return "bipush 8" if self.dice.random() < 0.95 else self.dice.choice(["iconst_0", "iconst_m1"])

    def push(self, type):
        """Pushes a value of the type, from a local, a field or a constant."""
        dice = self.dice
        letter = LETTER.get(type, "a")
        places = [l for l, t in self.fixed.items() if l and fits(t, type)] + [
            l for l, t in self.scratch.items() if fits(t, type)
        ]
        form = dice.random()
        if places and form < 0.65:
            self.emit(self.local(f"{letter}load", dice.choice(places)), 0, type)
        elif type in self.program.fields and form < 0.8:
            name, static = dice.choice(self.program.fields[type])
            if static:
                self.emit(f"getstatic {self.program.name} {name} {self.program.descriptor(type)}", 0, type)
            else:
                self.push("P")
                self.emit(f"getfield {self.program.name} {name} {self.program.descriptor(type)}", 1, type)
        else:
            self.constant(type)

    def pop(self):
        """Stores or drops the value on top of the stack."""
        dice = self.dice
        type = self.stack[-1]
        letter = LETTER.get(type, "a")
        places = [l for l, t in self.fixed.items() if l and fits(type, t)]
        form = dice.random()
        if places and form < 0.4:
            self.emit(self.local(f"{letter}store", dice.choice(places)), 1)
        elif form < 0.5 and type in self.program.fields:
            static = [name for name, is_static in self.program.fields[type] if is_static]
            self.emit(f"putstatic {self.program.name} {dice.choice(static)} {self.program.descriptor(type)}", 1)
        elif form < 0.65:
            self.emit(f"invokestatic Digest add ({type if type in NUMBERS else 'Ljava/lang/Object;'})V", 1)
        elif width(type) == 2:
            self.emit("pop2", 1)
        elif form < 0.75 and len(self.stack) > 1 and width(self.stack[-2]) == 1:
            self.emit("pop2", 2)
        else:
            self.emit("pop", 1)

    def adapt(self, shape):
        """Changes the stack to the shape with which a block begins. Keeps the lowest values that fit this shape."""
        common = 0
        while common < min(len(shape), len(self.stack)) and fits(self.stack[common], shape[common]):
            common += 1
        while len(self.stack) > common:
            self.pop()
        common = min(common, len(self.stack))   # a pop2 may have removed one value more
        self.stack = list(shape[:common])
        for type in shape[common:]:
            self.push(type)

    def adapt_scratch(self, wanted):
        for local, type in wanted.items():
            if local not in self.scratch or not fits(self.scratch[local], type):
                self.push(type)
                self.emit(self.local(f"{LETTER.get(type, 'a')}store", local), 1)
                self.scratch[local] = type
        self.scratch = dict(wanted)

    # Instructions in a block

    def ensure(self, pops):
        """Makes sure that operands of the types `pops` are on top of the stack: values that are there, or new ones."""
        have = self.stack[len(self.stack) - len(pops):] if pops else []
        if len(have) == len(pops) and all(fits(a, b) for a, b in zip(have, pops)) and self.dice.random() < 0.9:
            return
        for type in pops:
            self.push(type)

    def simple(self):
        dice = self.dice
        text, pops, push = dice.choice(SIMPLE)
        self.ensure(pops)
        if text in ("idiv", "irem", "ldiv", "lrem") and dice.random() < 0.85:
            self.emit("iconst_1" if text[0] == "i" else "lconst_1", 0, pops[0])
            self.emit(f"{text[0]}or", 2, pops[0])
        self.emit(text, len(pops), push)

    def shuffle(self):
        """Emits a swap or a form of dup that the topmost values allow by their categories (JVMS 2.11.1)."""
        s = self.stack
        w = [width(t) for t in s[-4:]][::-1] + [0] * 4   # widths from the top of the stack
        ways = []
        if w[0] == 1:
            ways.append(("dup", 1, [0, 0]))
            if w[1] == 1:
                ways += [("swap", 2, [0, 1]), ("dup_x1", 2, [0, 1, 0]), ("dup2", 2, [1, 0, 1, 0])]
                if w[2] == 1:
                    ways += [("dup_x2", 3, [0, 2, 1, 0]), ("dup2_x1", 3, [1, 0, 2, 1, 0])]
                    if w[3] == 1:
                        ways.append(("dup2_x2", 4, [1, 0, 3, 2, 1, 0]))
                elif w[2] == 2:
                    ways.append(("dup2_x2", 3, [1, 0, 2, 1, 0]))
            elif w[1] == 2:
                ways.append(("dup_x2", 2, [0, 1, 0]))
        elif w[0] == 2:
            ways.append(("dup2", 1, [0, 0]))
            if w[1] == 1:
                ways.append(("dup2_x1", 2, [0, 1, 0]))
                if w[2] == 1:
                    ways.append(("dup2_x2", 3, [0, 2, 1, 0]))
            elif w[1] == 2:
                ways.append(("dup2_x2", 2, [0, 1, 0]))
        if not ways or slots(s) > 24:
            return self.pop() if s else self.push(self.dice.choice(TYPES))
        text, count, order = self.dice.choice(ways)
        taken = s[-count:][::-1]
        del s[-count:]
        s += [taken[n] for n in order]
        self.emit(text)

    def element(self):
        array, (_, type, letters) = self.dice.choice(list(ARRAYS.items()))
        self.push(array)
        self.push("I")
        if self.dice.random() < 0.95:
            self.emit("bipush 7", 0, "I")
            self.emit("iand", 2, "I")
        if self.dice.random() < 0.5:
            self.emit(f"{letters}load", 2, type)
        else:
            self.push(type)
            self.emit(f"{letters}store", 3)

    def field(self):
        type = self.dice.choice(list(self.program.fields))
        names = [name for name, static in self.program.fields[type] if not static]
        self.push("P")
        self.push(type)
        self.emit(f"putfield {self.program.name} {self.dice.choice(names)} {self.program.descriptor(type)}", 2)

    def cast(self):
        type = self.dice.choice(["S", "[I", "[O", "P"])
        if self.dice.random() < 0.2:
            self.push("O")
        else:
            self.push(type)   # the cast succeeds
            self.stack[-1] = "O"
        self.emit(f"checkcast {self.program.name if type == 'P' else CLASS_OF[type]}", 1, type)

    def diamond(self):
        """Pushes a value on each of two paths that meet, above the earlier operands. One path follows the conditional
        branch in the code, and the other path begins at the branch's target."""
        type = self.dice.choice(TYPES)
        other, end = self.label(), self.label()
        self.branch_operands(other)
        below = list(self.stack)
        self.push(type)
        self.emit(f"{self.dice.choice(['goto', 'goto_w'])} {end}")
        self.stack = below
        self.emit(f"{other}:")
        self.push(type)
        self.emit(f"{end}:")

    def uninitialised(self):
        """Emits `new` and a constructor's call. While the object is uninitialised, the argument is pushed on one of two
        paths."""
        self.emit("new java/lang/RuntimeException", 0, "T")
        self.emit("dup", 0, "T")
        other, end = self.label(), self.label()
        self.branch_operands(other)
        self.emit("ldc string one", 0, "S")
        self.emit(f"goto {end}", 1)
        self.emit(f"{other}:")
        self.emit("ldc string other", 0, "S")
        self.emit(f"{end}:")
        self.emit("invokespecial java/lang/RuntimeException <init> (Ljava/lang/String;)V", 2)

    def branch_operands(self, target):
        """Emits the operands of a conditional jump, and the jump."""
        form = self.dice.randrange(4)
        if form == 0:
            self.push("I")
            self.emit(f"{self.dice.choice(['ifeq', 'ifne', 'iflt', 'ifge', 'ifgt', 'ifle'])} {target}", 1)
        elif form == 1:
            self.push("I")
            self.push("I")
            self.emit(f"if_icmp{self.dice.choice(['eq', 'ne', 'lt', 'ge', 'gt', 'le'])} {target}", 2)
        elif form == 2:
            self.push("O")
            self.emit(f"{self.dice.choice(['ifnull', 'ifnonnull'])} {target}", 1)
        else:
            type = self.dice.choice(["J", "F", "D"])
            self.push(type)
            self.push(type)
            self.emit(
                {"J": "lcmp", "F": self.dice.choice(["fcmpl", "fcmpg"]), "D": self.dice.choice(["dcmpl", "dcmpg"])}[
                    type
                ],
                2,
                "I",
            )
            self.emit(f"{self.dice.choice(['ifeq', 'ifne', 'iflt', 'ifge', 'ifgt', 'ifle'])} {target}", 1)

    def store_scratch(self):
        type = self.dice.choice(TYPES)
        self.ensure([type])
        local = self.dice.choice(self.scratch_locals)
        self.emit(self.local(f"{LETTER.get(type, 'a')}store", local), 1)
        self.scratch[local] = type

    def monitor(self):
        """Locks or unlocks an object, mostly in balance. If not, an IllegalMonitorStateException follows, at once or
        when the method returns."""
        if not self.program.locks:
            return self.simple()
        local = self.dice.choice([l for l, t in self.fixed.items() if t not in NUMBERS])
        enter, exit = [(self.local("aload", local), name) for name in ("monitorenter", "monitorexit")]
        for load, name in self.dice.choice(
            [[enter, exit]] * 6 + [[enter, enter, exit, exit]] * 2 + [[enter], [exit], [enter, exit, exit]]
        ):
            self.emit(load, 0, "O")
            self.emit(name, 1)
            if self.dice.random() < 0.4:
                self.simple()

    def increment(self):
        local = self.dice.choice([l for l, t in self.fixed.items() if t == "I" and l])
        self.emit(self.local("iinc", local, f" {self.dice.choice([1, -1, 2, 127, -128])}"))

    def call_small(self):
        """Emits a call of a small method, which may be inlined and may throw."""
        program = self.program
        if self.dice.random() < 0.5:
            name, descriptor, arguments, result, _ = self.dice.choice(SMALL)
            self.ensure(arguments)
            self.emit(f"invokestatic {program.name} {name} {descriptor}", len(arguments), result)
            return
        type = self.dice.choice(list(program.fields))
        if self.dice.random() < 0.6:
            self.push("P")
            self.emit(f"invokevirtual {program.name} get_{program.letter(type)} (){program.descriptor(type)}", 1, type)
        else:
            self.push("P")
            self.push(type)
            self.emit(f"invokevirtual {program.name} set_{program.letter(type)} ({program.descriptor(type)})V", 2)

    def call(self):
        if not self.callees or self.dice.random() < 0.5:
            return self.call_small()
        name, arguments, result = self.dice.choice(self.callees)
        for type in arguments:
            self.push(type)
        descriptors = "".join(self.program.descriptor(type) for type in arguments)
        self.emit(
            f"invokestatic {self.program.name} {name} ({descriptors}){self.program.descriptor(result)}",
            len(arguments),
            result,
        )

    def jump_to_subroutine(self, level):
        """Emits a jsr. The scratch locals keep the values that they hold."""
        own = [each for each in self.subroutines if each["level"] > level]
        if not own:
            return self.simple()
        chosen = self.dice.choice(own)
        self.adapt(chosen["shape"])
        self.emit(f"{self.dice.choice(['jsr', 'jsr', 'jsr_w'])} {chosen['label']}")
        self.highest = max(self.highest, slots(self.stack) + 1)

    def instruction(self, level=-1):
        dice = self.dice
        while slots(self.stack) > 20:
            self.pop()
        choice = dice.random()
        if choice < 0.34:
            self.simple()
        elif choice < 0.50:
            self.shuffle()
        elif choice < 0.57:
            self.element()
        elif choice < 0.62:
            self.field()
        elif choice < 0.66:
            self.cast()
        elif choice < 0.72:
            self.diamond()
        elif choice < 0.74:
            self.uninitialised()
        elif choice < 0.80:
            self.store_scratch() if level < 0 else self.increment()   # a subroutine does not write scratch locals
        elif choice < 0.84:
            self.increment()
        elif choice < 0.88:
            self.call()
        elif choice < 0.91:
            self.jump_to_subroutine(level)
        elif choice < 0.93:
            self.monitor()
        elif choice < 0.96 and self.stack:
            self.pop()
        else:
            self.push(dice.choice(TYPES))

    # Blocks

    def leave(self):
        """Emits a return. Further values may be on the stack."""
        self.push(self.result)
        self.emit(f"{LETTER.get(self.result, 'a')}return", 1)

    def jump_back(self, block):
        """Emits a jump to this block or an earlier one. The jump counts the local `fuel` down, and is taken while
        `fuel` is positive. It is a conditional branch, or a branch around a goto."""
        self.emit(self.local("iinc", 0, " -1"))
        self.emit(self.local("iload", 0), 0, "I")
        if self.dice.random() < 0.6:
            self.emit(f"ifgt {block['label']}", 1)
        else:
            on = self.label()
            self.emit(f"ifle {on}", 1)
            self.emit(f"{self.dice.choice(['goto', 'goto_w'])} {block['label']}")
            self.emit(f"{on}:")

    def end_block(self, number):
        """Ends a block: emits some jumps to any blocks, and then a jump to a later block, a return or a throw."""
        dice, blocks = self.dice, self.blocks
        for _ in range(dice.choice([0, 1, 1, 2])):
            target = dice.choice(blocks)
            if target["handles"]:
                continue
            self.adapt(target["shape"])
            self.adapt_scratch(target["scratch"])
            if target["number"] <= number:
                self.jump_back(target)
            else:
                self.branch_operands(target["label"])
        below = [each for each in blocks[number + 1:] if not each["handles"]]
        if not below:
            return self.leave()
        form = dice.random()
        target = dice.choice(below[:4])
        same = [each for each in below if each["shape"] == target["shape"] and each["scratch"] == target["scratch"]]
        if form < 0.05:
            return self.leave()
        if form < 0.1:
            self.push("T")
            self.emit("athrow", 1)
            return
        self.adapt(target["shape"])
        self.adapt_scratch(target["scratch"])
        if form < 0.25 and len(same) > 1:
            self.push("I")
            labels = [dice.choice(same)["label"] for _ in range(dice.randrange(1, 6))]
            default = dice.choice(same)["label"]
            if dice.random() < 0.5:
                self.emit(f"tableswitch {dice.choice([0, -1, 7, -2147483648])} {' '.join(labels)} default {default}", 1)
            else:
                keys = dice.sample(INTS, len(labels))
                self.emit(
                    f"lookupswitch {' '.join(f'{key} {label}' for key, label in zip(keys, labels))} default {default}",
                    1,
                )
            return
        following = blocks[number + 1]
        if target is following and dice.random() < 0.7:
            return   # falls through into the next block
        self.emit(f"{dice.choice(['goto', 'goto', 'goto_w'])} {target['label']}")

    def begin_handler(self):
        """Begins a handler: stores the exception, counts the local `fuel` down, and ends the method if `fuel` is zero.
        This code never throws."""
        self.stack = ["T"]
        self.highest = max(self.highest, 1)
        self.emit(self.local("astore", self.handler_local), 1)
        self.emit(self.local("iinc", 0, " -1"))
        self.emit(self.local("iload", 0), 0, "I")
        self.emit(
            "ifle END", 1
        )  # outside all handlers: a return with a monitor held throws, and a handler would catch that
        self.emit(self.local("aload", self.handler_local), 0, "O")
        self.emit("invokestatic Digest add (Ljava/lang/Object;)V", 1)

    def make(self, count):
        dice = self.dice
        self.blocks = [
            {
                "number": n,
                "label": f"B{n}",
                "handles": n > 0 and dice.random() < 0.15,
                "shape": dice.choice(self.shapes),
                "scratch": dice.choice(self.scratches),
            }
            for n in range(count)
        ]
        self.subroutines = [
            {"level": n, "label": f"S{n}", "shape": dice.choice(self.shapes)}
            for n in range(dice.choice([0, 0, 1, 2, 3]))
        ]
        for local, type in self.fixed.items():
            if local >= self.first_free:
                self.constant(type)
                self.emit(self.local(f"{LETTER.get(type, 'a')}store", local), 1)
        self.adapt(self.blocks[0]["shape"])
        self.adapt_scratch(self.blocks[0]["scratch"])
        if self.blocks[0]["handles"]:
            self.blocks[0]["handles"] = False
        for block in self.blocks:
            self.emit(f"{block['label']}:")
            if block["handles"]:
                self.scratch = {}
                self.begin_handler()
            else:
                self.stack, self.scratch = list(block["shape"]), dict(block["scratch"])
                self.highest = max(self.highest, slots(self.stack))
            for _ in range(dice.randrange(1, 9)):
                self.instruction()
            self.end_block(block["number"])
            self.emit(f"E{block['number']}:")
        for sub in self.subroutines:
            self.emit(f"{sub['label']}:")
            self.stack, self.scratch = list(sub["shape"]), {}
            self.highest = max(self.highest, slots(self.stack) + 1)
            self.emit(self.local("astore", self.return_locals[sub["level"]]))
            for _ in range(dice.randrange(1, 7)):
                self.instruction(sub["level"])
            self.adapt(sub["shape"])
            self.emit(self.local("ret", self.return_locals[sub["level"]]))
        self.emit("END:")
        self.emit("nop")   # the last label needs code after it
        self.leave_at_end()
        for block in self.blocks:
            if block["handles"]:
                for _ in range(dice.choice([1, 1, 2])):
                    first = dice.randrange(len(self.blocks))
                    last = dice.randrange(first, len(self.blocks))
                    self.lines.append(f".catch {dice.choice(CATCHABLE)} B{first} E{last} {block['label']}")

    def leave_at_end(self):
        self.stack = []
        self.constant(self.result)
        self.emit(f"{LETTER.get(self.result, 'a')}return", 1)

    def text(self):
        descriptors = "".join(self.program.descriptor(type) for type in self.arguments)
        head = f".method public+static{'+synchronized' if self.program.locks and self.dice.random() < 0.5 else ''} {self.name} (I{descriptors}){self.program.descriptor(self.result)} {self.highest + 2} {self.locals}\n"
        ranges = [line for line in self.lines if line.startswith(".catch")]
        code = [line for line in self.lines if not line.startswith(".catch")]
        return Text(head, Many(*[f"  {line}\n" for line in code]), Many(*[f"  {line}\n" for line in ranges]), ".end\n")


class Program:
    def __init__(self, name, seed):
        self.name, self.dice = name, random.Random(seed)
        dice = self.dice
        self.locks = dice.random() < 0.4
        self.fields = {
            type: [(f"s_{n}", True), (f"f_{n}", False)] for n, type in enumerate(["I", "J", "F", "D", "O", "S", "[I"])
        }
        self.methods, callees = [], []
        for level in range(dice.choice([1, 2, 3])):
            # The first argument of each method is its fuel. A call inside a method goes through a forwarder, which
            # passes a small constant.
            signature = (
                f"m{level}",
                [dice.choice(TYPES) for _ in range(dice.choice([0, 1, 2, 4]))],
                dice.choice(TYPES),
            )
            self.methods.append(Method(self, signature, callees, dice.choice([3, 5, 8, 14])))
            callees = callees + [(f"c{level}", signature[1], signature[2])]

    def descriptor(self, type):
        return (
            type
            if type in NUMBERS or type in ("[I", "[J", "[B", "[D")
            else f"L{self.name};" if type == "P" else "[Ljava/lang/Object;" if type == "[O" else f"L{CLASS_OF[type]};"
        )

    def letter(self, type):
        return type.replace("[", "A")

    def small_methods(self):
        """Returns the texts of the methods of SMALL, and of getters and setters of the fields."""
        pieces = []
        for name, descriptor, arguments, _, code in SMALL:
            lines = "".join(f"  {word.replace(':', ' ')}\n" for word in code.split())
            pieces.append(f".method public+static {name} {descriptor} 8 {slots(arguments)}\n{lines}.end\n")
        for type, each in self.fields.items():
            field = [name for name, static in each if not static][0]
            letter, descriptor = LETTER.get(type, "a"), self.descriptor(type)
            pieces.append(
                f".method public get_{self.letter(type)} (){descriptor} 2 1\n  aload_0\n  getfield {self.name} {field} {descriptor}\n  {letter}return\n.end\n"
            )
            pieces.append(
                f".method public set_{self.letter(type)} ({descriptor})V 3 3\n  aload_0\n  {letter}load_1\n  putfield {self.name} {field} {descriptor}\n  return\n.end\n"
            )
        return pieces

    def forwarder(self, method):
        """Returns the text of a forwarder: c0 calls m0, c1 calls m1, and so on, each with little fuel."""
        loads, at = [], 0
        for type in method.arguments:
            loads.append(f"  {LETTER.get(type, 'a')}load {at}\n")
            at += width(type)
        descriptors = "".join(self.descriptor(type) for type in method.arguments)
        result = self.descriptor(method.result)
        return Text(
            f".method public+static c{method.name[1:]} ({descriptors}){result} {at + 3} {at}\n  iconst_1\n",
            *loads,
            f"  invokestatic {self.name} {method.name} (I{descriptors}){result}\n  {LETTER.get(method.result, 'a')}return\n.end\n",
        )

    def round(self, method):
        """Returns code for the body of `run`. This body calls `method` with much fuel, and adds an exception of
        `method` to the digest."""
        lines = ["bipush 20"]
        for type in method.arguments:
            lines += {
                "I": ["bipush 17"],
                "J": ["ldc2_w long 123456789012"],
                "F": ["fconst_2"],
                "D": ["dconst_1"],
                "S": ["ldc string text"],
                "O": ["ldc string object"],
                "P": [f"aload 0"],
                "[O": ["bipush 8", "anewarray java/lang/Object"],
            }.get(type) or ["bipush 8", f"newarray {ARRAYS[type][0]}"]
        descriptors = "".join(self.descriptor(type) for type in method.arguments)
        lines += [f"invokestatic {self.name} {method.name} (I{descriptors}){self.descriptor(method.result)}"]
        lines += [f"invokestatic Digest add ({method.result if method.result in NUMBERS else 'Ljava/lang/Object;'})V"]
        return lines

    def tree(self):
        name = self.name
        pieces = [
            f".class {name} java/lang/Runnable\n.field public+static self L{name};\n.field public+static thrown Ljava/lang/RuntimeException;\n"
        ]
        for type, each in self.fields.items():
            pieces += [
                f".field public{'+static' if static else ''} {field} {self.descriptor(type)}\n"
                for field, static in each
            ]
        pieces.append(
            f".method public <init> ()V 3 1\n  aload_0\n  invokespecial java/lang/Object <init> ()V\n  aload_0\n  putstatic {name} self L{name};\n  new java/lang/RuntimeException\n  dup\n"
            f"  invokespecial java/lang/RuntimeException <init> ()V\n  putstatic {name} thrown Ljava/lang/RuntimeException;\n  return\n.end\n"
        )
        for method in self.methods:
            pieces += [method.text(), self.forwarder(method)]
        pieces += self.small_methods()
        run = []
        for number, method in enumerate(self.methods * 3):
            body = "".join(f"  {line}\n" for line in self.round(method))
            run.append(
                Text(
                    f"F{number}:\n",
                    body,
                    f"T{number}:\n  goto N{number}\nH{number}:\n  invokestatic Digest add (Ljava/lang/Object;)V\nN{number}:\n",
                )
            )
        pieces += [".method public run ()V 40 1\n", Many(*run)]
        for type, each in self.fields.items():
            for field, static in each:
                pieces.append(
                    (f"  getstatic" if static else "  aload_0\n  getfield")
                    + f" {name} {field} {self.descriptor(type)}\n  invokestatic Digest add ({type if type in NUMBERS else 'Ljava/lang/Object;'})V\n"
                )
        pieces.append("  return\n")
        pieces += [f"  .catch any F{n} T{n} H{n}\n" for n in range(len(run))]
        return Text(*pieces, ".end\n")
