// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.out and System.err: print forms, flush, charset, many small writes; redirection.
import java.io.*;

public class Output {
    public static void main(String[] args) throws Exception {
        System.out.print(1);
        System.out.print('c');
        System.out.print(2L);
        System.out.print(1.5f);
        System.out.print(true);
        System.out.print((Object) null);
        System.out.println(new char[] {'o', 'k'});
        System.out.append("appended").append('!').println();
        System.out.write(65);
        System.out.write('\n');
        System.out.printf("%s%n", "日本 é");
        for (int i = 0; i < 2000; i++) System.out.println(i);
        System.err.println("to stderr");
        PrintStream old = System.out;
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        System.setOut(new PrintStream(b, true));
        System.out.println("captured");
        System.setOut(old);
        System.out.println(b.size());
        System.out.flush();
        System.out.println(System.out.checkError());
    }
}
