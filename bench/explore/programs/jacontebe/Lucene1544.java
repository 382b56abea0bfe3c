// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Adding an index waits, under the lock of commits, for the end of a merge, which needs the lock of commits to end.
public class Lucene1544 {
    final Object commitLock = new Object();
    boolean merging = true;
    int segments;

    void addIndex() throws InterruptedException {
        synchronized (commitLock) {
            synchronized (this) {
                while (merging) wait();
                segments++;
            }
        }
    }

    void endMerge() {
        synchronized (commitLock) {
            segments--;
        }
        synchronized (this) {
            merging = false;
            notifyAll();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Lucene1544 writer = new Lucene1544();
        Thread merger = new Thread(writer::endMerge);
        merger.start();
        writer.addIndex();
        merger.join();
    }
}
