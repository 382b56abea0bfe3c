// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class without any main method that 25 accepts: a private one, one with another parameter.
// since: 25
public class NoSuitableMain {
    private static void main(String[] arguments) {
        IO.println("private");
    }

    static void main(int number) {
        IO.println("number");
    }
}
