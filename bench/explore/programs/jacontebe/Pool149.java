// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A borrower looks for an object and begins to wait in two steps, and misses an object that comes back in between.
public class Pool149 {
    int idle;

    synchronized boolean take() {
        if (idle == 0) return false;
        idle--;
        return true;
    }

    void borrow() throws InterruptedException {
        if (take()) return;
        synchronized (this) {
            wait();
            idle--;
        }
    }

    synchronized void giveBack() {
        idle++;
        notify();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pool149 pool = new Pool149();
        Thread giver = new Thread(pool::giveBack);
        giver.start();
        pool.borrow();
        giver.join();
    }
}
