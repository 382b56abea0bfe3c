// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 5.2: many locks, one after the other.
public class ShortChains {
    public static void main(String[] args) {
        for (int i = 0; i < 40_000; i++) {
            synchronized (new Object()) {
            }
        }
    }
}
