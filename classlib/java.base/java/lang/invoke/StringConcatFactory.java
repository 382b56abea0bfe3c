// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.StringConcatFactory as Java code may call it. Sites that javac makes are linked by vm/link/indy/string_concat.h
// and never come here, unless they have constants that are not strings.
package java.lang.invoke;

import java.util.Objects;
import jdk.internal.vm.annotation.Hidden;

public final class StringConcatFactory {
    private static final char ARGUMENT = 1;
    private static final char CONSTANT = 2;

    private StringConcatFactory() {}

    public static CallSite makeConcat(MethodHandles.Lookup lookup, String name, MethodType concatType) throws StringConcatException {
        StringBuilder recipe = new StringBuilder();
        for (int i = concatType.parameterCount(); i > 0; i--) recipe.append(ARGUMENT);
        return make(lookup, name, concatType, recipe.toString(), new Object[0]);
    }

    public static CallSite makeConcatWithConstants(MethodHandles.Lookup lookup, String name, MethodType concatType, String recipe,
                                                   Object... constants) throws StringConcatException {
        return make(lookup, name, concatType, recipe, constants);
    }

    private static CallSite make(MethodHandles.Lookup lookup, String name, MethodType type, String recipe, Object[] constants)
            throws StringConcatException {
        Objects.requireNonNull(lookup, "Lookup is null");
        Objects.requireNonNull(name, "Name is null");
        Objects.requireNonNull(type, "Concat type is null");
        Objects.requireNonNull(constants, "Constants are null");
        Objects.requireNonNull(recipe, "Recipe is null");
        for (Object constant : constants) Objects.requireNonNull(constant, "Cannot accept null constants");
        if ((lookup.lookupModes() & MethodHandles.Lookup.PRIVATE) == 0) throw new StringConcatException("Invalid caller: " + lookup.lookupClass().getName());
        int arguments = 0;
        int used = 0;
        for (int i = 0; i < recipe.length(); i++) {
            if (recipe.charAt(i) == ARGUMENT) arguments++;
            if (recipe.charAt(i) == CONSTANT) used++;
        }
        if (arguments != type.parameterCount()) {
            throw new StringConcatException("Mismatched number of concat arguments: recipe wants " + arguments + " arguments, but signature provides "
                    + type.parameterCount());
        }
        if (used < constants.length || used > constants.length) {
            throw new StringConcatException("Mismatched number of concat constants: recipe wants " + used + " constants, but only "
                    + constants.length + " are passed");
        }
        if (!type.returnType().isAssignableFrom(String.class)) {
            throw new StringConcatException("The return type should be compatible with String, but it is " + type.returnType());
        }
        if (type.parameterSlotCount() > 200) throw new StringConcatException("Too many concat argument slots: " + type.parameterSlotCount() + ", can only accept 200");
        return new ConstantCallSite(new Concatenation(type, recipe, constants.clone()));
    }

    private static final class Concatenation extends MethodHandle {
        private final String recipe;
        private final Object[] constants;

        Concatenation(MethodType type, String recipe, Object[] constants) {
            super(type);
            this.recipe = recipe;
            this.constants = constants;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) {
            StringBuilder text = new StringBuilder();
            int argument = 0;
            int constant = 0;
            for (int i = 0; i < recipe.length(); i++) {
                char c = recipe.charAt(i);
                if (c == ARGUMENT) text.append(arguments[argument++]);
                else if (c == CONSTANT) text.append(constants[constant++]);
                else text.append(c);
            }
            return text.toString();
        }
    }
}
