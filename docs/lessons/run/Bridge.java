public class Bridge {
    static final Object bridge = new Bridge();

    static void cross(int milliseconds) {
        synchronized (bridge) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread slow = new Thread(() -> cross(50), "slow");
        slow.start();
        while (slow.getState() != Thread.State.TIMED_WAITING) Thread.sleep(1);
        cross(0);
        slow.join();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
