// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Structures of all shapes survive many collections.
import java.util.*;

public class Survival {
    static class Node {
        Node left, right;
        int v;

        Node(int v) {
            this.v = v;
        }
    }

    static Node build(int d, int v) {
        Node n = new Node(v);
        if (d > 0) {
            n.left = build(d - 1, 2 * v);
            n.right = build(d - 1, 2 * v + 1);
        }
        return n;
    }

    static int check(Node n) {
        return n == null ? 0 : n.v + 3 * check(n.left) - check(n.right);
    }

    public static void main(String[] args) {
        Node root = build(12, 1);
        int sum = check(root);
        Map<String, List<Integer>> m = new HashMap<>();
        for (int i = 0; i < 500; i++)
            m.computeIfAbsent("k" + i % 50, k -> new ArrayList<>()).add(i);
        int h = m.hashCode();
        Object[][] grid = new Object[50][50];
        for (Object[] row : grid) Arrays.setAll(row, i -> i);
        for (int round = 0; round < 10; round++) {
            byte[][] junk = new byte[200][];
            for (int i = 0; i < 200; i++) junk[i] = new byte[1000 + i];
            System.gc();
            if (check(root) != sum || m.hashCode() != h || !grid[49][49].equals(49))
                System.out.println("BROKEN");
        }
        System.out.println(sum + " " + m.size());
    }
}
