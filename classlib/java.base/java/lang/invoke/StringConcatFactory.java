// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.StringConcatFactory for calls from Java code. Sites that javac makes are linked by
// vm/link/indy/string_concat.h and come here only if they have constants that are not strings.
package java.lang.invoke;

import java.util.Arrays;
import jdk.internal.vm.annotation.Hidden;

public final class StringConcatFactory {
    private static final char ARGUMENT = 1;
    private static final char CONSTANT = 2;

    private static final String[] PARAMETERS = {"Lookup", "Name", "Concat type", "Constants", "Recipe"};

    private StringConcatFactory() {}

    public static CallSite makeConcat(MethodHandles.Lookup lookup, String name, MethodType concatType)
            throws StringConcatException {
        StringBuilder recipe = new StringBuilder();
        for (int i = concatType.parameterCount(); i > 0; i--) recipe.append(ARGUMENT);
        return make(lookup, name, concatType, recipe.toString(), new Object[0]);
    }

    public static CallSite makeConcatWithConstants(MethodHandles.Lookup lookup, String name, MethodType concatType,
                                                   String recipe, Object... constants) throws StringConcatException {
        return make(lookup, name, concatType, recipe, constants);
    }

    private static CallSite make(MethodHandles.Lookup lookup, String name, MethodType type, String recipe,
                                 Object[] constants) throws StringConcatException {
        Object[] given = {lookup, name, type, constants, recipe};
        for (int i = 0; i < given.length; i++) {
            if (given[i] == null) throw new NullPointerException(PARAMETERS[i] + " is null");
        }
        if (Arrays.asList(constants).contains(null)) throw new NullPointerException("Cannot accept null constants");
        boolean isPrivate = (lookup.lookupModes() & MethodHandles.Lookup.PRIVATE) != 0;
        if (!isPrivate) throw new StringConcatException("Invalid caller: " + lookup.lookupClass().getName());
        checkCount(recipe, ARGUMENT, "arguments", "signature provides " + type.parameterCount(), type.parameterCount());
        checkCount(recipe, CONSTANT, "constants", "only " + constants.length + " are passed", constants.length);
        if (!type.returnType().isAssignableFrom(String.class)) {
            throw new StringConcatException("The return type should be compatible with String, but it is "
                                            + type.returnType());
        }
        if (type.parameterSlotCount() > 200)
            throw new StringConcatException("Too many concat argument slots: " + type.parameterSlotCount()
                                            + ", can only accept 200");
        return new ConstantCallSite(new Concatenation(type, recipe, constants.clone()));
    }

    private static void checkCount(String recipe, char mark, String what, String found, int expected)
            throws StringConcatException {
        int wanted = 0;
        for (int at = recipe.indexOf(mark); at >= 0; at = recipe.indexOf(mark, at + 1)) wanted++;
        if (wanted == expected) return;
        throw new StringConcatException("Mismatched number of concat " + what + ": recipe wants " + wanted + " " + what
                + ", but " + found);
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
