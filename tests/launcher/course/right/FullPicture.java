// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 4.1: two threads wait, three queue, and main holds the lock until all are in place.
import java.util.*;

public class FullPicture {
    static class Subject { }

    static final Subject subject = new Subject();

    static void await(List<Thread> threads, Thread.State state) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != state) Thread.sleep(1);
        }
    }

    static List<Thread> begin(int count, Runnable what) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(new Thread(what));
            threads.get(i).start();
        }
        return threads;
    }

    public static void main(String[] args) throws InterruptedException {
        List<Thread> waiting = begin(2, () -> {
            synchronized (subject) {
                try {
                    subject.wait();
                } catch (InterruptedException nobodyInterrupts) {
                    return;
                }
            }
        });
        await(waiting, Thread.State.WAITING);
        synchronized (subject) {
            await(begin(3, () -> {
                synchronized (subject) {
                }
            }), Thread.State.BLOCKED);
            Thread.sleep(20);
            subject.notifyAll();
        }
    }
}
