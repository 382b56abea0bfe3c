// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// finalize runs once; an object that resurrects itself lives on. System.runFinalization has a thread of its own beside
// the finalizer's.
import java.util.concurrent.atomic.AtomicInteger;

public class Finalizers {
    static final AtomicInteger runs = new AtomicInteger();
    static volatile Object saved;

    static class F {
        protected void finalize() {
            runs.incrementAndGet();
        }
    }

    static class Phoenix {
        protected void finalize() {
            saved = this;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 10; i++) new F();
        new Phoenix();
        for (int i = 0; i < 5000 && (runs.get() < 10 || saved == null); i++) {
            System.gc();
            System.runFinalization();
            Thread.sleep(2);
        }
        System.out.println(runs + " " + (saved instanceof Phoenix));
        saved = null;
        for (int i = 0; i < 5; i++) System.gc();
        System.out.println(saved);
    }
}
