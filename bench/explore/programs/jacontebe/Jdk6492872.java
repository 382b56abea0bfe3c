// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing of an encrypted connection take the locks of the handshake and of the output in opposite orders.
public class Jdk6492872 {
    final Object handshake = new Object(), output = new Object();
    int records;
    boolean closed;

    void read() {
        synchronized (handshake) {
            answer();
        }
    }

    void answer() {
        synchronized (output) {
            records++;
        }
    }

    void close() {
        synchronized (output) {
            endHandshake();
        }
    }

    void endHandshake() {
        synchronized (handshake) {
            closed = true;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Jdk6492872 engine = new Jdk6492872();
        Thread reader = new Thread(engine::read), closer = new Thread(engine::close);
        reader.start();
        closer.start();
        reader.join();
        closer.join();
    }
}
