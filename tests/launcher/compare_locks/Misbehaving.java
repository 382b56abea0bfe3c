// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that give a comparison trouble.
public class Misbehaving {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "throws" -> throw new IllegalStateException("on purpose");
            case "exits" -> {
                System.out.println("before the exit");
                System.exit(3);
            }
            case "clock" -> System.out.println(System.nanoTime());
            case "echo" -> System.in.transferTo(System.out);
            case "deadlock" -> {
                Object left = new Object(), right = new Object();
                var both = new java.util.concurrent.CountDownLatch(2);
                for (Object[] order : new Object[][] {{left, right}, {right, left}})
                    new Thread(() -> {
                        synchronized (order[0]) {
                            both.countDown();
                            try {
                                both.await();
                            } catch (InterruptedException stop) {
                                return;
                            }
                            synchronized (order[1]) {
                            }
                        }
                    }).start();
            }
            case "waits" -> Thread.sleep(600_000);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
