// Tests locked regions that a compiler may eliminate or coarsen: nested regions of one object, in one method or through
// inlined methods, and neighbouring regions. Compiled code may throw or deoptimize in the middle of a region, for
// example at a null reference or a wrong index. Wait, notify and other threads must see each monitor held as often as
// the program has entered it.
//
// Counterpart for the graphs: tests/jit/graph/optimize/lock_regions_test.cpp.
public class JoinedRegions {
    int count, step = 1;
    int[] values = new int[8];
    boolean isTurn;

    synchronized void add(int value) {
        count += value;
    }

    synchronized int get() {
        if (step > 1) return count * step;
        return count;
    }

    static String held(Object object) {
        return Thread.holdsLock(object) ? "held" : "free";
    }

    // --- nested

    synchronized int nested(int index) {
        synchronized (this) {
            add(values[index]);
            synchronized (this) {
                count += values[index + 1];
            }
        }
        add(1);
        return count;
    }

    static int nestedInArgument(JoinedRegions object, int[] values, int index) {
        synchronized (object) {
            object.add(1);
            synchronized (object) {
                int value = values[index];
                object.count += value;
                if (value == 77) System.out.println("in two regions: " + held(object));
            }
            if (object.count == -1) System.out.println("never");
            return object.get();
        }
    }

    // Between the two regions of one object lies a region of another one.
    static int nestedAround(JoinedRegions a, JoinedRegions b, int[] values, int index) {
        synchronized (a) {
            synchronized (b) {
                synchronized (a) {
                    a.count += values[index];
                }
                b.add(1);
                a.add(1);
            }
            return a.count + b.count;
        }
    }

    // --- neighbours

    static int neighbours(JoinedRegions object, int[] values, int index) {
        object.add(1);
        object.add(values[index]);
        int between = values[index + 1];
        object.add(between);
        return object.get() + object.get();
    }

    static int neighboursOfTwo(JoinedRegions a, JoinedRegions b, int[] values, int index) {
        a.add(1);
        b.add(1);
        a.add(values[index]);
        synchronized (a) {
            synchronized (b) {
                b.count++;
            }
        }
        synchronized (a) {
            synchronized (b) {
                b.count += values[index + 1];
            }
        }
        return a.get() + b.get();
    }

    static int branches(JoinedRegions object, int[] values, int index) {
        int sum = object.get();
        if ((index & 1) == 0) sum += values[index];
        else sum -= values[index];
        object.add(sum & 3);
        if (sum == 123456) return -1;
        object.add(1);
        return object.get();
    }

    // --- exceptions

    static int thrown(JoinedRegions object, int[] values, int index) {
        try {
            synchronized (object) {
                object.count++;
                synchronized (object) {
                    object.count += values[index];
                    if (values[index] == 5) throw new IllegalStateException("five");
                }
            }
            object.add(1);
        } catch (IllegalStateException | ArrayIndexOutOfBoundsException e) {
            if (Thread.holdsLock(object)) throw new AssertionError("still held");
            return -object.get();
        }
        return object.get();
    }

    // --- calls in nested regions

    static int leaveAt(int level, int at) {
        if (level == at) throw new IllegalStateException("level " + at);
        return level;
    }

    synchronized int deeper(int levels, int at) {
        count += leaveAt(levels, at);
        return levels == 0 ? count : deeper(levels - 1, at) + 1;
    }

    // Two levels are held in the handler and at the first notify(), one level at the second notify().
    synchronized int caught(int levels, int at) {
        int result = 0;
        synchronized (this) {
            try {
                result = deeper(levels, at);
            } catch (IllegalStateException e) {
                result = -levels;
                if (!Thread.holdsLock(this)) throw new AssertionError("not held");
            }
            notify();
        }
        notify();
        return result;
    }

    // --- waiting

    // A wait in a recursive lock releases all levels.
    synchronized void waitForTurn(boolean turn) throws InterruptedException {
        synchronized (this) {
            add(0);
            while (isTurn != turn) wait();
            isTurn = !turn;
            notifyAll();
        }
    }

    static int all(JoinedRegions a, JoinedRegions b, int[] values, int i) {
        int index = i % 6;
        return a.nested(index) + nestedInArgument(a, values, index) + nestedAround(a, b, values, index)
                + neighbours(b, values, index) + neighboursOfTwo(a, b, values, index) + branches(b, values, index)
                + thrown(a, values, index) + a.caught(index, -1) + ((i & 7) == 0 ? b.caught(9, index) : 0);
    }

    interface Action {
        int run() throws Exception;
    }

    static void expect(String what, JoinedRegions a, JoinedRegions b, Action action) {
        String result;
        try {
            result = "" + action.run();
        } catch (Exception e) {
            result = e.getClass().getName() + " " + e.getMessage();
        }
        System.out.println(what + ": " + result + " " + held(a) + " " + held(b));
        try {
            a.notify();
            System.out.println("a is held");
        } catch (IllegalMonitorStateException e) {
            // The monitor of `a` is not held, so nothing is printed.
        }
    }

    public static void main(String[] arguments) throws Exception {
        JoinedRegions a = new JoinedRegions(), b = new JoinedRegions();
        int[] values = {1, 2, 3, 4, 6, 7, 8, 9};
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum = sum * 31 + all(a, b, values, i);
            a.count &= 1023;
            b.count &= 1023;
        }
        System.out.println(sum);
        for (int[] wrong : new int[][] {null, {}, {5}, {1, 2}, {5, 5, 5}}) {
            String what = wrong == null ? "null" : "" + wrong.length;
            expect("nestedInArgument " + what, a, b, () -> nestedInArgument(a, wrong, 1));
            expect("nestedAround " + what, a, b, () -> nestedAround(a, b, wrong, 1));
            expect("neighbours " + what, a, b, () -> neighbours(a, wrong, 1));
            expect("neighboursOfTwo " + what, a, b, () -> neighboursOfTwo(a, b, wrong, 1));
            expect("branches " + what, a, b, () -> branches(a, wrong, 1));
            expect("thrown " + what, a, b, () -> thrown(a, wrong, 0));
        }
        a.values = new int[1];
        expect("nested", a, b, () -> a.nested(0));
        a.values = new int[8];
        expect("two regions", a, b, () -> nestedInArgument(a, new int[] {77}, 0));
        expect("deeper", a, b, () -> a.deeper(20, -1));
        expect("deeper, thrown", a, b, () -> a.deeper(20, 5));
        expect("deeper, caught", a, b, () -> a.caught(20, 5));
        expect("no object", a, b, () -> neighbours(null, values, 0));
        takeTurns(a);
        countTogether(a);
        keepTurning(a);
    }

    static void takeTurns(JoinedRegions object) throws InterruptedException {
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < 3000; i++) object.waitForTurn(true);
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        other.start();
        for (int i = 0; i < 3000; i++) object.waitForTurn(false);
        other.join();
        System.out.println("turns taken, " + held(object));
    }

    // No increment is lost when several threads are in coarsened regions.
    static void countTogether(JoinedRegions object) throws InterruptedException {
        object.count = 0;
        int[] values = {1, 1, 1, 1};
        Runnable counting = () -> {
            for (int i = 0; i < 20_000; i++) {
                neighbours(object, values, i & 1);
                nestedInArgument(object, values, i & 1);
            }
        };
        Thread[] threads = {new Thread(counting), new Thread(counting), new Thread(counting)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println("counted " + object.count);
    }

    static volatile boolean isDone;

    // One thread does nothing but lock and unlock. Another thread must still get the lock again and again.
    static void keepTurning(JoinedRegions object) throws InterruptedException {
        int[] values = {0, 0, 0, 0};
        Thread busy = new Thread(() -> {
            while (!isDone) {
                for (int i = 0; i < 1000; i++) neighbours(object, values, i & 1);
            }
        });
        busy.start();
        for (int i = 0; i < 50; i++) {
            object.add(1);
            Thread.yield();
        }
        isDone = true;
        busy.join();
        System.out.println("got its turns");
    }
}
