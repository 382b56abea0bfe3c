// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 1.2: refused, because two threads of one name use the object.
public class TwoWithOneName {
    static class Subject { }

    public static void main(String[] args) throws InterruptedException {
        Subject subject = new Subject();
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(() -> {
                synchronized (subject) {
                    System.out.println(System.identityHashCode(subject));
                }
            }, "the one");
            thread.start();
            thread.join();
        }
    }
}
