// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// stress: no
// timeout: 60
// Under a deep stack, a collection finds every reference on the stack. The cost of a collection grows with the depth of
// the stack, not with its square.
public class DeepCollections {
    static int collections;

    static long descend(int depth, Object keep) {
        Object[] mine = {keep, depth};
        if (depth == 0) {
            for (int i = 0; i < 20; i++) {
                System.gc();
                collections++;
            }
            return 0;
        }
        long below = descend(depth - 1, mine);
        if ((Integer) mine[1] != depth || ((Object[]) mine)[0] != keep) throw new AssertionError("depth " + depth);
        return below + 1;
    }

    static int frames;

    static void overflow(Object keep) {
        frames++;
        Object[] mine = {keep};
        overflow(mine);
        if (mine[0] != keep) throw new AssertionError();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread deep = new Thread(null, DeepCollections::body, "deep", 64 << 20);
        deep.start();
        deep.join();
    }

    static void body() {
        System.out.println(descend(10_000, "top") + " " + collections);
        for (int i = 0; i < 3; i++) {
            try {
                overflow(i);
            } catch (StackOverflowError e) {
                System.gc();
                System.out.println("overflow " + (frames > 1000));
            }
        }
    }
}
