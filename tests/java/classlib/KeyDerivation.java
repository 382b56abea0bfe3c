// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Key derivation by HKDF: RFC 5869's vectors, extract and expand in two steps, derived keys, lengths that are refused.
// since: 25
import java.security.InvalidAlgorithmParameterException;
import java.util.HexFormat;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

public class KeyDerivation {
    static final HexFormat HEX = HexFormat.of();

    public static void main(String[] arguments) throws Exception {
        KDF kdf = KDF.getInstance("HKDF-SHA256");
        byte[] input = HEX.parseHex("0b".repeat(22)), salt = HEX.parseHex("000102030405060708090a0b0c"),
            info = HEX.parseHex("f0f1f2f3f4f5f6f7f8f9");
        var whole = HKDFParameterSpec.ofExtract().addIKM(input).addSalt(salt).thenExpand(info, 42);
        System.out.println(HEX.formatHex(kdf.deriveData(whole)));
        byte[] extracted = kdf.deriveData(HKDFParameterSpec.ofExtract().addIKM(input).addSalt(salt).extractOnly());
        System.out.println(HEX.formatHex(extracted));
        SecretKey pseudo = new SecretKeySpec(extracted, "Generic");
        System.out.println(HEX.formatHex(kdf.deriveData(HKDFParameterSpec.expandOnly(pseudo, info, 42))));
        SecretKey key = kdf.deriveKey("AES", HKDFParameterSpec.ofExtract().addIKM("a".getBytes())
            .addIKM("b".getBytes()).thenExpand(null, 16));
        System.out.println(key.getAlgorithm() + " " + HEX.formatHex(key.getEncoded()));
        System.out.println(HEX.formatHex(KDF.getInstance("HKDF-SHA512").deriveData(whole)).substring(0, 24) + " "
            + kdf.getAlgorithm());
        try {
            kdf.deriveData(HKDFParameterSpec.expandOnly(pseudo, info, 256 * 32));
        } catch (InvalidAlgorithmParameterException e) {
            System.out.println(e.getMessage());
        }
        try {
            HKDFParameterSpec.expandOnly(pseudo, info, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
