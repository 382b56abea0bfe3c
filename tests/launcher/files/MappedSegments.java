import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file becomes shorter than a segment that is mapped from it, also in virtual threads. */
public class MappedSegments {
  static void expect(String what, Runnable access) {
    String outcome = "no error";
    try {
      access.run();
      Thread.yield();
    } catch (InternalError error) {
      outcome = error.getMessage();
    }
    System.out.println(what + ": " + outcome);
  }

  public static void main(String[] arguments) throws Exception {
    Path path = Files.createTempFile("mapped", ".bin");
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      MemorySegment segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, 40_000, arena);
      segment.fill((byte) 7);
      channel.truncate(100);
      Runnable all = () -> {
        expect("get", () -> segment.get(ValueLayout.JAVA_INT, 20_000));
        expect("set", () -> segment.set(ValueLayout.JAVA_LONG, 20_000, 1L));
        expect("copy", () -> MemorySegment.copy(segment, 10_000, arena.allocate(20_000), 0, 20_000));
        expect("toArray", () -> segment.asSlice(8192, 16_384).toArray(ValueLayout.JAVA_INT));
        expect("fill", () -> segment.asSlice(8192).fill((byte) 1));
        expect("mismatch", () -> segment.asSlice(8192).mismatch(arena.allocate(31_808).fill((byte) 7)));
        expect("there", () -> segment.get(ValueLayout.JAVA_BYTE, 50));
      };
      all.run();
      Thread.ofVirtual().start(all).join();
    }
    Files.delete(path);
    System.out.println("goes on");
  }
}
