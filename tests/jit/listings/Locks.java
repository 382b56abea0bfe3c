// Methods that lock, compiled by the optimising tier: their code stands in optimised/<method>.<algorithm>.txt.
public class Locks {
  int count;

  // The lock alone.
  int block() {
    synchronized (this) { return ++count; }
  }
  synchronized int method() { return ++count; }
  // It leaves in the middle of the region: at an index, and where nothing has been executed yet.
  static int leaves(Locks lock, int[] values, int index) {
    synchronized (lock) {
      int value = values[index];
      if (value < 0) value = Missing.value;
      return lock.count += value;
    }
  }
  // The inner level is left out. Who leaves in it enters it.
  static int nested(Locks lock, int[] values, int index) {
    synchronized (lock) {
      synchronized (lock) { return lock.count += values[index]; }
    }
  }
  // One region. Who leaves between gives the monitor back.
  static int neighbours(Locks lock, int[] values, int index) {
    synchronized (lock) { lock.count++; }
    int value = values[index];
    synchronized (lock) { return lock.count += value; }
  }
  // The region is that of an inlined method: two frames are left.
  static int leavesInlined(Locks lock, int[] values, int index) { return leaves(lock, values, index) + 1; }
  // Nobody else sees the object: it is not made, nor locked, but for who leaves in the region.
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
