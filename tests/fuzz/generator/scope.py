# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The variables and methods in scope at a place of a generated program, and a bound on the cost of running it.

Programs end because loops count, and because methods call only methods of a higher level, or themselves with a depth
that goes down. `times` is how often the place is reached per call of its method; each thing done there adds that much
to the method's `cost`, and a call adds its callee's.
"""


class Variable:
    """`is_final`: no code assigns it. `is_counter`: its loop assigns it, so no lambda can read it."""
    def __init__(self, name, type, is_final=False, is_counter=False):
        self.name, self.type, self.is_final, self.is_counter = name, type, is_final, is_counter


class Method:
    """`owner`: the class, and the type of the receiver. `kind`: static, virtual, interface."""
    def __init__(self, owner, name, kind, result, parameters, level, cost=0):
        self.owner, self.name, self.kind, self.result, self.parameters, self.level, self.cost = (
            owner,
            name,
            kind,
            result,
            parameters,
            level,
            cost,
        )


class Scope:
    """A method's body while it is generated. Copies share `body` and its counts."""

    def __init__(self, program, level, budget, this=None, result="void", parameters=()):
        self.program, self.level, self.this, self.result = program, level, this, result
        self.dice = program.dice
        self.variables = list(parameters)
        self.labels = []         # (label, may be continued)
        self.times = 1
        self.depth = 0           # statements around this one
        self.may_return = True
        self.body = {"names": 0, "cost": 1, "budget": budget}

    def inner(self, **changes):
        other = Scope.__new__(Scope)
        other.__dict__.update(self.__dict__)
        other.variables = list(self.variables)
        other.labels = list(self.labels)
        other.depth = self.depth + 1
        other.__dict__.update(changes)
        return other

    def captured(self, result, parameters=()):
        """Returns a scope inside a lambda or a class in a body: only final variables can be read, and jumps cannot
        leave it."""
        return self.inner(
            variables=[v for v in self.variables if v.is_final and not v.is_counter] + list(parameters),
            labels=[],
            result=result,
            may_return=True,
        )

    def name(self, prefix="v"):
        self.body["names"] += 1
        return f"{prefix}{self.body['names']}"

    def pay(self, cost=1):
        self.body["cost"] += self.times * cost

    def can_pay(self, cost):
        return self.body["cost"] + self.times * cost <= self.body["budget"]

    def declare(self, type, is_final=False, prefix="v"):
        variable = Variable(self.name(prefix), type, is_final)
        self.variables.append(variable)
        return variable

    def of_type(self, type, assigned=False):
        return [v for v in self.variables if v.type == type and not (assigned and v.is_final)]
