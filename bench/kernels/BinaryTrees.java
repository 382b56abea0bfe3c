// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds many short-lived trees and one long-lived tree. Nearly all objects die young, and the surviving ones are soon
// old. Used by bench/collections.
//
//     java BinaryTrees DEPTH
public class BinaryTrees {
    static final class Tree {
        Tree left, right;
        Tree(Tree left, Tree right) { this.left = left; this.right = right; }
        int count() { return left == null ? 1 : 1 + left.count() + right.count(); }
    }

    static Tree grow(int depth) {
        return depth == 0 ? new Tree(null, null) : new Tree(grow(depth - 1), grow(depth - 1));
    }

    public static void main(String[] args) {
        int depth = Integer.parseInt(args[0]);
        Tree lives = grow(depth);
        long nodes = 0;
        for (int small = 4; small <= depth; small += 2) {
            int trees = 1 << (depth - small + 2);
            for (int i = 0; i < trees; i++) nodes += grow(small).count();
        }
        System.out.println("checksum " + (nodes + lives.count()));
    }
}
