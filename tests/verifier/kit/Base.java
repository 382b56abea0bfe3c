// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The target of references in generated classes: members of every access, in a different package.
package kit;

public class Base {
    public int open;
    protected int guarded;
    protected Object guardedObject;
    protected static int guardedStatic;
    int local;
    private int hidden;
    public final int settled = 1;

    public Base() {}

    protected Base(int ignored) {}

    Base(long ignored) {}

    public void open() {}

    public final void closed() {}

    protected void guarded() {}

    protected Object guardedObject() {
        return null;
    }

    protected static void guardedStatic() {}

    protected static final void closedStatic() {}

    void local() {}

    private void hidden() {}

    public static Object bootstrap(
            java.lang.invoke.MethodHandles.Lookup lookup, String name, Object type) {
        return null;
    }
}
