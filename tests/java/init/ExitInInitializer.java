// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.exit in a static initialiser.
public class ExitInInitializer {
    static { System.out.println("leaving"); System.exit(4); }
    public static void main(String[] args) { System.out.println("not reached"); }
}
