// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects, Optional of primitives, Iterator defaults, StringJoiner, Locale.
import java.util.*;

public class Optionals {
    public static void main(String[] args) {
        System.out.println(
                Objects.hash(1, "a", null)
                        + " "
                        + Objects.equals(null, null)
                        + " "
                        + Objects.toString(null, "d")
                        + " "
                        + Objects.requireNonNullElse(null, "e")
                        + " "
                        + OptionalInt.of(5)
                        + " "
                        + OptionalDouble.empty());
        try {
            Objects.checkIndex(5, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        StringJoiner j = new StringJoiner(", ", "{", "}");
        j.setEmptyValue("none");
        System.out.println(j);
        j.add("a").add("b");
        System.out.println(j + " " + j.length());
        Iterator<Integer> it = List.of(1, 2, 3).iterator();
        it.next();
        it.forEachRemaining(System.out::print);
        System.out.println();
        System.out.println(
                "TITLE".toLowerCase(Locale.ROOT)
                        + " "
                        + "i".toUpperCase(Locale.forLanguageTag("tr"))
                        + " "
                        + Arrays.deepHashCode(new Object[] {1, new int[] {2}})
                        + " "
                        + List.of(1, 2).hashCode()
                        + " "
                        + "x".hashCode());
        Timer t = new Timer(true);
        t.cancel();
        System.out.println(Currency.getInstance("EUR").getCurrencyCode());
    }
}
