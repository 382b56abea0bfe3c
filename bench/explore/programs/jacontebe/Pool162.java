// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A borrower that is interrupted after it was given an object goes away with it, and the next borrower waits for ever.
public class Pool162 {
    int idle, waiting, given;

    synchronized void borrow() throws InterruptedException {
        if (idle > 0) {
            idle--;
            return;
        }
        waiting++;
        while (given == 0) {
            try {
                wait();
            } catch (InterruptedException interrupted) {
                if (given == 0) waiting--;
                else given--; // the object is lost
                throw interrupted;
            }
        }
        given--;
    }

    synchronized void giveBack() {
        if (waiting > 0) {
            waiting--;
            given++;
            notify();
        } else {
            idle++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pool162 pool = new Pool162();
        Thread interrupted = new Thread(() -> {
            try {
                pool.borrow();
                pool.giveBack();
            } catch (InterruptedException expected) {
                return;
            }
        });
        Thread giver = new Thread(pool::giveBack);
        interrupted.start();
        giver.start();
        interrupted.interrupt();
        pool.borrow();
        interrupted.join();
        giver.join();
    }
}
