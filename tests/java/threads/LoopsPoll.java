// A thread in a loop without calls, checks or stores stops at a safepoint all the same.
public class LoopsPoll {
  static long spin(long limit) {
    long sum = 0, i = 0;
    do {
      sum += i ^ (sum << 1);
      i++;
    } while (i < limit);
    return sum;
  }
  static int countDown(int start) {
    int i = start;
    do {
      i--;
    } while (i != 0);
    return i;
  }
  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < 20_000; i++) {
      spin(10);
      countDown(10);
    }
    Thread spinner = new Thread(() -> System.out.println(spin(Long.MAX_VALUE)));
    spinner.setDaemon(true);
    spinner.start();
    Thread counter = new Thread(() -> {
      while (true) countDown(-1);
    });
    counter.setDaemon(true);
    counter.start();
    for (int i = 0; i < 5; i++) {
      Thread.sleep(20);   // lets the loops run; each collection must stop them
      System.gc();
    }
    System.out.println(spinner.isAlive() + " " + counter.isAlive());
  }
}
