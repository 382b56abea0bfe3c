// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 3.3: refused, because one preemption, of the writer between its writes, is enough.
public class FirstValue {
    static int written, first, second;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            written = 1;
            written = 2;
        });
        Thread reader = new Thread(() -> {
            first = written;
            second = written;
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        assert first != 1 : first + " and " + second;
    }
}
