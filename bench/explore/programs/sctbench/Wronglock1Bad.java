// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Another thread changes the data under a lock that is not the one under which the first thread reads it twice.
public class Wronglock1Bad {
    static final int OTHERS = 1;

    final Object dataLock = new Object(), otherLock = new Object();
    int data;

    void addWithRightLock() {
        synchronized (dataLock) {
            int before = data;
            data++;
            assert data == before + 1 : before + " + 1 is " + data;
        }
    }

    void addWithWrongLock() {
        synchronized (otherLock) {
            data++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Wronglock1Bad program = new Wronglock1Bad();
        Thread[] threads = new Thread[OTHERS + 1];
        threads[0] = new Thread(program::addWithRightLock);
        for (int i = 1; i <= OTHERS; i++) threads[i] = new Thread(program::addWithWrongLock);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
