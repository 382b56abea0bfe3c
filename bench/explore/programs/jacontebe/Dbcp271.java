// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The cleaner reads the time of a connection's last use without the lock, and closes a connection that is in use again.
public class Dbcp271 {
    static final int TIMEOUT = 10;

    int lastUsed;
    boolean closed;

    synchronized void use(int now) {
        if (closed) return;
        lastUsed = now;
        assert !closed : "closed in use";
    }

    void closeIfAbandoned(int now) {
        if (now - lastUsed > TIMEOUT) closed = true;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Dbcp271 connection = new Dbcp271();
        Thread cleaner = new Thread(() -> connection.closeIfAbandoned(TIMEOUT + 1));
        cleaner.start();
        connection.use(TIMEOUT + 1);
        cleaner.join();
    }
}
