import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes more than a file may hold (ulimit -f). */
public class LimitedFile {
  public static void main(String[] arguments) throws Exception {
    Path path = Files.createTempFile("limited", ".bin");
    try (FileOutputStream out = new FileOutputStream(path.toFile())) {
      for (int i = 0; i < 100; i++) out.write(new byte[1024]);
      System.out.println("written");
    } catch (IOException problem) {
      System.out.println(problem.getMessage());
    }
    // A child process inherits the limit, and SIGXFSZ ends it, as it would without a VM.
    Process child = new ProcessBuilder("dd", "if=/dev/zero", "of=" + path, "bs=1024", "count=100").start();
    System.out.println("child " + child.waitFor());
    Files.delete(path);
  }
}
