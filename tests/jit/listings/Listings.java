// One method for each family of bytecodes. expected/<method>.txt has the code of a method, with the lines of this file.
public class Listings {
  int field;
  long wide;
  Listings next;
  static int counter;

  static int arithmetic(int a, int b) { return (a + b) * (a - 7) ^ a << 3; }
  static int division(int a, int b) { return a / b + a % 16; }
  static long longs(long a, long b) { return a * b - (a >>> 5); }
  static double doubles(double a, double b) { return a * b + a / b; }
  static int sum(int[] values) {
    int sum = 0;
    for (int i = 0; i < values.length; i++) sum += values[i];
    return sum;
  }
  static void store(Object[] to, int index, Object value) { to[index] = value; }
  int fields(Listings other) {
    other.wide = wide + 1;
    other.next = this;
    return other.field;
  }
  static int statics() { return ++counter; }
  static int choose(int key) {
    switch (key) {
      case 0: return 5;
      case 1: return 7;
      case 2: return 11;
      default: return key < 0 ? -1 : 1;
    }
  }
  static int call(int n) { return n < 2 ? n : call(n - 1) + call(n - 2); }
  int virtual(Listings other) { return other.fields(this); }
  static boolean test(Object value) { return value instanceof Listings; }
  static Object make() { return new Listings(); }
  Listings() {}
  Listings(int field, Listings next) {
    this.field = field;
    this.next = next;
  }
  int field() { return field; }
  Listings next() { return next; }
  static Object construct(int field, Listings next) { return new Listings(field, next); }
  static int getters(Listings first) { return first.field() + first.next().field(); }
  static int[] array(int length) { return new int[length]; }
  static int locked(Object lock, int value) {
    synchronized (lock) { return value + 1; }
  }
  synchronized int lockedMethod(int value) { return value + field; }
  static synchronized void lockedStatically(int value) { counter = value; }
  static boolean waiting(Object other) {
    Thread.onSpinWait();
    return Thread.currentThread() == other;
  }
  static int text(String text, int index) { return text.charAt(index) + text.length(); }

  public static void main(String[] arguments) {
    Listings first = new Listings(), second = new Listings();
    int sum = 0;
    for (int i = 0; i < 30; i++) {
      sum += arithmetic(i, 3) + division(i, 3) + (int) longs(i, 5) + (int) doubles(i, 2) + sum(new int[i])
              + first.fields(second);
      store(new Object[1], 0, first);
      sum += statics() + choose(i) + call(5) + first.virtual(second) + (test(first) ? 1 : 0) + array(3).length
              + locked(first, i) + first.lockedMethod(i);
      lockedStatically(i);
      make();
      second.next = first;
      sum += getters(second);
      sum += text("text", i & 3) + (waiting(first) ? 1 : 0);
      construct(i, first);
    }
    System.out.println(sum);
  }
}
