public class Humongous {
    public static void main(String[] args) {
        byte[] large = new byte[1_000_000];
        System.gc();
        System.out.println(large.length + " bytes are alive");
        large = null;
        System.gc();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
