// jvm: -Xss200m
// stress: no
// -Xss also sets the size of the main thread's stack, whatever the limit of the process's own stack is. Interpreted and
// compiled recursions far deeper than that limit return, or end in a StackOverflowError that can be caught.
public class DeepStacks {
    static int deepest;

    static int down(int n) {
        if (n > deepest) deepest = n;
        return n == 0 ? 0 : down(n - 1) + 1;
    }

    static int forever(int n) {
        deepest = n;
        return forever(n + 1) + 1;
    }

    static void recurse(String where) {
        for (int i = 0; i < 1000; i++) down(50);
        System.out.println(where + ": " + down(700_000));
        try {
            System.out.println(forever(0));
        } catch (StackOverflowError overflow) {
            System.out.println(where + ": overflow " + (deepest > 700_000));
        }
        System.out.println(where + ": " + down(700_000));
    }

    public static void main(String[] arguments) throws InterruptedException {
        recurse("main");
        Thread thread = new Thread(() -> recurse("thread"));
        thread.start();
        thread.join();
    }
}
