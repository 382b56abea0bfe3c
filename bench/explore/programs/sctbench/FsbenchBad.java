// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// There is one thread more than there are locks of files, so the last thread's index is outside the array.
import java.util.concurrent.locks.ReentrantLock;

public class FsbenchBad {
    static final int BLOCKS = 26, FILES = 32, THREADS = 27;

    final ReentrantLock[] fileLocks = locks(), blockLocks = locks();
    final boolean[] busy = new boolean[BLOCKS];
    final int[] blockOfFile = new int[FILES]; // 0: none, otherwise the block's number plus 1

    static ReentrantLock[] locks() {
        ReentrantLock[] locks = new ReentrantLock[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) locks[i] = new ReentrantLock();
        return locks;
    }

    void giveBlock(int file) {
        fileLocks[file].lock();
        int block = file * 2 % BLOCKS;
        for (int tries = 0; tries < BLOCKS / 2 && blockOfFile[file] == 0; tries++) {
            blockLocks[block].lock();
            if (!busy[block]) {
                busy[block] = true;
                blockOfFile[file] = block + 1;
            }
            blockLocks[block].unlock();
            block = (block + 1) % BLOCKS;
        }
        fileLocks[file].unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        FsbenchBad disk = new FsbenchBad();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int file = i % FILES;
            threads[i] = new Thread(() -> disk.giveBlock(file));
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
}
