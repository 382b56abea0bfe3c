// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ListFormat: types, styles, locales, patterns of the program's own, parsing.
// since: 25
import java.text.ListFormat;
import java.text.ParseException;
import java.util.List;
import java.util.Locale;

public class ListFormats {
    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of("red", "green", "blue");
        for (ListFormat.Type type : ListFormat.Type.values())
            for (ListFormat.Style style : ListFormat.Style.values())
                System.out.println(type + " " + style + " "
                    + ListFormat.getInstance(Locale.US, type, style).format(words));
        System.out.println(ListFormat.getInstance(Locale.GERMAN, ListFormat.Type.OR, ListFormat.Style.FULL)
            .format(words));
        System.out.println(ListFormat.getInstance(Locale.US, ListFormat.Type.STANDARD, ListFormat.Style.FULL)
            .parse("a, b, and c"));
        ListFormat own = ListFormat.getInstance(new String[] {"<{0}; {1}", "{0}; {1}", "{0} + {1}>", "{0} & {1}",
            "{0}|{1}|{2}"});
        System.out.println(own.format(List.of("a")) + " " + own.format(List.of("a", "b")) + " " + own.format(words)
            + " " + own.format(List.of("1", "2", "3", "4")));
        try {
            own.parse("nothing of it;");
        } catch (ParseException e) {
            System.out.println(e.getErrorOffset());
        }
        try {
            own.format(List.of());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
