// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ten thousand virtual threads that lock, sleep and count.
// since: 25
// stress: no
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class ManyVirtual {
    static int count;
    static final Object lock = new Object();
    public static void main(String[] a) throws Exception {
        int n = a.length > 0 ? Integer.parseInt(a[0]) : 10000;
        CountDownLatch done = new CountDownLatch(n);
        AtomicInteger virtual = new AtomicInteger();
        for (int i = 0; i < n; i++) {
            Thread.ofVirtual().start(() -> {
                try {
                    if (Thread.currentThread().isVirtual()) virtual.incrementAndGet();
                    synchronized (lock) {
                        count++;
                    }
                    Thread.sleep(20);
                    synchronized (lock) {
                        count++;
                    }
                } catch (InterruptedException e) {
                    throw new RuntimeException(e);
                }
                finally {
                    done.countDown();
                }
            });
        }
        done.await();
        System.out.println(count + " " + virtual.get());
    }
}
