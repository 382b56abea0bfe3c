// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class whose nest has one more member.
public class Shape implements Runnable {
    int f;
    static int s = 3;
    int m() {
        return 2;
    }
    public void run() {}
    private static void p() {}
    static synchronized void q() {}
    class Inner {}
    native void n();
    class Inner2 {}
}
