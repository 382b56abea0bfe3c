// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compilers merge adjacent byte stores into a wider one. The arrays are scalar-replaced, or escape.
import java.lang.invoke.*;
import java.nio.*;

public class MergedByteStores {
    static final VarHandle
            I = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN),
            L = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN),
            S = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    static byte[] leak;

    static int a(int v, int k) {
        byte[] b = new byte[8];
        b[0] = (byte) v;
        b[1] = (byte) (v >> 8);
        b[2] = (byte) (v >> 16);
        b[3] = (byte) (v >> 24);
        if (k == 1) leak = b;
        return b[0] + b[1] * 3 + b[2] * 5 + b[3] * 7 + b[4];
    }

    static int b(int v, int k) {
        byte[] b = new byte[8];
        for (int i = 0; i < 4; i++) b[i] = (byte) (v >>> i * 8);
        int r = (int) I.get(b, 0);
        if (k == 1) leak = b;
        b[2] = 9;
        return r ^ (int) I.get(b, 1) ^ (short) S.get(b, 2);
    }

    static long c(long v) {
        byte[] b = new byte[9];
        L.set(b, 1, v);
        b[4] = 17;
        return (long) L.get(b, 0) ^ (long) L.get(b, 1);
    }

    static int d(int v) {
        short[] s = new short[4];
        s[0] = (short) v;
        s[1] = (short) (v >> 16);
        s[2] = (short) 0xffff;
        int r = 0;
        for (short q : s) r = r * 31 + q;
        return r;
    }

    static int e(int v) {
        byte[] b = {1, 2, 3, 4, 5, 6, 7, 8};
        byte[] c = b.clone();
        c[3] = (byte) v;
        int r = 0;
        for (int i = 0; i < 8; i++) r = r * 31 + b[i] - c[i];
        return r;
    }

    static int f(int v, int n) {
        int[] t = new int[3];
        t[0] = v;
        try {
            t[n] = 5;
        } catch (ArrayIndexOutOfBoundsException x) {
            t[1] = 7;
        }
        return t[0] * 100 + t[1] * 10 + t[2];
    }

    static int g(int v) {
        char[] c = new char[2];
        c[0] = (char) v;
        c[1] = (char) (v >> 16);
        return c[0] + c[1] * 3 + new String(c).hashCode();
    }

    static float h(int v) {
        float[] q = new float[2];
        q[0] = v;
        int[] z = new int[2];
        z[1] = Float.floatToRawIntBits(q[0]);
        return q[1] + Float.intBitsToFloat(z[1]);
    }

    static boolean z(int v) {
        boolean[] q = new boolean[4];
        q[0] = (v & 1) != 0;
        q[1] = v < 0;
        q[3] = q[0] ^ q[1];
        return q[3] | q[2];
    }

    public static void main(String[] x) {
        long last = 0;
        for (int k = 0; k < 20000; k++) {
            long r = 0;
            for (int v : new int[] {0, -1, 0x01020384, 0x80ff7f00, 0x12345678}) {
                r =
                        r * 31
                                + a(v, k & 1)
                                + b(v, k & 1)
                                + c(v * 0x100000001L)
                                + d(v)
                                + e(v)
                                + f(v, 2)
                                + f(v, 3)
                                + f(v, -1)
                                + g(v)
                                + (long) h(v)
                                + (z(v) ? 1 : 0);
            }
            for (byte q : leak == null ? new byte[0] : leak) r += 0;
            if (r != last) System.out.println(k + " " + r);
            last = r;
        }
        System.out.println(leak[0] + " " + leak[1] + " " + leak[2] + " " + leak[3]);
    }
}
