// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 3.1: refused, because both threads wait for main, and neither for the other.
public class TwoForOne {
    static final Object a = new Object();

    public static void main(String[] args) throws InterruptedException {
        Runnable enter = () -> {
            synchronized (a) {
            }
        };
        synchronized (a) {
            new Thread(enter).start();
            new Thread(enter).start();
            Thread.sleep(80);
        }
    }
}
