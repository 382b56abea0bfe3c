public class Displaced {
    static void enter(Object account, int depth) {
        if (depth == 0) return;
        synchronized (account) {
            enter(account, depth - 1);
        }
    }

    public static void main(String[] args) {
        Object account = new Displaced();
        int before = account.hashCode();
        enter(account, 20);
        System.out.println("the same hash: " + (before == account.hashCode()));
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
