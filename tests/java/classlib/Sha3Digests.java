// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Digests and MACs of known texts: SHA-2, SHA-3, SHAKE with a given length, HMAC.
// since: 25
import java.security.MessageDigest;
import java.security.Security;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Sha3Digests {
    public static void main(String[] arguments) throws Exception {
        for (String name : new String[] {"SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHA-512/256", "MD5", "SHAKE128-256", "SHAKE256-512"}) {
            MessageDigest digest = MessageDigest.getInstance(name);
            for (int i = 0; i < 100; i++) digest.update(("line " + i).getBytes());
            System.out.println(name + " " + digest.getDigestLength() + " " + HexFormat.of().formatHex(digest.digest()));
        }
        for (String name : new String[] {"HmacSHA256", "HmacSHA3-256", "HmacSHA512/224"}) {
            Mac mac = Mac.getInstance(name);
            mac.init(new SecretKeySpec("key".getBytes(), "raw"));
            System.out.println(name + " " + HexFormat.of().formatHex(mac.doFinal("text".getBytes())));
        }
        System.out.println(Security.getProviders()[0].getName());
    }
}
