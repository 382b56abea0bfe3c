// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The program that runs with an agent.
public class Hello {
    public static void main(String[] arguments) {
        System.out.println("hello " + String.join(",", arguments));
    }
}
