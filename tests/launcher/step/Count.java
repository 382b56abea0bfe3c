// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A long execution: about seven bytecodes for each iteration of the loop.
public class Count {
    static int total;

    public static void main(String[] arguments) {
        int limit = Integer.parseInt(arguments[0]), sum = 0;
        for (int i = 0; i < limit; i++) {
            sum += i;
        }
        total = sum;
        System.out.println(total);
    }
}
