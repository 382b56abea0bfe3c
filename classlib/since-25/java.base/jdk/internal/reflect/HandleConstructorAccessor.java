// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes objects by a method handle. It serves classes that run only the constructor of a superclass.
package jdk.internal.reflect;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;

final class HandleConstructorAccessor extends ConstructorAccessorImpl {
    private final MethodHandle handle;

    HandleConstructorAccessor(MethodHandle handle) {
        this.handle = handle;
    }

    @Override
    public Object newInstance(Object[] arguments) throws InvocationTargetException {
        try {
            return arguments == null ? handle.invokeWithArguments() : handle.invokeWithArguments(arguments);
        } catch (Throwable thrown) {
            throw new InvocationTargetException(thrown);
        }
    }
}
