// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The thread that ends the VM is alive while hooks run, and main is not.
import java.lang.management.*;
import java.util.*;

public class HooksSeeWhoEnds {
    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Thread[] found = new Thread[100];
            int others = Thread.currentThread().getThreadGroup().enumerate(found);
            List<String> names = new ArrayList<>();
            for (int i = 0; i < others; i++) {
                if (found[i] != Thread.currentThread()) names.add(found[i].getName() + " " + found[i].isDaemon());
            }
            System.out.println(main.getThreadGroup() + " " + main.getState() + " " + names);
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            System.out.println(threads.getThreadCount() == threads.getAllThreadIds().length);
        }, "hook"));
        System.out.println("main ends");
    }
}
