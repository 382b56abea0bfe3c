// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.time since 18: Duration and Instant arithmetic, InstantSource, DateTimeFormatter of localised patterns,
// truncated values.
// since: 21
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

public class TimeSince21 {
    public static void main(String[] arguments) {
        Instant then = Instant.parse("2024-02-29T12:34:56.789Z");
        System.out.println(then.truncatedTo(ChronoUnit.MINUTES) + " " + then.plus(Duration.ofDays(366)) + " "
                           + then.until(then.plusSeconds(90), ChronoUnit.MINUTES));
        System.out.println(Duration.between(then, then.plusMillis(1500)).toMillisPart() + " "
                           + Duration.ofSeconds(3725).toMinutesPart() + " " + Duration.ofSeconds(-1).isNegative() + " "
                           + Duration.ofSeconds(7).isPositive() + " "
                               + Duration.parse("PT1H30M").dividedBy(Duration.ofMinutes(20)));
        InstantSource source = InstantSource.fixed(then);
        System.out.println(source.instant() + " " + source.millis() + " " + source.withZone(ZoneOffset.ofHours(2)));
        System.out.println(InstantSource.offset(source, Duration.ofHours(1)).instant() + " "
                           + InstantSource.tick(source, Duration.ofSeconds(10)).instant());
        System.out.println(Clock.fixed(then, ZoneId.of("Europe/Berlin")).instant().atZone(ZoneId.of("Europe/Berlin")));
        System.out.println(DateTimeFormatter.ofLocalizedPattern("yMMMd").withLocale(Locale.US)
            .format(LocalDate.of(2024, 5, 6)));
        System.out.println(LocalDate.of(2024, 1, 31).plusMonths(1) + " "
            + Period.between(LocalDate.of(2020, 2, 29), LocalDate.of(2024, 3, 1))
                           + " " + LocalDate.of(2024, 5, 6).with(TemporalAdjusters.next(DayOfWeek.MONDAY)));
        System.out.println(LocalDateTime.parse("2024-05-06T07:08")
            .format(DateTimeFormatter.ofPattern("EEEE d. MMMM yyyy, HH:mm B", Locale.ENGLISH)));
        try {
            Instant.parse("2024-13-01T00:00:00Z");
        } catch (DateTimeParseException e) {
            System.out.println(e.getMessage());
        }
    }
}
