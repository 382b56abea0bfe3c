// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 7.1: a class literal loads a class, but does not initialise it.
public class LoadedEarly {
    static class Late {
        static int value = Integer.parseInt("7");
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println(Late.class.getName());
        Thread.sleep(150);
        new Thread(() -> System.out.println(Late.value), "worker").start();
    }
}
