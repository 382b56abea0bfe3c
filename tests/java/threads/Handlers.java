// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Uncaught exception handlers: of the thread, of the group, the default one; handlers that throw.
public class Handlers {
    public static void main(String[] args) throws Exception {
        Thread own = new Thread(() -> { throw new IllegalStateException("own"); }, "t1");
        own.setUncaughtExceptionHandler((t, e) -> System.out.println(t.getName() + " " + e));
        own.start();
        own.join();
        ThreadGroup group = new ThreadGroup("group") {
            @Override
            public void uncaughtException(Thread t, Throwable e) {
                System.out.println("group " + t.getName() + " " + e.getMessage());
            }
        };
        Thread grouped = new Thread(group, () -> { throw new Error("grouped"); }, "t2");
        grouped.start();
        grouped.join();
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            System.out.println("default " + t.getName() + " " + e.getMessage());
            throw new RuntimeException("ignored");
        });
        Thread plain = new Thread(() -> { int x = 1 / (args.length); }, "t3");
        plain.start();
        plain.join();
        System.out.println(plain.getState() + " " + plain.getUncaughtExceptionHandler() + " " + own.isAlive());
        throw new Exception("main");
    }
}
