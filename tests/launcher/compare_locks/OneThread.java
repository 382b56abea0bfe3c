// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One thread takes one lock again and again, which is slow only in a mode without a fast path.
public class OneThread {
    static final Object lock = new Object();
    static int sum;

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        for (int i = 0; i < count; i++) {
            synchronized (lock) {
                sum++;
            }
        }
        System.out.println("sum " + sum);
    }
}
