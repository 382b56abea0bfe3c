public class Pointing {
    public static void main(String[] args) {
        String nobody = args.length > 5 ? "somebody" : null;
        int[][] table = {{1, 2}, null};
        try {
            System.out.println(nobody.length());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(table[1][0] + 1);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
