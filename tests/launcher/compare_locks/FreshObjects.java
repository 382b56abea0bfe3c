// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Each object is locked once, by one thread. A mode in which every lock is a monitor makes a monitor for each.
public class FreshObjects {
    static final class Once {
        int value;
    }

    static Once[] kept = new Once[64];   // other threads could see these objects, so their locks are not eliminated

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        for (int i = 0; i < count; i++) {
            Once once = new Once();
            kept[i & 63] = once;
            synchronized (once) {
                once.value = i;
            }
        }
        System.out.println("last " + kept[(count - 1) & 63].value);
    }
}
