// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 7.1: refused, because main, not the worker, is the first to use the class.
public class LoadedByMain {
    static class Late {
        static int value = Integer.parseInt("7");
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println(Late.value);
        Thread.sleep(150);
        new Thread(() -> System.out.println(Late.value), "worker").start();
    }
}
