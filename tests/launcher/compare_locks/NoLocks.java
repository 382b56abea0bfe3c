// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A loop of arithmetic, which no locking mode can change.
public class NoLocks {
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        int sum = 0;
        for (int i = 0; i < count; i++) sum = sum * 31 + i;
        System.out.println("sum " + sum);
    }
}
