// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Software transactional memory (scala-stm, its interface for Java): philosophers take both forks in one transaction,
// and clerks move money between accounts of one table.
// maven: org.scala-stm:scala-stm_2.13:0.11.1
// iterations: 20
// locks: yes
import java.util.Map;
import java.util.Random;
import scala.concurrent.stm.Ref;
import scala.concurrent.stm.japi.STM;

public class StmPhilosophers extends Workload {
    private static final int PHILOSOPHERS = 4, MEALS = 30_000, ACCOUNTS = 64, TRANSFERS = 12_000;

    private static long meals() throws Exception {
        @SuppressWarnings("unchecked") Ref.View<Integer>[] forks = new Ref.View[PHILOSOPHERS];
        @SuppressWarnings("unchecked") Ref.View<Integer>[] eaten = new Ref.View[PHILOSOPHERS];
        for (int i = 0; i < PHILOSOPHERS; i++) {
            forks[i] = STM.newRef(0);
            eaten[i] = STM.newRef(0);
        }
        inThreads(PHILOSOPHERS, number -> {
            Ref.View<Integer> left = forks[number], right = forks[(number + 1) % PHILOSOPHERS];
            for (int meal = 0; meal < MEALS; meal++) {
                STM.atomic(() -> {
                    if (left.get() != 0 || right.get() != 0) STM.retry();
                    left.set(1);
                    right.set(1);
                });
                STM.atomic(() -> {
                    left.set(0);
                    right.set(0);
                    eaten[number].set(eaten[number].get() + 1);
                });
            }
        });
        long digest = 0;
        for (Ref.View<Integer> each : eaten) digest = mixed(digest, each.get());
        return digest;
    }

    private static long transfers() throws Exception {
        Map<Integer, Long> table = STM.newMap();
        for (int i = 0; i < ACCOUNTS; i++) table.put(i, 100L);
        inThreads(2, number -> {
            Random random = new Random(number);
            for (int i = 0; i < TRANSFERS; i++) {
                int giver = random.nextInt(ACCOUNTS), taker = random.nextInt(ACCOUNTS), amount = random.nextInt(9);
                STM.atomic(() -> {
                    table.put(giver, table.get(giver) - amount);
                    table.put(taker, table.get(taker) + amount);
                });
            }
        });
        long digest = 0;
        for (int i = 0; i < ACCOUNTS; i++) digest = mixed(digest, table.get(i));
        return digest;
    }

    @Override protected long iteration() throws Exception {
        return mixed(meals(), transfers());
    }

    public static void main(String[] arguments) throws Exception {
        new StmPhilosophers().run(arguments);
    }
}
