// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Case mapping by locale: Turkish i, sharp s, final sigma, titles; comparisons without case.
import java.util.Locale;

public class LocaleCase {
    public static void main(String[] args) {
        Locale turkish = new Locale("tr"), lithuanian = new Locale("lt");
        String s = "Title \u0130\u0131 stra\u00dfe \u03a3\u0391\u03a3 \ufb03 \u01c6 \u0149";
        for (Locale l : new Locale[] {Locale.ROOT, Locale.ENGLISH, turkish, lithuanian}) {
            System.out.println(l + " " + escape(s.toUpperCase(l)) + " " + escape(s.toLowerCase(l)));
        }
        System.out.println(escape("\ud801\udc00".toLowerCase(Locale.ROOT)) + " "
                + escape("\ud801\udc28".toUpperCase(Locale.ROOT)));
        System.out.println("I\u0307".equalsIgnoreCase("\u0130") + " "
                + "\u0131".equalsIgnoreCase("I") + " "
                + "\u00df".equalsIgnoreCase("SS") + " "
                + "K".equalsIgnoreCase("\u212a"));
        System.out.println("a".compareToIgnoreCase("B") + " "
                + "\u03c2".compareToIgnoreCase("\u03c3") + " " + String.CASE_INSENSITIVE_ORDER.compare("x", "X"));
        System.out.println(Locale.forLanguageTag("de-Latn-AT-x-priv").toLanguageTag() + " "
                + new Locale("iw").getLanguage() + " " + Locale.US.getDisplayCountry(Locale.ENGLISH) + " "
                + Locale.GERMANY.getDisplayName(Locale.ENGLISH) + " " + Locale.CHINA.getISO3Country() + " "
                + Locale.lookup(Locale.LanguageRange.parse("de-CH,en;q=0.5"),
                        java.util.List.of(Locale.ENGLISH, Locale.GERMAN)));
    }
    static String escape(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) b.append(c < 128 ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        return b.toString();
    }
}
