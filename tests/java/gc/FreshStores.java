// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects whose references are stored right after they are made, and again later, between collections.

import java.util.ArrayList;
import java.util.List;

public class FreshStores {
    static class Node {
        Node next, other;
        final int value;

        Node(Node next, Node other, int value) {
            this.next = next;
            this.other = other;
            this.value = value;
        }
    }

    static Object[] pair(Object first, Object second) { return new Object[] {first, second}; }
    static Node[] nodes(Node first, Node second) { return new Node[] {first, second, first}; }

    // Objects that are kept grow old. New objects get references to old ones, and old objects get references to new
    // ones.
    static long rounds(int count) {
        Node[] kept = new Node[64];
        List<Object[]> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int place = i * 31 & 63;
            Node old = kept[place];
            Node made = new Node(old == null ? null : old.next, kept[i & 63], i);
            if (i % 5 == 0) kept[place] = made;
            else if (old != null) old.next = made;
            if (i % 3 == 0 && made.next != null) made.next.next = made.next.next == null ? null : made.next.next.other;
            Object[] pair = pair(made, nodes(old, made));
            if (i % 1000 == 0) pairs.add(pair);
            if (i % 50_000 == 0) System.gc();
            if (made.other != null) made.other.other = null;
        }
        long sum = 0;
        for (Node node : kept) {
            int depth = 0;
            for (Node at = node; at != null && depth < 100; at = at.next, depth++) sum = sum * 31 + at.value;
        }
        for (Object[] pair : pairs) {
            Node[] nodes = (Node[]) pair[1];
            sum = sum * 17 + ((Node) pair[0]).value + nodes[1].value + (nodes[0] == nodes[2] ? 1 : 0);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        for (int round = 1; round <= 3; round++) System.out.println(rounds(100_000 * round));
        try {
            Object[] strings = new String[1];
            strings[0] = new Node(null, null, 1);
        } catch (ArrayStoreException expected) {
            System.out.println(expected.getMessage());
        }
        Object[] integers = new Integer[2];
        integers[0] = 7;
        integers[1] = null;
        System.out.println(integers[0]);
    }
}
