// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Tasks of several classes that pass packets to each other, run by priority.
public class TaskScheduler extends Kernel {
    static final class Packet {
        final int kind;
        final int[] data = new int[4];
        Packet next;
        int owner;
        Packet(int kind, int owner) {
            this.kind = kind;
            this.owner = owner;
        }
    }
    abstract static class Task {
        final int id, priority;
        Task nextTask;
        private Packet first, last;
        int handled;
        Task(int id, int priority) {
            this.id = id;
            this.priority = priority;
        }
        boolean isReady() { return first != null; }
        void put(Packet packet) {
            packet.next = null;
            packet.owner = id;
            if (first == null) first = packet;
            else last.next = packet;
            last = packet;
        }
        Packet take() {
            Packet taken = first;
            first = taken.next;
            return taken;
        }
        abstract void run(TaskScheduler scheduler, Packet packet);
    }
    static final class Worker extends Task {
        private int state = 7;
        Worker(int id) { super(id, 10); }
        void run(TaskScheduler scheduler, Packet packet) {
            for (int i = 0; i < packet.data.length; i++) {
                state = state * 31 + i;
                packet.data[i] += state & 0xFF;
            }
            scheduler.send(packet.kind == 0 ? 2 : 3, packet);
        }
    }
    static final class Device extends Task {
        private long sum;
        Device(int id) { super(id, 20 + id); }
        void run(TaskScheduler scheduler, Packet packet) {
            for (int value : packet.data) sum += value;
            scheduler.send(packet.kind == 0 ? 1 : 4, packet);
        }
    }
    static final class Sink extends Task {
        private int seen;
        Sink(int id) { super(id, 5); }
        void run(TaskScheduler scheduler, Packet packet) {
            seen++;
            scheduler.send(seen % 3 == 0 ? 2 : 1, packet);
        }
    }
    private Task tasks;
    private final Task[] byId = new Task[5];
    private long steps;
    void add(Task task) {
        byId[task.id] = task;
        Task before = null, at = tasks;
        while (at != null && at.priority > task.priority) {
            before = at;
            at = at.nextTask;
        }
        task.nextTask = at;
        if (before == null) tasks = task;
        else before.nextTask = task;
    }
    void send(int id, Packet packet) { byId[id].put(packet); }
    protected long work() {
        TaskScheduler scheduler = new TaskScheduler();
        scheduler.add(new Worker(1));
        scheduler.add(new Device(2));
        scheduler.add(new Device(3));
        scheduler.add(new Sink(4));
        for (int i = 0; i < 6; i++) scheduler.send(1, new Packet(i & 1, 1));
        for (int round = 0; round < 60_000; round++) {
            Task task = scheduler.tasks;
            while (!task.isReady()) task = task.nextTask;
            task.handled++;
            task.run(scheduler, task.take());
        }
        long result = ((Device) scheduler.byId[2]).sum * 31 + ((Device) scheduler.byId[3]).sum;
        for (Task task = scheduler.tasks; task != null; task = task.nextTask) result = result * 31 + task.handled;
        return result;
    }
    public static void main(String[] arguments) { new TaskScheduler().measure(arguments); }
}
