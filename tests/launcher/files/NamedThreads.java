/** Threads contend for a lock. Their names are control sequences that a terminal would obey. */
public class NamedThreads {
  static int count;

  static synchronized void work() {
    for (int i = 0; i < 1000; i++) count++;
  }

  public static void main(String[] arguments) throws Exception {
    String[] names = {"\u001b]0;title\u0007", "\u009b31m red", "line\nend", "\u202eright", "half \ud83d", "\"quoted\\"};
    Thread[] threads = new Thread[names.length];
    for (int i = 0; i < names.length; i++) {
      threads[i] = new Thread(() -> {
        for (int k = 0; k < 50; k++) work();
      }, names[i]);
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(count);
  }
}
