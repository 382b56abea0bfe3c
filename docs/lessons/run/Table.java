public class Table {
    static final Table lock = new Table();

    public static void main(String[] args) throws InterruptedException {
        int hash = lock.hashCode();
        Thread other = new Thread(() -> {
            synchronized (lock) {
            }
        }, "other");
        synchronized (lock) {
            other.start();
            while (other.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            System.out.println(Integer.toHexString(hash));
        }
        other.join();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
