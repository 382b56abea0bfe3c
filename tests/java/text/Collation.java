// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Collator and BreakIterator of java.text.
import java.text.BreakIterator;
import java.text.CollationKey;
import java.text.Collator;
import java.text.Normalizer;
import java.text.RuleBasedCollator;
import java.text.StringCharacterIterator;
import java.util.Arrays;
import java.util.Locale;

public class Collation {
    public static void main(String[] args) throws Exception {
        Collator c = Collator.getInstance(Locale.ENGLISH);
        String[] words = {"zebra", "Apple", "apple", "\u00e9clair", "eclair", "Zoo", "a-b", "ab"};
        Arrays.sort(words, c);
        System.out.println(Arrays.toString(words).replace("\u00e9", "e'"));
        c.setStrength(Collator.PRIMARY);
        System.out.println(c.compare("abc", "ABC") + " " + c.equals("e", "\u00e9"));
        CollationKey a = c.getCollationKey("x"), b = c.getCollationKey("y");
        System.out.println(a.compareTo(b));
        System.out.println(new RuleBasedCollator("< c < b < a").compare("a", "b"));
        BreakIterator w = BreakIterator.getWordInstance(Locale.ENGLISH);
        w.setText("Hello, big world. Don't 3.14 stop");
        StringBuilder at = new StringBuilder();
        for (int i = w.first(); i != BreakIterator.DONE; i = w.next()) at.append(i).append(' ');
        System.out.println(at);
        BreakIterator s = BreakIterator.getSentenceInstance(Locale.ENGLISH);
        s.setText("One. Two? Three! four");
        at.setLength(0);
        for (int i = s.first(); i != BreakIterator.DONE; i = s.next()) at.append(i).append(' ');
        System.out.println(at);
        System.out.println(Normalizer.normalize("\u00e9\ufb01", Normalizer.Form.NFKD).length() + " "
                + Normalizer.isNormalized("e\u0301", Normalizer.Form.NFC));
        StringCharacterIterator it = new StringCharacterIterator("abc");
        System.out.println(it.last() + "" + it.previous() + it.getIndex());
    }
}
