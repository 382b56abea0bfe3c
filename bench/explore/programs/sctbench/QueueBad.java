// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader counts a turn although it found nothing to take, and then compares its element with a later one.
public class QueueBad {
    static final int SIZE = 20;

    final int[] queue = new int[SIZE + 1], copy = new int[SIZE];
    int head, tail;
    boolean mayPut = true, mayTake;

    void put(int turn, int element) {
        queue[tail++] = element;
        copy[turn] = element;
    }

    void write() {
        int element = 1;
        synchronized (this) {
            put(0, element);
        }
        for (int turn = 1; turn < SIZE; turn++) {
            synchronized (this) {
                if (mayPut) {
                    put(turn, ++element);
                    mayPut = false;
                    mayTake = true;
                }
            }
        }
    }

    void read() {
        for (int turn = 0; turn < SIZE; turn++) {
            synchronized (this) {
                if (mayTake) {
                    int element = queue[head++];
                    assert element == copy[turn] : "turn " + turn + ": " + element + " instead of " + copy[turn];
                    mayTake = false;
                    mayPut = true;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        QueueBad program = new QueueBad();
        Thread writer = new Thread(program::write), reader = new Thread(program::read);
        writer.start();
        reader.start();
        writer.join();
        reader.join();
    }
}
