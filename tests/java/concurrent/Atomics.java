// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomic classes, accumulators, field updaters, VarHandles.
import java.lang.invoke.*;
import java.util.concurrent.atomic.*;

public class Atomics {
    volatile int x;
    volatile long y;
    volatile String s = "a";
    int plain;
    static int st = 5;
    static final VarHandle X, S, ST, ARR, OARR, BYTES;

    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            X = l.findVarHandle(Atomics.class, "x", int.class);
            S = l.findVarHandle(Atomics.class, "s", String.class);
            ST = l.findStaticVarHandle(Atomics.class, "st", int.class);
            ARR = MethodHandles.arrayElementVarHandle(int[].class);
            OARR = MethodHandles.arrayElementVarHandle(String[].class);
            BYTES =
                    MethodHandles.byteArrayViewVarHandle(
                            long[].class, java.nio.ByteOrder.BIG_ENDIAN);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger i = new AtomicInteger();
        AtomicLong l = new AtomicLong();
        LongAdder ad = new LongAdder();
        AtomicReference<String> r = new AtomicReference<>("a");
        AtomicIntegerArray ia = new AtomicIntegerArray(4);
        AtomicBoolean z = new AtomicBoolean();
        Thread[] ts = new Thread[4];
        AtomicIntegerFieldUpdater<Atomics> up =
                AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "x");
        Atomics a = new Atomics();
        for (int t = 0; t < 4; t++) {
            ts[t] =
                    new Thread(
                            () -> {
                                for (int k = 0; k < 2000; k++) {
                                    i.incrementAndGet();
                                    l.addAndGet(2);
                                    ad.increment();
                                    ia.getAndIncrement(k & 3);
                                    up.incrementAndGet(a);
                                    X.getAndAdd(a, 1);
                                    int o;
                                    do {
                                        o = (int) X.getVolatile(a);
                                    } while (!X.compareAndSet(a, o, o + 1));
                                }
                            });
            ts[t].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(i + " " + l + " " + ad + " " + ia + " " + a.x);
        System.out.println(
                r.compareAndSet("a", "b")
                        + " "
                        + r.getAndUpdate(s -> s + "c")
                        + " "
                        + r.accumulateAndGet("d", String::concat)
                        + " "
                        + z.getAndSet(true)
                        + " "
                        + z.compareAndSet(false, true)
                        + " "
                        + new LongAccumulator(Math::max, 0).get());
        System.out.println(
                S.compareAndSet(a, "a", "b")
                        + " "
                        + S.getAndSet(a, "c")
                        + " "
                        + (String) S.get(a)
                        + " "
                        + (int) ST.getAndAdd(3)
                        + " "
                        + st
                        + " "
                        + S.compareAndExchange(a, "c", "d")
                        + a.s);
        int[] arr = {1, 2, 3};
        ARR.setRelease(arr, 1, 9);
        System.out.println(
                (int) ARR.getAcquire(arr, 1) + " " + (int) ARR.getAndBitwiseOr(arr, 0, 6) + arr[0]);
        String[] sa = {"p"};
        System.out.println(OARR.compareAndSet(sa, 0, "p", "q") + sa[0]);
        byte[] bs = new byte[16];
        BYTES.set(bs, 8, 0x0102030405060708L);
        System.out.println(bs[8] + " " + bs[15] + " " + (long) BYTES.get(bs, 8));
        try {
            ARR.set(arr, 5, 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        AtomicStampedReference<String> asr = new AtomicStampedReference<>("v", 1);
        System.out.println(asr.compareAndSet("v", "w", 1, 2) + " " + asr.getStamp());
        VarHandle.fullFence();
    }
}
