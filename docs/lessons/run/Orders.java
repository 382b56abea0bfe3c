import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Orders {
    static int order(ExecutorService pool, int number) throws Exception {
        Future<Integer> price = pool.submit(() -> number * 10);
        return price.get();   // waits for another task of the same pool
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(Integer.parseInt(args[0]));
        Future<Integer> first = pool.submit(() -> order(pool, 1));
        Future<Integer> second = pool.submit(() -> order(pool, 2));
        System.out.println(first.get() + second.get());
        pool.shutdown();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
