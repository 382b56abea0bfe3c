import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file becomes shorter than its mapping. Each access past its end throws an InternalError; the program goes on. */
public class MappedFiles {
  interface Access {
    void run(MappedByteBuffer buffer) throws IOException;
  }

  static final int PAGES = 6, PAGE = 4096;
  static FileChannel channel;
  static int failures;

  static void expect(String what, MappedByteBuffer buffer, Access access) {
    for (int round = 0; round < 3; round++) {   // every access to a page must fail, not only the first one
      String outcome = "no error";
      try {
        access.run(buffer);
        settle();
      } catch (InternalError error) {
        outcome = error.getMessage();
      } catch (IOException error) {
        outcome = "IOException: " + error.getMessage();
      }
      System.out.println(what + ": " + outcome);
    }
  }

  static int settled;
  static final Runnable[] SETTLERS = {() -> settled++, () -> settled += 2, () -> settled += 3, () -> settled += 5};

  // If a compiled access fails, the VM throws the error at the next call of a method that is not inlined.
  static void settle() {
    SETTLERS[settled & 3].run();
  }

  static int hot(MappedByteBuffer buffer, int index) {
    try {
      int value = buffer.get(index);
      settle();
      return value;
    } catch (InternalError error) {
      failures++;
      return -1;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path path = Files.createTempFile("mapped", ".bin");
    channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    MappedByteBuffer shared = channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGES * PAGE);
    MappedByteBuffer readOnly = channel.map(FileChannel.MapMode.READ_ONLY, 0, PAGES * PAGE);
    MappedByteBuffer copied = channel.map(FileChannel.MapMode.PRIVATE, 0, PAGES * PAGE);
    for (int i = 0; i < PAGES * PAGE; i++) shared.put(i, (byte) (i % 251));
    channel.truncate(10);

    for (MappedByteBuffer buffer : new MappedByteBuffer[] {shared, readOnly, copied}) {
      expect("get", buffer, b -> b.get(15000));
      expect("getChar", buffer, b -> b.getChar(8191));   // the two pages
      expect("getLong", buffer, b -> b.getLong(15000));
      expect("getDouble", buffer, b -> b.duplicate().position(9000).getDouble());
      expect("bulk get", buffer, b -> b.duplicate().position(8000).get(new byte[3 * PAGE]));
      expect("short bulk get", buffer, b -> b.duplicate().position(5000).get(new byte[3]));
      expect("long view", buffer, b -> b.asLongBuffer().get(new long[2 * PAGE / 8 + 700]));
      expect("into direct", buffer, b -> ByteBuffer.allocateDirect(PAGES * PAGE).put(b.duplicate()));
      expect("hashCode", buffer, b -> b.duplicate().position(6000).hashCode());
      expect("equals", buffer, b -> b.duplicate().equals(ByteBuffer.allocate(PAGES * PAGE)));
      expect("write", buffer, b -> channel.write(b.duplicate().position(9000).limit(12000), 0));
    }
    for (MappedByteBuffer buffer : new MappedByteBuffer[] {shared, copied}) {
      expect("put", buffer, b -> b.put(15000, (byte) 1));
      expect("putInt", buffer, b -> b.putInt(12000, 7));
      expect("bulk put", buffer, b -> b.duplicate().position(8192).put(new byte[8000]));
      expect("from direct", buffer, b -> b.duplicate().position(8192).put(ByteBuffer.allocateDirect(9000)));
    }
    expect("load", shared, b -> b.load());
    expect("force", shared, b -> b.force());
    expect("read into", shared, b -> channel.read(b.duplicate().position(9000), 0));
    System.out.println("the first page is there: " + shared.get(5));

    for (int i = 0; i < 30_000; i++) hot(shared, i % 10);
    System.out.println("failures while it is there: " + failures);
    for (int i = 0; i < 2_000; i++) hot(shared, 15_000 + i % 100);
    System.out.println("failures when it is not: " + failures);

    Thread[] threads = new Thread[4];
    int[] seen = new int[threads.length];
    for (int i = 0; i < threads.length; i++) {
      int number = i;
      threads[i] = new Thread(() -> {
        for (int k = 0; k < 200; k++) {
          try {
            readOnly.get(PAGE + (k * 97 + number) % (4 * PAGE));
            settle();
          } catch (InternalError error) {
            seen[number]++;
          }
        }
      });
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    int least = 200;
    for (int count : seen) least = Math.min(least, count);
    System.out.println("every thread is told: " + (least > 0));

    channel.write(ByteBuffer.allocate(PAGES * PAGE), 0);   // makes the file as long as its mapping again
    for (int i = 0; i < PAGES * PAGE; i += 500) {
      if (shared.get(i) != 0) System.out.println("wrong at " + i);
    }
    shared.put(15000, (byte) 9);
    ByteBuffer one = ByteBuffer.allocate(1);
    channel.read(one, 15000);
    System.out.println("grown: " + one.get(0) + " " + readOnly.get(15000));
    channel.close();
    Files.delete(path);
  }
}
