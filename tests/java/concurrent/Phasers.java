// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Phaser and CyclicBarrier: arrival, advance, termination, broken barriers.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

public class Phasers {
    public static void main(String[] args) throws Exception {
        StringBuffer log = new StringBuffer();
        Phaser p = new Phaser(3) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                log.append(phase).append(':').append(parties).append(' ');
                return phase == 2;
            }
        };
        AtomicInteger sum = new AtomicInteger();
        Thread[] t = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int n = i;
            t[i] = new Thread(() -> { while (!p.isTerminated()) { sum.addAndGet(n); p.arriveAndAwaitAdvance(); } });
            t[i].start();
        }
        for (Thread x : t) x.join();
        System.out.println(log + "" + sum + " " + p.isTerminated() + " " + (p.getPhase() < 0));
        CyclicBarrier b = new CyclicBarrier(2, () -> log.append("action "));
        Thread waiter = new Thread(() -> {
            try {
                b.await();
                b.await();
            } catch (BrokenBarrierException e) {
                log.append("broken");
            } catch (InterruptedException e) {
                log.append("interrupted");
            }
        });
        waiter.start();
        b.await();
        while (b.getNumberWaiting() == 0) Thread.onSpinWait();
        b.reset();
        waiter.join();
        System.out.println(log + " " + b.isBroken() + " " + b.getParties());
    }
}
