// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx32m -XX:GCTimeLimit=1 -XX:GCHeapFreeLimit=30
// stress: no
// timeout: 60
// expected: GC overhead limit exceeded\nroom again
// A heap all but full of live objects: collections gain little, and the program gets an error instead of crawling on.
// It can continue when it drops objects.
import java.util.*;

public class OverheadLimit {
    static final String LIMIT = new String("GC overhead limit exceeded");
    static Object sink;

    public static void main(String[] args) {
        ArrayList<byte[]> live = new ArrayList<>(40_000);
        live.add(new byte[1]);
        live.remove(0);   // add() and remove() run once, to load the classes that they need while there is memory
        try {
            while (true) live.add(new byte[1000]);
        } catch (OutOfMemoryError filled) {
            for (int i = 0; i < 1000; i++) live.remove(live.size() - 1);   // frees memory for the lines below
        }
        String message = null;
        for (int tries = 0; tries < 20 && !LIMIT.equals(message); tries++) {
            try {
                for (int i = 0; i < 1000; i++) live.remove(live.size() - 1);
                for (int i = 0; i < 10_000_000; i++) sink = new byte[100];
            } catch (OutOfMemoryError e) {
                message = e.getMessage();
            }
        }
        System.out.println(message);
        live = null;
        for (int i = 0; i < 500_000; i++) sink = new byte[100];
        System.out.println("room again");
    }
}
