// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class that Refused tries to redefine by each of the files in variants/.
public class Shape implements Runnable {
    int f;
    static int s = 3;
    int m() {
        return 1;
    }
    public void run() {}
    private static void p() {}
    static synchronized void q() {}
    class Inner {}
    native void n();
}
