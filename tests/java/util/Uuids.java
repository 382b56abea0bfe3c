// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// UUID, Base64, HexFormat.
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

public class Uuids {
    public static void main(String[] args) {
        UUID u = UUID.nameUUIDFromBytes("keyhole".getBytes());
        System.out.println(u + " " + u.version() + " " + u.variant() + " " + u.hashCode());
        System.out.println(UUID.fromString("1-2-3-4-5") + " " + UUID.randomUUID().version() + " "
                + new UUID(-1, 1).compareTo(new UUID(1, -1)));
        try {
            UUID.fromString("xyz");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        byte[] data = new byte[70];
        for (int i = 0; i < data.length; i++) data[i] = (byte) (i * 37);
        System.out.println(Base64.getEncoder().encodeToString(data));
        System.out.println(Base64.getUrlEncoder().withoutPadding().encodeToString(data));
        System.out.println(Base64.getMimeEncoder(40, new byte[] {'|'}).encodeToString(data));
        System.out.println(Base64.getMimeDecoder().decode("QUJD\r\nREVG*").length);
        try {
            Base64.getDecoder().decode("QUJ$");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                HexFormat.ofDelimiter(":").withUpperCase().formatHex(data, 0, 5) + " " + HexFormat.fromHexDigits("ff"));
    }
}
