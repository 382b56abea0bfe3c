// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ML-DSA signatures: their size, verification of intact and of damaged ones, a public key encoded and read again.
// since: 25
// timeout: 60
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;

public class QuantumSignatures {
    public static void main(String[] arguments) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("ML-DSA");
        generator.initialize(NamedParameterSpec.ML_DSA_44);
        KeyPair keys = generator.generateKeyPair();
        Signature signature = Signature.getInstance("ML-DSA");
        signature.initSign(keys.getPrivate());
        byte[] message = "message".getBytes();
        signature.update(message);
        byte[] signed = signature.sign();
        System.out.println(signed.length + " " + keys.getPublic().getEncoded().length + " "
            + keys.getPublic().getAlgorithm());
        var copy = KeyFactory.getInstance("ML-DSA").generatePublic(new X509EncodedKeySpec(keys.getPublic()
            .getEncoded()));
        for (int damage : new int[] {-1, 0, 1000}) {
            byte[] given = signed.clone();
            if (damage >= 0) given[damage] ^= 1;
            signature.initVerify(copy);
            signature.update(message);
            System.out.println(signature.verify(given));
        }
        System.out.println(copy.equals(keys.getPublic()));
    }
}
