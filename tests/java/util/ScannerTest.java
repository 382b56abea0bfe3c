// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// stdin: 12 3.5 word\nsecond line here\n77 true\n
// Scanner and BufferedReader on standard input.
import java.util.*;

public class ScannerTest {
    public static void main(String[] args) {
        Scanner s = new Scanner(System.in);
        System.out.println(s.nextInt() + 1);
        System.out.println(s.nextDouble() * 2);
        System.out.println(s.next() + "|" + s.nextLine() + "|" + s.nextLine());
        System.out.println(
                s.hasNextInt() + " " + s.nextInt() + " " + s.nextBoolean() + " " + s.hasNext());
        System.out.println(new Scanner("a,b;c").useDelimiter("[,;]").tokens().toList());
    }
}
