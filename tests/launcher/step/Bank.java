// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two withdrawals that race for one balance.
public class Bank {
    static int balance = 100;

    static void withdraw(int amount) {
        int left = balance;
        if (left >= amount) {
            balance = left - amount;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> withdraw(80), "first");
        Thread second = new Thread(() -> withdraw(30), "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("left: " + balance);
    }
}
