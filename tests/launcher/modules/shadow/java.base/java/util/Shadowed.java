// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class on the class path, in a package of java.base: it is never found there.
package java.util;

public class Shadowed {
    public static void main(String[] args) {
        System.out.println("seen");
    }
}
