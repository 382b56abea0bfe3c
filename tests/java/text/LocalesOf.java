// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Locale.of and Locale.Builder: tags, normalised codes, display names, available locales.
// since: 21
import java.util.Locale;

public class LocalesOf {
    public static void main(String[] arguments) {
        System.out.println(Locale.of("de", "CH").toLanguageTag() + " " + Locale.of("no", "NO", "NY") + " "
            + Locale.of("EN"));
        System.out.println(Locale.of("iw").getLanguage() + " " + Locale.of("he") + " " + Locale.forLanguageTag("iw"));
        System.out.println(Locale.of("th", "TH", "TH").toLanguageTag() + " " + Locale.of("", "US") + " "
            + Locale.of("").equals(Locale.ROOT));
        System.out.println(Locale.of("en", "US") == Locale.US);
        System.out.println(Locale.of("ja").getDisplayLanguage(Locale.ENGLISH) + " "
            + Locale.of("x1", "Y2").getDisplayName(Locale.ENGLISH));
        try {
            Locale.of(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        System.out.println(new Locale.Builder().setLanguage("sr").setScript("Latn").setRegion("RS").build()
            .toLanguageTag());
        System.out.println(Locale.availableLocales().anyMatch(Locale.GERMANY::equals));
        System.out.println(String.format(Locale.of("de"), "%,.2f", 1234567.891));
        System.out.println(Locale.caseFoldLanguageTag("EN-latn-us-x-FOO"));
    }
}
