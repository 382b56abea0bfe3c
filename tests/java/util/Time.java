// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.time: dates, durations, zones, formatting and parsing.
import java.time.*;
import java.time.format.*;
import java.time.temporal.*;

public class Time {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 28);
        System.out.println(
                d.plusDays(2)
                        + " "
                        + d.isLeapYear()
                        + " "
                        + d.getDayOfWeek()
                        + " "
                        + ChronoUnit.DAYS.between(d, LocalDate.of(2025, 1, 1))
                        + " "
                        + d.with(TemporalAdjusters.lastDayOfMonth())
                        + " "
                        + Period.between(d, LocalDate.of(2025, 3, 1))
                        + " "
                        + d.atStartOfDay());
        System.out.println(
                Duration.ofSeconds(3661).plusMillis(5)
                        + " "
                        + Duration.between(LocalTime.of(1, 2), LocalTime.of(3, 4, 5))
                        + " "
                        + Instant.ofEpochSecond(1700000000)
                        + " "
                        + LocalDateTime.parse("2023-05-06T07:08:09").minusMonths(3)
                        + " "
                        + Year.of(2023).length());
        System.out.println(
                d.format(DateTimeFormatter.ISO_DATE)
                        + " "
                        + DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm")
                                .format(LocalDateTime.of(2020, 1, 2, 3, 4))
                        + " "
                        + LocalDate.parse("05.06.2021", DateTimeFormatter.ofPattern("dd.MM.yyyy")));
        ZonedDateTime z = ZonedDateTime.of(2024, 3, 10, 1, 30, 0, 0, ZoneId.of("America/New_York"));
        System.out.println(
                z.plusHours(1)
                        + " "
                        + z.withZoneSameInstant(ZoneId.of("Asia/Tokyo"))
                        + " "
                        + ZoneOffset.ofHours(2)
                        + " "
                        + OffsetDateTime.of(d, LocalTime.NOON, ZoneOffset.UTC));
        try {
            LocalDate.of(2023, 2, 30);
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        try {
            LocalDate.parse("nonsense");
        } catch (DateTimeParseException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                DateTimeFormatter.ofPattern("EEE d MMM yyyy").format(d)
                        + " "
                        + DayOfWeek.MONDAY.plus(3)
                        + " "
                        + Month.JANUARY.minus(1));
    }
}
