// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Uncontended locks in the patterns of real programs. The cases are synchronized classes of the library in a local
// variable and in a field; a monitor that is entered recursively, in a callee and in the same block; two synchronized
// blocks in a row; a ReentrantLock; and a sorted list that is locked hand over hand, by a loop over ReentrantLocks and
// by a recursion that holds the monitors of all nodes it has passed.
//
// Usage: <VM> -cp build/bench/classes LockedObjects <repetitions> <case>

import java.util.Hashtable;
import java.util.Vector;
import java.util.concurrent.locks.ReentrantLock;

public class LockedObjects extends Kernel {
    final StringBuffer buffer = new StringBuffer(4096);
    final Vector<Object> vector = new Vector<>(4096);
    final Hashtable<Integer, Integer> table = new Hashtable<>();
    final ReentrantLock reentrant = new ReentrantLock();
    final Object lock = new Object();
    final Integer[] keys = new Integer[64];
    final Element list = Element.sorted(32);
    final String what;
    int count;

    LockedObjects(String what) {
        this.what = what;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = i * 37;
            table.put(keys[i], i);
        }
    }

    protected long work() {
        switch (what) {
            case "buffer-local": return bufferLocal();
            case "buffer-field": return bufferField();
            case "vector-local": return vectorLocal();
            case "vector-field": return vectorField();
            case "table-local": return tableLocal();
            case "table-field": return tableField();
            case "nested": return nested();
            case "neighbours": return neighbours();
            case "recursion-16": return recursion(16);
            case "recursion-256": return recursion(256);
            case "reentrant": return reentrant();
            case "hand-over-hand": return handOverHand();
            case "nested-list": return nestedList();
            default: throw new IllegalArgumentException(what);
        }
    }

    private long bufferLocal() {
        long sum = 0;
        for (int i = 0; i < 500; i++) {
            StringBuffer local = new StringBuffer(1024);
            for (int j = 0; j < 1000; j++) local.append((char) ('a' + (j & 15)));
            sum += local.length();
        }
        return sum;
    }

    private long bufferField() {
        for (int i = 0; i < 500; i++) {
            buffer.setLength(0);
            for (int j = 0; j < 1000; j++) buffer.append((char) ('a' + (j & 15)));
        }
        return buffer.length();
    }

    private long vectorLocal() {
        long sum = 0;
        for (int i = 0; i < 500; i++) {
            Vector<Object> local = new Vector<>(1024);
            for (int j = 0; j < 1000; j++) local.add(lock);
            sum += local.size();
        }
        return sum;
    }

    private long vectorField() {
        for (int i = 0; i < 500; i++) {
            vector.clear();
            for (int j = 0; j < 1000; j++) vector.add(lock);
        }
        return vector.size();
    }

    private long tableLocal() {
        Hashtable<Integer, Integer> local = table;
        long sum = 0;
        for (int i = 0; i < 500_000; i++) sum += local.get(keys[i & 63]);
        return sum;
    }

    private long tableField() {
        long sum = 0;
        for (int i = 0; i < 500_000; i++) sum += table.get(keys[i & 63]);
        return sum;
    }

    private synchronized void increment() {
        count++;
    }

    private long nested() {
        for (int i = 0; i < 500_000; i++) {
            synchronized (this) {
                increment();
                increment();
            }
        }
        return count;
    }

    private long neighbours() {
        for (int i = 0; i < 500_000; i++) {
            increment();
            increment();
            increment();
        }
        return count;
    }

    private synchronized int deeper(int levels) {
        count++;
        return levels == 0 ? count : deeper(levels - 1) + 1;
    }

    private long recursion(int levels) {
        long sum = 0;
        for (int i = 0; i < 500_000 / levels; i++) sum += deeper(levels);
        return sum;
    }

    private long reentrant() {
        for (int i = 0; i < 500_000; i++) {
            reentrant.lock();
            try {
                count++;
            } finally {
                reentrant.unlock();
            }
        }
        return count;
    }

    private long handOverHand() {
        long sum = 0;
        for (int i = 0; i < 15_000; i++) sum += list.contains(i & 31) ? 1 : 0;
        return sum;
    }

    private long nestedList() {
        long sum = 0;
        for (int i = 0; i < 15_000; i++) {
            synchronized (list) {
                sum += list.containsBehind(i & 31) ? 1 : 0;
            }
        }
        return sum;
    }

    /** The first element is a sentinel, smaller than all others. */
    static final class Element {
        final int value;
        final Element next;
        final ReentrantLock lock = new ReentrantLock();

        Element(int value, Element next) {
            this.value = value;
            this.next = next;
        }

        static Element sorted(int count) {
            Element list = null;
            for (int i = count; i >= 0; i--) list = new Element(i - 1, list);
            return list;
        }

        boolean contains(int wanted) {
            Element before = this;
            before.lock.lock();
            Element here = before.next;
            while (here != null) {
                here.lock.lock();
                before.lock.unlock();
                before = here;
                if (here.value >= wanted) break;
                here = here.next;
            }
            before.lock.unlock();
            return here != null && here.value == wanted;
        }

        /** The caller holds this element. */
        boolean containsBehind(int wanted) {
            if (next == null) return false;
            synchronized (next) {
                return next.value >= wanted ? next.value == wanted : next.containsBehind(wanted);
            }
        }
    }

    public static void main(String[] arguments) {
        new LockedObjects(arguments[1]).measure(arguments);
    }
}
