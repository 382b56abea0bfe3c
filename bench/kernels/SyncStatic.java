// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Uncontended synchronized static method.
public class SyncStatic extends Kernel {
    static int count;
    static synchronized void increment() { count++; }
    protected long work() { for (int i = 0; i < 2_000_000; i++) increment(); return count; }
    public static void main(String[] arguments) { new SyncStatic().measure(arguments); }
}
