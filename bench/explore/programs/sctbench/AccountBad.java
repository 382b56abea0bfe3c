// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The last check subtracts the deposit instead of adding it, so it fails where deposit and withdrawal come first.
public class AccountBad {
    static final int INITIAL = 1, DEPOSIT = 2, WITHDRAWAL = 4;

    int balance = INITIAL;
    boolean deposited, withdrawn;

    synchronized void deposit() {
        balance += DEPOSIT;
        deposited = true;
    }

    synchronized void withdraw() {
        balance -= WITHDRAWAL;
        withdrawn = true;
    }

    synchronized void check() {
        if (deposited && withdrawn) assert balance == INITIAL - DEPOSIT - WITHDRAWAL : "balance " + balance;
    }

    public static void main(String[] arguments) throws InterruptedException {
        AccountBad account = new AccountBad();
        Thread[] threads = {new Thread(account::check), new Thread(account::deposit), new Thread(account::withdraw)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
