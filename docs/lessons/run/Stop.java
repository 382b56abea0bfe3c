public class Stop {
    static boolean plain;
    static volatile boolean ordered;
    static long turns;

    static void spinPlain() {
        while (!plain) turns++;
    }
    static void spinOrdered() {
        while (!ordered) turns++;
    }

    static void run(String name, Runnable spin, Runnable stop) throws InterruptedException {
        Thread thread = new Thread(spin);
        thread.setDaemon(true);
        thread.start();
        Thread.sleep(500);
        stop.run();
        thread.join(500);
        System.out.println(name + (thread.isAlive() ? ": spins on" : ": has seen it"));
    }

    public static void main(String[] args) throws InterruptedException {
        run("volatile", Stop::spinOrdered, () -> ordered = true);
        run("plain", Stop::spinPlain, () -> plain = true);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
