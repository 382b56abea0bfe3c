// expected: color RED: red
// expected: color GREEN: green
// expected: color BLUE: java.lang.MatchException (null)
// expected: area Circle[radius=2]: 12
// expected: area Square[side=3]: 9
// expected: area Square[side=200]: -1
// expected: area Triangle[base=4]: java.lang.MatchException (null)
// expected: parts Pair[first=Pair[first=1, second=b], second=c]: 1,b,c
// expected: parts Pair[first=Pair[first=1, second=b], second=c]: no such pair
// expected: parts text: no such pair
// expected: java.lang.MatchException: java.lang.IllegalStateException: no second (java.lang.IllegalStateException: no second)
// expected: any null: null
// expected: any RED: red
// expected: any BLUE: a color
// expected: any 11: large
// expected: any 10: small
// expected: any text: text
// expected: any c: other
// expected: public final class java.lang.RuntimeException module java.base 0
// expected: [public java.lang.MatchException(java.lang.String,java.lang.Throwable)]
// expected: java.lang.MatchException: text java.lang.Error: cause
// Runs class files of Java 21 on the library of Java 17: their record patterns, pattern switches and switches over
// enums need java.lang.MatchException. HotSpot 17 refuses such class files.
//
// NEWER and NEWER_1 are class files, zipped, in base 64. `javac --release 21 -g:none` of a JDK 25 compiled them from
// the source below. BLUE and Triangle were added to MatchExceptions later, so the class files have no case for these
// two.
//
//     class Newer {
//         static String color(MatchExceptions.Color color) {
//             return switch (color) {
//                 case RED -> "red";
//                 case GREEN -> "green";
//             };
//         }
//
//         static int area(MatchExceptions.Shape shape) {
//             return switch (shape) {
//                 case MatchExceptions.Circle(int radius) -> 3 * radius * radius;
//                 case MatchExceptions.Square(int side) when side > 100 -> -1;
//                 case MatchExceptions.Square square -> square.side() * square.side();
//             };
//         }
//
//         static String parts(Object value) {
//             if (value instanceof MatchExceptions.Pair(MatchExceptions.Pair(Integer a, var b), String c))
//                 return a + "," + b + "," + c;
//             return "no such pair";
//         }
//
//         static String any(Object value) {
//             return switch (value) {
//                 case null -> "null";
//                 case MatchExceptions.Color color when color == MatchExceptions.Color.RED -> "red";
//                 case MatchExceptions.Color color -> "a color";
//                 case Integer i when i > 10 -> "large";
//                 case Integer i -> "small";
//                 case String text -> text;
//                 default -> "other";
//             };
//         }
//     }
import java.io.ByteArrayInputStream;
import java.io.ObjectStreamClass;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.InflaterInputStream;

public class MatchExceptions {
    enum Color { RED, GREEN, BLUE }
    sealed interface Shape permits Circle, Square, Triangle {}
    record Circle(int radius) implements Shape {}
    record Square(int side) implements Shape {}
    record Triangle(int base) implements Shape {}

    record Pair(Object first, Object second) {
        public Object second() {
            if ("broken".equals(second)) throw new IllegalStateException("no second");
            return second;
        }
    }

    static final String NEWER =
            "eNq1Vt1TE1cU/13Y7G7WFWMQJdYqYqSQgNgPUwtaiKgVhaBCsdTadkmuyULYjbsb0Gq/W+tD/4Ay0z51Opmp7Yz1AR070+prZ/r/"
            + "9MNKz92NghBp+9DAzTl77u+e73M3vzy48xOANK5pqEO9AklHCDJDZMqYNbqLhpXvHpmc4lmPQT5gWqb3MkN9e8d4GCrCCjQd66Az"
            + "KBk+x534swwt8dE508sWho1SfNgg5sjFLC95pm258QG7aDsMdWcHNTRgg4KIjo2IMjQ9AanYTs60jKJvc1DBJobmJcceP6ShEZuF"
            + "91sYEu1DS7BRzzGtfO8yyVjBseeMySLv7RhXESPtDs+peIohlHc4J1VPY7uCHTpasJNho3+y7JnFai5chgaHXyibDs/YVqZcJAfb"
            + "lpsMYL0dq0VRyvYuHXHsZtC8SyUeZIthc43zgyLmZ2hvVXpMJ1vkGtrQoSMhMig7Rs4suwo6a8BHL5QNh+BJ7NHRLeCSa+a4AqpX"
            + "Y420aNiL53W8gH0MqmcHCWTY1N6xOq0KXqSdlRZPGqajIYWXdPSgl/J63nRcb6WKapgCeFDHywIouzxrWzkF/Y/1YGBMwaGH1fCl"
            + "g5bH85wM9eGwjiM4Sh0zaxTLfOT8Pxek6n8UDMd0DOI4w5YZY5oP2FbW8M6YXoE41zMsUe4Ty5VVzfau2WNVSQ2LKoYYdMtuccvZ"
            + "QkuJMhWl2dulYoTqYlEzhWk4Tuk4jVHqzNNHDpNjQzUHhFS9SiEbLVnxpNEYn9HxmqivalreuMiEitcp+0XDyRP7BrHujFEsqniT"
            + "WNsrcEfB28T640vmB+wcp8dsMH7J9ifYrREVw/pRz8hO09yPiR4iZdRzBsPW1UpGC0aJZo+au1Bj9v1dcqJkOCL19YZ1iWFdhrve"
            + "MJ+Z5A7JIods23M9xygNc69g51wVFp1gnfS3QUZJwwVQZK4YNOq61iVvnbLlmTO8Oxi7R2pI59XlJTatWXuadwfajxlWrsjd+JBt"
            + "T5dLa5f9sYNjNN+9Z9duw+qBAarKqOnxXnJ/VsMcLiq4JNryHYb4KnRgN+jUo0bWsx1K0Rf/UwCr4f8xJOr2QcvizkDRcF1Od9S7"
            + "DBtWVJ2qV73z5eByIya4tqiRxG1CAL8xFHzCsPtfBargKsP2taFkJgDTVf8WjaH4hPwl08VgELeRKBOSxC2wH3yAiklkq9unIPnb"
            + "qZtQEgtYv+e6D8E2WkKd2Gur8skf0TjB2C00/RxtriAU3XrDR+ToOwwpHpbSCt1lKjjOB+pZA6kP0/b1xMRtbDszVH8wue0OWoFv"
            + "l8ygql6YGaF1cclM8i7aMl0LaE+FmkIpWZqHRlSqQJUOVhZvyU1Sgf4r6CdgsicUCy2gK6U0KSmVoA1E5SY5kvsaaojg1+oq2OID"
            + "lZhCQP+LDtd/NyQsJhfwXFIYJWcOUBhf0VskjymfBjGmse4v8auhjrWG7yOmoO0+JPY7wg+wA1CQFI+LqBc/RPICBizSW53RExjr"
            + "V0iRChNHq6n/nnKjEHUS95Cax7nEXaSGyIv9PXJM9kXHYzLJhkl2IJD1zSMlZH2Zzke49DxahSzdI3VWgZQJKRa6jYGuO3gFuBE9"
            + "cWNFiBLWI0JB7cVOumME3Yf9Pj2OYZ8+LGvdnzAOBa5PPXL9V8qRSvTzRLWiw0FFLy/Sh6hEazetBK1+WidocVqlaKaCCapBQ6br"
            + "Jk5+E9TxnuimASHtkaJjFexPimj8ao5HNKqeTKAvoxMVbPd35OjZChqJ7ROVpGaInqMqLvVit6iTJAqQlO4joqDhD0jaA2wSRUr/"
            + "Rry2KNqeEOKrjyo27TtNLx4UiWshiU2rjX5yJFEm+Qw9h+i91kBNkKYTlwnVQ9pEEhBRSX4F7/U304kreB/NdOoKPiCaIvoh0TzR"
            + "j2QVH+NTfIbY3yE6qqQ=";
    static final String NEWER_1 =
            "eNp1UV0vA0EUPdNuTVuLRav1XSzqqfFMhNSioZWo1IOnsZ3oMtmR3fXxjzwjERHpD/CjxN19kQiTmbn3TOace8/M59d7H8AOqnmk"
            + "kOYwTGQwwFBsisjtOQ+uvIk87Yd2XSsdMAzcCXUrQ4ap6tr50Z+XNnLIIseRNzEIk4G35L0M7HWGit2+94jRFDf2P/qp80aOOhk2"
            + "MQKLIX3i7DKU/ikU9zxmYhwFqqKDrucLRZzqWoNjglq8EneipoR/WWvp9q3b2/Ok6jpBoIO4RtnEZFwjs3/iOC2OaQbrh3F8cSXd"
            + "iCG76SrP96KtRLjDYNR1VzIMtSPhXpOTU3GhCI84vqt06PmXTRn1dJdjkaQT6yTSkmF0oEPSMxu+L4O6EmEoQ44VYv4yR7TEnlWh"
            + "d5yi32FWOX7JOKOTGcxSnCPUQZoyoPoG1v/Iv4A/x3PoFaPG8SOMwwSWCGYS+ESmcyighCLKWMIKRYZ5UjBhnHFCzXgj1QqdGVig"
            + "fYlWijKb4hhlKSxjdbtMfdCwst+fUHoX";

    static Class<?> define(String zipped) throws Exception {
        byte[] bytes =
                new InflaterInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(zipped))).readAllBytes();
        return MethodHandles.lookup().defineClass(bytes);
    }

    static void call(Class<?> newer, String name, Class<?> type, Object... values) throws Exception {
        Method method = newer.getDeclaredMethod(name, type);
        for (Object value : values) {
            String result;
            try {
                result = String.valueOf(method.invoke(null, value));
            } catch (InvocationTargetException exception) {
                Throwable thrown = exception.getCause();
                result = thrown + " (" + thrown.getCause() + ")";
            }
            System.out.println(name + " " + value + ": " + result);
        }
    }

    public static void main(String[] args) throws Exception {
        define(NEWER_1);
        Class<?> newer = define(NEWER);
        call(newer, "color", Color.class, Color.RED, Color.GREEN, Color.BLUE);
        call(newer, "area", Shape.class, new Circle(2), new Square(3), new Square(200), new Triangle(4));
        call(newer, "parts", Object.class, new Pair(new Pair(1, 'b'), "c"), new Pair(new Pair("1", 'b'), "c"), "text");
        try {
            newer.getDeclaredMethod("parts", Object.class).invoke(null, new Pair(new Pair(1, "broken"), "c"));
        } catch (InvocationTargetException exception) {
            System.out.println(exception.getCause() + " (" + exception.getCause().getCause() + ")");
        }
        call(newer, "any", Object.class, null, Color.RED, Color.BLUE, 11, 10, "text", 'c');

        Class<?> type = Class.forName("java.lang.MatchException");
        System.out.println(Modifier.toString(type.getModifiers()) + " " + type.getSuperclass() + " " + type.getModule()
                + " "
                + ObjectStreamClass.lookup(type).getSerialVersionUID());
        Constructor<?>[] constructors = type.getConstructors();
        System.out.println(Arrays.toString(constructors));
        RuntimeException made = (RuntimeException) constructors[0].newInstance("text", new Error("cause"));
        System.out.println(made + " " + made.getCause());
    }
}
