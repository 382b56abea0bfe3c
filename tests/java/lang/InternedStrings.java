// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Interned strings across collections, threads and class loading.
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;

public class InternedStrings {
    static final String LIT = "lit-\u0436-x";

    static class O {
        static final String LIT2 = "lit-\u0436-x";
    }

    public static void main(String[] a) throws Exception {
        System.out.println(
                (LIT == O.LIT2)
                        + " "
                        + (new String(LIT).intern() == LIT)
                        + " "
                        + (("lit-" + "\u0436-x") == LIT)
                        + " "
                        + (String.valueOf(new char[] {'a'}).intern() == "a")
                        + " "
                        + ("" == new String().intern()));
        int h = System.identityHashCode("dyn".concat("amic").intern());
        for (int i = 0; i < 5; i++) System.gc();
        String d1 = "dyn".concat("amic").intern();
        System.out.println(d1 == "dynamic");
        Thread[] t = new Thread[4];
        String[][] r = new String[4][3000];
        CyclicBarrier b = new CyclicBarrier(4);
        for (int k = 0; k < 4; k++) {
            int z = k;
            t[k] =
                    new Thread(
                            () -> {
                                try {
                                    b.await();
                                } catch (Exception e) {
                                }
                                for (int i = 0; i < 3000; i++)
                                    r[z][i] = ("shared" + i + "\u0100").intern();
                            });
            t[k].start();
        }
        for (Thread q : t) q.join();
        int bad = 0;
        for (int i = 0; i < 3000; i++) for (int k = 1; k < 4; k++) if (r[0][i] != r[k][i]) bad++;
        System.out.println(bad);
        List<WeakReference<String>> w = new ArrayList<>();
        for (int i = 0; i < 20000; i++) w.add(new WeakReference<>(("temp" + i).intern()));
        for (int i = 0; i < 50; i++) {
            System.gc();
            if (w.stream().allMatch(q -> q.get() == null)) break;
            Thread.sleep(5);
        }
        long left = w.stream().filter(q -> q.get() != null).count();
        System.out.println(left < 100);
        String n = new String(new char[] {0, 0xd800, 'x', 0xdc00, 0xffff});
        System.out.println(n.intern() == "\0\ud800x\udc00\uffff");
        System.out.println(n.intern().length() + " " + n.hashCode() + " " + (n == n.intern()));
        String big = "q".repeat(100000);
        System.out.println(big.intern() == "q".repeat(100000).intern());
        System.out.println(InternedStrings.class.getDeclaredField("LIT").getName() == "LIT");
        System.out.println(
                InternedStrings.class.getDeclaredMethod("main", String[].class).getName()
                        == "main");
        System.out.println(
                Class.forName("InternedStrings$O").getDeclaredField("LIT2").get(null) == LIT);
        System.out.println(new Exception().getStackTrace()[0].getMethodName() == "main");
        System.out.println(
                "InternedStrings".equals(InternedStrings.class.getName())
                        + " "
                        + (InternedStrings.class.getName() == InternedStrings.class.getName()));
        String c = "con" + a.length + "cat";
        System.out.println(
                (c == "con0cat")
                        + " "
                        + (c.intern() == "con0cat")
                        + " "
                        + (Integer.toString(5) == "5")
                        + (Boolean.toString(true) == "true")
                        + (String.valueOf((Object) null) == "null"));
    }
}
