// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the VM for methods of the library. Each runs over many lengths, offsets and positions of the first
// difference, and gives one number. Wrong arguments throw.

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32C;

public class LibraryKernels {
    private static final int LENGTHS = 140;
    private static final byte[] BYTES = new byte[LENGTHS + 40];

    private static int mixed(int sum, int value) {
        return sum * 31 + value;
    }

    private static int digests(String algorithm) throws Exception {
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        int sum = 0;
        for (int length = 0; length < LENGTHS; length++) {
            for (int offset = 0; offset < 5; offset++) {
                digest.update(BYTES, offset, length);
                sum = mixed(sum, Arrays.hashCode(digest.digest()));
            }
        }
        digest.update((byte) 1);
        MessageDigest copy = (MessageDigest) digest.clone();
        copy.update(BYTES);
        return mixed(sum, Arrays.hashCode(copy.digest()) ^ Arrays.hashCode(digest.digest()));
    }

    private static int checksums() {
        CRC32C arrays = new CRC32C(), direct = new CRC32C();
        ByteBuffer memory = ByteBuffer.allocateDirect(BYTES.length).put(BYTES);
        int sum = 0;
        for (int length = 0; length < LENGTHS; length++) {
            for (int offset = 0; offset < 9; offset++) {
                arrays.update(BYTES, offset, length);
                direct.update(memory.limit(offset + length).position(offset));
                sum = mixed(sum, (int) arrays.getValue());
                if (direct.getValue() != arrays.getValue()) throw new AssertionError(length);
            }
        }
        return sum;
    }

    private static int hashCodes() {
        int sum = Arrays.hashCode((byte[]) null) + Arrays.hashCode((int[]) null);
        for (int length = 0; length < LENGTHS; length++) {
            short[] shorts = new short[length];
            char[] chars = new char[length];
            int[] ints = new int[length];
            for (int i = 0; i < length; i++) {
                shorts[i] = (short) (BYTES[i] * 257);
                chars[i] = (char) (BYTES[i] * 259);
                ints[i] = BYTES[i] * 0x1234567;
            }
            sum = mixed(sum, Arrays.hashCode(Arrays.copyOf(BYTES, length)));
            sum = mixed(sum, Arrays.hashCode(shorts));
            sum = mixed(sum, Arrays.hashCode(chars));
            sum = mixed(sum, Arrays.hashCode(ints));
        }
        return sum;
    }

    private static int mismatches() {
        int sum = 0;
        for (int length = 0; length < LENGTHS; length++) {
            byte[] left = Arrays.copyOf(BYTES, length);
            double[] leftDoubles = new double[length];
            for (int first = 0; first <= length; first++) {
                byte[] right = left.clone();
                double[] rightDoubles = leftDoubles.clone();
                if (first < length) {
                    right[first]++;
                    rightDoubles[first] = Double.NaN;
                }
                sum = mixed(sum, Arrays.mismatch(left, right));
                sum = mixed(sum, Arrays.mismatch(leftDoubles, rightDoubles));
                sum = mixed(sum, Arrays.equals(left, right) ? 1 : 0);
                sum = mixed(sum, Integer.signum(Arrays.compare(left, right)));
            }
        }
        leftAndRightNaN();
        return sum;
    }

    // NaNs with different bits count as equal, and the elements after them are still compared.
    private static void leftAndRightNaN() {
        double[] left = new double[20], right = new double[20];
        left[3] = Double.longBitsToDouble(0x7ff8000000000001L);
        right[3] = Double.longBitsToDouble(0x7ff8000000000002L);
        System.out.println("NaN: " + Arrays.mismatch(left, right));
        right[17] = 1;
        System.out.println("NaN: " + Arrays.mismatch(left, right));
    }

    private static int searches() {
        int sum = 0;
        for (int length = 0; length < LENGTHS; length++) {
            for (int at = 0; at <= length; at += 3) {
                String text = "a".repeat(at) + (at < length ? "b\u00e9" : "") + "a".repeat(length - at);
                sum = mixed(sum, text.indexOf('b'));
                sum = mixed(sum, text.indexOf('\u00e9', at / 2));
                sum = mixed(sum, text.indexOf('\u1234'));
                sum = mixed(sum, text.indexOf('\u0162'));
                sum = mixed(sum, text.indexOf("b\u00e9a"));
                sum = mixed(sum, text.indexOf("aab", at - 2));
                sum = mixed(sum, text.indexOf("", at));
                sum = mixed(sum, text.indexOf("aaa", length + 1));
                sum = mixed(sum, text.getBytes(StandardCharsets.UTF_8).length);
            }
        }
        return sum;
    }

    private static int texts() {
        int sum = 0;
        for (int length = 0; length < LENGTHS; length++) {
            for (int offset = 0; offset < 4; offset++) {
                byte[] part = Arrays.copyOfRange(BYTES, offset, offset + length);
                sum = mixed(sum, Base64.getEncoder().encodeToString(part).hashCode());
                sum = mixed(sum, Base64.getUrlEncoder().withoutPadding().encodeToString(part).hashCode());
                sum = mixed(sum, Base64.getMimeEncoder().encodeToString(part).hashCode());
                if (!Arrays.equals(Base64.getDecoder().decode(Base64.getEncoder().encode(part)), part))
                    throw new AssertionError(length);
            }
        }
        return sum;
    }

    // Repeats searches and hash codes so often that compiled code executes them. Compiled code calls the VM's kernels
    // only from a minimum length on; some lengths here are below this minimum.
    private static int often(int rounds) {
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            int length = round % 301;
            byte[] bytes = Arrays.copyOf(BYTES, length), letters = new byte[length];
            Arrays.fill(letters, (byte) 'a');
            if (length > 3) letters[round * 7 % length] = (byte) (round % 5 == 0 ? 0xE9 : 'b');
            String text = new String(letters, StandardCharsets.ISO_8859_1);
            int[] ints = new int[length];
            char[] chars = new char[length];
            short[] shorts = new short[length];
            for (int i = 0; i < length; i++) {
                ints[i] = letters[i] * 0x01234567 + i;
                chars[i] = (char) (letters[i] * 301);
                shorts[i] = (short) (letters[i] * 301);
            }
            sum = mixed(sum, text.hashCode());
            sum = mixed(sum, text.indexOf('b') + text.indexOf('b', length / 2) + text.indexOf('b', -1));
            sum = mixed(sum, text.indexOf("ab") + text.indexOf("ba", length / 3) + text.indexOf("aaab"));
            sum = mixed(sum, text.indexOf(text) + text.indexOf(text + "a") + text.indexOf("b"));
            sum = mixed(sum, text.getBytes(StandardCharsets.UTF_8).length);
            sum = mixed(sum, new String(letters, length / 2, length - length / 2, StandardCharsets.UTF_8).length());
            sum = mixed(sum, Arrays.hashCode(bytes) ^ Arrays.hashCode(ints) * 3 ^ Arrays.hashCode(chars) * 5);
            sum = mixed(sum, Arrays.hashCode(shorts) ^ (text + "\u1234").hashCode());
        }
        return sum;
    }

    private static int hashOfNull(int[] ints) {
        return Arrays.hashCode(ints);
    }

    private static void wrong(String name, Runnable action) {
        try {
            action.run();
            System.out.println(name + ": nothing");
        } catch (RuntimeException exception) {
            System.out.println(name + ": " + exception.getClass().getName());
        }
    }

    public static void main(String[] arguments) throws Exception {
        new Random(5).nextBytes(BYTES);
        for (int round = 0; round < 3; round++) {
            System.out.println("SHA-256 " + digests("SHA-256") + " SHA-224 " + digests("SHA-224") + " SHA-1 "
                    + digests("SHA-1"));
            System.out.println("CRC-32C " + checksums() + " hash codes " + hashCodes());
            System.out.println("mismatches " + mismatches() + " searches " + searches() + " texts " + texts());
        }
        System.out.println("often " + often(60_000));
        System.out.println("null: " + hashOfNull(null) + " " + hashOfNull(new int[40]));
        byte[] large = new byte[3 << 20];
        large[large.length - 1] = 7;
        System.out.println(Arrays.hashCode(large) + " " + Arrays.mismatch(large, new byte[large.length]));
        wrong("checksum", () -> new CRC32C().update(BYTES, -1, 5));
        wrong("checksum", () -> new CRC32C().update(BYTES, 0, BYTES.length + 1));
        wrong("text", () -> Base64.getEncoder().encode(BYTES, new byte[4]));
        wrong("search", () -> "text".indexOf((String) null));
        wrong("text", () -> new String(BYTES, 100, BYTES.length));
    }
}
