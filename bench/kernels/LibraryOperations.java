// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures operations of the class library that HotSpot compiles as intrinsics: copies, texts, checksums, digests,
// searches, reflection, handles. Each operation runs until it is compiled. Its result is the fastest of eight
// repetitions, in processor time of the thread.
//
// Usage: <VM> -cp build/bench/classes LibraryOperations [part of a name]
// Output: a line "<nanoseconds> <name>" for each operation.

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

public class LibraryOperations {
    /** Runs the operation `count` times. Returns a value that depends on the result of each run. */
    private interface Operation {
        long run(int count) throws Throwable;
    }

    private static final long LEAST_NS = 20_000_000, WARM_UP_NS = 700_000_000;
    private static final int REPETITIONS = 8;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();
    private static final MethodHandle ADD;
    private static final VarHandle COUNTER;
    private static final VarHandle INTS_OF_BYTES =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static int counter;
    private static long sink;

    static {
        try {
            MethodType type = MethodType.methodType(int.class, int.class, int.class);
            ADD = MethodHandles.lookup().findStatic(LibraryOperations.class, "add", type);
            COUNTER = MethodHandles.lookup().findStaticVarHandle(LibraryOperations.class, "counter", int.class);
        } catch (ReflectiveOperationException exception) {
            throw new AssertionError(exception);
        }
    }

    private static int add(int left, int right) {
        return left + right;
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static void addArrays() {
        int[] ints = new Random(4).ints(100).toArray(), few = new int[16];
        byte[] data = bytes(5000), other = data.clone(), filled = new byte[5000];
        OPERATIONS.put("int[16].clone", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += few.clone().length;
            return sum;
        });
        OPERATIONS.put("Arrays.fill, 5000 bytes", n -> {
            for (int i = 0; i < n; i++) Arrays.fill(filled, (byte) i);
            return filled[7];
        });
        OPERATIONS.put("Arrays.equals, 5000 bytes", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += Arrays.equals(data, other) ? 1 : 0;
            return sum;
        });
        OPERATIONS.put("Arrays.mismatch, 5000 bytes", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += Arrays.mismatch(data, other);
            return sum;
        });
        OPERATIONS.put("Arrays.hashCode, 5000 bytes", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += Arrays.hashCode(data);
            return sum;
        });
        OPERATIONS.put("Arrays.hashCode, 16 ints", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += Arrays.hashCode(few);
            return sum;
        });
        OPERATIONS.put("Arrays.sort, 100 ints", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) {
                int[] copy = ints.clone();
                Arrays.sort(copy);
                sum += copy[0];
            }
            return sum;
        });
    }

    private static void addTexts() {
        byte[] data = bytes(5000), encoded = Base64.getEncoder().encode(data);
        byte[] ascii = "the quick brown fox ".repeat(50).getBytes(StandardCharsets.UTF_8);
        String text = new String(ascii, StandardCharsets.UTF_8), first = text.substring(0, 5), second = "beta";
        String hay = "x".repeat(200) + "needle";
        OPERATIONS.put("concatenation with an int", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += (first + i + second).length();
            return sum;
        });
        OPERATIONS.put("String.concat", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += first.concat(second).length();
            return sum;
        });
        OPERATIONS.put("indexOf(String) in 200", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += hay.indexOf("needle");
            return sum;
        });
        OPERATIONS.put("indexOf(char) in 200", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += hay.indexOf('n');
            return sum;
        });
        OPERATIONS.put("indexOf(char) in 5", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += first.indexOf('q');
            return sum;
        });
        OPERATIONS.put("new String, 1000 of UTF-8", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += new String(ascii, StandardCharsets.UTF_8).length();
            return sum;
        });
        OPERATIONS.put("new String, 5 of UTF-8", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += new String(ascii, 0, 5, StandardCharsets.UTF_8).length();
            return sum;
        });
        OPERATIONS.put("getBytes, 1000 of UTF-8", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += text.getBytes(StandardCharsets.UTF_8).length;
            return sum;
        });
        OPERATIONS.put("Base64, 5000 bytes", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += Base64.getEncoder().encode(data).length;
            return sum;
        });
        OPERATIONS.put("Base64 decoded, 5000 bytes", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += Base64.getDecoder().decode(encoded).length;
            return sum;
        });
        OPERATIONS.put("Integer.toString", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += Integer.toString(i).length();
            return sum;
        });
    }

    private static Operation checksum(Checksum checksum, int length) {
        byte[] data = bytes(length);
        return n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) {
                checksum.update(data, 0, length);
                sum += checksum.getValue();
            }
            return sum;
        };
    }

    private static void addChecksums() throws Exception {
        OPERATIONS.put("CRC32, 5000 bytes", checksum(new CRC32(), 5000));
        OPERATIONS.put("CRC32, 64 bytes", checksum(new CRC32(), 64));
        OPERATIONS.put("CRC32C, 5000 bytes", checksum(new CRC32C(), 5000));
        OPERATIONS.put("Adler32, 5000 bytes", checksum(new Adler32(), 5000));
        byte[] data = bytes(5000), block = bytes(4096);
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512"}) {
            MessageDigest digest = MessageDigest.getInstance(name);
            OPERATIONS.put(name + ", 5000 bytes", n -> {
                long sum = 0;
                for (int i = 0; i < n; i++) sum += digest.digest(data)[0];
                return sum;
            });
        }
        Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), new IvParameterSpec(new byte[16]));
        OPERATIONS.put("AES-CBC, 4096 bytes", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += cipher.update(block)[0];
            return sum;
        });
        BigInteger left = new BigInteger(2048, new Random(2)), right = new BigInteger(2048, new Random(3));
        OPERATIONS.put("BigInteger.multiply, 2048 bits", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += left.multiply(right).signum();
            return sum;
        });
    }

    private static void addHandles() throws Exception {
        Method method = LibraryOperations.class.getDeclaredMethod("add", int.class, int.class);
        MethodHandle bound = MethodHandles.insertArguments(ADD, 0, 5);
        byte[] data = bytes(5000);
        OPERATIONS.put("Method.invoke", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += (Integer) method.invoke(null, i & 63, 1);
            return sum;
        });
        OPERATIONS.put("constant MethodHandle", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += (int) ADD.invokeExact(i, 1);
            return sum;
        });
        OPERATIONS.put("MethodHandle in a local", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += (int) bound.invokeExact(i);
            return sum;
        });
        OPERATIONS.put("VarHandle", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += (int) COUNTER.getAndAdd(1);
            return sum;
        });
        OPERATIONS.put("VarHandle that converts", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += (long) COUNTER.getVolatile();
            return sum;
        });
        OPERATIONS.put("VarHandle over bytes", n -> {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += (int) INTS_OF_BYTES.get(data, i & 1023);
            return sum;
        });
    }

    private static double measure(Operation operation) throws Throwable {
        int count = 1;
        long start, took;
        do {
            count *= 2;
            start = THREADS.getCurrentThreadCpuTime();
            sink += operation.run(count);
            took = THREADS.getCurrentThreadCpuTime() - start;
        } while (took < LEAST_NS);
        for (long end = System.nanoTime() + WARM_UP_NS; System.nanoTime() < end;) sink += operation.run(count);
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < REPETITIONS; i++) {
            start = THREADS.getCurrentThreadCpuTime();
            sink += operation.run(count);
            fastest = Math.min(fastest, THREADS.getCurrentThreadCpuTime() - start);
        }
        return (double) fastest / count;
    }

    public static void main(String[] arguments) throws Throwable {
        addArrays();
        addTexts();
        addChecksums();
        addHandles();
        for (Map.Entry<String, Operation> each : OPERATIONS.entrySet()) {
            if (arguments.length > 0 && !each.getKey().contains(arguments[0])) continue;
            System.out.println(Math.round(measure(each.getValue()) * 10) / 10.0 + " " + each.getKey());
        }
    }
}
