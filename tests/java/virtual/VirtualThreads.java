// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads: names, states, priority, daemon, groups, thread-locals, settings that cannot be changed, join with a
// time limit.
// since: 21
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

public class VirtualThreads {
    static final ThreadLocal<String> LOCAL = ThreadLocal.withInitial(() -> "initial");
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    static void refused(String what, Runnable action) {
        try {
            action.run();
            System.out.println(what + " accepted");
        } catch (RuntimeException e) {
            System.out.println(what + " " + e.getClass().getSimpleName());
        }
    }

    public static void main(String[] arguments) throws Exception {
        INHERITED.set("of main");
        LOCAL.set("main's");
        Thread thread = Thread.ofVirtual().name("v-", 7).unstarted(() -> {
            Thread self = Thread.currentThread();
            System.out.println(self.getName() + " " + self.isVirtual() + " " + self.isDaemon() + " "
                + self.getPriority()
                               + " " + self.getThreadGroup().getName() + " " + self.getState());
            System.out.println(LOCAL.get() + " " + INHERITED.get());
            LOCAL.set("own");
            LOCAL.remove();
            System.out.println(LOCAL.get());
        });
        System.out.println(thread.getState() + " " + thread.isAlive());
        thread.start();
        thread.join();
        System.out.println(thread.getState() + " " + thread.isAlive() + " " + LOCAL.get());
        refused("second start", thread::start);
        refused("no daemon", () -> thread.setDaemon(false));
        thread.setPriority(Thread.MAX_PRIORITY);
        System.out.println(thread.getPriority());

        CountDownLatch latch = new CountDownLatch(1), begun = new CountDownLatch(1);
        Thread waits = Thread.ofVirtual().inheritInheritableThreadLocals(false).start(() -> {
            System.out.println(INHERITED.get());
            begun.countDown();
            try {
                latch.await();
            } catch (InterruptedException e) {
                System.out.println("interrupted " + Thread.currentThread().isInterrupted());
            }
        });
        begun.await();
        System.out.println(waits.join(Duration.ofMillis(20)) + " " + waits.isAlive());
        waits.interrupt();
        System.out.println(waits.join(Duration.ofSeconds(20)));
        Thread fails = Thread.ofVirtual().name("fails").uncaughtExceptionHandler((t, e) ->
            System.out.println(t.getName() + ": " + e))
            .start(() -> {
                throw new IllegalStateException("uncaught");
            });
        fails.join();
        System.out.println(fails.toString().startsWith("VirtualThread[#") + " "
            + Thread.ofVirtual().unstarted(() -> {}).getName().isEmpty());
        System.out.println(new Thread().isVirtual() + " " + Thread.startVirtualThread(() -> {}).isVirtual());
    }
}
