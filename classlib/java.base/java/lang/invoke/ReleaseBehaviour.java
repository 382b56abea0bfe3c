// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Release-specific behaviour of handles: messages and restrictions that differ between releases. Each layer of the
// overlay has its own.
package java.lang.invoke;

final class ReleaseBehaviour {
    private ReleaseBehaviour() {}

    // Do views of a byte[] or a heap buffer support more than plain reads and writes, at aligned places?
    static final boolean HEAP_VIEWS_ARE_ATOMIC = true;

    // Does an interface's own lookup find an instance method of Object for findSpecial?
    static final boolean INTERFACES_REACH_OBJECT = false;
    static final boolean RESTRICTS_CLONE_OF_ARRAYS = true;

    // The end of the message for an interface that invokespecial must not name.
    static final String NO_DIRECT_INTERFACE = ", is in an indirect superinterface of ";

    static WrongMethodTypeException wrongType(MethodType type, MethodType found) {
        return new WrongMethodTypeException("expected " + type + " but found " + found);
    }

    // The exception of an exact invoker of variable handles; `type` is the handle's.
    static WrongMethodTypeException wrongInvokerType(MethodType type, MethodType invoked) {
        return wrongType(invoked, type);
    }

    static UnsupportedOperationException unsupported(VarHandle.AccessMode mode) {
        return new UnsupportedOperationException();
    }

    static String missingField(Class<?> holder, String name, Class<?> type) {
        return name;
    }

    // The object that stands for a list of types inside a printed list.
    static Object printed(Class<?>[] types) {
        return java.util.Arrays.asList(types);
    }
}
