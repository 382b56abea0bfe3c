// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A field with other modifiers.
public class Shape implements Runnable {
    volatile int f;
    static int s = 3;
    int m() {
        return 2;
    }
    public void run() {}
    private static void p() {}
    static synchronized void q() {}
    class Inner {}
    native void n();
}
