# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Loops of more than a thousand iterations, with objects that mostly do not escape. In such a loop, an optimising
compiler may omit the allocation of objects, coarsen locks, move checks before the loop, and handle several iterations
at a time.

    { Cell x = new Cell(), y = new Wide(), z = null; int[] few = new int[3]; int s = .., t = 0; ...
      for (int i = ..; i < ..; i++) { a few cheap statements }
      Digest.add of all of them }

`far_loop(scope)` returns a loop of this form, or None if the loop would cost too much or the program has enough loops
of this form.
"""
from expressions import value
from tree import Many, Text

MOST = 4           # far loops in one program: each runs some eighteen times, also in an interpreter
COST = 12          # steps of one iteration
COUNTS = [1100, 1500, 2100]
MOST_COST = COST * max(COUNTS)

# Placeholders. {x}, {o}: one of the two variables of type Cell, perhaps the same for both placeholders. {k}: the number
# of an iteration, or a number that no iteration has. {n}: 0 to 2. All other placeholders are names of variables.
PLAIN = [
    "{x}.i = {x}.i * 31 + {i};",
    "{x}.b += {i};",
    "{x}.d += {i} * 0.5;",
    "{x}.i = {s};",
    "{few}[{n}] += {s};",
    "{few}[{i} & 1] ^= {t};",
    "{s} += {few}[{n}];",
    "{x}.next = {o};",
    "{x}.next = null;",
    "if ({x}.next != null) {s} += {x}.next.i;",
    "if ({x}.next == {o}) {t} += {x}.b;",
    "{pair}[{n} & 1] = {x};",
    "if ({pair}[{n} & 1] != null) {t} ^= {pair}[{n} & 1].i;",
    "{t} += {big}[{i} & 1023];",
    "{big}[{i} & 1023] += {s};",
    "{s} ^= {big}.length - {i};",
    "{s} += {x}.get();",
    "{t} = {x}.add({i});",
    "{{ Integer box = {s}; {t} += box; }}",
    "{{ Cell c = new Cell({i}, {x}); {s} += c.i + c.next.b; }}",
    "{{ Cell c = ({i} & {n}) == 0 ? {x} : {o}; {s} += c.i; c.b++; }}",
    "order += {s};",
    "{t} ^= order;",
]
LOCKED = [
    "synchronized ({x}) {{ {s} += {x}.i; }}",
    "synchronized ({x}) {{ {x}.i++; }} synchronized ({x}) {{ {t} ^= {x}.i; }}",
    "synchronized ({x}) {{ synchronized ({x}) {{ {s}++; }} {o}.i = {s}; }}",
    "synchronized ({x}) {{ synchronized ({o}) {{ {x}.b += {i}; }} {t}++; }}",
    "synchronized ({x}) {{ {t} += {x}.add({i}); }}",
    "synchronized ({x}) {{ if ({i} == {k}) throw new Deeper({s}); {t}++; }}",
    "synchronized ({x}) {{ {t} = 1000 / ({i} - {k}); }} synchronized ({x}) {{ {s} ^= {t}; }}",
    "synchronized (SHARED) {{ SHARED.i += {i}; {s} ^= SHARED.i; }}",
]
# Statements that have an effect in only one or a few iterations.
RARE = [
    "if ({i} == {k}) throw new Own({s});",
    "if ({i} == {k}) break;",
    "if ({x}.i == {k}) continue;",
    "{t} = 1000 / ({i} - {k});",
    "if ({i} == {k}) {x} = null;",
    "if ({i} == {k}) {o} = {x};",
    "if ({i} == {k}) SHARED = {x};",
    "if (({i} & 255) == {n}) {{ Cell c = {x}; {x} = {o}; {o} = c; }}",
    "if ({i} == {k}) {x} = new Later({s});",
    "if (({i} & 511) == {k} % 512) {x} = new Wide({s});",
    "if (({i} & 127) == {n}) {text}.append({i}).append({x}.b);",
    'if (({i} & 255) == {n}) {name} = {name}.length() + "," + {s} + {x};',
    "if (({i} & 511) == {n}) {few} = new int[] {{ {s}, {t}, {i} }};",
    "if ({i} > {k}) {x} = new Cell({i}, null);",
]
SUPPORT = """
static class Cell { int i; byte b; double d; Cell next; Cell() {} Cell(int i, Cell next) { this.i = i; this.next = next; }
  int get() { return i; } synchronized int add(int n) { i += n; return i; } public String toString() { return "c" + get(); } }
static class Wide extends Cell { int more = 3; Wide() {} Wide(int i) { super(i, null); } int get() { return i * more + b; } synchronized int add(int n) { more ^= n; return super.add(n); } }
static class Later extends Cell { static int born = happens(31); Later(int i) { super(i + born, null); } int get() { return i - born; } }
static Cell SHARED = new Cell();
"""


def far_loop(scope):
    dice, program = scope.dice, scope.program
    count = dice.choice(COUNTS)
    if program.far_loops == MOST or not scope.can_pay(count * COST):
        return None
    program.far_loops += 1
    scope.pay(count * COST)
    names = {each: scope.name(each[0]) for each in ["x", "y", "i", "s", "t", "few", "pair", "big", "text", "name"]}
    objects = [names["x"], names["y"]]

    def filled(template):
        return template.format(
            **{**names, "x": dice.choice(objects), "o": dice.choice(objects)},
            k=dice.randrange(count + 200),
            n=dice.randrange(3),
        )

    lines = [dice.choice(PLAIN) for _ in range(dice.randrange(1, 5))]
    if dice.random() < 0.4:
        lines.append(dice.choice(LOCKED))
    if dice.random() < 0.5:
        lines.append(dice.choice(RARE))
    dice.shuffle(lines)
    i, first = names["i"], dice.choice(["0", "0", "0", "-7", f"{2147483647 - count}"])
    limit = dice.choice([f"{int(first) + count}", "2147483647" if len(first) > 5 else f"{names['big']}.length"])
    head = f"for (int {i} = {first}; {i} < {limit}; {i}++)"
    if dice.random() < 0.3:
        head = f"for (int {i} = {count * 3}; {i} > {dice.choice([0, -5])}; {i} -= {dice.choice([1, 3])})"
    elif dice.random() < 0.2:
        head = f"for (int {i} = 0; {i} <= {count}; {i} += {dice.choice([1, 2])})"
    kinds = [dice.choice(["new Cell()", "new Cell(5, null)", "new Wide()"]) for _ in objects]
    loop = Text(f"{head} {{\n", Many(*[Text(filled(line) + "\n") for line in lines]), "}\n")
    if dice.random() < 0.4:
        loop = Text("try {\n", loop, "} catch (RuntimeException e) { Digest.add((Object) e); }\n")
    ends = [f"Digest.add({names[each]});\n" for each in ["s", "t", "few", "name"]]
    ends += [f"Digest.add({names['text']}.toString());\nDigest.add({names['big']}[77]);\n"]
    ends += [
        f"if ({each} != null) {{ Digest.add({each}.i); Digest.add({each}.b); Digest.add({each}.d);"
        f" Digest.add({each}.get()); Digest.add({each}.next == {objects[0]}); }}\n"
        for each in objects
    ]
    return Text(
        f"{{ Cell {objects[0]} = {kinds[0]}, {objects[1]} = {kinds[1]};\nint {names['s']} = ",
        value(scope, "int", 1),
        f", {names['t']} = 0;\nint[] {names['few']} = new int[3], {names['big']} = new int[{count}];\n"
        f"Cell[] {names['pair']} = new Cell[2];\nStringBuilder {names['text']} = new StringBuilder();\n"
        f'String {names["name"]} = "";\n',
        loop,
        Many(*ends),
        "}\n",
    )
