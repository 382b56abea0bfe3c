// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runtime.halt ends at once: no hooks, no finally.
public class Halt {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("no")));
        System.out.println("halting");
        try {
            Runtime.getRuntime().halt(7);
        } finally {
            System.out.println("no");
        }
    }
}
