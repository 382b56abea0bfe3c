// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Formatted numbers and dates, locales, and charsets: they use the data of the locale providers.
import java.text.*;
import java.time.*;
import java.time.format.*;
import java.util.*;

public class Locales {
    public static void main(String[] a) throws Exception {
        System.out.println(
                String.format(
                        "%,d %.3f %10s|%-5d|%05d %x %e %b %c",
                        1234567, 3.14159, "right", 42, 7, 255, 12345.678, true, 'c'));
        System.out.println(
                NumberFormat.getInstance().format(1234567.891)
                        + " "
                        + NumberFormat.getCurrencyInstance(Locale.US).format(12.5)
                        + " "
                        + NumberFormat.getPercentInstance().format(0.25));
        System.out.println(new DecimalFormat("#,##0.00").format(9876.543));
        System.out.println(
                LocalDate.of(2024, 2, 29).format(DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy")));
        System.out.println(
                DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                        LocalDateTime.of(2020, 1, 2, 3, 4, 5)));
        System.out.println(
                LocalDate.of(2024, 2, 29)
                        .format(DateTimeFormatter.ofLocalizedDate(FormatStyle.MEDIUM)));
        System.out.println(new SimpleDateFormat("yyyy-MM-dd EEE").format(new Date(0)));
        System.out.println(
                ZonedDateTime.of(2024, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Berlin")).toInstant());
        System.out.println(
                "straße".toUpperCase()
                        + " "
                        + "TITLE".toLowerCase(Locale.ROOT)
                        + " "
                        + "i".toUpperCase(new Locale("tr")));
        System.out.println(
                Locale.getDefault()
                        + " "
                        + Locale.US.getDisplayCountry()
                        + " "
                        + Locale.GERMANY.getDisplayLanguage());
        Scanner s = new Scanner("12 3.5 word\nline two");
        System.out.println(
                s.nextInt() + " " + s.nextDouble() + " " + s.next() + s.nextLine() + s.nextLine());
        System.out.println(NumberFormat.getInstance(Locale.GERMANY).format(1234.5));
        System.out.println(
                DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.ENGLISH)
                        + " "
                        + Month.MAY.getDisplayName(TextStyle.SHORT, Locale.FRENCH));
        System.out.println(
                Collator.getInstance().compare("a", "b")
                        + " "
                        + MessageFormat.format("{0} is {1,number}", "x", 1234));
        System.out.println(
                Currency.getInstance("EUR").getSymbol()
                        + " "
                        + java.nio.charset.Charset.forName("ISO-8859-15")
                        + " "
                        + java.nio.charset.Charset.forName("Shift_JIS"));
        System.out.println(
                UUID.nameUUIDFromBytes("x".getBytes())
                        + " "
                        + java.text.Normalizer.normalize("é", java.text.Normalizer.Form.NFD)
                                .length());
        System.out.println(String.format("%tF %<tT", new GregorianCalendar(2020, 0, 2, 3, 4, 5)));
    }
}
