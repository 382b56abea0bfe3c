// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Single-use locks: each object is locked in one phase, and never again. The load shows how locking modes differ in the
// memory and work that a used lock leaves behind.
//
// Usage: <VM> -cp build/bench/classes LockChurn [objects per phase]
// Output, one line per phase: "<phase> <ns per object> <checksum>".
//
//   never    the objects alone                     the others minus this: what locking costs
//   once     locked and unlocked once
//   nested   locked twice, adjacent
//   waited   locked, wait(0, 1), unlocked          few objects: it sleeps
//   hashed   locked, and hashed while locked
//   kept     locked once, and all alive at the end of the phase

public class LockChurn {
    static int sink;

    static final class Node {
        int value;
        Node next;
    }

    interface Phase {
        int run(int objects) throws InterruptedException;
    }

    static int never(int objects) {
        int sum = 0;
        for (int i = 0; i < objects; i++) {
            Node node = new Node();
            node.value = i;
            sum += node.value;
        }
        return sum;
    }

    static int once(int objects) {
        int sum = 0;
        for (int i = 0; i < objects; i++) {
            Node node = new Node();
            synchronized (node) {
                node.value = i;
            }
            sum += node.value;
        }
        return sum;
    }

    static int nested(int objects) {
        int sum = 0;
        for (int i = 0; i < objects; i++) {
            Node node = new Node();
            synchronized (node) {
                synchronized (node) {
                    node.value = i;
                }
            }
            sum += node.value;
        }
        return sum;
    }

    static int waited(int objects) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < objects / 100; i++) {
            Node node = new Node();
            synchronized (node) {
                node.wait(0, 1);
                node.value = i;
            }
            sum += node.value;
        }
        return sum;
    }

    static int hashed(int objects) {
        int sum = 0;
        for (int i = 0; i < objects; i++) {
            Node node = new Node();
            synchronized (node) {
                node.value = System.identityHashCode(node) >>> 31;   // stores 0, because hashes are not negative
            }
            sum += node.value + i;
        }
        return sum;
    }

    static int kept(int objects) {
        Node list = null;
        for (int i = 0; i < objects / 10; i++) {
            Node node = new Node();
            synchronized (node) {
                node.value = i;
            }
            node.next = list;
            list = node;
        }
        int sum = 0;
        for (Node node = list; node != null; node = node.next) {
            sum += node.value;
        }
        return sum;
    }

    static void measure(String name, int objects, int divisor, Phase phase) throws InterruptedException {
        long start = System.nanoTime();
        int checksum = phase.run(objects);
        long nanoseconds = System.nanoTime() - start;
        System.out.println(name + " " + nanoseconds * divisor / objects + " " + checksum);
        sink += checksum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int objects = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000_000;
        measure("never", objects, 1, LockChurn::never);
        measure("once", objects, 1, LockChurn::once);
        measure("nested", objects, 1, LockChurn::nested);
        measure("hashed", objects, 1, LockChurn::hashed);
        measure("kept", objects, 10, LockChurn::kept);
        measure("waited", Math.min(objects, 20_000), 100, LockChurn::waited);
        // Two collections, because a collection keeps a monitor that was used since the previous collection.
        System.gc();
        System.gc();
    }
}
