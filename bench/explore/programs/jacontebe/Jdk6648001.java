// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Of two requests one waits for the other's log-in; the log-in is cancelled, and nobody wakes the waiting request.
import java.util.HashMap;
import java.util.Map;

public class Jdk6648001 {
    final Map<String, Thread> loggingIn = new HashMap<>();

    void request(String server) throws InterruptedException {
        synchronized (loggingIn) {
            if (loggingIn.containsKey(server)) {
                while (loggingIn.containsKey(server)) loggingIn.wait();
                return;
            }
            loggingIn.put(server, Thread.currentThread());
        }
        boolean cancelled = true;
        synchronized (loggingIn) {
            loggingIn.remove(server);
            if (!cancelled) loggingIn.notifyAll();
        }
    }

    void requestQuietly() {
        try {
            request("server");
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Jdk6648001 program = new Jdk6648001();
        Thread one = new Thread(program::requestQuietly), two = new Thread(program::requestQuietly);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
