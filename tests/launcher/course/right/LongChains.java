// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 5.2: thousands of locks are held while others are taken, so each bucket has several.
public class LongChains {
    static int taken;

    static void nest(int depth) {
        synchronized (new Object()) {
            taken++;
            if (depth > 1) nest(depth - 1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread deep = new Thread(null, () -> nest(40_000), "deep", 1L << 30);
        deep.start();
        deep.join();
        System.out.println(taken);
    }
}
