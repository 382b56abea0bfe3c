// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties: load, store, defaults; StringTokenizer; Base64; CRC32.
import java.io.*;
import java.util.*;
import java.util.zip.*;

public class Properties1 {
    public static void main(String[] args) throws Exception {
        Properties p = new Properties();
        p.load(new StringReader("a = 1\n# comment\nb: two\\\n  lines\nc=\\u00e9\n"));
        System.out.println(new TreeMap<>(p));
        StringWriter w = new StringWriter();
        p.store(w, "head");
        System.out.println(w.toString().lines().filter(l -> !l.startsWith("#")).sorted().toList());
        StringTokenizer t = new StringTokenizer("x y,z", " ,");
        while (t.hasMoreTokens()) System.out.print(t.nextToken() + ";");
        System.out.println();
        String e = Base64.getEncoder().encodeToString("Keyhole ☃".getBytes("UTF-8"));
        System.out.println(e + " " + new String(Base64.getDecoder().decode(e), "UTF-8"));
        CRC32 c = new CRC32();
        c.update("123456789".getBytes());
        Adler32 ad = new Adler32();
        ad.update("123456789".getBytes());
        System.out.println(Long.toHexString(c.getValue()) + " " + Long.toHexString(ad.getValue()));
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(o)) {
            g.write("hello hello hello hello".repeat(50).getBytes());
        }
        System.out.println(o.size() < 200);
        System.out.println(
                new String(
                                new GZIPInputStream(new ByteArrayInputStream(o.toByteArray()))
                                        .readAllBytes())
                        .length());
        System.out.println(HexFormat.of().formatHex(new byte[] {1, (byte) 0xab}));
    }
}
