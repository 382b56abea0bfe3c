/** Runs collections and loads classes, twice, and reads a line in between. The VM counts both in a file. */
public class Counters {
  static void work() throws Exception {
    for (int i = 0; i < 20; i++) System.gc();
    for (String name : new String[] {"java.util.zip.CRC32", "java.util.Scanner", "java.util.BitSet"}) Class.forName(name);
    Thread thread = new Thread(() -> {});
    thread.start();
    thread.join();
  }

  public static void main(String[] arguments) throws Exception {
    work();
    System.out.println("begun");
    System.in.read();
    work();
    System.out.println("done");
  }
}
