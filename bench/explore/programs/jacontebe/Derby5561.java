// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A connection is tested for null and used without a lock, and another thread closes it in between.
public class Derby5561 {
    static class Physical {
        int queries;
    }

    Physical physical = new Physical();

    void query() {
        if (physical == null) return;
        physical.queries++;
    }

    synchronized void close() {
        physical = null;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derby5561 logical = new Derby5561();
        Thread closer = new Thread(logical::close);
        closer.start();
        logical.query();
        closer.join();
    }
}
