// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An error in the static initialiser of the main class is not wrapped.
public class MainClassFailsError {
    static { if (true) throw new AssertionError("at once"); }
    public static void main(String[] args) { System.out.println("not reached"); }
}
