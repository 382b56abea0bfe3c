// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The release-specific behaviour of handles in 25; the class of the first layer explains the members.
package java.lang.invoke;

final class ReleaseBehaviour {
    private ReleaseBehaviour() {}

    static final boolean HEAP_VIEWS_ARE_ATOMIC = false;
    static final boolean INTERFACES_REACH_OBJECT = true;
    static final boolean RESTRICTS_CLONE_OF_ARRAYS = false;
    static final String NO_DIRECT_INTERFACE = ", is not in a direct superinterface of ";

    static WrongMethodTypeException wrongType(MethodType type, MethodType found) {
        return new WrongMethodTypeException("handle's method type " + type + " but found " + found);
    }

    static WrongMethodTypeException wrongInvokerType(MethodType type, MethodType invoked) {
        return wrongType(type, invoked);
    }

    static UnsupportedOperationException unsupported(VarHandle.AccessMode mode) {
        return new UnsupportedOperationException(mode.methodName);
    }

    static String missingField(Class<?> holder, String name, Class<?> type) {
        return "Class " + holder.getName() + " does not have member field '" + type.getTypeName() + " " + name + "'";
    }

    static Object printed(Class<?>[] types) {
        return types;
    }
}
