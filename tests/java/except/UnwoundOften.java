// stress: no
// Throws many exceptions through calls of all kinds; a handler some frames further up catches each of them. Unwinding
// must remove everything that the calls have left on the native stack, or the native stack overflows. Some of the
// methods become hot long before others.
import java.util.function.IntUnaryOperator;

public class UnwoundOften {
    static final RuntimeException STOP = new RuntimeException("stop", null, false, false) {};

    interface Step { int run(int n); }
    static final class Down implements Step {
        public int run(int n) { return n == 0 ? fail(n) : descend(n - 1) + 1; }
    }
    static final class Sideways implements Step {
        public int run(int n) { return catching(n); }
    }
    static final Step[] STEPS = {new Down(), new Down(), new Sideways()};

    static int fail(int n) {
        throw STOP;
    }

    static int descend(int n) { return STEPS[n % 3].run(n); }

    static int catching(int n) {
        try {
            return n <= 0 ? fail(n) : descend(n - 1);
        } catch (RuntimeException stopped) {
            return stopped == STOP ? n : -1;
        } finally {
            count++;
        }
    }

    static synchronized int locked(int n) {
        if (n % 5 == 0) throw STOP;
        return descend(n % 5);
    }

    static int count;

    public static void main(String[] arguments) {
        long sum = 0;
        IntUnaryOperator lambda = n -> descend(n % 7);
        for (int i = 0; i < 600_000; i++) {
            try {
                sum += (i & 1) == 0 ? descend(i % 6) : (i & 2) == 0 ? lambda.applyAsInt(i) : locked(i);
            } catch (RuntimeException stopped) {
                sum += 1000;
            }
            if (i % 100_000 == 0) {
                try {
                    sum += Math.floorMod(i, i % 3 - i % 3);
                } catch (ArithmeticException division) {
                    sum += division.getMessage().length();
                }
            }
        }
        System.out.println(sum + " " + count);
    }
}
