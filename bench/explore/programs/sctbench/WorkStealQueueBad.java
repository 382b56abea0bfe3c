// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The owner of a work-stealing queue settles a conflict about the last item without the lock of the thieves.
public class WorkStealQueueBad {
    static final int ITEMS = 4, STEALS = 2, CAPACITY = 8;

    final int[] items = new int[CAPACITY], timesTaken = new int[ITEMS];
    volatile int head, tail;

    void push(int item) {
        int at = tail;
        items[at % CAPACITY] = item;
        tail = at + 1;
    }

    int pop() {
        int at = tail - 1;
        tail = at;
        if (head < at) return items[at % CAPACITY];
        if (head == at) { // the last item: only the lock could tell whether a thief is about to take it
            int item = items[at % CAPACITY];
            head = 0;
            tail = 0;
            return item;
        }
        tail = at + 1;
        return -1;
    }

    synchronized int steal() {
        int at = head;
        head = at + 1;
        if (at < tail) return items[at % CAPACITY];
        head = at;
        return -1;
    }

    void use(int item) {
        if (item < 0) return;
        synchronized (timesTaken) {
            timesTaken[item]++;
        }
    }

    void thief() {
        for (int attempt = 0; attempt < STEALS; attempt++) use(steal());
    }

    public static void main(String[] arguments) throws InterruptedException {
        WorkStealQueueBad queue = new WorkStealQueueBad();
        Thread thief = new Thread(queue::thief);
        thief.start();
        for (int item = 0; item < ITEMS; item += 2) {
            queue.push(item);
            queue.push(item + 1);
            queue.use(queue.pop());
        }
        for (int item = 0; item < ITEMS / 2; item++) queue.use(queue.pop());
        thief.join();
        for (int item = 0; item < ITEMS; item++) assert queue.timesTaken[item] == 1 : "item " + item;
    }
}
