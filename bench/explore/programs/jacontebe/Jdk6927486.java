// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two hash tables contain each other, and are written at once: writing locks a table, and then the tables in it.
import java.util.Hashtable;

public class Jdk6927486 {
    static class Table extends Hashtable<String, Object> {
        synchronized int written() {
            int entries = 0;
            for (Object value : values()) entries += value instanceof Table table ? table.sizeWhenWritten() : 1;
            return entries;
        }

        synchronized int sizeWhenWritten() {
            return size();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Table one = new Table(), two = new Table();
        one.put("other", two);
        two.put("other", one);
        Thread first = new Thread(one::written), second = new Thread(two::written);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
