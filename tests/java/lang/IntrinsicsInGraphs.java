// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls intrinsics (methods that compilers replace by instructions) with values at the limits, in loops that run long
// enough to be compiled, and prints checksums of the results. Then calls some with arguments that make them throw.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

public class IntrinsicsInGraphs {
    static final int[] INTS = {0, 1, -1, 2, 7, 255, 256, 65535, 0x0F0F0F0F, 0x80000001, Integer.MAX_VALUE,
        Integer.MIN_VALUE};
    static final long[] LONGS = {0, 1, -1, 255, 1L << 31, 1L << 32, 0x0123456789ABCDEFL, Long.MAX_VALUE,
        Long.MIN_VALUE, Long.MIN_VALUE + 1};
    static final double[] DOUBLES = {0.0, -0.0, 1.5, -2.25, Double.NaN, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE, 1e-310};
    static final int ROUNDS = 3000;

    static long ints(int a, int b) {
        long sum = Math.min(a, b) * 3L + Math.max(a, b) * 5L + Math.abs(a);
        sum = sum * 31 + Integer.bitCount(a) + 64L * Integer.numberOfLeadingZeros(a);
        sum = sum * 31 + Integer.numberOfTrailingZeros(a) + Integer.reverseBytes(b);
        sum = sum * 31 + Integer.rotateLeft(a, b) + Integer.highestOneBit(a) + Integer.reverse(b);
        sum = sum * 31 + Integer.compareUnsigned(a, b) + Character.reverseBytes((char) a);
        sum = sum * 31 + Short.reverseBytes((short) b);
        return sum + Float.floatToRawIntBits(Float.intBitsToFloat(a & 0x7F7FFFFF));
    }

    static long longs(long a, long b) {
        long sum = Math.min(a, b) * 3 + Math.max(a, b) * 5 + Math.abs(a);
        sum = sum * 31 + Long.bitCount(a) + 64L * Long.numberOfLeadingZeros(a);
        sum = sum * 31 + Long.numberOfTrailingZeros(a) + Long.reverseBytes(b);
        sum = sum * 31 + Math.multiplyHigh(a, b) + Long.rotateRight(a, (int) b) + Long.compareUnsigned(a, b);
        return sum + Double.doubleToRawLongBits(Double.longBitsToDouble(a & 0x7FEFFFFFFFFFFFFFL));
    }

    static long doubles(double a, double b) {
        long sum = Double.doubleToLongBits(Math.sqrt(a)) * 3 + Double.doubleToLongBits(Math.abs(a));
        sum = sum * 31 + Double.doubleToLongBits(Math.min(a, b)) + Double.doubleToLongBits(Math.max(a, b));
        sum = sum * 31 + Double.doubleToLongBits(Math.floor(a)) + Double.doubleToLongBits(Math.ceil(b));
        sum = sum * 31 + Double.doubleToLongBits(Math.rint(a)) + Math.round(b);
        sum = sum * 31 + Float.floatToIntBits(Math.abs((float) b));
        return sum * 31 + Double.compare(a, b) + Float.compare((float) a, (float) b) + (Double.isNaN(a) ? 1 : 0);
    }

    static long numbers() {
        long sum = 0;
        for (int round = 0; round < ROUNDS / 100; round++) {
            for (int a : INTS) for (int b : INTS) sum = sum * 31 + ints(a, b);
            for (long a : LONGS) for (long b : LONGS) sum = sum * 31 + longs(a, b);
            for (double a : DOUBLES) for (double b : DOUBLES) sum = sum * 31 + doubles(a, b);
        }
        return sum;
    }

    // --- strings ---

    static long chars(String text) {
        long sum = text.length() + (text.isEmpty() ? 1000 : 0);
        for (int i = 0; i < text.length(); i++) sum = sum * 31 + text.charAt(i);
        return sum;
    }

    static int equal(String a, Object b) {
        return (a.equals(b) ? 1 : 0) + (a.hashCode() == (b == null ? 0 : b.hashCode()) ? 2 : 0);
    }

    static long strings() {
        String[] texts = {"", "a", "ab", "abc", "abcdefgh", "abcdefghi", "abcdefghj", "\u00e9t\u00e9", "\u20ac",
            "abc\u20ac", "\ud83d\ude00", "The quick brown fox jumps over the lazy dog, and is not seen again.", null};
        Object[] others = Arrays.copyOf(texts, texts.length + 2, Object[].class);
        for (int i = 0; i < texts.length - 1; i++) others[i] = new String(texts[i].toCharArray());
        others[texts.length] = 42;
        long sum = 0;
        for (int round = 0; round < ROUNDS / 20; round++) {
            for (String text : texts) {
                if (text == null) continue;
                sum = sum * 31 + chars(text);
                for (Object other : others) sum = sum * 7 + equal(text, other);
                StringBuilder all = new StringBuilder().append(round).append(',').append(text).append(round * 7L);
                sum = sum * 31 + all.toString().hashCode() + all.indexOf("1") + text.compareTo("abd");
                sum = sum * 31 + all.toString().indexOf(text) + all.reverse().charAt(all.length() / 2);
            }
        }
        return sum;
    }

    static String raised(Runnable action) {
        try {
            action.run();
            return "nothing";
        } catch (RuntimeException raised) {
            return raised.toString();
        }
    }

    // --- arrays ---

    static long copies() {
        long sum = 0;
        for (int round = 0; round < ROUNDS / 3; round++) {
            byte[] bytes = new byte[20];
            for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) (i * 7 + round);
            System.arraycopy(bytes, 0, bytes, 3, 15);   // overlapping
            System.arraycopy(bytes, 5, bytes, 1, 12);
            sum = sum * 31 + Arrays.hashCode(bytes);
            long[] longs = new long[9];
            Arrays.fill(longs, 2, 7, round);
            System.arraycopy(longs, 1, longs, 2, 7);
            sum = sum * 31 + Arrays.hashCode(longs) + (Arrays.equals(longs, longs.clone()) ? 1 : 0);
            String[] texts = {"x", "y", null, "z"};
            Object[] objects = new Object[6];
            System.arraycopy(texts, 0, objects, 1, 4);
            System.arraycopy(objects, 1, texts, 0, 4);   // each is a String
            sum = sum * 31 + Arrays.hashCode(Arrays.copyOfRange(objects, 2, 9)) + Arrays.hashCode(texts);
            sum = sum * 31 + Arrays.copyOf(texts, 2).getClass().getName().length();
        }
        return sum;
    }

    static String partlyStored(Object[] from) {
        String[] to = {"a", "b", "c", "d"};
        try {
            System.arraycopy(from, 0, to, 1, 3);
            return Arrays.toString(to);
        } catch (ArrayStoreException raised) {
            return Arrays.toString(to) + " " + raised.getMessage();
        }
    }

    static void copy(Object from, int fromIndex, Object to, int toIndex, int count) {
        System.arraycopy(from, fromIndex, to, toIndex, count);
    }

    // --- objects, Unsafe ---

    static int classOf(Object object) {
        int sum = object.getClass() == String.class ? 1 : 0;
        if (object.getClass() == int[].class) sum += 2;
        if (Number.class.isInstance(object)) sum += 4;
        Class<?> wanted = sum == 0 ? Comparable.class : CharSequence.class;
        return sum + (wanted.isInstance(object) ? 8 : 0) + (object.hashCode() == object.hashCode() ? 16 : 0);
    }

    static long objects() {
        Object[] all = {"text", 1, 2.5, new int[1], new Object(), new Object[0], Thread.currentThread(), 'c', Object.class};
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (Object object : all) sum = sum * 31 + classOf(object);
            if (Thread.currentThread() != all[6]) sum++;
            if (System.identityHashCode(all[4]) != all[4].hashCode()) sum++;
        }
        return sum + System.identityHashCode(null);
    }

    static long atomics() {
        AtomicInteger count = new AtomicInteger();
        AtomicLong total = new AtomicLong();
        AtomicReference<String> text = new AtomicReference<>("0");
        long sum = 0;
        for (int round = 0; round < ROUNDS * 3; round++) {
            sum += count.getAndIncrement() + total.addAndGet(round) + count.getAndSet(round & 15);
            if (count.compareAndSet(7, 100)) sum += 3;
            if (total.compareAndSet(-1, 5)) sum += 1000;
            sum += total.updateAndGet(value -> value ^ 0x55);
            String before = text.get();
            if (!text.compareAndSet(before, (round & 1) == 0 ? "even" : "odd")) sum += 7;
            if (text.compareAndSet("none", "some")) sum += 11;
            sum = sum * 31 + text.getAndSet("set").length();
        }
        return sum;
    }

    // Compare-and-exchange, and stores with a fence, to fields of an object that is older than the stored one. Each
    // stored object is new, so a store without the collector's barrier would lose it.
    volatile Object place;
    static final AtomicReferenceFieldUpdater<IntrinsicsInGraphs, Object> PLACE =
        AtomicReferenceFieldUpdater.newUpdater(IntrinsicsInGraphs.class, Object.class, "place");

    static long exchanges() {
        IntrinsicsInGraphs holder = new IntrinsicsInGraphs();
        AtomicReference<Integer> number = new AtomicReference<>(1000);
        long sum = 0;
        for (int round = 0; round < ROUNDS * 3; round++) {
            Integer before = number.get(), next = new String("x" + round).hashCode();
            Integer refused = number.compareAndExchange(next, -1), found = number.compareAndExchange(before, next);
            if (refused != before || found != before || number.get() != next) sum += 1000;
            if (number.compareAndExchange(null, 5) != next) sum += 100;
            PLACE.set(holder, "y" + round);
            sum = sum * 31 + holder.place.hashCode() + found;
            PLACE.set(holder, null);
            if (holder.place != null) sum += 10;
        }
        return sum;
    }

    // Fields narrower than an int. Stores must not change the neighbouring fields, must keep negative numbers, and must
    // take only the low bits of large numbers.
    byte b = -7, nextToB = 99;
    short s = -700, nextToS = 9999;
    char c = '\uff00', nextToC = 'n';
    boolean z, nextToZ = true;
    static final VarHandle B = handle("b", byte.class), S = handle("s", short.class), C = handle("c", char.class),
        Z = handle("z", boolean.class), OBJECT = handle("place", Object.class);

    static VarHandle handle(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(IntrinsicsInGraphs.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static long narrowExchanges() {
        IntrinsicsInGraphs holder = new IntrinsicsInGraphs();
        long sum = 0;
        for (int round = 0; round < ROUNDS * 3; round++) {
            byte nextByte = (byte) (round * 37);
            short nextShort = (short) (round * 7001);
            char nextChar = (char) (round * 7001);
            sum = sum * 31 + (B.compareAndSet(holder, holder.b, nextByte) ? 1 : 0);
            sum = sum * 31 + (byte) B.compareAndExchange(holder, (byte) (nextByte + 1), (byte) 5);
            sum = sum * 31 + (short) S.compareAndExchange(holder, holder.s, nextShort);
            sum = sum * 31 + (S.compareAndSet(holder, (short) (nextShort ^ 0x100), (short) 1) ? 1 : 0);
            sum = sum * 31 + (char) C.compareAndExchange(holder, holder.c, nextChar);
            sum = sum * 31 + (C.weakCompareAndSet(holder, (char) (nextChar + 1), 'x') ? 1 : 0);
            sum = sum * 31 + ((boolean) Z.compareAndExchange(holder, round % 3 == 0, round % 2 == 0) ? 1 : 0);
            sum = sum * 31 + (Z.compareAndSet(holder, true, round % 5 == 0) ? 1 : 0);
            sum = sum * 31 + ((boolean) Z.getAndSet(holder, false) ? 2 : 0);
            sum = sum * 31 + holder.b + holder.s + holder.c + (holder.z ? 1 : 0);
            sum = sum * 31 + holder.nextToB + holder.nextToS + holder.nextToC + (holder.nextToZ ? 1 : 0);
            OBJECT.setRelease(holder, "released " + round);
            B.setRelease(holder, (byte) (nextByte + 3));
            sum = sum * 31 + OBJECT.getAcquire(holder).hashCode() + (byte) B.getAcquire(holder);
        }
        return sum;
    }

    // --- threads ---

    static volatile int turn;

    static void takeTurns(int mine, int rounds) {
        for (int round = 0; round < rounds; round++) {
            while (turn != mine) {
                Thread.onSpinWait();
                Thread.yield();   // one processor is enough
            }
            if (Thread.currentThread().isInterrupted()) throw new AssertionError();
            turn = 1 - mine;
        }
    }

    static int turns() throws InterruptedException {
        int rounds = 300;
        Thread other = new Thread(() -> takeTurns(1, rounds));
        other.start();
        takeTurns(0, rounds);
        other.join();
        for (int i = 0; i < ROUNDS * 3; i++) Thread.onSpinWait();
        return turn;
    }

    interface Shape {
        private int doubled(int x) { return x * 2; }
        default int area(int x) { return doubled(x) + 1; }
    }
    record Square(int side) implements Shape {
        public int area(int x) { return side * x; }
    }
    record Circle(int radius) implements Shape {}

    static long shapes() {
        Shape[] all = {new Square(3), new Circle(4), new Shape() {}};
        long sum = 0;
        for (int round = 0; round < ROUNDS * 3; round++) sum = sum * 31 + all[round % 3].area(round);
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(numbers());
        System.out.println(strings());
        System.out.println(copies());
        System.out.println(objects());
        System.out.println(atomics());
        System.out.println(exchanges());
        System.out.println(narrowExchanges());
        System.out.println(turns());
        System.out.println(shapes());
        String none = null;
        for (int round = 0; round < 300; round++) {
            String[] seen = {
                raised(() -> "abc".charAt(3)), raised(() -> "abc".charAt(-1)), raised(() -> "\u20ac".charAt(1)),
                raised(() -> none.length()), raised(() -> none.equals("")),
                raised(() -> none.getClass()), raised(() -> none.hashCode()),
                raised(() -> ((Class<?>) null).isInstance(none)),
                raised(() -> copy(new int[3], 1, new int[3], 0, 3)),
                raised(() -> copy(new int[3], 0, new int[3], 2, 2)),
                raised(() -> copy(new int[3], -1, new int[3], 0, 1)),
                raised(() -> copy(new int[3], 0, new int[3], 0, -1)),
                raised(() -> copy(new int[3], 0, new long[3], 0, 1)), raised(() -> copy("text", 0, new long[3], 0, 1)),
                raised(() -> copy(null, 0, new long[3], 0, 1)), raised(() -> copy(new int[3], 3, new int[3], 3, 0)),
                partlyStored(new Object[] {"x", null, "y"}), partlyStored(new Object[] {"x", 1, "y"}),
                partlyStored(new Integer[] {null, null, null}), partlyStored(new Integer[] {null, 5, null})};
            if (round % 299 == 0) for (String text : seen) System.out.println(text);
        }
    }
}
