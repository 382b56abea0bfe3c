// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.reflect.MethodHandleAccessorFactory.
// Why: the JDK's accessors call method handles; those of NativeAccessors have none.
// Native: none.
package jdk.internal.reflect;

import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;

final class MethodHandleAccessorFactory extends NativeAccessors {
    // Of DirectMethodHandleAccessor and its like, whose handles are not used.
    static final int SPECIALIZED_PARAM_COUNT = 3;

    private MethodHandleAccessorFactory() {}

    static class LazyStaticHolder {
        static final JavaLangInvokeAccess JLIA = SharedSecrets.getJavaLangInvokeAccess();
    }
}
