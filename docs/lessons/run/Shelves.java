public class Shelves {
    static final Object top = new Object(), bottom = new Object();

    static void move(Object from, Object to, int before, int after) {
        try {
            Thread.sleep(before);
            synchronized (from) {
                synchronized (to) {
                    System.out.println(Thread.currentThread().getName() + " moves a book");
                }
            }
            Thread.sleep(after);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public static void main(String[] args) {
        int pause = args.length == 0 ? 0 : Integer.parseInt(args[0]);
        new Thread(() -> move(top, bottom, 0, pause), "ann").start();
        new Thread(() -> move(bottom, top, pause, 0), "bob").start();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
