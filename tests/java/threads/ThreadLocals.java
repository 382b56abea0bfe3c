// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadLocal, withInitial, inheritance.
public class ThreadLocals {
    static ThreadLocal<Integer> tl = ThreadLocal.withInitial(() -> 7);
    static InheritableThreadLocal<String> itl =
            new InheritableThreadLocal<>() {
                protected String childValue(String p) {
                    return p + "-child";
                }
            };

    public static void main(String[] args) throws Exception {
        tl.set(1);
        itl.set("parent");
        int[] seen = new int[2];
        String[] s = new String[1];
        Thread t =
                new Thread(
                        () -> {
                            seen[0] = tl.get();
                            tl.set(99);
                            seen[1] = tl.get();
                            s[0] = itl.get();
                        });
        t.start();
        t.join();
        System.out.println(seen[0] + " " + seen[1] + " " + tl.get() + " " + s[0] + " " + itl.get());
        tl.remove();
        System.out.println(tl.get());
        for (int i = 0; i < 100; i++) {
            ThreadLocal<byte[]> x = new ThreadLocal<>();
            x.set(new byte[1000]);
        }
        System.gc();
        System.out.println(itl.get());
    }
}
