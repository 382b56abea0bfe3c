// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// There are more virtual threads than stacks. A thread without a stack begins when another thread ends, in the order of
// the starts. None is lost, not even one that is interrupted or unparked meanwhile.
// since: 25
// jvm: -XX:+UnlockDiagnosticVMOptions -XX:ContinuationStacks=8
// jvm: -Xlog:virtualthread=off -Djdk.virtualThreadScheduler.parallelism=1
// expected: through: 500
// expected: BLOCKED 0
// expected: in order: true
// expected: interrupted: true
// expected: in turn: 200
// expected: TERMINATED
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.LockSupport;

public class ScarceStacks {
    static List<Thread> occupy(CountDownLatch gate) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            all.add(Thread.ofVirtual().start(() -> {
                begun.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
            }));
        }
        begun.await();
        return all;
    }

    public static void main(String[] arguments) throws Exception {
        AtomicInteger through = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(Thread.ofVirtual().start(() -> {
                synchronized (through) {
                    LockSupport.parkNanos(100_000);
                }
                through.incrementAndGet();
            }));
        }
        for (Thread thread : all) thread.join();
        System.out.println("through: " + through);

        CountDownLatch gate = new CountDownLatch(1);
        all = occupy(gate);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Integer> wanted = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            wanted.add(number);
            all.add(Thread.ofVirtual().start(() -> order.add(number)));
        }
        boolean[] interrupted = {false};
        Thread last = Thread.ofVirtual().start(() -> {
            LockSupport.park();
            interrupted[0] = Thread.interrupted();
            LockSupport.park();
        });
        while (last.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        System.out.println(last.getState() + " " + last.getStackTrace().length);
        last.interrupt();
        LockSupport.unpark(last);
        gate.countDown();
        for (Thread thread : all) thread.join();
        while (!interrupted[0]) Thread.sleep(1);
        LockSupport.unpark(last);
        last.join();
        System.out.println("in order: " + order.equals(wanted));
        System.out.println("interrupted: " + interrupted[0]);

        // Each thread of a chain starts the next one, and ends.
        AtomicInteger turns = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        gate = new CountDownLatch(1);
        all = occupy(gate);
        Runnable[] next = new Runnable[1];
        next[0] = () -> {
            if (turns.incrementAndGet() == 200) done.countDown();
            else Thread.ofVirtual().start(next[0]);
        };
        Thread first = Thread.ofVirtual().start(next[0]);
        gate.countDown();
        done.await();
        for (Thread thread : all) thread.join();
        System.out.println("in turn: " + turns);
        first.join();
        System.out.println(first.getState());
    }
}
