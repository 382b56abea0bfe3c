// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the VM for digests, checksums, ciphers, Base64 and BigInteger. They process many lengths and offsets, in
// pieces, in place, and with each key size, often enough for compiled code. The results are printed as numbers. Wrong
// input throws.

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

public class CipherKernels {
    private static final byte[] BYTES = new byte[900];

    private static int mixed(int sum, int value) {
        return sum * 31 + value;
    }

    private static int digests(String name, int step) throws Exception {
        MessageDigest digest = MessageDigest.getInstance(name);
        int sum = 0;
        for (int length = 0; length <= 600; length += step) {
            int offset = length % 7;
            digest.update(BYTES, offset, length);
            sum = mixed(sum, Arrays.hashCode(digest.digest()));
            digest.update(BYTES, 1, length / 3);
            digest.update(BYTES, length / 3, length);
            sum = mixed(sum, Arrays.hashCode(digest.digest()));
        }
        return sum;
    }

    private static int checksums(Checksum arrays, Checksum direct, int step) {
        ByteBuffer memory = ByteBuffer.allocateDirect(BYTES.length).put(BYTES);
        int sum = 0;
        for (int length = 0; length <= 600; length += step) {
            int offset = length % 9;
            arrays.update(BYTES, offset, length);
            direct.update(memory.limit(offset + length).position(offset));
            if (direct.getValue() != arrays.getValue()) throw new AssertionError(length);
            sum = mixed(sum, (int) arrays.getValue());
        }
        return sum;
    }

    private static int ciphers(String mode, int keyBytes, int step) throws Exception {
        SecretKeySpec key = new SecretKeySpec(BYTES, 100, keyBytes, "AES");
        boolean counts = mode.contains("CTR"), isGcm = mode.contains("GCM"), chains = mode.contains("CBC");
        Cipher encryption = Cipher.getInstance(mode), decryption = Cipher.getInstance(mode);
        int sum = 0;
        for (int length = 0; length <= 512; length += counts || isGcm ? step : 16 * step) {
            byte[] nonce = Arrays.copyOfRange(BYTES, length % 50, length % 50 + (isGcm ? 12 : 16));
            if (counts && length % 2 == 0) Arrays.fill(nonce, 3, 16, (byte) -1);  // the counter's carry goes far
            var parameters = isGcm ? new GCMParameterSpec(128, nonce) : new IvParameterSpec(nonce);
            if (counts || isGcm || chains) {
                encryption.init(Cipher.ENCRYPT_MODE, key, parameters);
                decryption.init(Cipher.DECRYPT_MODE, key, parameters);
            } else {
                encryption.init(Cipher.ENCRYPT_MODE, key);
                decryption.init(Cipher.DECRYPT_MODE, key);
            }
            int offset = length % 5, half = length / 32 * 16 + (counts ? length % 11 % (length + 1) : 0);
            half = Math.min(half, length);
            byte[] whole = new byte[length + 64];
            int written = encryption.update(BYTES, offset, half, whole, 0);
            written += encryption.doFinal(BYTES, offset + half, length - half, whole, written);
            sum = mixed(sum, Arrays.hashCode(Arrays.copyOf(whole, written)));
            byte[] plain = decryption.doFinal(whole, 0, written);
            if (!Arrays.equals(plain, Arrays.copyOfRange(BYTES, offset, offset + length)))
                throw new AssertionError(mode + length);
            if (isGcm) continue;
            byte[] inPlace = Arrays.copyOf(BYTES, 600);
            if (encryption.doFinal(inPlace, offset, length, inPlace, offset) != length) throw new AssertionError();
            sum = mixed(sum, Arrays.hashCode(inPlace));
            inPlace = Arrays.copyOf(BYTES, 600);  // ranges that overlap
            encryption.doFinal(inPlace, 0, length, inPlace, 3);
            sum = mixed(sum, Arrays.hashCode(inPlace));
        }
        return sum;
    }

    private static int texts(int step) {
        int sum = 0;
        Base64.Decoder[] decoders = {Base64.getDecoder(), Base64.getUrlDecoder(), Base64.getMimeDecoder()};
        for (int length = 0; length <= 300; length += step) {
            byte[] part = Arrays.copyOfRange(BYTES, length % 9, length % 9 + length);
            byte[][] texts = {Base64.getEncoder().encode(part), Base64.getUrlEncoder().withoutPadding().encode(part),
                Base64.getMimeEncoder().encode(part)};
            for (int i = 0; i < 3; i++) {
                sum = mixed(sum, Arrays.hashCode(texts[i]));
                if (!Arrays.equals(decoders[i].decode(texts[i]), part)) throw new AssertionError(length);
                if (texts[i].length == 0) continue;
                byte[] wrong = texts[i].clone();
                int at = length * 13 % wrong.length;
                wrong[at] = (byte) "=*\n\u00e9-/".charAt(length % 6);
                try {
                    sum = mixed(sum, Arrays.hashCode(decoders[i].decode(wrong)));
                } catch (IllegalArgumentException exception) {
                    sum = mixed(sum, exception.getMessage().hashCode());
                }
            }
        }
        return sum;
    }

    private static int integers(int seed, int rounds) {
        Random random = new Random(seed);
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            int bits = round * 37 % 5000 + 1;
            BigInteger left = new BigInteger(bits, random), right = new BigInteger(round * 91 % 2600 + 1, random);
            sum = mixed(sum, left.multiply(right).hashCode() ^ left.multiply(left).hashCode() * 3);
        }
        return sum;
    }

    private static int powers(int seed, int rounds) {
        Random random = new Random(seed);
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            BigInteger modulus = new BigInteger(round * 67 % 1100 + 2, random).setBit(round % 3 == 2 ? 1 : 0);
            BigInteger base = new BigInteger(round * 41 % 1300 + 1, random);
            sum = mixed(sum, base.modPow(new BigInteger(90, random), modulus).hashCode());
            sum = mixed(sum, base.pow(5).hashCode());
        }
        return sum;
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
        new Random(9).nextBytes(BYTES);
        for (int round = 0; round < 4; round++) {
            int step = round == 0 ? 1 : 3 + round;
            for (String name : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA3-256"})
                System.out.println(name + " " + digests(name, step));
            System.out.println("CRC-32 " + checksums(new CRC32(), new CRC32(), step) + " CRC-32C "
                    + checksums(new CRC32C(), new CRC32C(), step) + " Adler-32 "
                    + checksums(new Adler32(), new Adler32(), step));
            for (String mode : new String[] {"ECB", "CBC", "CTR", "GCM"}) {
                for (int keyBytes : new int[] {16, 24, 32})
                    System.out.println(mode + keyBytes + " " + ciphers("AES/" + mode + "/NoPadding", keyBytes, step));
            }
            System.out.println("Base64 " + texts(step));
            System.out.println("products " + integers(round, 400) + " powers " + powers(round, 60));
        }
        byte[] large = new byte[5 << 20];
        new Random(10).nextBytes(large);
        for (String name : new String[] {"MD5", "SHA-512"})
            System.out.println(name + " " + Arrays.hashCode(MessageDigest.getInstance(name).digest(large)));
        CRC32 crc = new CRC32();
        crc.update(large);
        Adler32 adler = new Adler32();
        adler.update(large);
        System.out.println(crc.getValue() + " " + adler.getValue());
        System.out.println(Arrays.equals(Base64.getDecoder().decode(Base64.getEncoder().encode(large)), large));
        wrong("checksum", () -> new CRC32().update(BYTES, -1, 5));
        wrong("checksum", () -> new Adler32().update(BYTES, 0, BYTES.length + 1));
        wrong("text", () -> Base64.getDecoder().decode(new byte[] {'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'}, new byte[5]));
        wrong("modPow", () -> BigInteger.TEN.modPow(BigInteger.ONE, BigInteger.ZERO));
    }
}
