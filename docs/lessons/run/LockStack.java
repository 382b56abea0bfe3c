public class LockStack {
    static class Level {
    }

    static void enter(int depth) {
        if (depth == 0) return;
        synchronized (new Level[] {new Level()}[0]) {
            enter(depth - 1);
        }
    }

    public static void main(String[] args) {
        enter(Integer.parseInt(args[0]));
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
