// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// A program that makes garbage while it keeps a good part of the heap alive, in a heap that is too small for both.
// Run: ./keyhole --look examples/findings/Churn.java
// With a small heap: ./keyhole --look -Xmx32m examples/findings/Churn.java

import java.util.ArrayList;
import java.util.List;

public class Churn {
    public static void main(String[] arguments) {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 12_000; i++) kept.add(new byte[1000]);   // 12 MB that stay
        long made = 0;
        for (int i = 0; i < 400_000; i++) {
            byte[] garbage = new byte[1000];
            garbage[i % 1000] = 1;
            kept.set(i % kept.size(), garbage);   // the old one becomes garbage
            made += garbage.length;
        }
        System.out.println("made " + made / 1_000_000 + " MB, kept " + kept.size() / 1000 + " MB");
    }
}
