// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// stdin: first\nsecond\nlast without newline
// Reading standard input to its end.
import java.io.*;

public class StdinEcho {
    public static void main(String[] args) throws IOException {
        BufferedReader r = new BufferedReader(new InputStreamReader(System.in));
        String s;
        int n = 0;
        while ((s = r.readLine()) != null) System.out.println(++n + ": " + s);
        System.out.println(System.in.read());
    }
}
