// Runs a litmus test, a short program of a few threads, and prints the values that its loads return.
//
//   java Litmus "x=1 y" "y=1 x"        two threads: a store to x, then a load of y; and the other way round
//   java Litmus "xo=1 ya" ...          accesses that are o opaque, a acquire, r release, v volatile; "x+" adds one
//   java Litmus "x=1 | y" ...          | is a full fence, < an acquire fence, > a release fence
//   java Litmus "X=1 Y" ...            X, Y and Z are volatile
//   java Litmus "( x=1 y )" ...        ( and ) enter and leave one monitor
//
// Prints the values that the first thread loaded, in program order, then those of the next threads: "0 0".
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

public class Litmus {
    static final int[] cells = new int[3];   // x, y, z
    static volatile int X, Y, Z;
    static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
    static final Object lock = new Object();

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
            boolean loads = step.length == 1 || (step.length == 2 && step[1] != '+');
            int value = step[step.length - 1] - '0';
            int at = step[0] - 'x';
            if (step.length > 1 && step[1] != '=') {
                switch (step[1]) {
                    case '+' -> results[count++] = (int) CELL.getAndAdd(cells, at, 1);
                    case 'o' -> {
                        if (loads) results[count++] = (int) CELL.getOpaque(cells, at);
                        else CELL.setOpaque(cells, at, value);
                    }
                    case 'v' -> {
                        if (loads) results[count++] = (int) CELL.getVolatile(cells, at);
                        else CELL.setVolatile(cells, at, value);
                    }
                    case 'a' -> results[count++] = (int) CELL.getAcquire(cells, at);
                    case 'r' -> CELL.setRelease(cells, at, value);
                    default -> throw new IllegalArgumentException(new String(step));
                }
                continue;
            }
            switch (step[0]) {
                case 'x', 'y', 'z' -> {
                    if (loads) results[count++] = cells[at];
                    else cells[at] = value;
                }
                case 'X' -> {
                    if (loads) results[count++] = X;
                    else X = value;
                }
                case 'Y' -> {
                    if (loads) results[count++] = Y;
                    else Y = value;
                }
                case 'Z' -> {
                    if (loads) results[count++] = Z;
                    else Z = value;
                }
                case '|' -> VarHandle.fullFence();
                case '<' -> VarHandle.acquireFence();
                case '>' -> VarHandle.releaseFence();
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
        Body[] bodies = new Body[programs.length];
        for (int i = 0; i < bodies.length; i++) bodies[i] = new Body(programs[i]);
        for (Body body : bodies) execute(body.steps, 0, new int[8]);  // links what the threads will execute
        Arrays.fill(cells, 0);
        X = Y = Z = 0;
        for (Body body : bodies) body.start();
        for (Body body : bodies) body.join();
        StringBuilder line = new StringBuilder();
        for (Body body : bodies) {
            for (int i = 0; i < body.count; i++) line.append(body.results[i]).append(' ');
        }
        System.out.println(line.toString().trim());
    }
}
