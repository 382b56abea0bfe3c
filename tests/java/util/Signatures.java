// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// KeyPairGenerator, Signature: RSA and EC round trips with generated keys.
// stress: no
// timeout: 120
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;

public class Signatures {
    public static void main(String[] args) throws Exception {
        KeyPairGenerator g = KeyPairGenerator.getInstance("RSA");
        g.initialize(1024);
        KeyPair pair = g.generateKeyPair();
        Signature s = Signature.getInstance("SHA256withRSA");
        s.initSign(pair.getPrivate());
        s.update("message".getBytes());
        byte[] signature = s.sign();
        s.initVerify(pair.getPublic());
        s.update("message".getBytes());
        System.out.println(signature.length + " " + s.verify(signature));
        s.update("massage".getBytes());
        System.out.println(s.verify(signature) + " " + pair.getPublic().getAlgorithm() + " "
                + pair.getPublic().getFormat() + " " + pair.getPrivate().getFormat());
    }
}
