// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method that declares an exception.
public class Shape implements Runnable {
    int f;
    static int s = 3;
    int m() throws RuntimeException {
        return 2;
    }
    public void run() {}
    private static void p() {}
    static synchronized void q() {}
    class Inner {}
    native void n();
}
