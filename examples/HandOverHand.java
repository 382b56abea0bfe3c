// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A sorted linked list with one lock per node: the next is locked before the walk goes on to it (lock coupling).
//
// `synchronized` is block-structured, so the walk is a recursion that holds every node it has passed: up to 200 locks
// at once, far more than the eight that fit on a thread's lock-stack. What happens then is the locking mode's business.
// Run: ./keyhole examples/HandOverHand.java

public class HandOverHand {
    static final class Node {
        final int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    private final Node head = new Node(Integer.MIN_VALUE, new Node(Integer.MAX_VALUE, null));

    /** Inserts a value unless it is there. */
    boolean insert(int value) {
        synchronized (head) {
            return insertAfter(head, value);
        }
    }

    /** The caller holds `node`. */
    private boolean insertAfter(Node node, int value) {
        Node next = node.next;
        synchronized (next) {
            if (next.value == value) {
                return false;
            }
            if (next.value > value) {
                node.next = new Node(value, next);
                return true;
            }
            return insertAfter(next, value);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        HandOverHand list = new HandOverHand();
        int[] inserted = new int[4];
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int self = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    if (list.insert((i * 7 + self * 50) % 200)) {
                        inserted[self]++;
                    }
                }
            });
            threads[t].start();
        }
        int total = 0;
        for (int t = 0; t < threads.length; t++) {
            threads[t].join();
            total += inserted[t];
        }
        int length = 0;
        boolean sorted = true;
        for (Node node = list.head.next; node.next != null; node = node.next) {
            length++;
            sorted &= node.value < node.next.value;
        }
        System.out.println("inserted: " + total + ", length: " + length + ", sorted: " + sorted);
    }
}
