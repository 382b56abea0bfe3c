// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An exception in the static initialiser of the main class.
public class MainClassFails {
    static int x = Integer.parseInt("not a number");
    public static void main(String[] args) { System.out.println("not reached"); }
}
