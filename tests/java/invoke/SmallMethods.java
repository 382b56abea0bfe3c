// Calls methods of a few instructions without a branch. Their callers must see the same results, however the call is
// compiled. Receivers of other classes and null appear late, an overriding subclass is loaded late, and exceptions from
// inside the methods have all their frames.
public class SmallMethods {
    static class Point {
        int x;
        long wide;
        double real;
        boolean flag;
        Object tag;
        Point next;
        Point() { this(1, 2); }
        Point(int x, long wide) { this.x = x; this.wide = wide; this.real = x * 0.5; }
        int x() { return x; }
        long wide() { return wide; }
        double real() { return real; }
        boolean flag() { return flag; }
        Object tag() { return tag; }
        Point self() { return this; }
        Point next() { return next; }
        int nextX() { return next.x; }
        void setX(int value) { x = value; }
        void setBoth(int value, Object object) { x = value; tag = object; }
        void setNextX(int value) { next.x = value; }
        int sumWith(Point other) { return x + other.x; }
        byte narrow(int value) { return (byte) (value + x); }
        char letter(int value) { return (char) (value - x); }
        static int twice(int value) { return value + value; }
        static long mixed(int a, long b, float c, double d) { return (long) (a * b + c * d); }
        static Object same(Object object) { return object; }
        static String text(Object object) { return (String) object; }
        static int element(int[] values, int index) { return values[index]; }
    }

    static class Other extends Point {
        int x() { return -x; }
        long wide() { return -wide; }
        double real() { return -real; }
        Point self() { return next; }
        Object tag() { return "other"; }
        void setX(int value) { x = value * 2; }
    }

    static class Loud extends Point {
        static int finalized;
        @Override protected void finalize() { finalized++; }
    }

    interface Named { int id(); default int twice() { return id() * 2; } }
    record First(int id) implements Named {}
    record Second(int id, String text) implements Named { public int id() { return id + 1000; } }

    static Point make(int i) { return i > 4000 && i % 3 == 0 ? new Other() : new Point(i, i * 3L); }
    static Named named(int i) { return i > 4000 && i % 5 == 0 ? new Second(i, "x") : new First(i); }

    static long use(Point point, int i) {
        Point again = point.self();
        long sum = point.x() + point.wide() + (long) point.real() + (point.flag() ? 1 : 0) + (again == point ? 7 : 3);
        point.setX(i);
        point.setBoth(point.x + 1, "tag" + (i & 1));
        sum += point.x() * 31L + String.valueOf(point.tag()).length();
        sum += point.narrow(i) + point.letter(i) + Point.twice(i) + Point.mixed(i, 3L, 0.5f, 2.0) + Math.max(i, 5)
                - Math.min(i, 7) + Math.abs(-i);
        sum += Math.abs(-3L * i) + (long) Math.abs(-0.25 * i) + (long) Math.sqrt(i) + Math.max(3L, i) - Math.min(i, 2L);
        return sum + ((String) Point.same("abc")).length() + Point.element(new int[] {1, 2, 3}, i % 3);
    }

    static String failing(int which, Point point) {
        try {
            switch (which) {
                case 0: return "" + point.x();
                case 1: return "" + point.nextX();
                case 2: point.setNextX(3); return "set";
                case 3: return "" + point.sumWith(null);
                case 4: return Point.text(point);
                case 5: return "" + Point.element(new int[2], 5);
                case 6: return "" + Point.element(null, 0);
                default: return "" + point.self().next().next().x();
            }
        } catch (RuntimeException exception) {
            StringBuilder text = new StringBuilder(exception.toString().replaceAll("\\(.*", ""));
            for (StackTraceElement element : exception.getStackTrace())
                text.append(" <- ").append(element.getMethodName()).append(':').append(element.getLineNumber());
            return text.toString();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long sum = 0;
        for (int i = 1; i < 6000; i++) {
            Point point = make(i);
            point.next = point;
            sum = sum * 31 + use(point, i);
            Named named = named(i);
            sum += named.id() + named.twice();
            if (i > 5990) for (int which = 0; which < 8; which++) {
                String text = failing(which, which == 0 ? null : new Point());
                if (i == 5999) System.out.println(text);
                sum += text.hashCode();
            }
        }
        for (int i = 0; i < 3000; i++) sum += new Loud().x();
        for (int i = 0; i < 5000 && Loud.finalized < 100; i++) {
            System.gc();
            System.runFinalization();
            Thread.sleep(1);   // another thread must put dead objects into the finalizers' queue first
        }
        System.out.println(sum + " " + (Loud.finalized >= 100));
    }
}
