public class HashOfHeld {
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            Object key = new HashOfHeld();
            synchronized (key) {
                sum += key.hashCode() == key.hashCode() ? 1 : 0;
            }
        }
        System.out.println(sum + " hashes stayed the same");
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
