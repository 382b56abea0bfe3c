// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class on the class path, in a package of java.sql: it is never found there.
package java.sql;

public class Shadowed {
    public static void main(String[] args) {
        System.out.println("seen");
    }
}
