// Methods that lock. The optimising tier's code of a method is in optimised/<method>.<algorithm>.txt.
public class Locks {
  int count;

  // The lock alone.
  int block() {
    synchronized (this) { return ++count; }
  }
  synchronized int method() { return ++count; }
  // Deoptimizes inside the region: at a wrong index, and at code that was never executed.
  static int leaves(Locks lock, int[] values, int index) {
    synchronized (lock) {
      int value = values[index];
      if (value < 0) value = Missing.value;
      return lock.count += value;
    }
  }
  // The inner level is eliminated. Deoptimization inside the inner region enters this level.
  static int nested(Locks lock, int[] values, int index) {
    synchronized (lock) {
      synchronized (lock) { return lock.count += values[index]; }
    }
  }
  // The two regions are coarsened to one. Deoptimization between the two blocks releases the monitor.
  static int neighbours(Locks lock, int[] values, int index) {
    synchronized (lock) { lock.count++; }
    int value = values[index];
    synchronized (lock) { return lock.count += value; }
  }
  // The region is in an inlined method: deoptimization creates two frames.
  static int leavesInlined(Locks lock, int[] values, int index) { return leaves(lock, values, index) + 1; }
  // The object does not escape: only deoptimization in the region allocates and locks it.
  static int elided(int[] values, int index) {
    Locks lock = new Locks();
    synchronized (lock) {
      lock.count = index * 3;
      lock.count += values[index];
      return lock.count;
    }
  }

  public static void main(String[] arguments) {
    Locks lock = new Locks();
    int sum = 0;
    for (int i = 0; i < 200; i++) {
      sum += nested(lock, new int[8], i & 7) + neighbours(lock, new int[8], i & 7);
      sum += lock.block() + lock.method() + leaves(lock, new int[8], i & 7) + leavesInlined(lock, new int[8], i & 7);
      sum += elided(new int[8], i & 7);
    }
    System.out.println(sum);
  }
}

class Missing {
  static int value = 1;
}
