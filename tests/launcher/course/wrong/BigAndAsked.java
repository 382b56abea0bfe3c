// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 6.2: refused, because the program asks for the collection itself.
public class BigAndAsked {
    static byte[] kept = new byte[4_000_000];

    public static void main(String[] args) {
        kept = null;
        System.gc();
    }
}
