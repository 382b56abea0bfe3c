// Runs a litmus test, a short program of a few threads, and prints the values that its loads return.
//
//   java Litmus "x=1 y" "y=1 x"        two threads: a store to x, then a load of y; and the other way round
//   java Litmus "x=1 | y" ...          | is a full fence; capitals X, Y, Z are volatile; "x+" adds one atomically
//   java Litmus "( x=1 y )" ...        ( and ) enter and leave one monitor
//
// Prints the values that the first thread loaded, in program order, then those of the next threads: "0 0".
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class Litmus {
    static int x, y, z;
    static volatile int X, Y, Z;
    static final VarHandle ATOMIC;
    static final Object lock = new Object();

    static {
        try {
            ATOMIC = MethodHandles.lookup().findStaticVarHandle(Litmus.class, "x", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    // One thread of the litmus test. Other threads read its results only after it has ended.
    static final class Body extends Thread {
        final char[][] steps;
        final int[] results = new int[8];
        int count;

        Body(String program) {
            String[] words = program.trim().split(" +");
            steps = new char[words.length][];
            for (int i = 0; i < words.length; i++) steps[i] = words[i].toCharArray();
        }

        @Override
        public void run() {
            count = execute(steps, 0, results);
        }
    }

    static int execute(char[][] steps, int count, int[] results) {
        int i = 0;
        for (; i < steps.length; i++) {
            char[] step = steps[i];
            switch (step[0]) {
                case 'x' -> {
                    if (step.length == 1) results[count++] = x;
                    else if (step[1] == '+') results[count++] = (int) ATOMIC.getAndAdd(1);
                    else x = step[2] - '0';
                }
                case 'y' -> {
                    if (step.length == 1) results[count++] = y;
                    else y = step[2] - '0';
                }
                case 'z' -> {
                    if (step.length == 1) results[count++] = z;
                    else z = step[2] - '0';
                }
                case 'X' -> {
                    if (step.length == 1) results[count++] = X;
                    else X = step[2] - '0';
                }
                case 'Y' -> {
                    if (step.length == 1) results[count++] = Y;
                    else Y = step[2] - '0';
                }
                case 'Z' -> {
                    if (step.length == 1) results[count++] = Z;
                    else Z = step[2] - '0';
                }
                case '|' -> VarHandle.fullFence();
                case '(' -> {
                    int end = i + 1;
                    while (steps[end][0] != ')') end++;
                    char[][] inner = new char[end - i - 1][];
                    for (int k = 0; k < inner.length; k++) inner[k] = steps[i + 1 + k];
                    synchronized (lock) {
                        count = execute(inner, count, results);
                    }
                    i = end;
                }
                default -> throw new IllegalArgumentException(new String(step));
            }
        }
        return count;
    }

    public static void main(String[] programs) throws Exception {
        ATOMIC.getAndAdd(0);  // linked before the threads begin
        VarHandle.fullFence();
        Body[] bodies = new Body[programs.length];
        for (int i = 0; i < bodies.length; i++) bodies[i] = new Body(programs[i]);
        for (Body body : bodies) body.start();
        for (Body body : bodies) body.join();
        StringBuilder line = new StringBuilder();
        for (Body body : bodies) {
            for (int i = 0; i < body.count; i++) line.append(body.results[i]).append(' ');
        }
        System.out.println(line.toString().trim());
    }
}
