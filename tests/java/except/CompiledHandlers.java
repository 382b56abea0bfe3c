// stress: no
// jvm: -Xmx64m -XX:-OmitStackTraceInFastThrow
// Tests exception handlers in compiled code. The handler is in the compiled method, in a method inlined into it, or in
// a caller. The tests cover order, finally, monitors, loops, rethrown and replaced exceptions, and their stack traces.
import java.util.function.IntUnaryOperator;

public class CompiledHandlers {
    static class Bottom extends RuntimeException {
        final int value;

        Bottom(int value) {
            super("bottom " + value, null, false, false);
            this.value = value;
        }
    }

    static final class Lower extends Bottom {
        Lower(int value) {
            super(value);
        }
    }

    static final Object MONITOR = new Object(), OTHER = new Object();
    static int released;

    static int fail(int n) {
        switch (n % 6) {
            case 0: throw new Bottom(n);
            case 1: throw new Lower(n);
            case 2: throw new IllegalStateException("state " + n);
            case 3: return new int[2][n % 3 + 1].length;
            case 4: return n / (n % 4 - n % 4);
            default: return n;
        }
    }

    // Handlers are tried in the order of the exception table: the first that matches runs, even if a later one is more
    // specific.
    static int order(int n) {
        try {
            return fail(n);
        } catch (Lower lower) {
            return 10_000 + lower.value;
        } catch (Bottom bottom) {
            return 20_000 + bottom.value;
        } catch (ArithmeticException division) {
            return 30_000;
        } catch (RuntimeException other) {
            return 40_000 + other.getClass().getName().length();
        }
    }

    static int thrownHere(int n) {
        try {
            if (n % 3 == 0) throw new Lower(n);
            if (n % 3 == 1) throw new Bottom(n);
            return 1;
        } catch (Lower lower) {
            return lower.value + 2;
        } catch (Bottom bottom) {
            return bottom.value + 3;
        }
    }

    static int nested(int n) {
        int steps = 0;
        try {
            try {
                steps += 1;
                steps += fail(n);
            } catch (Bottom bottom) {
                steps += 100;
                if (n % 12 == 0) throw new IllegalStateException("replaced");
                throw bottom;
            } finally {
                steps += 1000;
            }
        } catch (Lower lower) {
            steps += 10_000;
        } catch (RuntimeException other) {
            steps += 20_000;
        }
        return steps;
    }

    static int inLoop(int n) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            try {
                sum += fail(n + i);
            } catch (Bottom bottom) {
                if (bottom.value % 4 == 0) continue;
                sum += 7;
            } catch (ArithmeticException division) {
                break;
            } catch (IllegalStateException state) {
                sum += 9;
            }
            sum += 100;
        }
        return sum;
    }

    static synchronized int locked(int n) {
        return fail(n);
    }

    static int lockedTwice(int n) {
        synchronized (MONITOR) {
            synchronized (OTHER) {
                return locked(n);
            }
        }
    }

    static int throughMonitors(int n) {
        try {
            return lockedTwice(n);
        } catch (RuntimeException caught) {
            return caught.getClass().getName().length();
        } finally {
            if (!Thread.holdsLock(MONITOR) && !Thread.holdsLock(OTHER) && !Thread.holdsLock(CompiledHandlers.class))
                released++;
        }
    }

    static int caughtInside(int n) {
        synchronized (MONITOR) {
            try {
                return locked(n);
            } catch (RuntimeException caught) {
                if (Thread.holdsLock(CompiledHandlers.class) || !Thread.holdsLock(MONITOR)) return -1;
                return 5;
            }
        }
    }

    static int deep(int n, int value) {
        if (n == 0) throw new Bottom(value);
        return deep(n - 1, value) + 1;
    }

    static int unwound(int n) {
        try {
            return deep(n & 15, n);
        } catch (Bottom bottom) {
            return bottom.value;
        }
    }

    // Nobody here catches it.
    static int passed(int n) {
        try {
            return fail(n);
        } catch (Error none) {
            return -1;
        }
    }

    static int catchesPassed(int n) {
        try {
            return passed(n) + 1;
        } catch (RuntimeException caught) {
            return caught.getClass().getName().length();
        }
    }

    static int overflows(int n) {
        try {
            return overflows(n + 1) + 1;
        } catch (StackOverflowError overflow) {
            return 1;
        }
    }

    static int traced(int n) {
        try {
            return inner(n);
        } catch (IllegalArgumentException caught) {
            StackTraceElement[] trace = caught.getStackTrace();
            int lines = 0;
            for (int i = 0; i < 3; i++) lines = lines * 1000 + trace[i].getLineNumber();
            return lines + trace[1].getMethodName().length();
        }
    }

    static int inner(int n) {
        return innermost(n) + 1;
    }

    static int innermost(int n) {
        if (n % 2 == 0) throw new IllegalArgumentException("even");
        return n;
    }

    static int matrix(int n) {
        try {
            int[][] square = new int[n % 5 - 1][n % 3];
            return square.length * 10 + (square.length == 0 ? 0 : square[0].length);
        } catch (NegativeArraySizeException negative) {
            return -Integer.parseInt(negative.getMessage());
        }
    }

    static int large(int n) {
        try {
            return new long[1 << 20][1 << 20].length;
        } catch (OutOfMemoryError full) {
            return 1;
        }
    }

    interface Shape {
        private int secret() {
            return 3;
        }

        default int area(int n) {
            return secret() * n;
        }
    }

    static final class Square implements Shape {}

    static int privately(int n) {
        return new Square().area(n);
    }

    // Instructions raise exceptions so often that compiled code throws these exceptions itself.
    static int raised(int n, Object object, int[] array, Object[] strings) {
        int steps = 0;
        try {
            steps = 1;
            if (n % 7 == 0) return object.hashCode() + steps;
            steps = 2;
            if (n % 7 == 1) return array[n % 5] + steps;
            steps = 3;
            if (n % 7 == 2) return n / (n % 2) + steps;
            steps = 4;
            if (n % 7 == 3) return ((String) strings[0]).length() + (n % 2 == 0 ? ((Number) strings[0]).intValue() : 0);
            steps = 5;
            if (n % 7 == 4) return new byte[n % 3 - 1].length + steps;
            steps = 6;
            if (n % 7 == 5) strings[0] = n % 2 == 0 ? (Object) "x" : (Object) n;
            steps = 7;
            throw null;
        } catch (NullPointerException | ArithmeticException caught) {
            return 1000 + steps;
        } catch (ArrayIndexOutOfBoundsException caught) {
            return 2000 + steps;
        } catch (RuntimeException caught) {
            return 3000 + steps;
        }
    }

    static int raisedInside(int n) {
        try {
            return element(new int[3], n % 5) + element(null, n % 3);
        } catch (ArrayIndexOutOfBoundsException caught) {
            return n;
        } catch (NullPointerException caught) {
            return -n + caught.getStackTrace()[0].getLineNumber();
        }
    }

    static int element(int[] array, int index) {
        return array == null && index == 0 ? 5 : array[index];
    }

    static void run(String name, int count, IntUnaryOperator operation) {
        long sum = 0;
        for (int i = 0; i < count; i++) sum = sum * 31 + operation.applyAsInt(i);
        System.out.println(name + " " + sum);
    }

    public static void main(String[] arguments) {
        for (int round = 0; round < 2; round++) {
            run("order", 4000, CompiledHandlers::order);
            run("thrownHere", 4000, CompiledHandlers::thrownHere);
            run("nested", 4000, CompiledHandlers::nested);
            run("inLoop", 2000, CompiledHandlers::inLoop);
            run("throughMonitors", 4000, CompiledHandlers::throughMonitors);
            run("caughtInside", 4000, CompiledHandlers::caughtInside);
            run("unwound", 4000, CompiledHandlers::unwound);
            run("catchesPassed", 4000, CompiledHandlers::catchesPassed);
            run("traced", 4000, CompiledHandlers::traced);
            run("matrix", 4000, CompiledHandlers::matrix);
            run("raised", 6000, n -> raised(n, n % 2 == 0 ? null : "a", new int[3], new String[] {"b"}));
            run("raisedInside", 6000, CompiledHandlers::raisedInside);
            run("privately", 4000, CompiledHandlers::privately);
            run("large", 8, CompiledHandlers::large);
            run("overflows", 4, n -> overflows(n) > 0 ? 1 : 0);
        }
        System.out.println(released);
    }
}
