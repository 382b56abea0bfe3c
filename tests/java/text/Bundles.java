// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ResourceBundle: lists and properties, parents, missing keys and bundles.
import java.util.Collections;
import java.util.ListResourceBundle;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.PropertyResourceBundle;
import java.util.ResourceBundle;
import java.io.StringReader;

public class Bundles {
    public static class Texts extends ListResourceBundle {
        protected Object[][] getContents() {
            return new Object[][] {{"hello", "Hello"}, {"only", "base"}, {"array", new String[] {"a", "b"}}};
        }
    }
    public static class Texts_de extends ListResourceBundle {
        protected Object[][] getContents() { return new Object[][] {{"hello", "Hallo"}}; }
    }
    public static class Texts_de_AT extends ListResourceBundle {
        protected Object[][] getContents() { return new Object[][] {{"hello", "Servus"}}; }
    }

    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.ROOT);
        for (Locale l : new Locale[] {
                     Locale.ROOT, Locale.GERMAN, new Locale("de", "AT"), new Locale("de", "CH"), Locale.FRENCH}) {
            ResourceBundle b = ResourceBundle.getBundle("Bundles$Texts", l);
            System.out.println(l + ": " + b.getString("hello") + " " + b.getString("only") + " "
                    + b.getStringArray("array").length + " [" + b.getLocale() + "] "
                    + b.keySet().stream().sorted().toList());
        }
        ResourceBundle b = ResourceBundle.getBundle("Bundles$Texts");
        System.out.println(
                b.containsKey("nope") + " " + Collections.list(b.getKeys()).size() + " " + b.getBaseBundleName());
        try {
            b.getString("nope");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        try {
            ResourceBundle.getBundle("no.such.Bundle");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        try {
            b.getString("array");
        } catch (ClassCastException e) {
            System.out.println("class cast");
        }
        PropertyResourceBundle p =
                new PropertyResourceBundle(new StringReader("a=1\nb : two \\\n  lines\n# c\nd\\ e=\\u0041"));
        System.out.println(p.getString("a") + "|" + p.getString("b") + "|" + p.getString("d e"));
    }
}
