public class Cards {
    static class Node {
        Object next;
    }

    static void link(Node node, Object next) {
        node.next = next;
    }

    public static void main(String[] args) {
        Node[] old = new Node[100_000];
        for (int i = 0; i < old.length; i++) old[i] = new Node();
        System.gc();
        int written = Integer.parseInt(args[0]);
        for (int i = 0; i < 3_000_000; i++) link(old[i % written], new byte[24]);
        System.out.println("of " + old.length + " old objects " + written + " were written");
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
