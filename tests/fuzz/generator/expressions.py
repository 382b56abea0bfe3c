# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Random expressions of a given type.

`value(scope, type, depth)` is the entry point. Each kind of type has a table of functions that make an expression of
it. Most expressions divide, index and dereference safely, because a program that throws at its first statement does not
run the others.
"""
from tree import Text, Value

INTEGRAL = ["byte", "short", "char", "int", "long"]
NUMERIC = INTEGRAL + ["float", "double"]
PRIMITIVE = NUMERIC + ["boolean"]
BOXES = {
    "Integer": "int",
    "Long": "long",
    "Double": "double",
    "Character": "char",
    "Byte": "byte",
    "Short": "short",
    "Float": "float",
    "Boolean": "boolean",
}
ARRAY_LENGTH = 8   # length of all arrays, also inner ones, so that `& 7` makes any index valid
RARELY_UNSAFE = 0.06

INTERESTING = {
    "byte": ["0", "1", "-1", "127", "-128", "7", "64"],
    "short": ["0", "1", "-1", "32767", "-32768", "255", "-129"],
    "char": ["0", "1", "65535", "32768", "'a'", "'\\u00e9'", "255"],
    "int": [
        "0",
        "1",
        "-1",
        "2",
        "3",
        "5",
        "7",
        "8",
        "10",
        "15",
        "16",
        "31",
        "32",
        "33",
        "63",
        "64",
        "100",
        "127",
        "128",
        "-128",
        "-129",
        "255",
        "256",
        "1000",
        "32767",
        "32768",
        "-32768",
        "-32769",
        "65535",
        "65536",
        "0x7fffffff",
        "0x80000000",
        "0x80000001",
        "0x55555555",
        "-2",
        "-7",
        "1000000007",
    ],
    "long": [
        "0L",
        "1L",
        "-1L",
        "2L",
        "5L",
        "10L",
        "31L",
        "32L",
        "63L",
        "64L",
        "255L",
        "65536L",
        "0x7fffffffL",
        "0x80000000L",
        "0xffffffffL",
        "0x100000000L",
        "-2147483648L",
        "0x7fffffffffffffffL",
        "0x8000000000000000L",
        "0x8000000000000001L",
        "-3L",
        "1000000000000L",
    ],
    "float": [
        "0f",
        "-0f",
        "1f",
        "2f",
        "-1f",
        "0.5f",
        "1e10f",
        "1e38f",
        "-1e38f",
        "1e-40f",
        "Float.NaN",
        "Float.POSITIVE_INFINITY",
        "Float.NEGATIVE_INFINITY",
        "Float.MIN_VALUE",
        "16777217f",
        "2147483648f",
        "3.7f",
        "-2.5f",
    ],
    "double": [
        "0d",
        "-0d",
        "1d",
        "2d",
        "-1d",
        "0.1d",
        "1e10",
        "1e308",
        "-1e308",
        "1e-310",
        "Double.NaN",
        "Double.POSITIVE_INFINITY",
        "Double.NEGATIVE_INFINITY",
        "Double.MIN_VALUE",
        "9007199254740993d",
        "9223372036854775808d",
        "2147483648.5",
        "-2147483649.5",
        "3.7",
        "-2.5",
    ],
    "boolean": ["true", "false"],
    "String": ['""', '"a"', '"key"', '"Keyhole"', '"\\u00fc\\u20ac"', '"two\\nlines"', '"0"'],
}
FUNCTIONS = {  # result: (text with one {} per argument, types of the arguments)
    "int": [
        ("Math.max({}, {})", "int int"),
        ("Math.min({}, {})", "int int"),
        ("Math.abs({})", "int"),
        ("Integer.bitCount({})", "int"),
        ("Integer.compare({}, {})", "int int"),
        ("Long.compare({}, {})", "long long"),
        ("Double.compare({}, {})", "double double"),
        ("Float.compare({}, {})", "float float"),
        ("Integer.rotateLeft({}, {})", "int int"),
        ("Long.numberOfTrailingZeros({})", "long"),
        ("Integer.numberOfLeadingZeros({})", "int"),
        ("Integer.reverse({})", "int"),
        ("Float.floatToIntBits({})", "float"),
        ("Integer.reverseBytes({})", "int"),
        ("Integer.highestOneBit({})", "int"),
        ("Integer.signum({})", "int"),
        ("Long.hashCode({})", "long"),
        ("Integer.compareUnsigned({}, {})", "int int"),
        ("Math.floorMod({}, {} | 1)", "int int"),
        ("Character.getNumericValue({})", "char"),
        ("{}.length()", "String"),
        ("{}.hashCode()", "String"),
        ("{}.indexOf({})", "String int"),
        ("{}.compareTo({})", "String String"),
        ("Math.round({})", "float"),
        ("Double.hashCode({})", "double"),
        ("Digest.class.getModifiers() + {}", "int"),
    ],
    "long": [
        ("Math.max({}, {})", "long long"),
        ("Math.abs({})", "long"),
        ("Long.rotateRight({}, {})", "long int"),
        ("Long.reverse({})", "long"),
        ("Double.doubleToLongBits({})", "double"),
        ("Math.multiplyHigh({}, {})", "long long"),
        ("Integer.toUnsignedLong({})", "int"),
        ("Math.round({})", "double"),
        ("Long.divideUnsigned({}, {} | 1L)", "long long"),
        ("Math.floorDiv({}, {} | 1L)", "long long"),
        ("Long.bitCount({}) + 0L", "long"),
        ("Math.addExact({}, {})", "long long"),
    ],
    "float": [
        ("Math.max({}, {})", "float float"),
        ("Math.min({}, {})", "float float"),
        ("Math.abs({})", "float"),
        ("Float.intBitsToFloat({})", "int"),
        ("Math.signum({})", "float"),
        ("Math.fma({}, {}, {})", "float float float"),
    ],
    "double": [
        ("Math.max({}, {})", "double double"),
        ("Math.min({}, {})", "double double"),
        ("Math.abs({})", "double"),
        ("Math.sqrt({})", "double"),
        ("Double.longBitsToDouble({})", "long"),
        ("Math.rint({})", "double"),
        ("Math.floor({})", "double"),
        ("Math.ceil({})", "double"),
        ("Math.fma({}, {}, {})", "double double double"),
        ("StrictMath.pow({}, 2)", "double"),
    ],
    "boolean": [
        ("{}.equals({})", "String String"),
        ("{}.isEmpty()", "String"),
        ("Double.isNaN({})", "double"),
        ("{}.startsWith({})", "String String"),
        ("Character.isDigit({})", "char"),
        ("java.util.Objects.equals({}, {})", "Object Object"),
        ("Float.isInfinite({})", "float"),
        ("{}.contains({})", "String String"),
    ],
    "String": [
        ("String.valueOf({})", "int"),
        ("Integer.toHexString({})", "int"),
        ("Long.toString({})", "long"),
        ("{}.trim()", "String"),
        ("{}.toUpperCase()", "String"),
        ("Double.toString({})", "double"),
        ("Digest.cut({}.concat({}))", "String String"),
        ("Digest.cut(new StringBuilder({}).append({}).append({}).reverse().toString())", "String int char"),
        ("String.valueOf({})", "boolean"),
        ("new StringBuilder().append({}).append({}).append({}).toString()", "long boolean double"),
        ('Digest.cut(String.join("-", {}, {}))', "String String"),
        ("{}.intern()", "String"),
    ],
}
FUNCTIONS["char"] = [("Character.toUpperCase({})", "char"), ("{}.charAt({} & 1)", "String int")]


def is_array(type):
    return type.endswith("[]")


def element_of(type):
    return type[:-2]


def literal(scope, type):
    dice = scope.dice
    if type in ("byte", "short", "char"):
        return Value(type, f"({type}) ", dice.choice(INTERESTING[type]).join("()"))
    if type in ("int", "long") and dice.random() < 0.25:
        bits = dice.choice([4, 8, 16, 31] if type == "int" else [8, 31, 40, 63])
        return Value(type, str(dice.randrange(-(1 << bits), 1 << bits)) + ("L" if type == "long" else ""))
    if type in ("float", "double") and dice.random() < 0.25:
        return Value(type, f"{dice.uniform(-1000, 1000):.3f}" + type[0])
    return Value(type, dice.choice(INTERESTING[type]))


def index(scope, depth):
    if scope.dice.random() < RARELY_UNSAFE / 2:
        return Text(scope.dice.choice(["-1", "8", str(ARRAY_LENGTH + 1)]))
    inner = value(scope, scope.dice.choice(["int", "int", "int", "short", "char", "byte"]), depth - 1)
    return Text(inner, f" & {ARRAY_LENGTH - 1}")


def places(scope, type, depth, assigned=True):
    """Returns functions that make the text of an assignable variable, field or element of the type."""
    found = [lambda v=v: Text(v.name) for v in scope.of_type(type, assigned)] * 3
    for owner, name in scope.program.statics.get(type, []):
        found.append(lambda o=owner, n=name: Text(f"{o}.{n}"))
    for owner, name in scope.program.fields.get(type, []):
        if scope.this and scope.program.is_subclass(scope.this, owner):
            found += [lambda n=name: Text(f"this.{n}")] * 2
        if depth > 0:
            found.append(lambda o=owner, n=name: Text(value(scope, o, depth - 1), f".{n}"))
    array = type + "[]"
    if depth > 0 and array in scope.program.array_types:
        holders = scope.of_type(array)
        if holders:
            found += [lambda: Text(scope.dice.choice(holders).name, "[", index(scope, depth), "]")] * 3
        else:
            found.append(lambda: Text(value(scope, array, depth - 1), "[", index(scope, depth), "]"))
    return found


def place(scope, type, depth, assigned=True):
    found = places(scope, type, depth, assigned)
    return scope.dice.choice(found)() if found else None


def callable_methods(scope, result):
    return [
        m for m in scope.program.methods if m.result == result and m.level > scope.level and scope.can_pay(m.cost + 3)
    ]


def call(scope, method, depth):
    """Returns a call. The receiver of a virtual or interface method is any expression of the owner's type, so its class
    varies."""
    scope.pay(method.cost + 3)
    pieces = []
    if method.kind == "static":
        pieces.append(f"{method.owner}.")
    elif scope.this and scope.program.is_subclass(scope.this, method.owner) and scope.dice.random() < 0.4:
        pieces.append(
            "super." if scope.program.can_call_super(scope.this, method) and scope.dice.random() < 0.4 else "this."
        )
    else:
        pieces += [receiver(scope, method.owner, depth), "."]
    pieces.append(method.name + "(")
    for number, type in enumerate(method.parameters):
        pieces += [", " if number else "", value(scope, type, depth - 1)]
    pieces.append(")")
    return pieces


def receiver(scope, type, depth):
    return (
        value(scope, type, max(depth - 1, 0))
        if scope.dice.random() < 0.5
        else Value(type, f"{scope.program.name}.any{type.replace('.', '_')}(", value(scope, "int", 0), ")")
    )


def boolean(scope, depth):
    dice = scope.dice
    def compare():
        type = dice.choice(NUMERIC)
        other = type if dice.random() < 0.7 else dice.choice(NUMERIC)
        return [
            value(scope, type, depth - 1),
            dice.choice([" < ", " <= ", " > ", " >= ", " == ", " != "]),
            value(scope, other, depth - 1),
        ]
    def logic():
        return [
            value(scope, "boolean", depth - 1),
            dice.choice([" && ", " || ", " ^ ", " & ", " | ", " == "]),
            value(scope, "boolean", depth - 1),
        ]
    def same():
        type = dice.choice(scope.program.classes + ["String", "Object"])
        return [
            "(Object) ",
            value(scope, type, depth - 1),
            dice.choice([" == ", " != "]),
            value(scope, type, depth - 1) if dice.random() < 0.6 else "null",
        ]
    def is_instance():
        return [
            value(scope, "Object", depth - 1),
            " instanceof "
            + dice.choice(
                scope.program.classes
                + ["String", "Integer", "int[]", "Object[]", "Comparable", "Number", f"{scope.program.name}.A[]"]
            ),
        ]
    return dice.choice(
        [compare, compare, compare, logic, logic, same, is_instance, lambda: ["!", value(scope, "boolean", depth - 1)]]
    )()


def arithmetic(scope, type, depth):
    """Returns one operator over operands of the type, which is int, long, float or double."""
    dice = scope.dice
    left = value(scope, type, depth - 1)
    operator = dice.choice(
        ["+", "-", "*", "+", "-", "*", "/", "%"] + (["&", "|", "^", "<<", ">>", ">>>"] if type in INTEGRAL else [])
    )
    if operator in ("<<", ">>", ">>>"):
        return [left, f" {operator} ", value(scope, dice.choice(["int", "int", "long", "byte", "char"]), depth - 1)]
    if operator in ("/", "%") and type in ("int", "long") and dice.random() > RARELY_UNSAFE:
        choice = dice.random()
        if choice < 0.4:
            return [
                left,
                f" {operator} ",
                dice.choice(["2", "3", "-1", "7", "10", "16", "-8", "1", "641", "0x80000000", "1000000007"]),
            ]
        return [left, f" {operator} (", value(scope, type, depth - 1), " | 1)" if type == "int" else " | 1L)"]
    # The Java program widens a narrower operand implicitly.
    narrower = {
        "int": ["byte", "short", "char"],
        "long": ["int", "char"],
        "float": ["int", "long"],
        "double": ["float", "int", "long"],
    }
    return [
        left,
        f" {operator} ",
        value(scope, type if dice.random() < 0.75 else dice.choice(narrower[type]), depth - 1),
    ]


def number(scope, type, depth):
    dice = scope.dice
    if type in ("byte", "short", "char"):
        choices = [
            lambda: [f"({type}) ", value(scope, dice.choice(NUMERIC), depth - 1)],
            lambda: [f"({type}) ", Value("int", *arithmetic(scope, "int", depth))],
        ]
    else:
        choices = [lambda: arithmetic(scope, type, depth)] * 6 + [
            lambda: [f"({type}) ", value(scope, dice.choice(NUMERIC), depth - 1)]
        ] * 2
        choices.append(
            lambda: [
                dice.choice(["-", "+", "~"] if type in INTEGRAL else ["-", "+"]),
                " ",
                value(scope, type, depth - 1),
            ]
        )
        if type == "int":
            array = dice.choice(scope.program.array_types)
            choices.append(lambda: [value(scope, array, depth - 1), ".length"])
    for box, inner in BOXES.items():
        if inner == type:
            choices.append(lambda b=box: [f"({type}) ", value(scope, b, depth - 1)])
    def changed():
        where = place(scope, type, depth - 1)
        if where is None:
            return arithmetic(scope, "int", depth) if type == "int" else [f"({type}) ", value(scope, "int", depth - 1)]
        form = dice.randrange(4)
        if form == 0:
            return [where, dice.choice(["++", "--"])]
        if form == 1:
            return [dice.choice(["++", "--"]), where]
        if form == 2:
            return [where, " = ", value(scope, type, depth - 1)]
        return [where, *compound(scope, type, depth)]
    return dice.choice(choices + [changed] * 2)()


def compound(scope, type, depth):
    """Returns ` op= value` for a variable of the type. The operand may be wider than the variable; the assignment
    narrows the result."""
    dice = scope.dice
    if type == "boolean":
        return [dice.choice([" &= ", " |= ", " ^= "]), value(scope, "boolean", depth - 1)]
    operator = dice.choice(
        ["+", "-", "*", "+", "-", "/", "%"] + (["&", "|", "^", "<<", ">>", ">>>"] if type in INTEGRAL else [])
    )
    if operator in ("<<", ">>", ">>>", "&", "|", "^"):
        return [f" {operator}= ", value(scope, dice.choice(["int", "long", "byte"]), depth - 1)]
    if operator in ("/", "%") and type in INTEGRAL and dice.random() > RARELY_UNSAFE:
        return [f" {operator}= ", value(scope, "int", depth - 1), " | 1"]
    return [f" {operator}= ", value(scope, dice.choice(NUMERIC), depth - 1)]


def concatenation(scope, depth):
    dice = scope.dice
    pieces = ['"' + dice.choice(["", "<", "x", "\\u20ac"]) + '"']
    for _ in range(dice.choice([1, 2, 2, 3, 5])):
        pieces += [
            " + ",
            value(scope, dice.choice(PRIMITIVE + ["String", "String", "Integer", "Character"]), depth - 1),
        ]
    return ["Digest.cut(", *pieces, ")"]


def lambda_call(scope, type, depth):
    """Returns a lambda that is called at once: `((IntUnaryOperator) p -> p + x).applyAsInt(5)`."""
    forms = {
        "int": ("java.util.function.IntBinaryOperator", "applyAsInt", ["int", "int"]),
        "long": ("java.util.function.LongUnaryOperator", "applyAsLong", ["long"]),
        "double": ("java.util.function.DoubleBinaryOperator", "applyAsDouble", ["double", "double"]),
        "boolean": ("java.util.function.IntPredicate", "test", ["int"]),
        "String": ("java.util.function.Function<Object, String>", "apply", ["Object"]),
        "Object": ("java.util.function.Supplier<Object>", "get", []),
    }
    if type not in forms:
        return None
    interface, name, parameters = forms[type]
    inside = scope.captured(type)
    names = [inside.declare(each, prefix="p").name for each in parameters]
    pieces = [f"(({interface}) ({', '.join(names)}) -> ", value(inside, type, depth - 1), f").{name}("]
    for number_, each in enumerate(parameters):
        pieces += [", " if number_ else "", value(scope, each, depth - 1)]
    return pieces + [")"]


def switch_value(scope, type, depth):
    dice = scope.dice
    subject = dice.choice(["int", "String", "char"])
    labels = {
        "int": ["0", "1", "2", "-1", "100", "7"],
        "String": ['"a"', '"key"', '""'],
        "char": ["'a'", "'b'", "(char) 1"],
    }[subject]
    pieces = ["switch ", value(scope, subject, depth - 1), " { "]
    for label in dice.sample(labels, dice.randrange(1, len(labels))):
        pieces += [f"case {label} -> ", value(scope, type, depth - 1), "; "]
    return pieces + ["default -> ", value(scope, type, depth - 1), "; }"]


def reference(scope, type, depth):
    """Returns an expression of a class, interface, box or array type."""
    dice, program = scope.dice, scope.program
    if dice.random() < RARELY_UNSAFE / 2:
        return [f"({type}) null"]
    if type in BOXES:
        return [f"{type}.valueOf(", value(scope, BOXES[type], depth - 1), ")"]
    if is_array(type):
        scope.pay(4)
        inner = element_of(type)
        if is_array(inner):
            return [f"new {inner.rstrip('[]')}[{ARRAY_LENGTH}][{ARRAY_LENGTH}]" + "[]" * (inner.count("[]") - 1)]
        if depth > 0 and dice.random() < 0.3:
            pieces = [f"new {type} {{"]
            for _ in range(ARRAY_LENGTH):
                pieces += [value(scope, inner, 0), ", "]
            return pieces + ["}"]
        if type == "Object[]" and dice.random() < 0.4:
            return [
                "(Object[]) new "
                + dice.choice(["String[8]", "Integer[8]", "Object[8]", f"{program.name}.A[8]", "int[8][]"])
            ]
        return [f"new {inner}[{ARRAY_LENGTH}]"]
    if type == "Object":
        return [
            value(scope, dice.choice(program.classes + ["String", "Integer", "Long", "int[]", "Object[]"]), depth - 1)
        ]
    if type in program.enums:
        return [f"{type}.values()[", value(scope, "int", depth - 1), " & 3]"]
    subtypes = [each for each in program.concrete if program.is_subclass(each, type)]
    if dice.random() < 0.15 and depth > 0:
        other = dice.choice(program.classes)
        if dice.random() < RARELY_UNSAFE or program.is_subclass(other, type):
            return [f"({type}) (Object) ", value(scope, other, depth - 1)]
    if dice.random() < 0.3 or not subtypes or scope.program.depth_of_new > 0:
        return [f"{program.name}.any{type.replace('.', '_')}(", value(scope, "int", depth - 1), ")"]
    scope.pay(12)
    created = dice.choice(subtypes)
    pieces = [f"new {created}("]
    for number_, each in enumerate(program.constructors[created]):
        pieces += [", " if number_ else "", value(scope, each, min(depth - 1, 1))]
    return pieces + [")"]


def value(scope, type, depth):
    """Returns a random expression of the type; at depth 0 a variable or a literal, if the type has one."""
    dice = scope.dice
    scope.pay(1)
    if depth <= 0 or dice.random() < 0.18:
        near = scope.of_type(type)
        if near and dice.random() < 0.75:
            return Value(type, dice.choice(near).name)
        if type in INTERESTING:
            if dice.random() < 0.25:
                found = place(scope, type, 0, assigned=False)
                if found is not None:
                    return Value(type, found)
            return literal(scope, type)
        if near:
            return Value(type, dice.choice(near).name)
        return Value(type, *reference(scope, type, 0))
    choice = dice.random()
    if choice < 0.12:
        methods = callable_methods(scope, type)
        if methods:
            return Value(type, *call(scope, dice.choice(methods), min(depth, 2)))
    if choice < 0.25:
        found = place(scope, type, depth - 1, assigned=False)
        if found is not None:
            return Value(type, found)
    if choice < 0.30:
        return Value(
            type,
            value(scope, "boolean", depth - 1),
            " ? ",
            value(scope, type, depth - 1),
            " : ",
            value(scope, type, depth - 1),
        )
    if choice < 0.325 and depth > 1:
        return Value(type, *switch_value(scope, type, min(depth, 2)))
    if choice < 0.345 and depth > 1:
        found = lambda_call(scope, type, min(depth, 3))
        if found:
            return Value(type, *found)
    if choice < 0.42 and type in FUNCTIONS:
        form, types = dice.choice(FUNCTIONS[type])
        pieces = []
        for piece, each in zip(form.split("{}"), types.split()):
            pieces += [piece, value(scope, each, depth - 1)]
        return Value(type, *pieces, form.split("{}")[-1])
    if type == "boolean":
        return Value(type, *boolean(scope, depth))
    if type in NUMERIC:
        return Value(type, *number(scope, type, depth))
    if type == "String":
        return Value(type, *concatenation(scope, depth)) if dice.random() < 0.6 else literal(scope, type)
    return Value(type, *reference(scope, type, depth))
