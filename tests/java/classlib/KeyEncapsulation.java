// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Key encapsulation by X25519 and by ML-KEM: both sides get the same secret; wrong keys and algorithms are refused.
// since: 25
// timeout: 60
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;

public class KeyEncapsulation {
    static void both(String algorithm, KeyPair keys) throws Exception {
        KEM kem = KEM.getInstance(algorithm);
        KEM.Encapsulator sender = kem.newEncapsulator(keys.getPublic());
        KEM.Encapsulated sent = sender.encapsulate();
        KEM.Decapsulator receiver = kem.newDecapsulator(keys.getPrivate());
        byte[] secret = receiver.decapsulate(sent.encapsulation()).getEncoded();
        System.out.println(algorithm + " " + Arrays.equals(secret, sent.key().getEncoded()) + " " + secret.length + " "
                           + sent.encapsulation().length + " " + sender.secretSize() + " "
                               + receiver.encapsulationSize() + " " + sent.key().getAlgorithm());
        var part = kem.newEncapsulator(keys.getPublic()).encapsulate(0, 16, "AES");
        System.out.println(part.key().getAlgorithm() + " " + part.key().getEncoded().length);
        try {
            receiver.decapsulate(new byte[5]);
        } catch (DecapsulateException e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }

    public static void main(String[] arguments) throws Exception {
        KeyPair curve = KeyPairGenerator.getInstance("X25519").generateKeyPair();
        both("DHKEM", curve);
        KeyPair lattice = KeyPairGenerator.getInstance("ML-KEM-768").generateKeyPair();
        both("ML-KEM", lattice);
        System.out.println(lattice.getPublic().getAlgorithm() + " " + lattice.getPublic().getEncoded().length + " "
            + lattice.getPublic().getFormat());
        try {
            KEM.getInstance("ML-KEM").newEncapsulator(curve.getPublic());
        } catch (InvalidKeyException e) {
            System.out.println("wrong key");
        }
        try {
            KEM.getInstance("none");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
    }
}
