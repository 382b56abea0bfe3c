// Takes identity hashes of objects of every shape before, between and after collections that move the objects. The
// objects are unlocked, locked, contended, waited on, and cloned. If a header has no room for the hash, the hash is the
// object's address, or is stored in a gap or at the end of the object: each case occurs.
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;

public class HashesMove {
    static class OneByte { byte a = 1; }
    static class OneInt implements Cloneable {
        int a;
        OneInt(int a) { this.a = a; }
        @Override public Object clone() throws CloneNotSupportedException { return super.clone(); }
    }
    static class TwoInts { int a = 1, b = 2; }
    static class OneLong { long a = 3; }
    static class LongAndInt { long a = 4; int b = 5; }
    static class Below extends OneByte { long c = 6; Object d = "below"; }

    static final List<Object> objects = new ArrayList<>();
    static final List<Integer> hashes = new ArrayList<>();
    static Object sink;

    static void add(Object object) { objects.add(object); }

    static void make(Random random) {
        for (int i = 0; i < 40; i++) {
            add(new Object());
            add(new OneByte());
            add(new OneInt(i));
            add(new TwoInts());
            add(new OneLong());
            add(new LongAndInt());
            add(new Below());
            add(new StringBuilder("text " + i)); add(Integer.valueOf(1000 + i)); add(Long.valueOf(100000L + i));
            add(new byte[i]);
            add(new char[i]);
            add(new int[i]);
            add(new long[i]);
            add(new Object[i]);
            add(new boolean[random.nextInt(9)]);
            sink = new byte[random.nextInt(500)];
        }
        add(new int[100_000]);
        add(new Object[60_000]);
        add(HashesMove.class); add(OneByte.class); add(int[].class);
        add((Runnable) () -> sink = null);
        add(Thread.currentThread());
    }

    static void churn(int kilobytes) {
        for (int i = 0; i < kilobytes; i++) sink = new byte[1000];
    }

    static void check(String when) {
        for (int i = 0; i < hashes.size(); i++) {
            if (System.identityHashCode(objects.get(i)) != hashes.get(i))
                throw new AssertionError(when + ": object " + i + " (" + objects.get(i).getClass() + ") had "
                        + hashes.get(i) + ", has " + System.identityHashCode(objects.get(i)));
        }
    }

    static void contents() {
        for (Object object : objects) {
            if (object instanceof OneByte one && one.a != 1) throw new AssertionError("one byte: " + one.a);
            if (object instanceof TwoInts two && (two.a != 1 || two.b != 2)) throw new AssertionError("two ints");
            if (object instanceof OneLong one && one.a != 3) throw new AssertionError("one long");
            if (object instanceof LongAndInt both && (both.a != 4 || both.b != 5))
                throw new AssertionError("long and int");
            if (object instanceof Below below && (below.c != 6 || !"below".equals(below.d)))
                throw new AssertionError("below");
            if (object instanceof byte[] array)
                for (byte each : array)
                    if (each != 0)
                        throw new AssertionError("bytes");
            if (object instanceof long[] array)
                for (long each : array)
                    if (each != 0)
                        throw new AssertionError("longs");
        }
    }

    static void locked(Object object, int hash) throws Exception {
        synchronized (object) {
            if (System.identityHashCode(object) != hash) throw new AssertionError("locked");
            Thread contender = new Thread(() -> {
                if (System.identityHashCode(object) != hash) throw new AssertionError("held by another thread");
                synchronized (object) { object.notifyAll(); }
            });
            contender.start();
            churn(20);
            object.wait();
            if (System.identityHashCode(object) != hash) throw new AssertionError("waited for");
            contender.join();
        }
        System.gc();
        if (System.identityHashCode(object) != hash) throw new AssertionError("free again");
    }

    static void clones() throws Exception {
        OneInt original = new OneInt(77);
        int hash = System.identityHashCode(original);
        System.gc();
        OneInt copy = (OneInt) original.clone();
        if (copy.a != 77 || System.identityHashCode(copy) == hash)
            throw new AssertionError("a clone has a hash of its own");
        System.gc();
        if (System.identityHashCode(original) != hash || original.a != 77 || copy.a != 77)
            throw new AssertionError("clone");
        byte[] bytes = {1, 2, 3, 4, 5};
        hash = System.identityHashCode(bytes);
        System.gc();
        byte[] other = bytes.clone();
        if (other.length != 5 || other[4] != 5 || System.identityHashCode(other) == hash)
            throw new AssertionError("array clone");
    }

    // Objects that are allocated one after the other at the same address must not have the same hash.
    static void quality() {
        HashSet<Integer> seen = new HashSet<>();
        IdentityHashMap<Object, Integer> map = new IdentityHashMap<>();
        int made = 4000;
        for (int i = 0; i < made; i++) {
            Object object = new Object();
            seen.add(System.identityHashCode(object));
            if (i % 4 == 0) map.put(object, i);
            if (i % 100 == 0) churn(300);
        }
        if (seen.size() < made - 20) throw new AssertionError(seen.size() + " hashes of " + made + " objects");
        for (var entry : map.entrySet())
            if (map.get(entry.getKey()) != entry.getValue())
                throw new AssertionError("identity map");
        int ones = 0;
        for (int hash : seen) ones += Integer.bitCount(hash);
        double mean = (double) ones / seen.size();
        if (mean < 15 || mean > 16) throw new AssertionError(mean + " of 31 bits are set");
    }

    public static void main(String[] args) throws Exception {
        Random random = new Random(1);
        for (int round = 0; round < 4; round++) {
            make(random);
            for (int i = hashes.size(); i < objects.size(); i++) hashes.add(System.identityHashCode(objects.get(i)));
            check("at once");
            System.gc();
            check("after a full collection");
            churn(3000);
            check("after young collections");
            // Every third object dies and leaves a hole, so that the objects after the hole move.
            for (int i = objects.size() - 1; i > 0; i -= 3) {
                objects.remove(i);
                hashes.remove(i);
            }
            System.gc();
            check("behind holes");
            contents();
        }
        for (int i = 0; i < 6; i++) locked(objects.get(i * 5), hashes.get(i * 5));
        check("after locking");
        clones();
        quality();
        check("at the end");
        contents();
        System.out.println("stable");
    }
}
