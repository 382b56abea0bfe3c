// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dumps of all threads as text and JSON: frames without module versions, monitors, and the objects that block threads.
// since: 25
// virtual: no
// stress: no
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

import com.sun.management.HotSpotDiagnosticMXBean;

public class SnapshotTexts {
    private static final Object LOCK = new Object(), OTHER = new Object();

    private static Thread started(String name, Thread.State reached, Runnable body) throws InterruptedException {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != reached) Thread.sleep(1);
        return thread;
    }

    private static void waits() {
        synchronized (OTHER) {
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                } catch (InterruptedException interrupted) {
                    System.out.println("interrupted");
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread waiter = started("own waiter", Thread.State.WAITING, SnapshotTexts::waits);
        started("own blocked", Thread.State.BLOCKED, () -> {
            // This block is on one line, because java shows the line at which the thread will continue.
            synchronized (OTHER) { OTHER.hashCode(); }
        });
        Object blocker = new StringBuilder();
        Thread parked = started("own parked", Thread.State.WAITING, () -> LockSupport.park(blocker));
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (var format : HotSpotDiagnosticMXBean.ThreadDumpFormat.values()) {
            Path file = Files.createTempDirectory("dump").resolve("threads").toAbsolutePath();
            bean.dumpThreads(file.toString(), format);
            boolean isShown = false;
            for (String line : Files.readString(file).split("\n")) {
                if (line.matches("#\\d+ .*|.*\"tid\": .*")) isShown = line.contains("\"own ") || line.contains("tid");
                if (line.isBlank()) isShown = false;
                if (isShown && !line.contains("\"time\"")) {
                    String text = line.replaceAll("@[0-9a-f]+", "@").replaceAll("\\d{4}-\\S+Z", "TIME");
                    if (format.name().startsWith("TEXT")) System.out.println(text.replaceAll("^#\\d+", "#"));
                    else if (text.contains("SnapshotTexts") || text.contains("\"own ")) System.out.println(text);
                }
            }
        }
        LockSupport.unpark(parked);
        waiter.interrupt();
        waiter.join();
        // A thread group lists its oldest thread first.
        Thread[] all = new Thread[50];
        int count = Thread.currentThread().getThreadGroup().enumerate(all);
        for (int i = 0; i < count; ++i) {
            if (all[i].getName().equals("main")) System.out.println("main " + i);
        }
    }
}
