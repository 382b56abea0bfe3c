// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The methods that other classes of java.base use by this name: jdk.internal.access.SharedSecrets and
// MethodHandleProxies.
package java.lang.invoke;

import jdk.internal.access.SharedSecrets;

abstract class MethodHandleImpl {
    private MethodHandleImpl() {}

    static {
        SharedSecrets.setJavaLangInvokeAccess(new InvokeAccess());
    }

    // Returns the handle itself, because caller-sensitive targets see the true caller anyway.
    static MethodHandle bindCaller(MethodHandle handle, Class<?> hostClass) {
        return handle;
    }
}
