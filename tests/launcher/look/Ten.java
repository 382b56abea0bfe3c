// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0

// Six threads take eight locks. Each round of a thread makes two events of locks. The threads also allocate, so the
// recording has events of buffers in regions, of regions that change their state, and of collections.
public class Ten {
  static final Object[] locks = new Object[8];
  static final int[] counts = new int[8];
  static final byte[][] garbage = new byte[8][];

  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    for (int i = 0; i < locks.length; i++) locks[i] = new Object();
    Thread[] threads = new Thread[6];
    for (int i = 0; i < threads.length; i++) {
      int seed = i * 7919 + 1;
      threads[i] = new Thread(() -> take(seed, rounds), "worker " + i);
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    int sum = 0;
    for (int count : counts) sum += count;
    System.out.println(sum);
  }

  static void take(int seed, int rounds) {
    int x = seed;
    for (int i = 0; i < rounds; i++) {
      x = x * 1103515245 + 12345;
      int lock = x >>> 16 & 7;
      synchronized (locks[lock]) {
        counts[lock]++;
      }
      if ((i & 7) == 0) garbage[seed & 7] = new byte[x >>> 22];
    }
  }
}
