// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class with a method that is no longer synchronized.
public class Shape implements Runnable {
    int f;
    static int s = 3;
    int m() {
        return 2;
    }
    public void run() {}
    private static void p() {}
    static void q() {}
    class Inner {}
    native void n();
}
