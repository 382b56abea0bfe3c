// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builders and factories of platform and virtual threads: numbered names, groups, stack sizes, daemon threads, and the
// arguments that are refused.
// since: 21
import java.util.concurrent.ThreadFactory;

public class ThreadBuilders {
    static void show(Thread thread) {
        System.out.println(thread.getName() + " " + thread.isVirtual() + thread.isDaemon() + " " + thread.getPriority()
                           + " " + thread.getThreadGroup().getName());
    }

    public static void main(String[] arguments) throws Exception {
        ThreadGroup group = new ThreadGroup("mine");
        Thread.Builder.OfPlatform platform = Thread.ofPlatform().name("p-", 0).group(group).priority(7).daemon()
            .stackSize(1 << 20);
        show(platform.unstarted(() -> {}));
        show(platform.unstarted(() -> {}));
        show(platform.name("fixed").daemon(false).unstarted(() -> {}));
        ThreadFactory factory = Thread.ofVirtual().name("f-", 10).factory();
        Thread a = factory.newThread(() -> System.out.println("runs in " + Thread.currentThread().getName()));
        Thread b = factory.newThread(() -> {});
        show(a);
        show(b);
        a.start();
        a.join();
        b.start();
        b.join();
        Runnable[] wrong = {() -> Thread.ofPlatform().priority(11), () -> Thread.ofPlatform().stackSize(-1),
            () -> Thread.ofVirtual().name("x", -1), () -> Thread.ofVirtual().name(null),
                () -> Thread.ofPlatform().unstarted(null),
            () -> Thread.ofPlatform().group(null)};
        for (Runnable each : wrong) {
            try {
                each.run();
                System.out.println("accepted");
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e);
            }
        }
        Thread main = Thread.currentThread();
        System.out.println(main.threadId() == main.getId() && main.threadId() == 1);
        Thread sleeper = Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(java.time.Duration.ofNanos(1500));
                Thread.sleep(java.time.Duration.ofSeconds(-1));
                System.out.println("slept");
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        sleeper.join();
        System.out.println(sleeper.getState());
    }
}
