// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One thread compiles a statement and then looks into the dictionary, another one drops a table and invalidates the
// statement: each holds the lock that the other one needs.
import java.util.concurrent.locks.ReentrantLock;

public class Derby4129 {
    final ReentrantLock dictionary = new ReentrantLock();
    boolean tableExists = true, valid;

    synchronized void compile() {
        dictionary.lock();
        try {
            valid = tableExists;
        } finally {
            dictionary.unlock();
        }
    }

    synchronized void invalidate() {
        valid = false;
    }

    void dropTable() {
        dictionary.lock();
        try {
            tableExists = false;
            invalidate();
        } finally {
            dictionary.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derby4129 statement = new Derby4129();
        Thread compiler = new Thread(statement::compile), dropper = new Thread(statement::dropTable);
        compiler.start();
        dropper.start();
        compiler.join();
        dropper.join();
    }
}
