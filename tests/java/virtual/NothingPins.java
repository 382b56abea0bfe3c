// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Places where a virtual thread may sleep without pinning its carrier: in synchronized, in Object.wait, in a static
// initialiser and waiting for it, below reflection, below loadClass. More threads than carriers sleep there until a
// later thread has run. The log of pinned threads stays empty. On HotSpot 25 the initialiser's part deadlocks.
// since: 25
// jvm: -Xlog:virtualthread+pinned
// By default the library adds each started thread to a map, and meanwhile pins the thread that starts it.
// jvm: -Djdk.trackAllThreads=false
// expected: in synchronized, each its own: true
// expected: in synchronized, all the same: true
// expected: in Object.wait: true
// expected: in a static initialiser: true
// expected: below reflection: true
// expected: below reflection, in synchronized, in recursion: true
// expected: below loadClass, all for one: true
// expected: below loadClass, each its own, and initialised: true
// expected: in a Lock, in synchronized: true
// expected: parked in synchronized: true
import java.io.InputStream;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class NothingPins {
    static final int threads = Integer.getInteger("threads", 64);
    static CountDownLatch gate;
    static final AtomicInteger done = new AtomicInteger();

    interface Body {
        void run(int i) throws Exception;
    }

    // All threads wait at the gate. A virtual thread that is started after these threads opens the gate.
    public static void await() throws InterruptedException {
        gate.await();
    }
    static void check(String what, Body body) throws Exception {
        gate = new CountDownLatch(1);
        done.set(0);
        CountDownLatch begun = new CountDownLatch(threads);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            all.add(Thread.ofVirtual().name(what).start(() -> {
                try {
                    begun.countDown();
                    body.run(number);
                    done.incrementAndGet();
                } catch (Throwable e) {
                    System.out.println(e);
                }
            }));
        }
        begun.await();
        Thread.sleep(Integer.getInteger("settle", 0));   // with -Dsettle=, waits until all threads are asleep
        Thread.ofVirtual().start(() -> gate.countDown()).join();
        for (Thread thread : all) thread.join();
        System.out.println(what + ": " + (done.get() == threads));
    }

    static class Initialised {
        static int value;
        static {
            try {
                await();
                value = 5;
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        }
    }
    public static class OneOfMany {
        static {
            try {
                await();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        }
    }
    public static void reflected() throws InterruptedException {
        await();
    }

    // Defines the classes whose names begin with OneOfMany. The parent loader loads all other classes. This loader is
    // not registered as parallel capable, so loadClass locks it.
    static class Loader extends ClassLoader {
        Loader() {
            super(NothingPins.class.getClassLoader());
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("NothingPins$OneOfMany")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (InputStream in = NothingPins.class.getResourceAsStream("/" + name + ".class")) {
                    await();
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (Exception e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        check("in synchronized, each its own", i -> {
            synchronized (new Object()) {
                await();
            }
        });
        Object common = new Object();
        check("in synchronized, all the same", i -> {
            synchronized (common) {
                await();
            }
        });
        check("in Object.wait", i -> {
            Object own = new Object();
            Thread helper = Thread.ofVirtual().unstarted(() -> {
                synchronized (own) {
                    own.notify();
                }
            });
            synchronized (own) {
                helper.start();
                own.wait();
                await();
            }
        });
        // Loads the class Initialised in advance. Otherwise the threads would wait for the monitor of its loader, and
        // with -XX:LockingMode=pthread such a wait pins the virtual thread.
        Class.forName("NothingPins$Initialised", false, NothingPins.class.getClassLoader());
        check("in a static initialiser", i -> {
            if (Initialised.value != 5) throw new Error();
        });
        Method method = NothingPins.class.getMethod("reflected");
        check("below reflection", i -> method.invoke(null));
        check("below reflection, in synchronized, in recursion", i -> {
            synchronized (common) {
                synchronized (common) {
                    method.invoke(null);
                }
            }
        });
        Loader loader = new Loader();
        check("below loadClass, all for one", i -> Class.forName("NothingPins$OneOfMany", false, loader));
        check("below loadClass, each its own, and initialised",
            i -> Class.forName("NothingPins$OneOfMany", true, new Loader()));
        ReentrantLock lock = new ReentrantLock();
        check("in a Lock, in synchronized", i -> {
            lock.lock();
            try {
                synchronized (common) {
                    await();
                }
            } finally {
                lock.unlock();
            }
        });
        check("parked in synchronized", i -> {
            synchronized (new Object()) {
                while (gate.getCount() != 0) LockSupport.parkNanos(1_000_000);
            }
        });
    }
}
