// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest program, for start-up time and memory.
public class Hello {
    public static void main(String[] arguments) { System.out.println("Hello, World!"); }
}
