// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// DecimalFormat and NumberFormat: patterns, rounding, symbols, parsing.
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;

public class DecimalFormats {
    public static void main(String[] args) throws Exception {
        DecimalFormatSymbols root = DecimalFormatSymbols.getInstance(Locale.ROOT);
        for (String pattern : new String[] {"0", "#", "0.00", "#,##0.###", "00.##E0", "##0.###E0", "0.0%", "#\u2030",
                     "'#'#", "#;(#)", "\u00a4#,##0.00", "000"}) {
            DecimalFormat f = new DecimalFormat(pattern, root);
            System.out.println(pattern + " " + f.format(1234.5678) + " " + f.format(-0.5) + " " + f.format(0) + " "
                    + f.format(Double.NaN) + " " + f.format(Double.NEGATIVE_INFINITY) + " " + f.toPattern());
        }
        DecimalFormat f = new DecimalFormat("0.0", root);
        for (RoundingMode mode : RoundingMode.values()) {
            if (mode == RoundingMode.UNNECESSARY) continue;
            f.setRoundingMode(mode);
            System.out.println(mode + " " + f.format(0.25) + " " + f.format(-0.25) + " " + f.format(0.35) + " "
                    + f.format(new BigDecimal("1.25")));
        }
        System.out.println(NumberFormat.getInstance(Locale.ENGLISH).format(1234567.891) + " "
                + NumberFormat.getIntegerInstance(Locale.ENGLISH).format(2.5) + " "
                + NumberFormat.getPercentInstance(Locale.ENGLISH).format(0.126) + " "
                + NumberFormat.getCurrencyInstance(Locale.US).format(-3.5));
        System.out.println(NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT).format(12345));
        ParsePosition at = new ParsePosition(0);
        System.out.println(new DecimalFormat("#,##0.#", root).parse("1,234.5xyz", at) + " " + at.getIndex());
        DecimalFormat big = new DecimalFormat("0", root);
        big.setParseBigDecimal(true);
        System.out.println(big.parse("123456789012345678901234567890.5"));
        try {
            NumberFormat.getInstance(Locale.ROOT).parse("abc");
        } catch (java.text.ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
        try {
            new DecimalFormat("#.#.#", root);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
