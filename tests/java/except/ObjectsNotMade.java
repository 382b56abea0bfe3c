// jvm: -XX:-OmitStackTraceInFastThrow
// Compiled code need not allocate new objects that do not escape. Handlers, callees, monitors, hash codes, and other
// objects and arrays must still see the contents that the program has given these objects.
import java.util.ArrayList;
import java.util.List;

public class ObjectsNotMade {
    static class Point {
        int x;
        byte small;
        short middle;
        char letter;
        boolean flag;
        long wide;
        float narrow;
        double real;
        Object reference;
        Point next;

        Point(int x) {
            this.x = x;
        }

        int sum() {
            return x + small + middle + letter + (flag ? 1 : 0) + (int) wide + (int) narrow + (int) real
                    + (reference == null ? 0 : reference.hashCode()) + (next == null ? 0 : next.x);
        }

        synchronized int locked(int divisor) {
            x += 100 / divisor;
            return x;
        }
    }

    static final class Pair {
        final int first;
        final String second;

        Pair(int first, String second) {
            this.first = first;
            this.second = second;
        }
    }

    static Point filled(int n) {
        Point point = new Point(n);
        point.small = (byte) (n * 77);
        point.middle = (short) (n * 7777);
        point.letter = (char) (n * 7777);
        point.flag = n % 3 == 0;
        point.wide = n * 5_000_000_000L;
        point.narrow = n / 4f;
        point.real = n / 8d;
        point.reference = n % 2 == 0 ? null : "odd";
        return point;
    }

    static int handler(int n, int divisor) {
        Point point = filled(n);
        try {
            point.x += 1000 / divisor;
        } catch (ArithmeticException division) {
            point.x = -1;
        }
        return point.sum();
    }

    static int handlerOfCaller(int n, int[] numbers) {
        Pair pair = new Pair(n, "pair");
        try {
            return element(pair, numbers);
        } catch (ArrayIndexOutOfBoundsException index) {
            return pair.first * 2 + pair.second.length();
        }
    }

    static int element(Pair pair, int[] numbers) {
        return numbers[pair.first];
    }

    static int cycle(int n, int divisor) {
        Point first = new Point(n), second = new Point(n + 1);
        first.next = second;
        second.next = first;
        int rest = 50 / divisor;
        return first.next.next == first && second.next.next == second ? first.next.x + rest : -1;
    }

    static int arrays(int n, int divisor) {
        byte[] bytes = {(byte) n, 2, 3};
        Object[] objects = {null, bytes, "text"};
        long[] longs = new long[2];
        longs[1] = n * 3_000_000_000L;
        int rest = 50 / divisor;
        return bytes[0] + bytes.length + (objects[1] == bytes ? 1 : 0) + (objects[0] == null ? 10 : 0)
                + ((String) objects[2]).length() + (int) (longs[1] >> 16) + rest;
    }

    static int hashes(int n) {
        Point point = new Point(n);
        int sum = point.sum();
        if (n % 50 == 0) {
            int hash = System.identityHashCode(point);
            System.gc();
            if (hash != System.identityHashCode(point)) return -1;
        }
        return sum + point.x;
    }

    static int locked(int n, int divisor) {
        Point point = new Point(n);
        synchronized (point) {
            point.x += 30 / divisor;
            if (n % 100 == 0 && !Thread.holdsLock(point)) return -1;
        }
        if (n % 100 == 0 && Thread.holdsLock(point)) return -2;
        return point.locked(divisor) + point.x;
    }

    // Locks three objects, one inside the other: a shared object between two objects that do not escape. An exception
    // leaves all three locked regions.
    static int lockedInOrder(int n, int divisor) {
        Point outer = new Point(n), inner = new Point(n + 1);
        int result = 0;
        try {
            synchronized (outer) {
                synchronized (ObjectsNotMade.class) {
                    synchronized (inner) {
                        result = outer.x + inner.x + 60 / divisor;
                    }
                }
            }
        } catch (ArithmeticException division) {
            if (Thread.holdsLock(outer) || Thread.holdsLock(inner) || Thread.holdsLock(ObjectsNotMade.class)) return -1;
            result = outer.x - inner.x;
        }
        return result;
    }

    static int buffer(int n) {
        StringBuffer buffer = new StringBuffer();
        for (int i = 0; i < 5; ++i) buffer.append((char) ('a' + (n + i) % 26));
        return buffer.length() * 1000 + buffer.charAt(n % 5);
    }

    static Pair published;

    static int published(int n) {
        Pair pair = new Pair(n, "published");
        if (n % 7 == 0) published = pair;
        return pair.first + pair.second.length();
    }

    static int iterated(List<Integer> numbers) {
        int sum = 0;
        for (Integer number : numbers) sum += number;
        for (int i = 0; i < 3; ++i) {
            Point point = new Point(i);
            while (point.x < 20) point.x += i + 1;
            sum += point.x;
        }
        return sum;
    }

    interface Test {
        int run(int n);
    }

    static void test(String name, int times, Test test) {
        long sum = 0;
        for (int n = 0; n < times; ++n) sum = sum * 31 + test.run(n);
        System.out.println(name + " " + sum);
    }

    public static void main(String[] args) {
        int[] numbers = new int[450];
        for (int i = 0; i < numbers.length; ++i) numbers[i] = i * i;
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 300; ++i) list.add(i);
        int times = 500;
        test("handler", times, n -> handler(n, n % 100 == 99 ? 0 : 3));
        test("handlerOfCaller", times, n -> handlerOfCaller(n, numbers));
        for (int i = 0; i < times; ++i) cycle(i, 3);
        test("cycle", times, n -> cycle(n, n % 10 + 1));
        test("arrays", times, n -> arrays(n, n % 10 + 1));
        test("hashes", times, n -> hashes(n));
        test("locked", times, n -> locked(n, n % 9 + 1));
        test("lockedInOrder", times, n -> lockedInOrder(n, n % 50 == 49 ? 0 : 3));
        test("buffer", times, n -> buffer(n));
        test("published", times, n -> published(n) + (published == null ? 0 : published.first));
        test("iterated", 100, n -> iterated(list));
        for (Test thrower : new Test[] {n -> cycle(n, 0), n -> arrays(n, 0), n -> locked(n, 0)}) {
            try {
                thrower.run(1);
            } catch (ArithmeticException division) {
                System.out.println(division.getMessage() + " in " + division.getStackTrace()[0].getMethodName());
            }
        }
    }
}
