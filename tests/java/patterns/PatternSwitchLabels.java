// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Pattern switches: null labels, null with default, guards with effects, labels for a type and its supertype, and a
// value that no label matches.
// since: 21
import java.util.Arrays;

public class PatternSwitchLabels {
    static int asked;

    static boolean ask(boolean answer) {
        asked++;
        return answer;
    }

    static String first(Object what) {
        return switch (what) {
            case Integer i when ask(i > 10) -> "large";
            case Integer i when ask(i > 5) -> "middle";
            case Integer i -> "small";
            case CharSequence text when text.length() == 0 -> "empty";
            case String text -> "string " + text;
            case CharSequence text -> "sequence " + text;
            case int[] numbers when numbers.length > 2 -> "many " + Arrays.toString(numbers);
            case int[] numbers -> "few";
            case Object[][] table -> "table";
            case Object[] row -> "row";
            case Class<?> type -> type.getSimpleName();
            case null, default -> "other";
        };
    }

    static String noNull(Object what) {
        return switch (what) {
            case String text -> text;
            default -> "default";
        };
    }

    static String statement(Object what) {
        StringBuilder said = new StringBuilder();
        switch (what) {
            case null:
                said.append("null ");
                break;
            case Long number when number < 0:
                said.append("negative ");
                break;
            case Long number:
                said.append("number ").append(number);
            default:
                said.append(" falls through");
        }
        return said.toString();
    }

    public static void main(String[] arguments) {
        Object[] all = {1, 7, 70, "", "x", new StringBuilder("b"), new int[1], new int[3], new String[0],
            new String[0][0], String.class, null, 'c'};
        for (Object each : all) System.out.println(first(each));
        System.out.println(asked);
        try {
            noNull(null);
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
        }
        System.out.println(noNull("a") + noNull(1));
        System.out.println(statement(null) + "|" + statement(-1L) + "|" + statement(1L) + "|" + statement("s"));
    }
}
