// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two withdrawals that each fit, and together do not: keyhole --explore examples/Overdraw.java
public class Overdraw {
    static int balance = 100;

    static void withdraw(int amount) {
        if (balance >= amount) balance -= amount;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> withdraw(80));
        Thread second = new Thread(() -> withdraw(80));
        first.start();
        second.start();
        first.join();
        second.join();
        assert balance >= 0 : "overdrawn " + balance;
    }
}
