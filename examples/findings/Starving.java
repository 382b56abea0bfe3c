// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// A thread releases a monitor only to acquire it again at once; another one wants it, too, and is too slow to get it.
// Run: ./keyhole --look examples/findings/Starving.java

public class Starving {
    static class Printer {
        long pages;
    }

    static final Printer printer = new Printer();
    static volatile boolean stop;

    static void print(int milliseconds) {
        synchronized (printer) {
            printer.pages++;
            pause(milliseconds);   // a slow printer
        }
    }

    static void pause(int milliseconds) {
        if (milliseconds == 0) return;
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException goOn) {
            stop = true;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread greedy = new Thread(() -> {
            while (!stop) print(5);
        }, "greedy");
        Thread patient = new Thread(() -> {
            while (!stop) {
                print(0);
                pause(5);   // which lets greedy in
            }
        }, "patient");
        greedy.start();
        Thread.sleep(50);
        patient.start();
        Thread.sleep(900);
        stop = true;
        greedy.join();
        patient.join();
        System.out.println("printed " + (printer.pages > 0));
    }
}
