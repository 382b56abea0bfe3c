// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx24m
// stress: no
// OutOfMemoryError can be caught, and the VM goes on.
import java.util.*;

public class OutOfMemory {
    public static void main(String[] args) {
        for (int round = 0; round < 3; round++) {
            List<byte[]> hog = new ArrayList<>();
            try {
                while (true) hog.add(new byte[500_000]);
            } catch (OutOfMemoryError e) {
                int n = hog.size();
                hog = null;
                System.out.println(e.getMessage() + " " + (n > 10));
            }
        }
        try {
            int[] huge = new int[Integer.MAX_VALUE];
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            long[] big = new long[50_000_000];
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        Object x = new Object[1000];
        System.out.println("alive " + ((Object[]) x).length);
    }
}
