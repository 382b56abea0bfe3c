// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The methods in another order.
public class Shape implements Runnable {
    int f;
    static int s = 3;
    static synchronized void q() {}
    native void n();
    public void run() {}
    private static void p() {}
    int m() {
        return 5;
    }
    class Inner {}
}
