// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The identity hash of an object never changes: not when it is locked, not when threads fight for it, not when it
// moves.
//
// The hash lives in the header word, beside the lock bits; each locking mode has its own way to keep both.
// Run: ./keyhole -XX:GCStressInterval=100 examples/IdentityHash.java

public class IdentityHash {
    static int differences;

    static void check(String situation, Object object, int hash) {
        boolean same = System.identityHashCode(object) == hash;
        System.out.println(situation + ": " + (same ? "the same hash" : "ANOTHER HASH"));
        if (!same) {
            differences++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Object object = new Object();
        int hash = System.identityHashCode(object);
        check("free", object, hash);

        synchronized (object) {
            check("held", object, hash);
            synchronized (object) {
                check("held twice", object, hash);
            }
        }

        Thread contender = new Thread(() -> {
            synchronized (object) {
                check("held by another thread", object, hash);
            }
        });
        synchronized (object) {
            contender.start();
            while (contender.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            check("contended", object, hash);
        }
        contender.join();

        System.gc();
        check("after it moved", object, hash);

        synchronized (object) {
            object.wait(1);
            check("after wait", object, hash);
        }

        Object lockedFirst = new Object();
        int hashWhileHeld;
        synchronized (lockedFirst) {
            hashWhileHeld = System.identityHashCode(lockedFirst);
        }
        check("hashed while held, then freed", lockedFirst, hashWhileHeld);
        System.out.println("differences: " + differences);
    }
}
