// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Identity hashes stay when objects move; IdentityHashMap keeps working.
import java.util.*;

public class IdentityHashes {
    public static void main(String[] args) {
        Object[] o = new Object[1000];
        int[] h = new int[1000];
        IdentityHashMap<Object, Integer> m = new IdentityHashMap<>();
        for (int i = 0; i < 1000; i++) {
            o[i] = i % 2 == 0 ? new Object() : new int[i % 7];
            if (i % 3 != 0) {
                h[i] = System.identityHashCode(o[i]);
                m.put(o[i], i);
            }
        }
        for (int r = 0; r < 5; r++) {
            System.gc();
            for (int i = 0; i < 1000; i++) {
                if (i % 3 != 0 && (System.identityHashCode(o[i]) != h[i] || m.get(o[i]) != i))
                    System.out.println("CHANGED " + i);
                synchronized (o[i]) {
                    if (i % 3 != 0 && System.identityHashCode(o[i]) != h[i])
                        System.out.println("CHANGED UNDER LOCK " + i);
                }
            }
        }
        System.out.println(m.size() + " " + System.identityHashCode(null));
    }
}
