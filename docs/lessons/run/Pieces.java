public class Pieces {
    public static void main(String[] args) {
        byte[] last = null;
        for (int i = 0; i < 200_000; i++) last = new byte[16];
        System.out.println(last.length + " bytes");
        System.gc();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
