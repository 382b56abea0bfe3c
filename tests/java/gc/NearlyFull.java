// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx16m
// stress: no
// A heap that fills with small objects ends in OutOfMemoryError soon, not in ever longer collections.
import java.util.*;

public class NearlyFull {
    static Object[] chain;

    public static void main(String[] args) {
        for (int round = 0; round < 2; round++) {
            Map<Integer, String> map = new HashMap<>();
            try {
                for (int i = 0; ; i++) map.put(i, "value " + i);
            } catch (OutOfMemoryError e) {
                int n = map.size();
                map = null;
                System.out.println("map " + (n > 10_000));
            }
            try {
                while (true) chain = new Object[] {chain, new int[3]};
            } catch (OutOfMemoryError e) {
                chain = null;
                System.out.println("chain");
            }
            StringBuilder text = new StringBuilder();
            try {
                while (true) text.append("some text, again and again");
            } catch (OutOfMemoryError e) {
                System.out.println("text " + (text.length() > 1_000_000));
            }
        }
        System.out.println(new ArrayList<>(Collections.nCopies(100_000, "x")).size());
    }
}
