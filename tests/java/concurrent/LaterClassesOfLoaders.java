// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Several threads call a method that only one class implements, so the calls are compiled, while two other threads load
// further classes that implement it. Each round has a loader with classes of its own, which die afterwards.
// stress: no
// timeout: 60
import java.io.InputStream;
import java.util.concurrent.CyclicBarrier;

public class LaterClassesOfLoaders {
    static final int rounds = 16, threads = 3;

    public interface Job {
        // Calls virtual methods until many of the receivers were objects of the classes that are loaded late. Returns
        // the number of wrong results.
        int run();
        // Loads one of the late classes.
        void load(int which);
    }

    public abstract static class Base {
        final int number;
        Base(int number) { this.number = number; }
        abstract int value();
        int twice() { return 2 * value(); }
    }
    public static class Only extends Base {
        public Only() { super(1); }
        int value() { return 1; }
    }
    public static class Late0 extends Base {
        public Late0() { super(2); }
        int value() { return 2; }
    }
    public static class Late1 extends Base {
        public Late1() { super(3); }
        int value() { return 3; }
        int twice() { return 6; }
    }

    public static class Work implements Job {
        static volatile Base current = new Only();
        static final Base first = current;

        private static boolean isWrong(Base base) {
            return base.value() != base.number || base.twice() != 2 * base.number;
        }

        public int run() {
            int wrong = 0;
            for (int met = 0; met < 20_000; ) {
                Base base = current;
                if (isWrong(base)) wrong++;
                if (isWrong(first)) wrong++;
                if (base.number != 1) met++;
            }
            return wrong;
        }

        public void load(int which) {
            try {
                Class<?> late = Class.forName("LaterClassesOfLoaders$Late" + which);
                current = (Base) late.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Loader extends ClassLoader {
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean isOwn = name.startsWith("LaterClassesOfLoaders$") && !name.endsWith("Job");
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null || !isOwn) return loaded != null ? loaded : super.loadClass(name, resolve);
                try (InputStream in = LaterClassesOfLoaders.class.getResourceAsStream("/" + name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    static int round(int number) throws Exception {
        Class<?> work = Class.forName("LaterClassesOfLoaders$Work", true, new Loader());
        Job job = (Job) work.getDeclaredConstructor().newInstance();
        int[] wrong = new int[threads];
        CyclicBarrier begin = new CyclicBarrier(threads + 3);
        Thread[] all = new Thread[threads + 2];
        for (int i = 0; i < all.length; i++) {
            int which = i;
            all[i] = new Thread(() -> {
                try {
                    begin.await();
                    if (which >= threads) {
                        // The delay grows from round to round, so each round loads the classes at another moment of a
                        // compilation.
                        Thread.sleep(number * 3L + (which - threads));
                        job.load(which - threads);
                    } else {
                        wrong[which] = job.run();
                    }
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            all[i].start();
        }
        begin.await();
        int sum = 0;
        for (Thread each : all) each.join();
        for (int each : wrong) sum += each;
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        int wrong = 0;
        for (int i = 0; i < rounds; i++) {
            wrong += round(i);
            if (i % 4 == 3) System.gc();
        }
        System.out.println(rounds + " rounds, " + wrong + " wrong");
    }
}
