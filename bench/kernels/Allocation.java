// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocates small objects and arrays. Most of them die at once.
public class Allocation extends Kernel {
    static final class Node {
        final Node next;
        final int value;
        Node(Node next, int value) {
            this.next = next;
            this.value = value;
        }
    }
    protected long work() {
        long sum = 0;
        for (int round = 0; round < 300; round++) {
            Node head = null;
            for (int i = 0; i < 1_500; i++) head = new Node(head, i);
            for (Node node = head; node != null; node = node.next) sum += node.value;
            int[][] rows = new int[300][];
            for (int i = 0; i < rows.length; i++) rows[i] = new int[8];
            sum += rows[17].length;
        }
        return sum;
    }
    public static void main(String[] arguments) { new Allocation().measure(arguments); }
}
