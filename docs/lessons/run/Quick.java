public class Quick {
    static int calls;

    static void call() {
        calls++;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) call();
        System.out.println("calls " + calls);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
