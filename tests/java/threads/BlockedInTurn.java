// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thousands of virtual threads are blocked on one object, and get it in the order of their arrival. They show BLOCKED
// all the time, whatever the algorithm does. There is one carrier: with two, a thread that shows BLOCKED already may be
// overtaken on its way into the queue.
// since: 25
// jvm: -Djdk.virtualThreadScheduler.parallelism=1
// args: 2000
import java.util.*;

public class BlockedInTurn {
    static final Object lock = new Object();
    static final List<Integer> order = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        int n = Integer.parseInt(arguments[0]);
        List<Thread> all = new ArrayList<>();
        int others = 0;
        long begin, blocked;
        synchronized (lock) {
            begin = System.nanoTime();
            for (int i = 0; i < n; i++) {
                int number = i;
                Thread thread = Thread.ofVirtual().start(() -> {
                    synchronized (lock) {
                        order.add(number);
                    }
                });
                while (thread.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
                all.add(thread);
            }
            for (int i = 0; i < 20; i++) {
                Thread.sleep(1);
                for (Thread thread : all) if (thread.getState() == Thread.State.TIMED_WAITING) others++;
            }
            blocked = System.nanoTime();
        }
        for (Thread thread : all) thread.join();
        long end = System.nanoTime();
        List<Integer> sorted = new ArrayList<>(order);
        Collections.sort(sorted);
        System.out.println(order.size() + " in order: " + order.equals(sorted));
        System.out.println("shown as asleep: " + others);
        if (arguments.length > 1)
            System.out.println((blocked - begin) / n + " ns to block, " + (end - blocked) / n + " ns to release");
    }
}
