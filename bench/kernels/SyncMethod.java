// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Uncontended synchronized instance method.
public class SyncMethod extends Kernel {
    int count;
    synchronized void increment() { count++; }
    protected long work() { for (int i = 0; i < 2_000_000; i++) increment(); return count; }
    public static void main(String[] arguments) { new SyncMethod().measure(arguments); }
}
