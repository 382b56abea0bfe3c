// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Millions of locks that nobody ever contends for: StringBuffer, Vector and Hashtable lock on every call.
//
// This is the load on which locking modes differ most: a mode that makes a monitor for each object it ever locked
// drowns here.
// Run: ./keyhole -Xmx32m -Xlog:gc examples/LockChurn.java

import java.util.Hashtable;
import java.util.Vector;

public class LockChurn {
    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200_000;
        long characters = 0;
        long elements = 0;
        Hashtable<Integer, Integer> histogram = new Hashtable<>();
        for (int round = 0; round < rounds; round++) {
            StringBuffer text = new StringBuffer();       // locked some ten times, then garbage
            for (int i = 0; i < 10; i++) {
                text.append((char) ('a' + (round + i) % 26));
            }
            characters += text.length();

            Vector<Integer> vector = new Vector<>();      // locked four times, then garbage
            vector.add(round);
            vector.add(round + 1);
            elements += vector.size();

            histogram.merge(vector.get(0) % 10, 1, Integer::sum);
        }
        System.out.println("characters: " + characters);
        System.out.println("elements:   " + elements);
        System.out.println("histogram:  " + histogram.get(0) + " of each digit");
    }
}
