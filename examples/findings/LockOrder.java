// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Two threads acquire two monitors in opposite orders, but not at the same time: today it goes well.
// Run: ./keyhole --look examples/findings/LockOrder.java

import java.util.concurrent.CountDownLatch;

public class LockOrder {
    static class Stock {
        int items = 100;
    }
    static class Invoice {
        int items;
    }

    static final Stock stock = new Stock();
    static final Invoice invoice = new Invoice();
    static final CountDownLatch sold = new CountDownLatch(1), restocked = new CountDownLatch(1);

    static void sell() {
        synchronized (stock) {
            synchronized (invoice) {
                stock.items--;
                invoice.items++;
            }
        }
        sold.countDown();
        await(restocked);
    }

    static void takeBack() {
        await(sold);
        synchronized (invoice) {
            synchronized (stock) {
                invoice.items--;
                stock.items++;
            }
        }
        restocked.countDown();
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread seller = new Thread(LockOrder::sell, "seller");
        Thread returns = new Thread(LockOrder::takeBack, "returns");
        seller.start();
        returns.start();
        seller.join();
        returns.join();
        System.out.println("in stock: " + stock.items);
    }
}
