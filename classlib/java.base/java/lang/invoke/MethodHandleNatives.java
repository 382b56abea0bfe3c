// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names and predicates of reference kinds (JVMS 4.4.8), kept under the name by which java.base refers to them.
package java.lang.invoke;

final class MethodHandleNatives {
    private static final String[] NAMES = {"",
                                           "getField",
                                           "getStatic",
                                           "putField",
                                           "putStatic",
                                           "invokeVirtual",
                                           "invokeStatic",
                                           "invokeSpecial",
                                           "newInvokeSpecial",
                                           "invokeInterface"};

    private MethodHandleNatives() {}

    static class Constants {
        static final byte REF_NONE = 0, REF_getField = 1, REF_getStatic = 2, REF_putField = 3, REF_putStatic = 4,
                          REF_invokeVirtual = 5, REF_invokeStatic = 6, REF_invokeSpecial = 7, REF_newInvokeSpecial = 8,
                          REF_invokeInterface = 9;
    }

    static boolean refKindIsValid(int kind) {
        return kind > 0 && kind < NAMES.length;
    }

    static boolean refKindIsField(byte kind) {
        return kind <= Constants.REF_putStatic;
    }

    static boolean refKindIsSetter(byte kind) {
        return kind == Constants.REF_putField || kind == Constants.REF_putStatic;
    }

    static boolean refKindHasReceiver(byte kind) {
        return kind != Constants.REF_getStatic && kind != Constants.REF_putStatic && kind != Constants.REF_invokeStatic
                && kind != Constants.REF_newInvokeSpecial;
    }

    static String refKindName(byte kind) {
        return NAMES[kind];
    }

    // The error that a failed lookup becomes when a constant is resolved.
    static LinkageError mapLookupExceptionToError(ReflectiveOperationException ex) {
        LinkageError error;
        if (ex instanceof IllegalAccessException) {
            Throwable cause = ex.getCause();
            if (cause instanceof AbstractMethodError) return (AbstractMethodError) cause;
            error = new IllegalAccessError(ex.getMessage());
        } else if (ex instanceof NoSuchMethodException) {
            error = new NoSuchMethodError(ex.getMessage());
        } else if (ex instanceof NoSuchFieldException) {
            error = new NoSuchFieldError(ex.getMessage());
        } else {
            error = new IncompatibleClassChangeError(ex.getMessage());
        }
        Throwable cause = ex.getCause();
        error.initCause(cause == null ? ex : cause);
        return error;
    }
}
