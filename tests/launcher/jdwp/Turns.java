// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A debugger: events that suspend all threads come one at a time, even if many threads have one at the same moment. The
// next event waits until the debugger resumes all threads or one of them. The program that it debugs is Crowd.
//
//   java Turns <java to debug> <options of the VM>...
import com.sun.jdi.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.util.*;

public class Turns {
    static void set(VirtualMachine vm, String field) throws Exception {
        ClassType crowd = (ClassType) vm.classesByName("Crowd").get(0);
        crowd.setValue(crowd.fieldByName(field), vm.mirrorOf(true));
    }

    static boolean isReady(VirtualMachine vm) {
        List<ReferenceType> found = vm.classesByName("Crowd");
        if (found.isEmpty()) return false;
        return ((BooleanValue) found.get(0).getValue(found.get(0).fieldByName("ready"))).value();
    }

    public static void main(String[] words) throws Exception {
        List<String> command = new ArrayList<>(List.of(words));
        command.add("Crowd");
        List<Process> started = new ArrayList<>();
        VirtualMachine vm = Facts.start(command, false, started);
        EventQueue queue = vm.eventQueue();
        queue.remove().resume();
        Facts.await(() -> isReady(vm) ? true : null);
        ThreadReference main = Facts.thread(vm, "main");
        ThreadDeathRequest ends = vm.eventRequestManager().createThreadDeathRequest();
        ends.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        ends.enable();
        set(vm, "go");
        List<String> ended = new ArrayList<>();
        Set<Integer> counts = new TreeSet<>();
        while (ended.size() < Crowd.SIZE) {
            EventSet events = queue.remove();
            Thread.sleep(2);   // events of other threads may arrive during the sleep
            for (Event event : events) ended.add(((ThreadDeathEvent) event).thread().name());
            counts.add(main.suspendCount());
            events.resume();
        }
        Collections.sort(ended);
        System.out.println(ended + ", suspended " + counts);
        ends.disable();
        System.out.println("meanwhile " + queue.remove(100) + ", suspended " + main.suspendCount());
        set(vm, "end");
        try {
            while (true)
                for (Event event : queue.remove()) System.out.println(event.getClass().getSimpleName());
        } catch (VMDisconnectedException e) { System.out.println("disconnected"); }
        System.out.println("exit " + started.get(0).waitFor());
    }
}

class Crowd {
    static final int SIZE = 30;
    static volatile boolean ready, go, end;

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[SIZE];
        for (int i = 0; i < SIZE; i++) {
            threads[i] = new Thread(() -> { while (!go) Thread.onSpinWait(); }, "one of " + i);
            threads[i].start();
        }
        ready = true;
        for (Thread each : threads) each.join();
        while (!end) Thread.sleep(1);
    }
}
