// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Uncontended synchronized block.
public class SyncBlock extends Kernel {
    int count;

    protected long work() {
        Object lock = new Object();
        for (int i = 0; i < 2_000_000; i++) {
            synchronized (lock) {
                count++;
            }
        }
        return count;
    }

    public static void main(String[] arguments) {
        new SyncBlock().measure(arguments);
    }
}
