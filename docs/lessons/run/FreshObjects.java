public class FreshObjects {
    static Object[] kept = new Object[64];

    public static void main(String[] args) {
        for (int i = 0; i < 300_000; i++) {
            Object once = new FreshObjects();
            kept[i & 63] = once;
            synchronized (once) {
                kept[0] = once;
            }
        }
        System.out.println("done");
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
