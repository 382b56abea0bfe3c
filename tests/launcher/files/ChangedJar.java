import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/** Changes the jar or the folder of class files that its own classes come from, and continues to run. */
public class ChangedJar {
  interface Step {
    Object run() throws Exception;
  }

  static void show(String what, Step step) {
    try {
      System.out.println(what + ": " + step.run());
    } catch (Throwable problem) {
      System.out.println(what + ": " + problem.getClass().getName());
    }
  }

  public static void main(String[] arguments) throws Exception {
    new Loaded();
    show("lambdas work", () -> 1);   // loads the classes that lambdas need before the jar changes
    Path path = Path.of(arguments[0]);
    byte[] bytes = Files.readAllBytes(path);
    switch (arguments[1]) {
      case "empty" -> Files.write(path, new byte[0]);
      case "start" -> Files.write(path, Arrays.copyOf(bytes, 100));
      case "half" -> Files.write(path, Arrays.copyOf(bytes, bytes.length / 2));
      case "zeros" -> Files.write(path, new byte[bytes.length]);
      case "replaced" -> {
        Path other = Path.of(arguments[0] + ".new");
        Files.write(other, new byte[10]);
        Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
      }
      case "deleted" -> Files.delete(path);
    }
    show("loaded before", () -> Loaded.sum(1000) + " " + Loaded.line());
    show("class", () -> Missing.value);
    show("resource", () -> {
      var stream = ChangedJar.class.getResourceAsStream("/resource.txt");
      return stream == null ? "none" : stream.readAllBytes().length;
    });
    show("by name", () -> Class.forName("AlsoMissing"));
    System.out.println("end");
  }
}

class Loaded {
  static int sum(int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += i % 7;
    return sum;
  }

  static int line() {
    return new Throwable().getStackTrace()[0].getLineNumber();
  }
}

class Missing {
  static int value = Integer.parseInt("7");
}

class AlsoMissing {}
