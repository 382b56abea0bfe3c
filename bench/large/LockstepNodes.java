// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Nine simulated nodes run in lockstep, as in avrora. In each round, a node works, holds the monitor for some ten
// microseconds, and waits at the same monitor until all nodes have arrived. The last node wakes all others. While the
// woken nodes acquire the monitor one after the other, the last node already competes for it in its next round.
// iterations: 20
// locks: yes
public class LockstepNodes extends Workload {
    private static final int NODES = 9, ROUNDS = 400, WORK = 2000, WORK_IN_MONITOR = 20_000;
    private final Object monitor = new Object();
    private int arrived, turn;   // guarded by the monitor, like `sum`
    private long sum;

    private static long compute(long seed, int steps) {
        for (int i = 0; i < steps; i++) seed = seed * 31 + (seed >>> 7);
        return seed;
    }

    private void node(int number) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            long found = compute(number + round, WORK);
            synchronized (monitor) {
                sum += compute(found, WORK_IN_MONITOR);
            }
            synchronized (monitor) {
                sum += compute(found + 1, WORK_IN_MONITOR);
                int mine = turn;
                if (++arrived == NODES) {
                    arrived = 0;
                    turn++;
                    monitor.notifyAll();
                } else {
                    while (mine == turn) monitor.wait();
                }
            }
        }
    }

    @Override protected long iteration() throws Exception {
        sum = 0;
        inThreads(NODES, this::node);
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        new LockstepNodes().run(arguments);
    }
}
