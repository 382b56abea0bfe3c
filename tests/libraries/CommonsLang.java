// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// commons-lang3: strings, builders over reflection, ranges, tuples, dates, text of exceptions.
// jars: commons-lang3.jar
import java.util.Arrays;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.commons.lang3.ClassUtils;
import org.apache.commons.lang3.Range;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.Validate;
import org.apache.commons.lang3.builder.EqualsBuilder;
import org.apache.commons.lang3.builder.HashCodeBuilder;
import org.apache.commons.lang3.builder.ToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.commons.lang3.math.Fraction;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.commons.lang3.mutable.MutableInt;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.commons.lang3.time.DateFormatUtils;
import org.apache.commons.lang3.time.DurationFormatUtils;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.commons.lang3.tuple.Triple;

public class CommonsLang {
    public static class Bean implements java.io.Serializable {
        private int number = 5;
        protected String text = "t";
        double[] values = {1, 2.5};
        transient Object skipped = "s";
        public String greet(String who, int times) { return StringUtils.repeat("hi " + who, ",", times); }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(StringUtils.capitalize("word") + StringUtils.center("x", 7, '*')
                + StringUtils.reverseDelimited("a.b.c", '.') + StringUtils.getLevenshteinDistance("kitten", "sitting")
                + StringUtils.abbreviate("a long sentence", 9) + StringUtils.swapCase("aBc")
                + Arrays.toString(StringUtils.splitByCharacterTypeCamelCase("fooBarHTML2"))
                + StringUtils.difference("abc", "abd") + StringUtils.stripAccents("\u00e9\u00fc"));
        Bean bean = new Bean();
        System.out.println(ToStringBuilder.reflectionToString(bean, ToStringStyle.SHORT_PREFIX_STYLE) + " "
                + HashCodeBuilder.reflectionHashCode(17, 37, bean) + " "
                + EqualsBuilder.reflectionEquals(bean, new Bean()));
        System.out.println(new ToStringBuilder(bean, ToStringStyle.JSON_STYLE)
                        .append("a", 1)
                        .append("b", "x")
                        .append("c", new int[] {1, 2})
                        .toString());
        Bean copy = SerializationUtils.clone(bean);
        System.out.println(copy.number + copy.text + copy.values[1] + copy.skipped);
        System.out.println(Range.between(1, 10).intersectionWith(Range.between(5, 20)) + " " + Pair.of("a", 1) + " "
                + Triple.of(1, 2, 3) + " " + Fraction.getFraction("3/9").reduce() + " "
                + NumberUtils.createNumber("0x1F") + " " + NumberUtils.isCreatable("1e5") + " "
                + new MutableInt(4).incrementAndGet());
        System.out.println(ArrayUtils.toString(ArrayUtils.addAll(new int[] {1}, 2, 3))
                + ArrayUtils.indexOf(new String[] {"a", "b"}, "b")
                + Arrays.toString(ArrayUtils.toObject(new long[] {1})));
        System.out.println(MethodUtils.invokeMethod(bean, "greet", "you", 2) + " "
                + FieldUtils.readField(bean, "number", true) + " "
                + ClassUtils.getAllInterfaces(java.util.ArrayList.class).size() + " "
                + ClassUtils.getAbbreviatedName("org.apache.commons.lang3.ClassUtils", 20));
        System.out.println(DateFormatUtils.format(
                                   new Date(0), "yyyy-MM-dd HH:mm:ss EEE", TimeZone.getTimeZone("UTC"), Locale.ENGLISH)
                + " " + DurationFormatUtils.formatDurationHMS(3723004));
        try {
            Validate.inclusiveBetween(1, 3, 5);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " "
                    + ExceptionUtils.getRootCauseMessage(new RuntimeException("outer", e)) + " "
                    + ExceptionUtils.getThrowableCount(new RuntimeException(e)));
        }
    }
}
