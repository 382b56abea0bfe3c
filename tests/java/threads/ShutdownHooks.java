// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hooks run after main ends, daemon threads do not keep the VM alive, Runtime.halt skips hooks (not
// shown).
public class ShutdownHooks {
    public static void main(String[] args) throws Exception {
        Thread h = new Thread(() -> System.out.println("hook ran"));
        Runtime.getRuntime().addShutdownHook(h);
        Thread no = new Thread(() -> System.out.println("never"));
        Runtime.getRuntime().addShutdownHook(no);
        System.out.println(Runtime.getRuntime().removeShutdownHook(no));
        Thread main = Thread.currentThread();
        Thread last =
                new Thread(
                        () -> {
                            try {
                                main.join();
                            } catch (InterruptedException e) {
                            }
                            System.out.println("last thread");
                        });
        last.start();
        System.out.println("main ends");
    }
}
