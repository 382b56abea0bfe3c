// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Closing a connection locks connection and pool, and the evictor locks pool and connection.
public class Dbcp65 {
    static class Pool {
        int idle;

        synchronized void giveBack() {
            idle++;
        }

        synchronized void evict(Connection connection) {
            connection.destroy();
        }
    }

    static class Connection {
        final Pool pool;
        boolean destroyed;

        Connection(Pool pool) {
            this.pool = pool;
        }

        synchronized void close() {
            if (!destroyed) pool.giveBack();
        }

        synchronized void destroy() {
            destroyed = true;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pool pool = new Pool();
        Connection connection = new Connection(pool);
        Thread evictor = new Thread(() -> pool.evict(connection));
        evictor.start();
        connection.close();
        evictor.join();
    }
}
