// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MessageDigest, Mac, CRC: known answers; algorithms that do not exist.
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Digests {
    public static void main(String[] args) throws Exception {
        byte[] text = "The quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.US_ASCII);
        for (String name : new String[] {
                     "MD2", "MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/256", "SHA3-256"}) {
            MessageDigest d = MessageDigest.getInstance(name);
            System.out.println(name + " " + d.getDigestLength() + " " + HexFormat.of().formatHex(d.digest(text)) + " "
                    + d.getProvider().getName());
        }
        MessageDigest d = MessageDigest.getInstance("SHA-256");
        for (byte b : text) d.update(b);
        MessageDigest copy = (MessageDigest) d.clone();
        System.out.println(MessageDigest.isEqual(d.digest(), copy.digest()) + " " + d);
        try {
            MessageDigest.getInstance("NOPE");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        for (String name : new String[] {"HmacMD5", "HmacSHA1", "HmacSHA256", "HmacSHA512"}) {
            Mac mac = Mac.getInstance(name);
            mac.init(new SecretKeySpec("key".getBytes(), name));
            System.out.println(name + " " + HexFormat.of().formatHex(mac.doFinal(text)));
        }
        CRC32 crc = new CRC32();
        crc.update(text);
        CRC32C crcc = new CRC32C();
        crcc.update(text, 1, 40);
        Adler32 adler = new Adler32();
        adler.update(text);
        System.out.println(Long.toHexString(crc.getValue()) + " " + Long.toHexString(crcc.getValue()) + " "
                + Long.toHexString(adler.getValue()));
    }
}
