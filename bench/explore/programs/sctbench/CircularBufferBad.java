// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiver counts a turn although the buffer gave it nothing, and then expects the wrong element.
public class CircularBufferBad {
    static final int ELEMENTS = 7;

    final int[] buffer = new int[ELEMENTS + 1];
    int first, next;
    boolean maySend = true, mayReceive;

    void send() {
        for (int element = 0; element < ELEMENTS; element++) {
            synchronized (this) {
                if (maySend) {
                    buffer[next] = element;
                    next = (next + 1) % buffer.length;
                    maySend = false;
                    mayReceive = true;
                }
            }
        }
    }

    void receive() {
        for (int expected = 0; expected < ELEMENTS; expected++) {
            synchronized (this) {
                if (mayReceive) {
                    int element = buffer[first];
                    first = (first + 1) % buffer.length;
                    assert element == expected : "received " + element + " instead of " + expected;
                    mayReceive = false;
                    maySend = true;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        CircularBufferBad program = new CircularBufferBad();
        Thread sender = new Thread(program::send), receiver = new Thread(program::receive);
        sender.start();
        receiver.start();
        sender.join();
        receiver.join();
    }
}
