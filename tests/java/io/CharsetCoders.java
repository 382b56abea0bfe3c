// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Charsets: encoders and decoders, malformed input, characters that cannot be mapped, names and aliases.
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;

public class CharsetCoders {
    public static void main(String[] args) throws Exception {
        String text = "a\u00e9\u4e2d\ud83d\ude00";
        for (String name :
                new String[] {"UTF-8", "UTF-16", "UTF-16LE", "UTF-32", "ISO-8859-1", "US-ASCII", "windows-1252",
                        "ISO-8859-15", "IBM437", "KOI8-R", "Shift_JIS", "GBK", "EUC-JP", "Big5", "ISO-2022-JP"}) {
            Charset c = Charset.forName(name);
            System.out.println(name + " " + Arrays.toString(text.getBytes(c)) + " " + c.newEncoder().canEncode('\u20ac')
                    + " " + c.newEncoder().maxBytesPerChar() + " "
                    + new String(new byte[] {65, (byte) 0xa4, (byte) 0xe9, 66}, c).codePoints().boxed().toList());
        }
        CharsetDecoder d = StandardCharsets.UTF_8.newDecoder();
        for (byte[] bad : new byte[][] {{(byte) 0xc0, (byte) 0x80}, {(byte) 0xe2, (byte) 0x82}, {65, (byte) 0xff},
                     {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xf5, 0, 0, 0}}) {
            try {
                d.decode(ByteBuffer.wrap(bad));
            } catch (CharacterCodingException e) {
                System.out.println(e.getMessage() + " " + new String(bad, StandardCharsets.UTF_8).length());
            }
        }
        CharsetEncoder e = StandardCharsets.US_ASCII.newEncoder()
                                   .onUnmappableCharacter(CodingErrorAction.REPLACE)
                                   .replaceWith(new byte[] {'#'});
        System.out.println(new String(e.encode(CharBuffer.wrap(text)).array(), 0, 4, "US-ASCII"));
        ByteBuffer small = ByteBuffer.allocate(2);
        CoderResult r = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap("\u4e2d"), small, true);
        System.out.println(r + " " + small.position() + " " + Charset.forName("latin1") + " "
                + Charset.isSupported("utf8") + " " + Charset.defaultCharset().aliases().contains("UTF8"));
        try {
            Charset.forName("no such");
        } catch (IllegalCharsetNameException x) {
            System.out.println(x.getMessage());
        }
        try {
            Charset.forName("nope");
        } catch (UnsupportedCharsetException x) {
            System.out.println(x.getMessage());
        }
        try {
            "x".getBytes("nope");
        } catch (java.io.UnsupportedEncodingException x) {
            System.out.println(x.getMessage());
        }
    }
}
