// stress: no
// jvm: -Xmx64m
// If a new object does not escape from the method that creates it, compiled code need not allocate it. When memory runs
// out, an exception handler of the method must find such an object with the contents that the program has given it.
import java.util.ArrayList;
import java.util.List;

public class ObjectsNotMadeWhenFull {
    static class Point {
        int x;
        long wide;
        Point next;

        Point(int x) {
            this.x = x;
        }
    }

    // exhausted() fills the memory with large objects, exhaustedBySmall() with small objects.
    static int exhausted(int n) {
        Point point = new Point(n);
        point.wide = n * 5_000_000_000L;
        point.next = point;
        List<Object> kept = new ArrayList<>();
        try {
            while (true) kept.add(new long[1000]);
        } catch (OutOfMemoryError memory) {
            int size = kept.size();
            kept = null;
            return size > 100 ? point.x + (int) (point.next.wide >> 8) : -1;
        }
    }

    static int exhaustedBySmall(int n) {
        Point point = new Point(n), last = null;
        point.wide = n * 5_000_000_000L;
        try {
            for (;;) {
                Point made = new Point(n);
                made.next = last;
                last = made;
            }
        } catch (OutOfMemoryError memory) {
            last = null;
            return point.x + (int) (point.wide >> 8);
        }
    }

    public static void main(String[] args) {
        for (int n = 0; n < 4; ++n) System.out.println(exhausted(n) + " " + exhaustedBySmall(n));
    }
}
