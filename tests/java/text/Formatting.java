// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String.format and printf.
import java.util.*;

public class Formatting {
    public static void main(String[] args) {
        System.out.println(
                String.format(
                        "%d %5d|%-5d|%05d %+d %,d %x %X %o %(d",
                        1, 2, 3, 4, 5, 1234567, 255, 255, 8, -9));
        System.out.println(
                String.format(
                        "%f %.2f %10.3f|%-10.1f|%e %g %,.2f",
                        1.5, 2.345, 3.14159, 2.5, 12345.678, 0.0001234, 9876543.21));
        System.out.println(
                String.format(
                                "%s %10s|%-10s|%.3s %S %c %b %n%%",
                                "s", "right", "left", "truncated", "up", 'c', true)
                        .trim());
        System.out.println(String.format("%2$s %1$s %<s %h %08.2f", "a", "b", "hash", -3.14159));
        System.out.println(
                String.format("%s %s %s", null, List.of(1), new int[0].length)
                        + String.format("%b %tY", null, new GregorianCalendar(2020, 0, 5)));
        System.out.printf("%s is %d years%n", "Java", 30);
        System.out.println("%d-%s".formatted(1, "x"));
        for (String f : new String[] {"%d", "%q", "%.2d", "%s %s"})
            try {
                System.out.println(String.format(f, "str"));
            } catch (IllegalFormatException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
    }
}
