// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.atomic.AtomicLong;

// Takes one lock again and again: by one thread alone, while collections move the lock's object, while a second thread
// comes to wait, and by two threads in turn. Prints the number of enters. `done` counts the enters without the lock: if
// the two counts differ, the lock has not excluded threads, or a thread has ended early.
public class Runs {
  static final class Lock {
    long enters;
  }

  static final Lock lock = new Lock();
  static volatile boolean comes, goes;
  static final AtomicLong done = new AtomicLong();

  static synchronized void other() {
    goes = !goes;
  }

  static void twice() {
    synchronized (lock) {
      lock.enters++;
      other();
      synchronized (lock) {
        lock.enters++;
      }
    }
  }

  static void alone(int times) {
    for (int i = 0; i < times; i++) twice();
    done.addAndGet(2L * times);
  }

  static void keeping() throws InterruptedException {
    synchronized (lock) {
      lock.enters++;
      System.gc();
    }
    alone(2000);
    synchronized (lock) {
      lock.enters++;
      lock.wait(1);
    }
    alone(2000);
    if (lock.hashCode() != System.identityHashCode(lock)) System.out.println("two hashes");
    alone(2000);
  }

  static void met() throws InterruptedException {
    Thread thread = new Thread(() -> {
      comes = true;
      alone(1000);
      comes = false;
    }, "other");
    alone(2000);
    synchronized (lock) {
      lock.enters++;
      thread.start();
      while (thread.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
      lock.enters++;
      synchronized (lock) {
        comes = false;
      }
    }
    while (thread.isAlive()) alone(100);
    alone(2000);
  }

  static void inTurn() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      Thread thread = new Thread(() -> alone(500), "turn " + i);
      thread.start();
      thread.join();
      alone(500);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    alone(20_000);
    keeping();
    met();
    inTurn();
    done.addAndGet(4);   // adds the two enters of keeping() and the two of met() that `done` does not count
    if (lock.enters != done.get()) throw new AssertionError(lock.enters + " counted with the lock, not " + done);
    System.out.println(lock.enters);
  }
}
