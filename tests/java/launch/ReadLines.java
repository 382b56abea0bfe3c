// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// IO.readln and IO.print at the standard streams: prompts, empty lines, the end of the input.
// since: 25
// stdin: Ada Lovelace\n\nGrüße\nlast
public class ReadLines {
    static void main() {
        String name = IO.readln("name? ");
        IO.println("<" + name + ">");
        IO.println("<" + IO.readln() + ">");
        IO.println("<" + IO.readln("umlaut? ") + ">");
        IO.print('x');
        IO.print(null);
        IO.println(1.5);
        IO.println("<" + IO.readln() + ">");
        IO.println("<" + IO.readln("more? ") + ">");
    }
}
