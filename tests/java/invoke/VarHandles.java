// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// VarHandles: fields, statics, arrays, byte views; all access modes; failures.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

public class VarHandles {
    int i; long l; volatile String s = "a"; boolean z; double d; byte b; static int st; final int fin = 1;
    public static void main(String[] args) throws Exception {
        MethodHandles.Lookup k = MethodHandles.lookup();
        VarHandles o = new VarHandles();
        VarHandle i = k.findVarHandle(VarHandles.class, "i", int.class),
                  s = k.findVarHandle(VarHandles.class, "s", String.class),
                  z = k.findVarHandle(VarHandles.class, "z", boolean.class),
                  b = k.findVarHandle(VarHandles.class, "b", byte.class),
                  d = k.findVarHandle(VarHandles.class, "d", double.class),
                  st = k.findStaticVarHandle(VarHandles.class, "st", int.class);
        i.set(o, 5);
        System.out.println((int) i.getAndAdd(o, 3) + " " + i.compareAndSet(o, 8, 9) + " "
                + (int) i.compareAndExchange(o, 1, 2) + " " + (int) i.getAndBitwiseOr(o, 6) + " "
                + (int) i.getAndBitwiseXor(o, 1) + " " + (int) i.getAndBitwiseAnd(o, 12) + " " + (int) i.getAcquire(o)
                + " " + (int) i.getAndSet(o, 1) + " " + (int) i.getOpaque(o));
        System.out.println((String) s.getAndSet(o, "b") + s.compareAndSet(o, "b", "c")
                + s.weakCompareAndSetPlain(o, "zzz", "q") + (String) s.getVolatile(o) + " "
                + (boolean) z.getAndBitwiseOr(o, true) + o.z + " " + (byte) b.getAndAdd(o, (byte) 127)
                + (byte) b.getAndAdd(o, (byte) 1) + o.b + " " + d.compareAndSet(o, 0.0, -0.0) + (double) d.get(o));
        // A literal null is passed as a Void, both as the expected value and as the new value.
        for (int k2 = 0; k2 < 3; k2++) {
            System.out.println(s.compareAndSet(o, null, "n") + " " + (String) s.compareAndExchange(o, "n", null) + " "
                    + s.weakCompareAndSet(o, null, null) + " " + s.compareAndSet(o, null, "c") + o.s);
            s.set(o, null);
            try {
                System.out.println(s.compareAndSet((VarHandles) null, null, "n"));
            } catch (NullPointerException e) {
                System.out.println("no object");
            }
        }
        st.setRelease(4);
        System.out.println((int) st.get() + " " + i.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD)
                + s.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD) + " " + i.varType() + i.coordinateTypes()
                + " " + i.accessModeType(VarHandle.AccessMode.COMPARE_AND_SET));
        VarHandle a = MethodHandles.arrayElementVarHandle(String[].class),
                  v = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        String[] arr = {"x", "y"};
        a.setVolatile(arr, 1, "w");
        byte[] bytes = new byte[8];
        v.set(bytes, 1, 0x01020304);
        System.out.println(Arrays.toString(arr) + Arrays.toString(bytes) + (int) v.get(bytes, 0));
        Runnable[] wrong = {()
                                    -> a.get(arr, 2),
                ()
                        -> i.set(o, "x"),
                ()
                        -> i.get(),
                ()
                        -> i.get((VarHandles) null),
                ()
                        -> s.getAndAdd(o, "x"),
                ()
                        -> v.getVolatile(bytes, 1),
                ()
                        -> a.set(new Object[1], 0, "q"),
                () -> {try {k.findVarHandle(VarHandles.class, "fin", int.class).set(o, 2);
    }
    catch (ReflectiveOperationException e) {
        System.out.println(e);
    }
}
}
;
for (Runnable r : wrong) {
    try {
        r.run();
        System.out.println("no exception");
    } catch (RuntimeException e) {
        System.out.println(e.getClass().getSimpleName()
                + (e instanceof NullPointerException || e instanceof IllegalStateException ? ""
                                                                                           : ": " + e.getMessage()));
    }
        }
        VarHandle.fullFence();
    }
}
