// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A reference in a local that is never read again does not keep its object alive, and an int that looks like an address keeps nothing.
import java.lang.ref.*;
public class DeadLocals {
    static boolean collected(WeakReference<?> w) { for (int i = 0; i < 50 && w.get() != null; i++) System.gc(); return w.get() == null; }
    static String run() { Object dead = new byte[100]; WeakReference<Object> w = new WeakReference<>(dead); int looksLikeAReference = System.identityHashCode(dead) | 0x1000; Object live = new byte[100]; WeakReference<Object> v = new WeakReference<>(live); boolean deadGone = collected(w); boolean liveGone = collected(v); return deadGone + " " + liveGone + " " + (looksLikeAReference != 0) + " " + (live != null); }
    public static void main(String[] args) { System.out.println(run()); }
}
