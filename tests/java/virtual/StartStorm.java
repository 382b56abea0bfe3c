// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hundreds of short threads come and go while others allocate.
import java.util.concurrent.atomic.*;

public class StartStorm {
    public static void main(String[] args) throws Exception {
        AtomicLong sum = new AtomicLong();
        Thread churn =
                new Thread(
                        () -> {
                            Object[] keep = new Object[100];
                            for (int i = 0; i < 300000; i++) keep[i % 100] = new int[i % 50];
                        });
        churn.start();
        for (int round = 0; round < 10; round++) {
            Thread[] ts = new Thread[20];
            for (int i = 0; i < 20; i++) {
                int k = i;
                ts[i] =
                        new Thread(
                                () -> {
                                    StringBuilder b = new StringBuilder();
                                    for (int j = 0; j < 50; j++) b.append(j);
                                    sum.addAndGet(b.length() + k);
                                });
                ts[i].start();
            }
            for (Thread t : ts) t.join();
        }
        churn.join();
        System.out.println(sum.get());
    }
}
