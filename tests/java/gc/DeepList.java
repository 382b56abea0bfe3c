// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// stress: no
// A list of a million nodes: collectors must not recurse.
public class DeepList {
    static class N {
        N next;
        int v;

        N(N n, int v) {
            next = n;
            this.v = v;
        }
    }

    public static void main(String[] args) {
        N head = null;
        for (int i = 0; i < 1_000_000; i++) head = new N(head, i);
        System.gc();
        long s = 0;
        for (N n = head; n != null; n = n.next) s += n.v;
        System.out.println(s);
    }
}
