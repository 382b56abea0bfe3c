// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that dies of an exception prints it; the VM goes on and ends with 0.
public class UncaughtInThread {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { throw new IllegalStateException("in thread"); }, "worker");
        t.start(); t.join();
        Thread u = new Thread(() -> { int[] a = new int[1]; a[1] = 0; }, "handled");
        u.setUncaughtExceptionHandler((th, e) -> System.out.println(th.getName() + ": " + e));
        u.start(); u.join();
        System.out.println("main goes on");
    }
}
