# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Random statements. `block(scope, count, depth)` is the entry point.

Statements that jump (break, continue, return, throw) are under an `if`, so javac never finds the next statement
unreachable.
"""
import expressions
from far_loops import far_loop
from expressions import ARRAY_LENGTH, BOXES, NUMERIC, PRIMITIVE, element_of, is_array, value
from scope import Variable
from tree import Many, Text

EXCEPTIONS = [
    "ArithmeticException",
    "NullPointerException",
    "ArrayIndexOutOfBoundsException",
    "ClassCastException",
    "ArrayStoreException",
    "NegativeArraySizeException",
    "RuntimeException",
    "Throwable",
    "IndexOutOfBoundsException",
]
EXPRESSION_DEPTH = 4


def braces(items):
    return Text("{\n", items, "}\n")


def any_type(scope):
    dice = scope.dice
    choice = dice.random()
    if choice < 0.5:
        return dice.choice(PRIMITIVE)
    if choice < 0.6:
        return dice.choice(["String", "String", "Object"] + list(BOXES))
    if choice < 0.8:
        return dice.choice(scope.program.array_types)
    return dice.choice(scope.program.classes + scope.program.enums)


def declaration(scope, type=None):
    type = type or any_type(scope)
    is_final = scope.dice.random() < 0.2
    made = value(scope, type, EXPRESSION_DEPTH - 1)
    variable = scope.declare(type, is_final)
    return Text(f"{'final ' if is_final else ''}{type} {variable.name} = ", made, ";\n")


def assignment(scope):
    dice = scope.dice
    type = dice.choice(PRIMITIVE + ["int", "int", "long", "String"]) if dice.random() < 0.7 else any_type(scope)
    where = expressions.place(scope, type, 2)
    if where is None:
        return declaration(scope, type)
    if type in NUMERIC and dice.random() < 0.25:
        return Text(*dice.choice([[where, "++"], ["--", where], [where, "--"]]), ";\n")
    if type in PRIMITIVE and dice.random() < 0.5:
        return Text(where, *expressions.compound(scope, type, EXPRESSION_DEPTH), ";\n")
    return Text(where, " = ", value(scope, type, EXPRESSION_DEPTH), ";\n")


def chain(scope):
    """Returns `a = b[i] = c.f = value`, for which javac emits a form of dup before each kind of store."""
    type = scope.dice.choice(PRIMITIVE + ["Object"])
    found = [expressions.place(scope, type, 2) for _ in range(scope.dice.choice([2, 2, 3]))]
    if None in found:
        return assignment(scope)
    pieces = []
    for where in found:
        pieces += [where, " = "]
    return Text(*pieces, value(scope, type, 2), ";\n")


def seen(scope):
    return Text("Digest.add(", value(scope, any_type(scope), 2), ");\n")


def calls(scope):
    methods = [m for m in scope.program.methods if m.level > scope.level and scope.can_pay(m.cost + 3)]
    if not methods:
        return seen(scope)
    method = scope.dice.choice(methods)
    made = Text(*expressions.call(scope, method, 3))
    return (
        Text(made, ";\n") if method.result == "void" or scope.dice.random() < 0.3 else Text("Digest.add(", made, ");\n")
    )


def condition(scope, depth):
    pieces = [
        Text("if (", value(scope, "boolean", 3), ") "),
        braces(block(scope.inner(), scope.dice.randrange(1, 4), depth - 1)),
    ]
    while scope.dice.random() < 0.3:
        pieces += [
            Text("else if (", value(scope, "boolean", 2), ") "),
            braces(block(scope.inner(), scope.dice.randrange(1, 3), depth - 1)),
        ]
    if scope.dice.random() < 0.5:
        pieces += ["else ", braces(block(scope.inner(), scope.dice.randrange(1, 4), depth - 1))]
    return Text(*pieces)


def loop(scope, depth):
    dice = scope.dice
    turns = dice.choice([2, 3, 5, 8, 17, 40, 200])
    while turns > 2 and not scope.can_pay(turns * 40):
        turns //= 2
    label = scope.name("l")
    inside = scope.inner(times=scope.times * turns)
    inside.labels.append((label, True))
    named = f"{label}: " if dice.random() < 0.5 else ""
    if not named:
        inside.labels[-1] = (None, True)
    form = dice.randrange(7)
    body = lambda: braces(block(inside, dice.randrange(1, 5), depth - 1))
    counter = scope.name("i")
    visible = counter_of(counter, "int")
    if form == 0:
        inside.variables.append(visible)
        return Text(f"{named}for (int {counter} = 0; {counter} < {turns}; {counter}++) ", body())
    if form == 1:
        inside.variables.append(visible)
        return Text(f"{named}for (int {counter} = {turns * 3}; {counter} > 0; {counter} -= 3) ", body())
    if form == 2:
        inside.variables.append(counter_of(counter, "long"))
        return Text(f"{named}for (long {counter} = -{turns}; {counter} < 0; {counter}++) ", body())
    if form == 3:
        more = value(inside, "boolean", 2)
        return Text(
            f"int {counter} = {turns};\n{named}while (--{counter} >= 0",
            *([" && ", more] if dice.random() < 0.5 else []),
            ") ",
            body(),
        )
    if form == 4:
        return Text(f"int {counter} = 0;\n{named}do ", body(), f"while (++{counter} < {turns});\n")
    if form == 5:
        small = dice.choice(["byte", "short", "char"])
        turns = min(turns, 100)
        inside.variables.append(counter_of(counter, small))
        return Text(f"{named}for ({small} {counter} = 0; {counter} < {turns}; {counter} += 2) ", body())
    array = dice.choice([a for a in scope.program.array_types if not is_array(element_of(a))])
    inside.times = scope.times * ARRAY_LENGTH
    inside.variables.append(counter_of(counter, element_of(array)))
    return Text(f"{named}for ({element_of(array)} {counter} : ", value(scope, array, 2), ") ", body())


def counter_of(name, type):
    return Variable(name, type, is_final=True, is_counter=True)


def array_loop(scope):
    """Returns one of the usual loops: over an array, or from one number to another."""
    dice = scope.dice
    arrays = [a for a in scope.program.array_types if element_of(a) in NUMERIC]
    type = dice.choice(arrays)
    a, s, i = scope.name("a"), scope.name("s"), scope.name("i")
    element = element_of(type)
    sum_type = dice.choice(["int", "long", "double"])
    scope.pay(ARRAY_LENGTH * 20)
    inside = scope.inner(times=scope.times * ARRAY_LENGTH)
    inside.variables += [counter_of(i, "int"), counter_of(s, sum_type)]
    return Text(
        f"{type} {a} = ",
        value(scope, type, 2),
        f";\n{sum_type} {s} = 0;\nfor (int {i} = 0; {i} < {a}.length; {i}++) {{\n",
        Many(
            Text(f"{s} {dice.choice(['+=', '-=', '*=', '+='])} {a}[{i}];\n"),
            Text(
                f"{a}[{i}] {dice.choice(['+=', '=', '-='])} ({element}) ", value(inside, dice.choice(NUMERIC), 2), ";\n"
            ),
            Text(f"if ({a}[{i}] {dice.choice(['<', '>', '==', '!='])} {s}) ", f"{s}{dice.choice(['++', '--'])};\n"),
        ),
        f"}}\nDigest.add({s});\n",
    )


def jump(scope):
    """Returns break, continue, return or throw, under an `if`."""
    dice = scope.dice
    ways = [lambda: throwing(scope)]
    for label, continues in scope.labels:
        if label:
            ways += [lambda l=label: Text(f"break {l};\n")] + (
                [lambda l=label: Text(f"continue {l};\n")] if continues else []
            )
    if scope.labels and scope.labels[-1][1]:
        ways += [lambda: Text("break;\n"), lambda: Text("continue;\n")] * 2
    if scope.may_return:
        ways.append(
            lambda: (
                Text("return;\n") if scope.result == "void" else Text("return ", value(scope, scope.result, 2), ";\n")
            )
        )
    return Text("if (", value(scope, "boolean", 2), ") {\n", dice.choice(ways)(), "}\n")


def throwing(scope):
    program = scope.program.name
    what = scope.dice.choice(
        [
            f"new {program}.Own({{}})",
            f"new {program}.Own({{}})",
            f"new {program}.Deeper({{}})",
            'new ArithmeticException("own " + {})',
            "(RuntimeException) null",
            "new IllegalStateException()",
        ]
    )
    before, _, after = what.partition("{}")
    return Text(f"throw {before}", *([value(scope, "int", 1), after] if after else []), ";\n")


def risky(scope):
    """Returns a statement that throws for some values of its operands."""
    dice, program = scope.dice, scope.program
    form = dice.randrange(9)
    if form == 0:
        return Text(
            "Digest.add(", value(scope, "int", 2), dice.choice([" / ", " % "]), "(", value(scope, "int", 2), " & 3));\n"
        )
    if form == 1:
        return Text(
            "Digest.add(",
            value(scope, "long", 2),
            dice.choice([" / ", " % "]),
            "(",
            value(scope, "long", 2),
            " & 1L));\n",
        )
    if form == 2:
        array = dice.choice([a for a in program.array_types if element_of(a) in PRIMITIVE])
        return Text("Digest.add(", value(scope, array, 1), "[", value(scope, "int", 2), " & 15]);\n")
    if form == 3:
        other = dice.choice(program.classes)
        return Text(f"Digest.add((Object) ({other}) ", value(scope, "Object", 2), ");\n")
    if form == 4:
        return Text(
            value(scope, "Object[]", 2), "[", expressions.index(scope, 1), "] = ", value(scope, "Object", 2), ";\n"
        )
    if form == 5:
        return Text("Digest.add(new int[", value(scope, "int", 2), " % 4].length);\n")
    if form == 6 and program.statics.get("int"):
        fields = [(owner, name) for type in PRIMITIVE for owner, name in program.fields.get(type, [])]
        if fields:
            owner, name = dice.choice(fields)
            return Text(
                "Digest.add((",
                value(scope, "boolean", 2),
                f" ? ({owner}) null : ",
                value(scope, owner, 1),
                f").{name});\n",
            )
    if form == 7:
        return Text("Digest.add((int) (Integer) ", value(scope, "Object", 2), ");\n")
    return throwing_if(scope)


def throwing_if(scope):
    return Text("if (", value(scope, "boolean", 2), ") {\n", throwing(scope), "}\n")


def attempt(scope, depth):
    """Returns a try statement with catch clauses, finally, or a resource; each part may throw, jump or be empty."""
    dice = scope.dice
    resource = dice.random() < 0.15
    inside = scope.inner()
    pieces = ["try "]
    if resource:
        name = inside.name("r")
        pieces += [
            f"({scope.program.name}.Resource {name} = new {scope.program.name}.Resource(",
            value(scope, "int", 1),
            ")) ",
        ]
    body = block(inside, dice.randrange(1, 4), depth - 1)
    body.pieces.insert(
        dice.randrange(len(body.pieces) + 1), risky(scope.inner())
    )  # reads only variables that the block did not declare
    pieces.append(braces(body))
    clauses = Many()
    caught = dice.sample(
        EXCEPTIONS + [f"{scope.program.name}.Own", f"{scope.program.name}.Deeper"], dice.choice([0, 1, 1, 1, 2])
    )
    rank = {"Throwable": 9, "RuntimeException": 8, "IndexOutOfBoundsException": 7, f"{scope.program.name}.Own": 6}
    for type in sorted(caught, key=lambda each: (rank.get(each, 0), each)):
        handler = scope.inner()
        name = handler.name("e")
        items = block(handler, dice.randrange(0, 3), depth - 1)
        items.pieces.insert(0, Text(f"Digest.add((Object) {name});\n"))
        if dice.random() < 0.15:
            items.pieces.append(
                Text(
                    "if (",
                    value(handler, "boolean", 1),
                    f") throw {name if type != 'Throwable' else 'new RuntimeException(' + name + ')'};\n",
                )
            )
        clauses.pieces.append(Text(f"catch ({type} {name}) ", braces(items)))
    pieces.append(clauses)
    if dice.random() < 0.4 or not (caught or resource):
        inner_depth = depth - 1
        last = scope.inner()
        if dice.random() < 0.8:
            last.may_return = False
            last.labels = []
        pieces += ["finally ", braces(block(last, dice.randrange(1, 3), inner_depth))]
    return Text(*pieces)


def switch(scope, depth):
    dice = scope.dice
    kind = dice.choice(["table", "lookup", "String", "enum", "char"])
    if kind == "enum" and not scope.program.enums:
        kind = "table"
    if kind == "table":
        first = dice.choice([0, -3, 5, 2147483640, -2147483648])
        subject = [value(scope, "int", 2), f" % 9 + {first + 3 if first < 2147483640 else first}"]
        labels = [f"{n}" for n in range(first, first + 7)]
    elif kind == "lookup":
        subject = [value(scope, "int", 2)]
        labels = ["0", "1", "-1", "255", "-129", "1000", "65536", "-2147483648", "2147483647", "33"]
    elif kind == "String":
        subject = [value(scope, "String", 2)]
        labels = ['""', '"a"', '"key"', '"Keyhole"', '"0"', '"Aa"', '"BB"']
    elif kind == "char":
        subject = [value(scope, "char", 2)]
        labels = ["'a'", "'b'", "0", "1", "65535", "255"]
    else:
        subject = [value(scope, scope.program.enums[0], 2)]
        labels = ["RED", "GREEN", "BLUE", "NONE"]
    labels = dice.sample(labels, dice.randrange(1, len(labels) + 1))
    arrows = dice.random() < 0.4
    label = scope.name("l") if dice.random() < 0.3 else None
    cases = Many()
    for number, each in enumerate(labels + ["default"]):
        if each == "default" and dice.random() < 0.3:
            continue
        inside = scope.inner(labels=scope.labels + [(label, False)])
        body = block(inside, dice.randrange(0, 3), depth - 1)
        head = each if each == "default" else f"case {each}"
        if arrows:
            cases.pieces.append(Text(f"{head} -> ", braces(body)))
        else:
            cases.pieces.append(Text(f"{head}: ", braces(body), "break;\n" if dice.random() < 0.7 else ""))
    if not arrows:
        dice.shuffle(cases.pieces)
    return Text(f"{label}: " if label else "", "switch (", *subject, ") {\n", cases, "}\n")


def locked(scope, depth):
    inside = scope.inner()
    body = block(inside, scope.dice.randrange(1, 3), depth - 1)
    if scope.dice.random() < 0.5:
        body.pieces.append(risky(scope.inner()))
    target = (
        value(scope, scope.dice.choice(scope.program.classes + ["Object", "int[]"]), 1)
        if scope.dice.random() < 0.8
        else Text(f"{scope.program.name}.class")
    )
    return Text("synchronized (", target, ") ", braces(body))


def garbage(scope):
    scope.pay(20)
    return Text(
        "Digest.add(new ",
        scope.dice.choice(
            [
                f"int[{scope.dice.randrange(300)}].length",
                f"long[3][{scope.dice.randrange(40)}][2].length",
                "String[5].length",
            ]
        ),
        ");\n",
    )


def lambda_statement(scope, depth):
    """Returns a statement with a Runnable, an anonymous class, or a thread that it awaits. Each reads final variables
    of the method."""
    dice = scope.dice
    scope.pay(300 if scope.times == 1 else 30)
    form = dice.randrange(4)
    inside = scope.captured("void")
    if form == 1:
        inside.this = None   # `this` is another object there
    body = braces(block(inside, dice.randrange(1, 4), depth - 1))
    if form == 0 and scope.times == 1:
        return Text(f"Digest.apart({scope.program.name}.class, () -> ", body, ");\n")
    if form == 1:
        name = scope.name("k")
        return Text(
            f"{{ class {name} implements Runnable {{ int field = 3; public void run() ",
            body,
            f"}}\nnew {name}().run(); }}\n",
        )
    if form == 2 and scope.times == 1:
        count = scope.name("n")
        return Text(
            f"{{ final int[] {count} = new int[2]; Digest.together(() -> {{ for (int i = 0; i < {dice.choice([3, 50, 400])}; i++) synchronized ({count}) {{ {count}[0] += i * {dice.randrange(9)};"
            f" {count}[1] ^= i; }} }}); Digest.add({count}); }}\n"
        )
    return Text("{ Runnable ", (name := scope.name("r")), " = () -> ", body, f";\n{name}.run();\n{name}.run(); }}\n")


def collections(scope):
    """Returns statements that use objects as keys by identity, while collections may move the objects."""
    dice, name = scope.dice, scope.name("m")
    scope.pay(60)
    keys = Many(
        *[
            Text(
                f"{name}.put(", value(scope, dice.choice(scope.program.classes + ["Object", "int[]"]), 1), f", {n});\n"
            )
            for n in range(dice.randrange(2, 6))
        ]
    )
    kind = dice.choice(["HashMap", "IdentityHashMap", "LinkedHashMap"])
    return Text(
        f"{{ java.util.Map<Object, Integer> {name} = new java.util.{kind}<>();\n",
        keys,
        f"int {name}s = 0;\nfor (int {name}v : {name}.values()) {name}s += {name}v * {name}v;\n"
        f"Digest.add({name}s);\nDigest.add({name}.get(",
        value(scope, "Object", 1),
        ")); }\n",
    )


def pattern(scope):
    name, type = scope.name("q"), scope.dice.choice(["String", "Integer", "Long"] + scope.program.concrete)
    inside = scope.inner()
    inside.variables.append(Variable(name, type, True))
    return Text("if (", value(scope, "Object", 2), f" instanceof {type} {name}) ", braces(block(inside, 2, 0)))


def statement(scope, depth):
    dice = scope.dice
    simple = (
        [lambda: declaration(scope)] * 5
        + [lambda: assignment(scope)] * 7
        + [lambda: seen(scope)] * 2
        + [lambda: calls(scope)] * 4
        + [lambda: jump(scope)] * 2
    )
    simple += [lambda: chain(scope), lambda: garbage(scope), lambda: collections(scope)]
    if depth <= 0:
        return dice.choice(simple)()
    nested = (
        [lambda: condition(scope, depth)] * 3
        + [lambda: loop(scope, depth)] * 4
        + [lambda: attempt(scope, depth)] * 4
        + [lambda: switch(scope, depth)] * 2
    )
    nested += [
        lambda: locked(scope, depth),
        lambda: lambda_statement(scope, depth),
        lambda: array_loop(scope),
        lambda: far_loop(scope) or array_loop(scope),
        lambda: pattern(scope),
        lambda: risky(scope),
    ]
    return dice.choice(simple + nested)()


def block(scope, count, depth):
    items = Many()
    for _ in range(count):
        if not scope.can_pay(10):
            break
        scope.pay(1)
        items.pieces.append(statement(scope, depth))
    return items
