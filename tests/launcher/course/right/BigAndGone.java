// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 6.2: large arrays fill the heap, so the VM has to collect.
public class BigAndGone {
    static byte[] kept;

    public static void main(String[] args) {
        for (int i = 0; i < 60; i++) kept = new byte[4_000_000];
    }
}
