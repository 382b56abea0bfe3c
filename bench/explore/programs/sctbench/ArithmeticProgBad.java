// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads compute 1 + 2 + 3 together, and the check at the end rejects the right sum in every schedule.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ArithmeticProgBad {
    static final int TERMS = 3;

    final ReentrantLock lock = new ReentrantLock();
    final Condition taken = lock.newCondition(), given = lock.newCondition();
    int offered, sum;

    void give() {
        for (int term = 0; term < TERMS; term++) {
            lock.lock();
            while (offered > 0) taken.awaitUninterruptibly();
            offered++;
            given.signal();
            lock.unlock();
        }
    }

    void add() {
        for (int term = 1; term <= TERMS; term++) {
            lock.lock();
            while (offered == 0) given.awaitUninterruptibly();
            offered--;
            sum += term;
            taken.signal();
            lock.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        ArithmeticProgBad progression = new ArithmeticProgBad();
        Thread giver = new Thread(progression::give), adder = new Thread(progression::add);
        giver.start();
        adder.start();
        giver.join();
        adder.join();
        assert progression.sum != TERMS * (TERMS + 1) / 2 : "sum " + progression.sum;
    }
}
