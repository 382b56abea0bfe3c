// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a program on virtual threads in place of platform threads: `InPlace MAIN ARGUMENTS`. in_place.py appends this
// class to a copy of each program, and replaces the program's `new Thread(...)` by calls of `thread` here. Threads that
// cannot be virtual (in a group, with a stack size, without a body) remain platform threads.
class InPlace {
    private static final java.util.Set<Thread> mustEnd = java.util.concurrent.ConcurrentHashMap.newKeySet();
    private static final java.util.concurrent.atomic.AtomicInteger numbers =
        new java.util.concurrent.atomic.AtomicInteger();

    static Thread thread(Runnable body) {
        return thread(body, "Thread-" + numbers.getAndIncrement());
    }
    static Thread thread(Runnable body, String name) {
        Thread thread = Thread.ofVirtual().name(name).unstarted(body);
        mustEnd.add(thread);
        return thread;
    }
    static Thread thread() {
        return new Thread();
    }
    static Thread thread(String name) {
        return new Thread(name);
    }
    static Thread thread(ThreadGroup group, Runnable body) {
        return group == null ? thread(body) : new Thread(group, body);
    }
    static Thread thread(ThreadGroup group, Runnable body, String name) {
        return group == null ? thread(body, name) : new Thread(group, body, name);
    }
    static Thread thread(ThreadGroup group, Runnable body, String name, long stackBytes) {
        return new Thread(group, body, name, stackBytes);
    }
    // Replaces the program's setDaemon(true). All virtual threads are daemons, so main() waits for the virtual threads
    // that the program did not make daemons.
    static void daemon(Thread thread) {
        thread.setDaemon(true);
        mustEnd.remove(thread);
    }

    public static void main(String[] arguments) throws Exception {
        var main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        Object rest = java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
        boolean[] threw = {false};
        Thread.ofVirtual().name("main").start(() -> {
            try {
                main.invoke(null, rest);
            } catch (java.lang.reflect.InvocationTargetException e) {
                threw[0] = true;
                throw InPlace.<RuntimeException>unchecked(e.getCause());
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }).join();
        for (boolean someRan = true; someRan; ) {
            someRan = false;
            for (Thread thread : mustEnd) {
                if (thread.getState() == Thread.State.NEW || !mustEnd.remove(thread)) continue;
                thread.join();
                someRan = true;
            }
        }
        if (threw[0]) System.exit(1);
    }
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
