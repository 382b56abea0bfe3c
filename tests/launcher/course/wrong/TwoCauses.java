// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 2.1: refused, because seven locks fit into the lock stack, so there are only two causes.
public class TwoCauses {
    static class Subject { }

    static void nest(int depth) {
        synchronized (new Subject()) {
            if (depth > 1) nest(depth - 1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Subject contended = new Subject(), waited = new Subject();
        Thread other = new Thread(() -> {
            synchronized (contended) {
            }
        });
        synchronized (contended) {
            other.start();
            while (other.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        }
        synchronized (waited) {
            waited.wait(1);
        }
        nest(7);
        other.join();
    }
}
