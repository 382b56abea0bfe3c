// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A native method that is no longer one.
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
    void n() {
        System.out.println("a body");
    }
}
