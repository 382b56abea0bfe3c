// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the cost of giving an object a lock word only when it is first locked. To get the lock word, the object is
// cloned to a larger type, and the old object forwards to the clone.
//
//     java CloneAtFirstLock [OBJECTS]          nanoseconds per object, the fastest of seven repetitions
//
//   allocate    a new object, and one of its fields is read
//   lock        ... it is locked once
//   clone       ... it is cloned, a CAS leaves the clone's address in it, and the clone is locked once
//   look        ... each access first tests whether the object was forwarded, as all code would have to until a
//               collection has passed
//
// Remark 2 of Dice & Kogan's paper; the verdict is in docs/locks/paper.md.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class CloneAtFirstLock {
    static class Thing implements Cloneable {
        int a, b;
        long c;
        volatile Thing forwarded;

        Thing promote() {
            try {
                Thing copy = (Thing) clone();
                return FORWARDED.compareAndSet(this, null, copy) ? copy : forwarded;
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }

        Thing here() {
            Thing there = forwarded;
            return there == null ? this : there;
        }
    }

    static final VarHandle FORWARDED;
    static {
        try {
            FORWARDED = MethodHandles.lookup().findVarHandle(Thing.class, "forwarded", Thing.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static final Thing[] kept = new Thing[1024];   // keeps objects out of registers

    static Thing fresh(int i) {
        Thing thing = new Thing();
        thing.a = i;
        kept[i & 1023] = thing;
        return thing;
    }

    static long allocate(int objects) {
        long sum = 0;
        for (int i = 0; i < objects; i++) sum += fresh(i).a;
        return sum;
    }

    static long lock(int objects) {
        long sum = 0;
        for (int i = 0; i < objects; i++) {
            Thing thing = fresh(i);
            synchronized (thing) {
                sum += thing.a;
            }
        }
        return sum;
    }

    static long cloneAndLock(int objects) {
        long sum = 0;
        for (int i = 0; i < objects; i++) {
            Thing thing = fresh(i).promote();
            synchronized (thing) {
                sum += thing.a;
            }
        }
        return sum;
    }

    static long look(int objects) {
        long sum = 0;
        for (int i = 0; i < objects; i++) sum += fresh(i).here().a;
        return sum;
    }

    interface Phase {
        long run(int objects);
    }

    static void measure(String name, Phase phase, int objects) {
        long best = Long.MAX_VALUE, checksum = 0;
        for (int repetition = 0; repetition < 7; repetition++) {
            long begin = System.nanoTime();
            checksum += phase.run(objects);
            best = Math.min(best, System.nanoTime() - begin);
        }
        System.out.printf("%-10s %8.1f   checksum %d%n", name, (double) best / objects, checksum);
    }

    public static void main(String[] arguments) {
        int objects = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        measure("allocate", CloneAtFirstLock::allocate, objects);
        measure("lock", CloneAtFirstLock::lock, objects);
        measure("clone", CloneAtFirstLock::cloneAndLock, objects);
        measure("look", CloneAtFirstLock::look, objects);
    }
}
