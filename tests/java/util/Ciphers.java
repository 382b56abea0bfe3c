// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// javax.crypto: AES in several modes, key derivation, wrong keys and padding.
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

public class Ciphers {
    public static void main(String[] args) throws Exception {
        byte[] key = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
        byte[] block = HexFormat.of().parseHex("00112233445566778899aabbccddeeff");
        Cipher ecb = Cipher.getInstance("AES/ECB/NoPadding");
        ecb.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        System.out.println(HexFormat.of().formatHex(ecb.doFinal(block)));
        for (String mode : new String[] {"CBC/PKCS5Padding", "CTR/NoPadding", "CFB8/NoPadding"}) {
            Cipher c = Cipher.getInstance("AES/" + mode);
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(block));
            byte[] secret = c.doFinal("attack at dawn, or a bit later".getBytes());
            c.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(block));
            System.out.println(mode + " " + HexFormat.of().formatHex(secret) + " " + new String(c.doFinal(secret)));
        }
        Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
        gcm.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, new byte[12]));
        gcm.updateAAD("header".getBytes());
        byte[] sealed = gcm.doFinal("payload".getBytes());
        System.out.println(HexFormat.of().formatHex(sealed));
        sealed[0] ^= 1;
        gcm.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, new byte[12]));
        gcm.updateAAD("header".getBytes());
        try {
            gcm.doFinal(sealed);
        } catch (BadPaddingException e) {
            System.out.println(e);
        }
        byte[] derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                                 .generateSecret(new PBEKeySpec("pass".toCharArray(), "salt".getBytes(), 50, 128))
                                 .getEncoded();
        System.out.println(HexFormat.of().formatHex(derived));
        KeyGenerator g = KeyGenerator.getInstance("AES");
        g.init(256);
        System.out.println(g.generateKey().getEncoded().length);
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        System.out.println(!Arrays.equals(random, new byte[32]));
        try {
            Cipher.getInstance("AES/NOPE/NoPadding");
        } catch (Exception e) {
            System.out.println(e);
        }
    }
}
