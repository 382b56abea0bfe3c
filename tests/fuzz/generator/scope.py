# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The variables and methods in scope at a place of a generated program, and a bound on the cost of running it.

Programs end because each loop has a counter, and because methods call only methods of a higher level, or themselves
with a smaller depth. A scope's `times` is the number of times that one call of the method executes the scope's place. A
statement at this place adds `times` to the method's `cost`. A call there adds `times` multiplied by the callee's cost.
"""


class Variable:
    """`is_final`: no code assigns the variable after its declaration. `is_counter`: only the variable's loop assigns
    it, so no lambda can read it."""
    def __init__(self, name, type, is_final=False, is_counter=False):
        self.name, self.type, self.is_final, self.is_counter = name, type, is_final, is_counter


class Method:
    """A method that programs can call. `owner`: its class, which is also the receiver's type. `kind`: static, virtual,
    interface."""
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
    """The names in scope at one place of a method's body while the body is generated. All scopes of one body share
    `body`, which has the body's counts."""

    def __init__(self, program, level, budget, this=None, result="void", parameters=()):
        self.program, self.level, self.this, self.result = program, level, this, result
        self.dice = program.dice
        self.variables = list(parameters)
        self.labels = []         # (label, whether `continue` may name it)
        self.times = 1
        self.depth = 0           # how many statements enclose this one
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
        """Returns the scope inside a lambda or a local class: code there can read only final variables of the method,
        and cannot jump out."""
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
