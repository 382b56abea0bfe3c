// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx128m
// stress: no
// timeout: 60
// Trees of half a million nodes: balanced ones, and degenerate ones whose nodes have only left, only right, or
// alternately left and right children. They grow old and are thinned out, while garbage of each shape is collected.
public class DeepTrees {
    static final int NODES = 500_000;

    static final class Node {
        Node left, right;
        final int id;
        Node(int id) { this.id = id; }
    }

    static Node spine(int shape) {
        Node root = new Node(0), at = root;
        for (int i = 1; i < NODES; i++) {
            Node next = new Node(i);
            if (shape == 0 || shape == 2 && i % 2 == 0) at.left = next;
            else at.right = next;
            at = next;
        }
        return root;
    }

    static Node balanced(int from, int to) {
        if (from >= to) return null;
        int middle = (from + to) >>> 1;
        Node node = new Node(middle);
        node.left = balanced(from, middle);
        node.right = balanced(middle + 1, to);
        return node;
    }

    static long sum(Node root) {   // avoids recursion, which could overflow Java's stack
        Node[] stack = new Node[NODES];
        int top = 0;
        long sum = 0;
        stack[top++] = root;
        while (top > 0) {
            Node node = stack[--top];
            sum = sum * 31 + node.id;
            if (node.left != null) stack[top++] = node.left;
            if (node.right != null) stack[top++] = node.right;
        }
        return sum;
    }

    public static void main(String[] args) {
        for (int shape = 0; shape < 4; shape++) {
            Node tree = shape == 3 ? balanced(0, NODES) : spine(shape);
            long before = sum(tree);
            for (int i = 0; i < 3; i++) {
                Node garbage = shape == 3 ? balanced(0, NODES / 2) : spine((shape + i) % 3);
                if (garbage.id < 0) System.out.println("never");
            }
            System.out.println(shape + " " + (sum(tree) == before));
            if (shape == 3) tree.left = null;   // half of an old tree dies
            System.gc();
            System.out.println(sum(tree));
        }
    }
}
