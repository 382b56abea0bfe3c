// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// BitSet.
import java.util.Arrays;
import java.util.BitSet;

public class BitSets {
    public static void main(String[] args) {
        BitSet a = new BitSet();
        for (int i = 0; i < 200; i += 3) a.set(i);
        BitSet b = new BitSet();
        b.set(10, 150);
        BitSet c = (BitSet) a.clone();
        c.and(b);
        System.out.println(c + " " + c.cardinality() + " " + c.length() + " " + c.size());
        c.xor(a);
        System.out.println(c + " " + c.nextSetBit(10) + " " + c.nextClearBit(150) + " " + c.previousSetBit(140) + " "
                + a.intersects(c));
        a.flip(0, 5);
        a.clear(20, 190);
        System.out.println(a + " " + Arrays.toString(a.toLongArray()) + " " + a.hashCode() + " " + a.stream().sum());
        System.out.println(BitSet.valueOf(new byte[] {1, 2, 3}) + " " + new BitSet().isEmpty());
        try {
            a.set(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
