// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SimpleDateFormat, Calendar and TimeZone in UTC and named zones.
import java.text.DateFormat;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.SimpleTimeZone;
import java.util.TimeZone;

public class DateFormats {
    public static void main(String[] args) throws Exception {
        TimeZone utc = TimeZone.getTimeZone("UTC");
        SimpleDateFormat f =
                new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZ EEE MMMM G D F w W u a K k h X XXX", Locale.ENGLISH);
        f.setTimeZone(utc);
        for (long t : new long[] {0, -1, 951826154321L, 4102444800000L, Long.MIN_VALUE / 1000})
            System.out.println(f.format(new Date(t)));
        f.setTimeZone(TimeZone.getTimeZone("America/New_York"));
        System.out.println(f.format(new Date(1173600000000L)));
        SimpleDateFormat p = new SimpleDateFormat("dd/MM/yy HH:mm z", Locale.ENGLISH);
        p.set2DigitYearStart(new GregorianCalendar(1950, 0, 1).getTime());
        System.out.println(p.parse("29/02/96 12:34 GMT").getTime());
        p.setLenient(false);
        System.out.println(p.parse("31/02/96 12:34 GMT", new ParsePosition(0)));
        Calendar c = new GregorianCalendar(utc, Locale.ROOT);
        c.clear();
        c.set(2024, Calendar.JANUARY, 31, 1, 2, 3);
        c.add(Calendar.MONTH, 1);
        System.out.println(c.getTimeInMillis() + " " + c.get(Calendar.DAY_OF_MONTH) + " "
                + c.getActualMaximum(Calendar.DAY_OF_MONTH) + " " + c.get(Calendar.WEEK_OF_YEAR));
        c.roll(Calendar.DAY_OF_MONTH, 5);
        System.out.println(c.get(Calendar.DAY_OF_MONTH) + " " + c.get(Calendar.MONTH));
        c.set(1582, Calendar.OCTOBER, 4);
        c.add(Calendar.DAY_OF_MONTH, 1);
        System.out.println(c.get(Calendar.DAY_OF_MONTH) + " " + ((GregorianCalendar) c).isLeapYear(1900));
        TimeZone berlin = TimeZone.getTimeZone("Europe/Berlin");
        System.out.println(berlin.getOffset(1700000000000L) + " " + berlin.getOffset(1690000000000L) + " "
                + berlin.inDaylightTime(new Date(1690000000000L)) + " " + berlin.getDisplayName(Locale.ENGLISH));
        System.out.println(TimeZone.getTimeZone("GMT+5:30").getID() + " " + TimeZone.getTimeZone("Nowhere").getID()
                + " " + new SimpleTimeZone(3600000, "X").getRawOffset());
        DateFormat medium = DateFormat.getDateTimeInstance(DateFormat.LONG, DateFormat.MEDIUM, Locale.US);
        medium.setTimeZone(utc);
        System.out.println(medium.format(new Date(1234567890000L)));
        try {
            new SimpleDateFormat("b");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
