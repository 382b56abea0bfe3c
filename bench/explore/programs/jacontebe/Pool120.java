// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two borrowers see that the pool may grow by one object, and both make one.
import java.util.concurrent.ConcurrentLinkedQueue;

public class Pool120 {
    static final int LARGEST = 1;

    final ConcurrentLinkedQueue<Object> idle = new ConcurrentLinkedQueue<>();
    int made;

    synchronized int made() {
        return made;
    }

    synchronized Object make() {
        made++;
        return new Object();
    }

    Object borrow() {
        Object object = idle.poll();
        if (object == null && made() < LARGEST) object = make();
        return object;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pool120 pool = new Pool120();
        Thread one = new Thread(pool::borrow), two = new Thread(pool::borrow);
        one.start();
        two.start();
        one.join();
        two.join();
        assert pool.made <= LARGEST : pool.made + " objects";
    }
}
