// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 5.2: refused, because the locks are held one after the other, not at once.
public class ShortChains {
    public static void main(String[] args) {
        for (int i = 0; i < 40_000; i++) {
            synchronized (new Object()) {
            }
        }
    }
}
