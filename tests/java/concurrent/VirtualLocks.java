// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads that wait for each other: monitors with wait and notify, conditions, exchangers, barriers, phasers,
// blocking queues.
// since: 21
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class VirtualLocks {
    static int turn;

    public static void main(String[] arguments) throws Exception {
        List<Thread> threads = new ArrayList<>();
        Object monitor = new Object();
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            int own = i;
            threads.add(Thread.startVirtualThread(() -> {
                synchronized (monitor) {
                    while (turn != own) {
                        try {
                            monitor.wait();
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                    said.append(own);
                    turn++;
                    monitor.notifyAll();
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        System.out.println(said);

        ReentrantLock lock = new ReentrantLock(true);
        Condition even = lock.newCondition(), odd = lock.newCondition();
        int[] counter = new int[1];
        Runnable[] players = new Runnable[2];
        for (int side = 0; side < 2; side++) {
            int own = side;
            players[side] = () -> {
                lock.lock();
                try {
                    for (int i = 0; i < 50; i++) {
                        while (counter[0] % 2 != own) (own == 0 ? even : odd).awaitUninterruptibly();
                        counter[0]++;
                        (own == 0 ? odd : even).signal();
                    }
                } finally {
                    lock.unlock();
                }
            };
        }
        Thread first = Thread.startVirtualThread(players[0]), second = Thread.startVirtualThread(players[1]);
        first.join();
        second.join();
        System.out.println(counter[0]);

        Exchanger<String> exchanger = new Exchanger<>();
        String[] got = new String[1];
        Thread partner = Thread.startVirtualThread(() -> {
            try {
                got[0] = exchanger.exchange("from the partner");
            } catch (InterruptedException e) {
                got[0] = e.toString();
            }
        });
        System.out.println(exchanger.exchange("mine"));
        partner.join();
        System.out.println(got[0]);
        AtomicInteger rounds = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(4, rounds::incrementAndGet);
        Phaser phaser = new Phaser(1);
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        for (int i = 0; i < 4; i++) {
            int own = i;
            phaser.register();
            Thread.startVirtualThread(() -> {
                try {
                    for (int k = 0; k < 5; k++) barrier.await();
                    queue.put(own);
                } catch (Exception e) {
                    System.out.println(e);
                }
                phaser.arriveAndDeregister();
            });
        }
        int sum = 0;
        for (int i = 0; i < 4; i++) sum += queue.take();
        phaser.arriveAndAwaitAdvance();
        System.out.println(sum + " " + rounds + " " + phaser.getRegisteredParties());
    }
}
