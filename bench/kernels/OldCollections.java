// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A single thread uses old collections (Vector, Hashtable ...), all of whose methods are synchronized. Measures the
// cost of uncontended locks that the program does not need.
//
//     java OldCollections [REPETITIONS [fresh|kept]]
//
//   fresh   new collections all the time, each used briefly: shows the cost in modes that allocate memory for each lock
//   kept    the same operations on the same few objects
import java.util.Hashtable;
import java.util.Stack;
import java.util.Vector;

public class OldCollections extends Kernel {
    static final int ROUNDS = 4_000;

    final boolean fresh;
    Vector<Integer> vector = new Vector<>();
    Stack<Integer> stack = new Stack<>();
    Hashtable<Integer, Integer> table = new Hashtable<>();
    StringBuffer text = new StringBuffer();

    OldCollections(boolean fresh) {
        this.fresh = fresh;
    }

    void begin() {
        if (fresh) {
            vector = new Vector<>();
            stack = new Stack<>();
            table = new Hashtable<>();
            text = new StringBuffer();
        } else {
            vector.clear();
            stack.clear();
            table.clear();
            text.setLength(0);
        }
    }

    @Override protected long work() {
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            begin();
            for (int i = 0; i < 8; i++) {
                Integer value = (round + i) & 127;
                vector.add(value);
                stack.push(value);
                table.put(i, value);
                text.append((char) ('a' + (value & 15)));
            }
            for (int i = 0; i < 8; i++) sum += vector.get(i) * 3 + stack.pop() + table.get(i);
            sum = sum * 31 + text.charAt(round & 7) + text.length();
        }
        return sum;
    }

    public static void main(String[] arguments) {
        new OldCollections(arguments.length < 2 || arguments[1].equals("fresh")).measure(arguments);
    }
}
