// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A frame that StackWalker has found. The JDK's version keeps a MemberName of java.lang.invoke. This version keeps what
// the VM writes into it: the method's class, name and descriptor (classlib/natives/java.base/lang/callers.cpp).
package java.lang;

import java.lang.StackWalker.StackFrame;
import java.lang.invoke.MethodType;

class StackFrameInfo implements StackFrame {
    private final boolean retainClassRef;
    // Written by the VM.
    private Class<?> declaringClass;
    private String methodName;
    private String descriptor;
    private long method;       // the VM's Method
    private int bci;           // -1: a native method
    private volatile StackTraceElement element;

    StackFrameInfo(StackWalker walker) {
        retainClassRef = walker.retainClassRef;
    }

    // Makes no capability check; used by StackStreamFactory.
    Class<?> declaringClass() {
        return declaringClass;
    }

    @Override
    public String getClassName() {
        return declaringClass.getName();
    }

    @Override
    public Class<?> getDeclaringClass() {
        checkClassReferences();
        return declaringClass;
    }

    @Override
    public String getMethodName() {
        return methodName;
    }

    @Override
    public MethodType getMethodType() {
        checkClassReferences();
        return MethodType.fromMethodDescriptorString(descriptor, declaringClass.getClassLoader0());
    }

    @Override
    public String getDescriptor() {
        return descriptor;
    }

    @Override
    public int getByteCodeIndex() {
        return bci;
    }

    @Override
    public String getFileName() {
        return toStackTraceElement().getFileName();
    }

    @Override
    public int getLineNumber() {
        return isNativeMethod() ? -2 : toStackTraceElement().getLineNumber();
    }

    @Override
    public boolean isNativeMethod() {
        return bci < 0;
    }

    @Override
    public String toString() {
        return toStackTraceElement().toString();
    }

    @Override
    public StackTraceElement toStackTraceElement() {
        StackTraceElement result = element;
        if (result == null) {
            synchronized (this) {
                result = element;
                if (result == null) element = result = StackTraceElement.of(this);
            }
        }
        return result;
    }

    private void checkClassReferences() {
        if (!retainClassRef) throw new UnsupportedOperationException("No access to RETAIN_CLASS_REFERENCE");
    }
}
