// Runs known methods for the execution samples of a recording: main spends its time in outer and inner, and the thread
// "other" in rests. With the argument "deep", main recurses before it works; with "jcmd", it works until its input has a
// line.
import java.io.IOException;

public class Samples {
    static volatile long sum;
    static volatile boolean ends;

    static long inner(long seed) {
        for (int i = 0; i < 20_000; i++) seed = seed * 31 + (seed >>> 7);
        return seed;
    }

    static long outer(long seed) {
        for (int i = 0; i < 20; i++) seed += inner(seed);
        return seed;
    }

    static long rests(long seed) {
        for (int i = 0; i < 300_000; i++) seed ^= seed << 5 ^ i;
        return seed;
    }

    static void work(long milliseconds) {
        long end = System.nanoTime() + milliseconds * 1_000_000;
        while (System.nanoTime() < end) sum += outer(sum);
    }

    static void deep(int frames, long milliseconds) {
        if (frames == 0) work(milliseconds);
        else deep(frames - 1, milliseconds);
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        String way = arguments[0];
        long milliseconds = Long.parseLong(arguments[1]);
        Thread other = new Thread(() -> {
            while (!ends) sum += rests(sum);
        }, "other");
        other.start();
        if (way.equals("deep")) deep(2_000, milliseconds);
        else work(milliseconds);
        if (way.equals("jcmd")) {
            System.out.println("warm");
            while (System.in.available() == 0) work(100);
        }
        ends = true;
        other.join();
        System.out.println("done");
    }
}
