// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads take two locks in opposite orders.
public class Locks {
    static final Object left = new Object(), right = new Object();
    static int shared;

    static void both(Object one, Object other) {
        synchronized (one) {
            synchronized (other) {
                shared++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread second = new Thread(() -> both(right, left), "second");
        second.start();
        both(left, right);
        second.join();
    }
}
