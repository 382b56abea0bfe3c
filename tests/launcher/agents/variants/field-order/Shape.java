// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields in another order.
public class Shape implements Runnable {
    static int s = 3;
    int f;
    int m() {
        return 2;
    }
    public void run() {}
    private static void p() {}
    static synchronized void q() {}
    class Inner {}
    native void n();
}
