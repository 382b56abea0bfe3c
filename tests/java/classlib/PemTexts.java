// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// PEM encoders and decoders, a preview of 25: plain and encrypted keys, text before a key, texts that do not decode.
// since: 25
// javac: --enable-preview
// jvm: --enable-preview
// timeout: 60
import java.security.DEREncodable;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PEMDecoder;
import java.security.PEMEncoder;
import java.security.PEMRecord;
import java.security.PrivateKey;
import java.security.PublicKey;

public class PemTexts {
    public static void main(String[] arguments) throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        String text = PEMEncoder.of().encodeToString(keys.getPublic());
        System.out.println(text.lines().count() + " " + text.lines().findFirst().get());
        PublicKey again = PEMDecoder.of().decode(text, PublicKey.class);
        System.out.println(again.equals(keys.getPublic()));
        String secret = PEMEncoder.of().withEncryption("password".toCharArray()).encodeToString(keys.getPrivate());
        System.out.println(secret.lines().findFirst().get());
        PrivateKey opened = PEMDecoder.of().withDecryption("password".toCharArray()).decode(secret, PrivateKey.class);
        System.out.println(opened.equals(keys.getPrivate()));
        DEREncodable any = PEMDecoder.of().decode("some words\n" + text);
        System.out.println(any instanceof PublicKey);
        PEMRecord record = PEMDecoder.of().decode(text, PEMRecord.class);
        System.out.println(record.type() + " " + record.leadingData());
        try {
            PEMDecoder.of().decode("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n");
        } catch (IllegalArgumentException e) {
            System.out.println("does not decode");
        }
        try {
            PEMDecoder.of().decode(text, PrivateKey.class);
        } catch (ClassCastException e) {
            System.out.println("another kind");
        }
    }
}
