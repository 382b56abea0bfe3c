// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// args: one two -x é
// Arguments reach main as they were given.
public class Arguments {
    public static void main(String[] args) {
        System.out.println(args.length);
        for (String a : args) System.out.println("[" + a + "]");
    }
}
