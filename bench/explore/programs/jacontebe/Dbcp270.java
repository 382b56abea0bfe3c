// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A borrower validates a connection under the pool's lock, and a statement's close calls the pool under the
// connection's lock.
import java.util.ArrayDeque;

public class Dbcp270 {
    final ArrayDeque<Connection> idle = new ArrayDeque<>();
    int closedStatements;

    class Connection {
        int statements;

        synchronized boolean isValid() {
            return statements == 0;
        }

        synchronized void open() {
            statements++;
        }

        synchronized void close() {
            if (--statements == 0) statementClosed();
        }
    }

    synchronized void statementClosed() {
        closedStatements++;
    }

    synchronized Connection borrow() {
        Connection connection = idle.poll();
        return connection != null && connection.isValid() ? connection : new Connection();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Dbcp270 pool = new Dbcp270();
        Connection connection = pool.new Connection();
        connection.open();
        pool.idle.add(connection);
        Thread closer = new Thread(connection::close), borrower = new Thread(pool::borrow);
        closer.start();
        borrower.start();
        closer.join();
        borrower.join();
    }
}
