// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Nested loops that count down and up, with sums and masks of long fields.
public class NestedLongLoops {
    long r;
    int q;

    void a() {
        int x;
        long y;
        for (x = 3; x > 1; x--)
            for (y = 1; 2 > y; y++) {
                r += y;
                r &= x;
            }
    }

    void b() {
        for (int x = 9; x > 4; x -= 2)
            for (long y = 1; y < 4; y += 2) {
                r |= y;
                r -= x;
                r ^= y << x;
                q += (int) r;
                q &= ~x;
            }
    }

    void c(long l) {
        for (int z = 0; z < 12712; z++) {
            a();
            if ((z & 3) == 0) b();
        }
        a();
    }

    public static void main(String[] g) {
        NestedLongLoops t = new NestedLongLoops();
        for (int i = 0; i < 12; i++) {
            t.c(t.r);
            System.out.println(t.r + " " + t.q);
            if (i == 5) t.r = 0;
        }
        NestedLongLoops u = new NestedLongLoops();
        for (int i = 0; i < 10; i++) {
            for (int z = 0; z < 12713; z++) u.a();
            System.out.print(u.r + " ");
        }
        System.out.println();
    }
}
