// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads wait for a monitor in the middle of compiled code, and objects move while they wait. Values that were known
// before the block are the same inside it and after it.
// expected: 160000 turns, 0 wrong
// expected: caught 8000
// expected: 40000 of a list
import java.util.ArrayList;
import java.util.List;

public class ContendedBlocks {
    static final int THREADS = 4, TURNS = 40_000;
    static final Object lock = new Object();
    static int turns, caught;
    static final List<int[]> list = new ArrayList<>();

    // If turn() is inlined, its caller has operands on the stack during the block. `mine` is used after the block.
    static int turn(int i) {
        int[] mine = {i, i + 1};
        String text = "text".substring(i & 3);
        synchronized (lock) {
            turns++;
            mine[1] += text.length();
            if ((i & 3) == 0) list.add(mine);
        }
        return mine[1] - mine[0] + (text.length() == 4 - (i & 3) ? 0 : 1000);
    }
    static void run(int[] wrong) {
        for (int i = 0; i < TURNS; i++) {
            int expected = 5 - (i & 3);
            wrong[0] += i + turn(i) - i - expected == 0 ? 0 : 1;
        }
    }
    // An exception in a block whose monitor was contended releases the monitor.
    static void throwing(int[] wrong) {
        for (int i = 0; i < TURNS; i++) {
            try {
                synchronized (lock) {
                    if (i % 20 == 0) throw new IllegalStateException();
                    turns++;
                }
            } catch (IllegalStateException expected) {
                if (Thread.holdsLock(lock)) wrong[0]++;
                synchronized (lock) {
                    caught++;
                }
            }
        }
    }
    interface Body {
        void run(int[] wrong);
    }
    static int wrong(Body body) throws InterruptedException {
        int[][] wrong = new int[THREADS][1];
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int[] own = wrong[i];
            (threads[i] = new Thread(() -> body.run(own))).start();
        }
        int sum = 0;
        for (int i = 0; i < THREADS; i++) {
            threads[i].join();
            sum += wrong[i][0];
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int wrong = wrong(ContendedBlocks::run);
        System.out.println(turns + " turns, " + wrong + " wrong");
        wrong = wrong(ContendedBlocks::throwing);
        System.out.println("caught " + caught + (wrong == 0 ? "" : " wrong " + wrong));
        System.out.println(list.size() + " of a list");
    }
}
