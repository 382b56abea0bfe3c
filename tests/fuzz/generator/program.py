# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Generates random programs: one public class with everything else nested in it.

    static fields, pools of objects of mixed classes
    Own, Deeper        exceptions; Resource: its close() may throw; Color: an enum whose constants have methods
    I                  an interface with abstract, default and static methods
    A <- B <- C, A <- D    classes with fields of all types, constructors, overridden and synchronized methods, super calls; D implements I, too
    G<T>, H            a generic class and one that gives T a type: bridge methods
    R                  a record; Inner: an inner class; Late, Failing: initialisers with effects and with failures
    static methods, some recursive; one in some programs is huge, or has more locals than an index of one byte reaches

A method of level n calls only methods of levels above n. Levels are made from the last to the first, so that the cost
of a method is known when its callers are made.
"""

import random

import expressions
import far_loops
import statements
from expressions import ARRAY_LENGTH, PRIMITIVE, value
from scope import Method, Scope, Variable
from tree import Many, Text, size_of, text_of

LEVELS = 6
TURNS = 6
MOST_TEXT_OF_METHOD = 100_000  # about 40,000 bytes of code; javac refuses more than 65,535
BUDGET_OF_METHOD = [60000, 20000, 6000, 2000, 500, 120]  # steps that a method may take, by its level


class Program:
    def __init__(self, name, seed):
        self.name = name
        self.dice = random.Random(seed)
        dice = self.dice
        self.depth_of_new = 0
        self.far_loops = 0
        short = ["A", "B", "C", "D"]
        self.concrete = [f"{name}.{each}" for each in short[1:]]
        self.classes = [f"{name}.A", f"{name}.I"] + self.concrete
        self.parent = {f"{name}.B": f"{name}.A", f"{name}.C": f"{name}.B", f"{name}.D": f"{name}.A"}
        self.implements = {f"{name}.B": [f"{name}.I"], f"{name}.D": [f"{name}.I"]}
        self.enums = [f"{name}.Color"]
        self.array_types = [f"{each}[]" for each in PRIMITIVE] + [
            "String[]",
            "Object[]",
            "int[][]",
            "double[][]",
            "byte[][][]",
            f"{name}.A[]",
        ]
        self.statics, self.fields, self.methods, self.constructors = {}, {}, [], {}
        self.fields_of = {}
        self.large = ""
        self.bodies = {each: Many() for each in [name, *self.classes]}
        self.make()

    def is_subclass(self, one, other):
        if one == other or other == "Object":
            return True
        return any(
            self.is_subclass(each, other) for each in [self.parent.get(one)] + self.implements.get(one, []) if each
        )

    def can_call_super(self, this, method):
        """Returns whether `super.method()` is possible: the parent class must have a body for the method. All methods
        of A have one; a default method of I can be called through I only."""
        parent = self.parent.get(this)
        return bool(parent) and method.kind == "virtual" and self.is_subclass(parent, method.owner)

    # Fields

    def make_fields(self):
        dice = self.dice
        types = PRIMITIVE + [
            "int",
            "long",
            "String",
            "Object",
            "Integer",
            "int[]",
            "double[]",
            f"{self.name}.A",
            "Object[]",
        ]
        for owner in [self.name, *self.concrete, f"{self.name}.A"]:
            self.fields_of[owner] = []
            for number in range(dice.randrange(2, 7)):
                type = dice.choice(types)
                name = f"{owner.split('.')[-1].lower()}{number}"
                self.fields.setdefault(type, []).append((owner, name))
                self.fields_of[owner].append((type, name))
        self.static_fields = []
        for number, type in enumerate(PRIMITIVE + [dice.choice(types) for _ in range(6)]):
            owner = dice.choice([self.name, self.name, f"{self.name}.A", f"{self.name}.C"])
            self.statics.setdefault(type, []).append((owner, f"s{number}"))
            self.static_fields.append((owner, type, f"s{number}"))

    def plain(self, type):
        """Returns an initial value that makes no calls."""
        if type in expressions.INTERESTING:
            return text_of(expressions.literal(Scope(self, LEVELS, 10), type))
        if type == "Integer":
            return str(self.dice.choice([1, 127, 128, -5000]))
        if type.endswith("[]"):
            return f"new {type[:-2]}[{ARRAY_LENGTH}]" if not type.endswith("[][]") else "null"
        return "null"

    # Methods

    def signature(self, level):
        dice = self.dice
        results = PRIMITIVE + ["int", "int", "long", "void", "String", "Object", "int[]", f"{self.name}.A"]
        parameters = [
            dice.choice(PRIMITIVE + ["int", "int", "String", "Object", "int[]", f"{self.name}.A"])
            for _ in range(dice.choice([0, 1, 1, 2, 2, 3, 5, 9]))
        ]
        return dice.choice(results), parameters

    def method_text(self, head, scope, count, depth, before=()):
        items = statements.block(scope, count, depth)
        items.pieces[:0] = before
        last = [] if scope.result == "void" else [Text("return ", value(scope, scope.result, 3), ";\n")]
        if self.dice.random() < 0.5:  # digests the locals at the end
            items.pieces += [
                Text(f"Digest.add({variable.name});\n") for variable in scope.variables if variable.name.startswith("v")
            ]
        return Text(f"{head} {{\n", items, *last, "}\n")

    def method(self, owner, method, modifiers="", this=None, count=None, depth=3):
        """Makes a body for `method` in the class `owner`. The cost of `method` becomes the largest cost of its
        bodies."""
        dice = self.dice
        parameters = [Variable(f"arg{number}", type) for number, type in enumerate(method.parameters)]
        scope = Scope(self, method.level, BUDGET_OF_METHOD[method.level], this, method.result, parameters)
        head = f"{modifiers} {method.result} {method.name}({', '.join(f'{v.type} {v.name}' for v in parameters)})"
        text = self.method_text(head, scope, count or dice.randrange(2, 8), depth)
        method.cost = max(method.cost, scope.body["cost"])
        self.bodies[owner].pieces.append(text)

    def make_virtual(self, number, level):
        dice, name = self.dice, self.name
        result, parameters = self.signature(level)
        if dice.random() < 0.35:
            made = Method(f"{name}.I", f"i{number}", "interface", result, parameters, level)
            is_default = dice.random() < 0.4
            arguments = ", ".join(f"{type} a{n}" for n, type in enumerate(parameters))
            if is_default:
                self.method(f"{name}.I", made, "default", this=f"{name}.I")
            else:
                self.bodies[f"{name}.I"].pieces.append(f"{result} {made.name}({arguments});\n")
            for owner in ["B", "C", "D"]:
                if dice.random() < 0.6 or (not is_default and owner != "C"):
                    self.method(
                        f"{name}.{owner}",
                        made,
                        dice.choice(["public", "public", "public synchronized"]),
                        this=f"{name}.{owner}",
                    )
        else:
            made = Method(f"{name}.A", f"m{number}", "virtual", result, parameters, level)
            for owner in ["A", "B", "C", "D"]:
                if owner == "A" or dice.random() < 0.55:
                    self.method(
                        f"{name}.{owner}",
                        made,
                        dice.choice(["", "", "public", "synchronized", "strictfp"]) if owner == "A" else "public",
                        this=f"{name}.{owner}",
                    )
        self.methods.append(made)

    def make_static(self, number, level):
        dice, name = self.dice, self.name
        result, parameters = self.signature(level)
        made = Method(name, f"f{number}", "static", result, parameters, level)
        self.method(
            name, made, dice.choice(["static", "static", "static synchronized", "private static", "static strictfp"])
        )
        self.methods.append(made)

    def make_recursive(self, number, level):
        """Makes a method that calls itself once, with a smaller depth, somewhere between its statements."""
        dice, name = self.dice, self.name
        type = dice.choice(["int", "long", "double", "String", "Object"])
        depth = dice.choice([3, 20, 90])
        scope = Scope(self, level, 300, None, type, [Variable("left", "int", True), Variable("arg1", type)])
        self_call = Text(f"if (left > 0) arg1 = r{number}(left - 1, ", value(scope, type, 2), ");\n")
        text = self.method_text(
            f"static {dice.choice(['', 'synchronized '])}{type} r{number}(int left, {type} arg1)",
            scope,
            3,
            2,
            before=[],
        )
        text.pieces[1].pieces.insert(0, self_call)
        self.bodies[name].pieces.append(text)
        made = Method(name, f"q{number}", "static", type, [type], level, scope.body["cost"] * depth)
        self.bodies[name].pieces.append(f"static {type} q{number}({type} a) {{ return r{number}({depth}, a); }}\n")
        self.methods.append(made)

    def make_large(self, number, level):
        """Makes a method with a loop and a handler, and with more than 255 locals or jumps whose distance needs more
        than 16 bits."""
        dice, name = self.dice, self.name
        scope = Scope(self, level, 200000, None, "long", [Variable("arg0", "int")])
        before = []
        if dice.random() < 0.6:
            for _ in range(dice.choice([130, 270])):
                type = dice.choice(["int", "long", "double", "float", "Object", "String"])
                before.append(
                    Text(
                        f"{type} {scope.declare(type).name} = ",
                        expressions.literal(scope, type) if type in expressions.INTERESTING else "null",
                        ";\n",
                    )
                )
        count = dice.choice([10, 100, 400, 1000])
        inside = scope.inner(times=3)
        body = Many()
        length = 0
        for _ in range(count):
            length += sum(size_of(each) for each in body.pieces[-1:])
            if length > MOST_TEXT_OF_METHOD:
                break
            scope.body["budget"] = scope.body["cost"] + 900  # a new budget, because a loop uses up all of it
            body.pieces += statements.block(inside, 1, 1).pieces
        self.bodies[name].pieces.append(
            Text(
                f"static long g{number}(int arg0) {{\n",
                Many(*before),
                "for (int turn = 0; turn < 3; turn++) {\ntry {\n",
                body,
                "} catch (RuntimeException e) { Digest.add((Object) e); }\n}\nreturn arg0;\n}\n",
            )
        )
        self.large = f"try {{ Digest.add({name}.g{number}(3)); }} catch (Throwable t) {{ Digest.add((Object) t); }}\n"  # called once only: it costs much

    # The whole program

    def make(self):
        dice, name = self.dice, self.name
        self.make_fields()
        for each in self.classes:
            self.constructors[each] = [type for type, _ in self.fields_of.get(each, [])[:2] if type in PRIMITIVE]
        number = 0
        self.depth_of_new = 0
        for level in range(LEVELS - 1, 0, -1):
            for _ in range(dice.choice([1, 2, 2, 3])):
                number += 1
                dice.choice(
                    [self.make_virtual, self.make_virtual, self.make_static, self.make_static, self.make_recursive]
                )(number, level)
        if dice.random() < 0.15:
            self.make_large(number + 1, 1)
        # Makes independent pieces of work. Each ends normally or by an exception, and the others run in any case.
        scope = Scope(self, 0, BUDGET_OF_METHOD[0], name, "void")
        scope.times = TURNS
        items = Many()
        for _ in range(dice.randrange(5, 12)):
            scope.body["budget"] += BUDGET_OF_METHOD[0] // 6
            items.pieces.append(
                Text(
                    "try {\n",
                    statements.block(scope.inner(), dice.randrange(1, 5), 3),
                    "} catch (Throwable t) { Digest.add((Object) t); }\n",
                )
            )
        if dice.random() < 0.7:
            items.pieces += [self.far(number + 2 + each, scope) for each in range(dice.choice([1, 1, 2]))]
            dice.shuffle(items.pieces)
        self.bodies[name].pieces.append(Text("void body() {\n", items, "}\n"))

    def far(self, number, scope):
        """Generates a loop of far_loops.py in the current body, or in a separate method, which becomes hot after some
        calls."""
        inside = scope.inner(times=1)
        inside.body = {**scope.body, "budget": scope.body["cost"] + far_loops.MOST_COST}
        loop = far_loops.far_loop(inside)
        if loop is None:
            return Text()
        scope.body["names"] = inside.body["names"]
        if self.dice.random() < 0.5:
            self.bodies[self.name].pieces.append(Text(f"void h{number}() {{\n", loop, "}\n"))
            loop = Text(f"h{number}();\n")
        return Text("try {\n", loop, "} catch (Throwable t) { Digest.add((Object) t); }\n")

    def class_text(self, short, head):
        name = f"{self.name}.{short}"
        parent = self.parent.get(name)
        parameters = self.constructors[name]
        fields = self.fields_of[name]
        own = [f for f in fields if f[0] in PRIMITIVE and f in fields[:2]]
        pieces = [f"static {head} {{\n"]
        pieces += [
            f"static {type} {field} = {self.plain(type)};\n"
            for owner, type, field in self.static_fields
            if owner == name
        ]
        pieces += [
            f"{'volatile ' if self.dice.random() < 0.15 else ''}{type} {field} = {self.plain(type)};\n"
            for type, field in fields
        ]
        pieces.append(f"{short}({', '.join(f'{type} a{n}' for n, type in enumerate(parameters))}) {{\n")
        if parent:
            pieces.append(f"super({', '.join(self.plain(type) for type in self.constructors[parent])});\n")
        pieces += [f"{field} = a{n};\n" for n, (_, field) in enumerate(own)] + ["}\n"]
        pieces.append(
            f"public void see(int depth) {{ {'super.see(depth);' if parent else ''} {' '.join(f'Digest.add({field}' + (', depth' if type not in PRIMITIVE else '') + ');' for type, field in fields)} }}\n"
        )
        return Text(*pieces, self.bodies[name], "}\n")

    def pools(self):
        pieces = []
        for type in [self.name, *self.classes]:
            subtypes = [each for each in self.concrete if self.is_subclass(each, type)] or [type]
            flat = type.replace(".", "_")
            count = 1 if self.dice.random() < 0.2 else 4
            made = [self.dice.choice(subtypes) for _ in range(count)]
            objects = ", ".join(
                f"new {each}({', '.join(self.plain(t) for t in self.constructors.get(each, []))})" for each in made
            )
            pieces.append(
                f"static final {type}[] POOL_{flat} = {{ {objects} }};\nstatic {type} any{flat}(int i) {{ return POOL_{flat}[i & {count - 1}]; }}\n"
            )
        return pieces

    def tree(self):
        name = self.name
        pieces = [f"public class {name} implements Runnable, Digest.Seen {{\n"]
        pieces += [
            f"static {type} {field} = {self.plain(type)};\n"
            for owner, type, field in self.static_fields
            if owner == name
        ]
        pieces += [f"{type} {field} = {self.plain(type)};\n" for type, field in self.fields_of[name]]
        pieces += self.pools()
        pieces += [SUPPORT.replace("PROGRAM", name), far_loops.SUPPORT]
        pieces.append(f"interface I extends Digest.Seen {{\n")
        pieces += [self.bodies[f"{name}.I"], "}\n"]
        pieces.append(self.class_text("A", "abstract class A implements Digest.Seen"))
        pieces.append(self.class_text("B", "class B extends A implements I"))
        pieces.append(self.class_text("C", "class C extends B"))
        pieces.append(self.class_text("D", "final class D extends A implements I"))
        pieces.append(self.bodies[name])
        pieces.append(
            "public void see(int depth) { "
            + " ".join(f"Digest.add({field});" for _, field in self.fields_of[name])
            + " }\n"
        )
        extra = Many(*[f"extra{n}();\n" for n in self.dice.sample(range(5), 3)])
        pieces += [
            "public void run() {\n",
            f"for (int turn = 0; turn < {TURNS}; turn++) body();\n",
            self.large,
            extra,
            "see(2);\n",
        ]
        pieces += [f"Digest.add({owner}.{field});\n" for owner, type, field in self.static_fields]
        pieces += [f"Digest.add((Object) POOL_{type.replace('.', '_')}, 2);\n" for type in self.classes]
        return Text(*pieces, "}\n}\n")


SUPPORT = """
static class Own extends RuntimeException { Own(int n) { super("own " + n); } }
static class Deeper extends Own { Deeper(int n) { super(n + 1); } }
record Resource(int n) implements AutoCloseable { public void close() { Digest.add(n); if ((n & 3) == 0) throw new Own(n); } }
record R(int x, double y, String z, long[] w) { R { if (x == 7) throw new IllegalArgumentException("seven"); } }
enum Color { RED, GREEN { int weight() { return 5; } }, BLUE, NONE { int weight() { return -1; } }; int weight() { return ordinal(); } }
static abstract class G<T extends Comparable<T>> { T held; abstract T next(T one); T twice(T one) { held = next(next(one)); return held; } boolean less(T one) { return held.compareTo(one) < 0; } }
static class H extends G<Integer> { Integer next(Integer one) { return one * 3 + 1; } }
static class J extends G<String> { String next(String one) { return one + one.length(); } }
static int order;
static int happens(int what) { order = order * 31 + what; return what; }
static class Late { static final int CONSTANT = 5; static int first = happens(11), second; static { second = first + happens(12); } static int get() { return second++; } }
static class Failing { static int count; static int value = happens(21); static { if (happens(22) > 0) { count++; throw new Own(order); } } static int get() { return value; } }
class Inner { long kept = order; long both() { return kept + order + hashOf(this); } class Innermost { long all() { return kept * 3 + both(); } } }
static int hashOf(Object o) { return o.hashCode() == System.identityHashCode(o) ? 1 : 2; }
static int sum(int... all) { int s = 0; for (int each : all) s += each; return s + all.length; }
static String names(String first, Object... rest) { String s = first; for (Object each : rest) s += "," + each; return s; }
static void extra0() { Digest.add(Late.CONSTANT); Digest.add(order); for (int i = 0; i < 3; i++) Digest.add(Late.get()); Digest.add(order); }
static void extra1() { for (int i = 0; i < 3; i++) try { Digest.add(Failing.get()); } catch (Throwable t) { Digest.add(t.getClass().getName()); Digest.add(t.getMessage()); } Digest.add(order); }
static void extra2() { G<Integer> h = new H(); G<String> j = new J(); for (int i = 0; i < 5; i++) { Digest.add(h.twice(i)); Digest.add(j.twice("x" + i)); Digest.add(h.less(i) ^ j.less("x4")); }
  try { ((G) h).twice("no"); } catch (ClassCastException e) { Digest.add((Object) e); } }
static void extra3() { PROGRAM p = new PROGRAM(); PROGRAM.Inner.Innermost in = p.new Inner().new Innermost(); for (int i = 0; i < 4; i++) { order += i; Digest.add(in.all()); }
  Digest.add(sum()); Digest.add(sum(1, 2, order)); Digest.add(names("a", 1, 2L, 'c', null, 1.5f)); }
static void extra4() { for (Color c : Color.values()) Digest.add(c.weight()); R r = new R(order, order / 3.0, "r" + order, null); Digest.add(r); Digest.add(r.equals(new R(order, order / 3.0, "r" + order, null)));
  for (int i = 5; i < 9; i++) try { Digest.add(new R(i, -0.0, null, null)); } catch (IllegalArgumentException e) { Digest.add((Object) e); } }
"""
