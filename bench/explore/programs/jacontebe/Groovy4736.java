// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two classes are described at once: each description holds its own lock and waits for that of its parent or child.
import java.util.concurrent.locks.ReentrantLock;

public class Groovy4736 {
    static class Description {
        final ReentrantLock lock = new ReentrantLock();
        Description parent, child;
        int changes;

        void changeWith(Description other) {
            lock.lock();
            try {
                other.lock.lock();
                try {
                    changes++;
                    other.changes++;
                } finally {
                    other.lock.unlock();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Description parent = new Description(), child = new Description();
        parent.child = child;
        child.parent = parent;
        Thread up = new Thread(() -> child.changeWith(child.parent));
        Thread down = new Thread(() -> parent.changeWith(parent.child));
        up.start();
        down.start();
        up.join();
        down.join();
    }
}
