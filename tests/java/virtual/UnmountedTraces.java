// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack traces and states of virtual threads, read by other threads: running, parked, asleep, blocked, waiting, in a
// static initialiser; and dumps of all threads, as text and as JSON.
// since: 25
import java.lang.management.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.locks.*;

public class UnmountedTraces {
    static volatile boolean stop;
    static int count;
    static final Object lock = new Object();

    static class Slow {
        static {
            pause();
        }
        static void touch() {
        }
    }
    static void pause() {
        while (!stop) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
            }
        }
    }
    static void running() {
        while (!stop) Thread.onSpinWait();
    }
    static void parked() {
        while (!stop) LockSupport.park();
    }
    static void blocked() {
        synchronized (lock) { count++; }
    }
    static void waiting() {
        Object own = new Object();
        synchronized (own) {
            try {
                own.wait();
            } catch (InterruptedException e) {
            }
        }
    }
    static void awaiting() {
        Slow.touch();
    }
    static String seen(Thread thread, String top, Thread.State state) throws Exception {
        for (int i = 0; ; i++) {
            StackTraceElement[] trace = thread.getStackTrace();
            Thread.State now = thread.getState();
            boolean found = false;
            for (StackTraceElement element : trace) found |= element.getMethodName().equals(top);
            if (found && (now == state || state == null)) {
                StringBuilder text = new StringBuilder(thread.getName() + " " + (state == null ? "" : now));
                for (StackTraceElement element : trace) {
                    if (element.getClassName().startsWith("UnmountedTraces"))
                        text.append("\n  ").append(element.getClassName()).append('.').append(element.getMethodName());
                }
                return text + "\n  from " + trace[trace.length - 1].getMethodName();
            }
            if (i == 3000) return thread.getName() + " " + now + " " + Arrays.toString(trace);
            Thread.sleep(1);
        }
    }
    public static void main(String[] arguments) throws Exception {
        List<Thread> all = new ArrayList<>();
        synchronized (lock) {
            Thread running = Thread.ofVirtual().name("running").start(UnmountedTraces::running);
            Thread parked = Thread.ofVirtual().name("parked").start(UnmountedTraces::parked);
            Thread blocked = Thread.ofVirtual().name("blocked").start(UnmountedTraces::blocked);
            Thread waiting = Thread.ofVirtual().name("waiting").start(UnmountedTraces::waiting);
            Thread pausing = Thread.ofVirtual().name("pausing").start(Slow::touch);
            System.out.println(seen(running, "running", null));
            System.out.println(seen(parked, "parked", Thread.State.WAITING));
            System.out.println(seen(blocked, "blocked", Thread.State.BLOCKED));
            System.out.println(seen(waiting, "waiting", Thread.State.WAITING));
            System.out.println(seen(pausing, "pause", Thread.State.TIMED_WAITING));
            all.addAll(List.of(running, parked, blocked, waiting, pausing));
            dump(HotSpot.dump("text"), all);
            dump(HotSpot.dump("json"), all);
            stop = true;
            LockSupport.unpark(parked);
            waiting.interrupt();
        }
        for (Thread thread : all) thread.join();
        for (Thread thread : all)
            System.out.println(thread.getName() + " " + thread.getState() + " " + thread.getStackTrace().length);
    }
    static void dump(String text, List<Thread> all) {
        for (Thread thread : all) {
            int at = text.indexOf("\"" + thread.getName() + "\"");
            System.out.println(thread.getName() + " in dump: " + (at >= 0));
        }
        // Threads come in any order.
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n")) {
            boolean is_frame = line.contains("UnmountedTraces.") && !line.contains("main") && !line.contains("seen");
            if (is_frame || line.contains("on <java.lang.Object") || line.contains("locked <java.lang.Object"))
                lines.add(line.strip().replaceAll("@[0-9a-f]+", "@").replaceAll(",$", ""));
        }
        Collections.sort(lines);
        for (String line : lines) System.out.println(line);
    }
    static class HotSpot {
        static String dump(String format) throws Exception {
            Path file = Files.createTempFile("threads", "." + format);
            Files.delete(file);
            var bean = ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
            bean.dumpThreads(file.toString(), format.equals("json")
                ? com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON
                : com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            String text = Files.readString(file);
            Files.delete(file);
            return text;
        }
    }
}
