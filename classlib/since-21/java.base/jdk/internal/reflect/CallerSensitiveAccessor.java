// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The accessor of a method that asks who calls it: frames of accessors do not count, so it needs not be told.
package jdk.internal.reflect;

import java.lang.reflect.InvocationTargetException;

import jdk.internal.vm.annotation.Hidden;

final class CallerSensitiveAccessor extends MethodAccessorImpl {
    private final MethodAccessorImpl plain;

    CallerSensitiveAccessor(MethodAccessorImpl plain) {
        this.plain = plain;
    }

    @Override
    @Hidden
    public Object invoke(Object receiver, Object[] arguments) throws InvocationTargetException {
        return plain.invoke(receiver, arguments);
    }

    @Override
    @Hidden
    public Object invoke(Object receiver, Object[] arguments, Class<?> caller) throws InvocationTargetException {
        return plain.invoke(receiver, arguments);
    }
}
