// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// EnumMap and EnumSet, small and of more than 64 constants.
import java.util.EnumMap;
import java.util.EnumSet;

public class EnumCollections {
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }
    enum Many {
        A0,
        A1,
        A2,
        A3,
        A4,
        A5,
        A6,
        A7,
        A8,
        A9,
        B0,
        B1,
        B2,
        B3,
        B4,
        B5,
        B6,
        B7,
        B8,
        B9,
        C0,
        C1,
        C2,
        C3,
        C4,
        C5,
        C6,
        C7,
        C8,
        C9,
        D0,
        D1,
        D2,
        D3,
        D4,
        D5,
        D6,
        D7,
        D8,
        D9,
        E0,
        E1,
        E2,
        E3,
        E4,
        E5,
        E6,
        E7,
        E8,
        E9,
        F0,
        F1,
        F2,
        F3,
        F4,
        F5,
        F6,
        F7,
        F8,
        F9,
        G0,
        G1,
        G2,
        G3,
        G4,
        G5,
        G6,
        G7,
        G8,
        G9
    }
    public static void main(String[] args) {
        EnumMap<Day, Integer> m = new EnumMap<>(Day.class);
        m.put(Day.SUN, 7);
        m.put(Day.MON, 1);
        m.put(Day.WED, null);
        System.out.println(m + " " + m.containsKey(Day.WED) + " " + m.get(Day.TUE) + " " + m.keySet() + " "
                + m.equals(new java.util.HashMap<>(m)));
        EnumSet<Day> s = EnumSet.range(Day.TUE, Day.FRI);
        System.out.println(
                s + " " + EnumSet.complementOf(s) + " " + EnumSet.noneOf(Day.class) + " " + s.contains(null));
        EnumSet<Many> big = EnumSet.allOf(Many.class);
        big.removeIf(x -> x.ordinal() % 7 != 0);
        System.out.println(
                big + " " + big.size() + " " + EnumSet.complementOf(big).size() + " " + big.getClass().getSimpleName());
        try {
            m.put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("null key");
        }
        try {
            Day.valueOf("NODAY");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
