// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Path.resolve of several names, Reader.readAllLines and readAllAsString, getChars, System.console without a terminal.
// since: 25
import java.io.Reader;
import java.io.StringReader;
import java.nio.CharBuffer;
import java.nio.file.Path;

public class PathsSince25 {
    public static void main(String[] arguments) throws Exception {
        System.out.println(Path.of("a").resolve("b", "c") + " "
            + Path.of("a").resolve(Path.of("x"), Path.of("/abs"), Path.of("y")));
        Reader reader = new StringReader("eins\nzwei\r\ndrei");
        System.out.println(reader.readAllLines());
        System.out.println(new StringReader("whole").readAllAsString().length());
        System.out.println(Reader.of("of text").readAllAsString());
        StringBuilder into = new StringBuilder();
        try (Reader of = Reader.of(CharBuffer.wrap("buffered"))) {
            char[] four = new char[4];
            into.append(four, 0, of.read(four));
        }
        System.out.println(into + " " + "abcdef".subSequence(1, 3) + " " + System.console());
        char[] out = new char[4];
        "abcdef".getChars(2, 5, out, 1);
        CharSequence sequence = new StringBuilder("xyz");
        sequence.getChars(0, 1, out, 0);
        System.out.println(new String(out));
        try {
            sequence.getChars(0, 4, out, 0);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
