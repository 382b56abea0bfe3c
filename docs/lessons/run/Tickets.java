public class Tickets {
    static int free = 1;
    static final Object guard = new Object();

    static void book() {
        if (free > 0) free--;
    }

    static void bookSafely() {
        synchronized (guard) {
            book();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable booking = arguments.length == 0 ? Tickets::book : Tickets::bookSafely;
        Thread ann = new Thread(booking, "ann");
        Thread bob = new Thread(booking, "bob");
        ann.start();
        bob.start();
        ann.join();
        bob.join();
        assert free == 0 : "tickets left: " + free;
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
