// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that request large stacks get them, also several at once, and can recurse as deeply as such stacks allow.
// stress: no
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public class LargeStacks {
    static int depth(int left) {
        return left == 0 ? 0 : 1 + depth(left - 1);
    }

    static int overflows() {
        try {
            return depth(Integer.MAX_VALUE);
        } catch (StackOverflowError e) {
            return -1;
        }
    }

    public static void main(String[] args) throws Exception {
        for (long megabytes : new long[] {0, 1, 64, 512, 1536, 3000}) {
            int levels = megabytes < 64 ? 1000 : 200_000;
            int[] found = {0};
            Thread thread = new Thread(null, () -> found[0] = depth(levels), "deep", megabytes << 20);
            thread.start();
            thread.join();
            System.out.println(megabytes + ": " + found[0]);
        }
        CountDownLatch all = new CountDownLatch(4);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(null, () -> {
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                depth(1000);
            }, "together", 1536L << 20);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) thread.join();
        System.out.println("together");
        int[] found = {0};
        Thread thread = new Thread(null, () -> found[0] = overflows(), "shallow", 1 << 20);
        thread.start();
        thread.join();
        System.out.println(found[0]);
    }
}
