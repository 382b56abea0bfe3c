// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MessageFormat and ChoiceFormat: arguments, nested formats, quotes, parsing, bad patterns.
import java.text.ChoiceFormat;
import java.text.MessageFormat;
import java.text.ParseException;
import java.util.Arrays;
import java.util.Locale;

public class MessageFormats {
    public static void main(String[] args) throws ParseException {
        System.out.println(MessageFormat.format("{0} is {1}, '{2}' isn''t {0}", "a", 1234567, null));
        System.out.println(new MessageFormat("{0,number,#.##} {1,number,percent} {2,number,integer}", Locale.ROOT)
                        .format(new Object[] {3.14159, 0.25, 2.5}));
        System.out.println(
                new MessageFormat("{0,choice,0#none|1#one|1<many {0}}", Locale.ENGLISH).format(new Object[] {7}));
        ChoiceFormat choice =
                new ChoiceFormat(new double[] {0, 1, ChoiceFormat.nextDouble(1)}, new String[] {"zero", "one", "more"});
        System.out.println(
                choice.format(-1) + " " + choice.format(1) + " " + choice.format(1.5) + " " + choice.toPattern());
        System.out.println(Arrays.toString(new MessageFormat("{0}-{1}").parse("left-right")));
        for (String bad : new String[] {"{", "{0", "{x}", "{-1}", "{0,nope}", "{0,number,'}", "a}b", "'"}) {
            try {
                System.out.println(bad + " -> " + MessageFormat.format(bad, "A"));
            } catch (IllegalArgumentException e) {
                System.out.println(bad + " -> " + e.getMessage());
            }
        }
    }
}
