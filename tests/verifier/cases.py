# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""A case is a class that breaks one rule, or a twin of it that does not break the rule, in each version of class files
that has the rule. The functions in *_rules.py are the rules, and yield the cases."""

from class_file import PUBLIC, STATIC, ClassFile

# Class files up to version 49 are verified by the old verifier, those of version 50 by the new verifier with failover
# to the old one, and later ones by the new verifier alone. The list has only those versions above 51 that changed a
# rule.
VERSIONS = ["45.3", "46", "47", "48", "49", "50", "51", "52", "53", "55", "61", "65", "69"]
WITH_FRAMES = [each for each in VERSIONS if int(each.partition(".")[0]) >= 50]
WITHOUT_FRAMES = [each for each in VERSIONS if each not in WITH_FRAMES]
WITH_SUBROUTINES = WITHOUT_FRAMES + ["50", "51"]


class Case:
    def __init__(self, name, make, versions=None, call=False):
        self.name, self.make, self.versions, self.call = name, make, versions or VERSIONS, call

    def bytes(self, version):
        return self.make(version)


# {kind of value: code that pushes such a value}. The kind "this" is the uninitialised `this`, which exists only in
# constructors.
PUSH = {
    "int": "iconst_0",
    "float": "fconst_0",
    "long": "lconst_0",
    "double": "dconst_0",
    "null": "aconst_null",
    "Object": "aconst_null | checkcast java/lang/Object",
    "String": "ldc string s",
    "Class": "aconst_null | checkcast java/lang/Class",
    "Throwable": "aconst_null | checkcast java/lang/Throwable",
    "Error": "aconst_null | checkcast java/lang/Error",
    "C": "aconst_null | checkcast C",
    "Base": "aconst_null | checkcast kit/Base",
    "Derived": "aconst_null | checkcast kit/Derived",
    "Other": "aconst_null | checkcast kit/Other",
    "Face": "aconst_null | checkcast kit/Face",
    "Wide": "aconst_null | checkcast kit/Wide",
    "Serializable": "aconst_null | checkcast java/io/Serializable",
    "new": "new kit/Base",
    "this": "aload_0",
    "return address": "jsr J@ | J@:",
} | {f"{letter}[]": f"aconst_null | checkcast [{letter}" for letter in "ZBSCIFJD"} | {
    "Object[]": "aconst_null | checkcast [Ljava/lang/Object;",
    "String[]": "aconst_null | checkcast [Ljava/lang/String;",
    "Face[]": "aconst_null | checkcast [Lkit/Face;",
    "I[][]": "aconst_null | checkcast [[I",
}
FRAME = {kind: "object:" + text.split()[-1] for kind, text in PUSH.items() if "checkcast" in text} | {
    "int": "int",
    "float": "float",
    "long": "long",
    "double": "double",
    "null": "null",
    "this": "this",
    "String": "object:java/lang/String",
}
STORE = {"int": "i", "float": "f", "long": "l", "double": "d"}
LETTERS = {"i": "int", "f": "float", "l": "long", "d": "double", "a": "Object"}


def push(kinds):
    return " | ".join(PUSH[kind].replace("@", f"{number}") for number, kind in enumerate(kinds))


def store(kind, local):
    return f"{STORE.get(kind, 'a')}store {local}"


def versions_of(kinds, versions=None):
    versions = versions or VERSIONS
    return [each for each in versions if each in WITH_SUBROUTINES] if "return address" in kinds else versions


def in_method(text, descriptor="()V", stack=12, locals=12, constructor=None, prepare=None, flags=PUBLIC | STATIC, name="m"):
    """Returns a function that makes a class file of a given version, with one method that has the given body. With
    `constructor`, the method is a constructor, so `this` is uninitialised in it."""

    def make(version):
        file = ClassFile(version)
        if constructor:
            file.code(PUBLIC, "<init>", descriptor, text, stack, locals)
        else:
            file.constructor()
            file.code(flags, name, descriptor, text, stack, locals)
        if prepare:
            prepare(file)
        return file.bytes()

    return make


def body_case(name, text, kinds=(), versions=None, end=None, **how):
    """Returns a case whose method has the body `text` and then ends: by `return`, or by a throw if `this` is not
    initialised."""
    constructor = "this" in kinds or how.pop("constructor", False)
    end = end if end is not None else ("aconst_null | athrow" if constructor else "return")
    return Case(name, in_method(f"{text} | {end}", constructor=constructor, **how), versions_of(kinds, versions))
