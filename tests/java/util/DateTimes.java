// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.time: zones, overlaps and gaps, periods, formatting, adjusters, parsing failures.
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.FormatStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.time.temporal.WeekFields;
import java.util.Locale;

public class DateTimes {
    public static void main(String[] args) {
        ZoneId ny = ZoneId.of("America/New_York");
        System.out.println(LocalDateTime.of(2024, 3, 10, 2, 30).atZone(ny) + " "
                + LocalDateTime.of(2024, 11, 3, 1, 30).atZone(ny).withLaterOffsetAtOverlap() + " "
                + ny.getRules().nextTransition(Instant.EPOCH));
        System.out.println(Period.between(LocalDate.of(2020, 2, 29), LocalDate.of(2023, 3, 1)) + " "
                + Duration.ofSeconds(-3723, 5) + " " + ChronoUnit.DAYS.between(LocalDate.MIN, LocalDate.MAX) + " "
                + LocalDate.of(2024, 1, 31).plusMonths(1) + " " + Year.isLeap(1900));
        System.out.println(DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu HH:mm:ss.SSS VV xxx", Locale.ENGLISH)
                                   .format(ZonedDateTime.of(2024, 2, 29, 1, 2, 3, 4_000_000, ny))
                + " "
                + DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(Locale.UK).format(LocalDate.EPOCH)
                + " "
                + DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        OffsetDateTime.of(2020, 1, 1, 0, 0, 0, 0, ZoneOffset.ofHours(-3))));
        System.out.println(LocalDate.of(2024, 5, 15).with(TemporalAdjusters.lastInMonth(DayOfWeek.FRIDAY)) + " "
                + LocalDate.of(2021, 1, 3).get(WeekFields.ISO.weekOfWeekBasedYear()) + " "
                + LocalDate.of(2024, 8, 1).get(IsoFields.QUARTER_OF_YEAR) + " "
                + DayOfWeek.MONDAY.getDisplayName(TextStyle.SHORT, Locale.GERMAN) + " "
                + Month.MAY.getDisplayName(TextStyle.FULL, Locale.FRENCH));
        for (String s : new String[] {"2023-02-29", "2023-13-01", "x", "2023-1-1", ""}) {
            try {
                System.out.println(LocalDate.parse(s));
            } catch (DateTimeParseException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            LocalTime.of(25, 0);
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Instant.ofEpochSecond(-1, -1) + " " + Instant.MAX + " "
                + OffsetDateTime.parse("2011-12-03T10:15:30+01:00").toInstant() + " "
                + Clock.fixed(Instant.EPOCH, ZoneOffset.UTC) + " " + java.time.chrono.JapaneseDate.of(2020, 5, 1) + " "
                + java.time.chrono.ThaiBuddhistDate.of(2563, 1, 1) + " "
                + java.time.chrono.HijrahDate.from(LocalDate.of(2020, 1, 1)));
    }
}
