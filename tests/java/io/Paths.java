// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Path and Files: normalisation, walking, attributes, links, temporary files, failures.
import java.io.IOException;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

public class Paths {
    interface Step { Object run() throws Exception; }
    static void attempt(String what, Step s) {
        try {
            System.out.println(what + " " + s.run());
        } catch (Exception e) {
            System.out.println(what + " " + e);
        }
    }
    public static void main(String[] args) throws Exception {
        Path p = Path.of("a/./b/../c");
        System.out.println(p.normalize() + " " + p.getNameCount() + " " + p.subpath(0, 2) + " " + p.resolveSibling("d")
                + " " + Path.of("/x/y").relativize(Path.of("/x/z/w")) + " " + Path.of("/a").startsWith("/") + " "
                + Path.of("").toString().isEmpty() + " " + Path.of("a//b/") + " " + p.getParent() + " "
                + Path.of("/").getFileName());
        Files.createDirectories(Path.of("t/u/v"));
        Files.writeString(Path.of("t/u/f.txt"), "line\nzwei\n");
        Files.createSymbolicLink(Path.of("t/link"), Path.of("u/f.txt"));
        try (Stream<Path> s = Files.walk(Path.of("t"))) { System.out.println(s.sorted().toList()); }
        System.out.println(Files.readSymbolicLink(Path.of("t/link")) + " " + Files.isSymbolicLink(Path.of("t/link"))
                + " " + Files.size(Path.of("t/link")) + " "
                + Files.isSameFile(Path.of("t/link"), Path.of("t/u/f.txt")) + " "
                + Files.readAttributes(Path.of("t"), BasicFileAttributes.class).isDirectory() + " "
                + Files.mismatch(Path.of("t/link"), Path.of("t/u/f.txt")));
        Files.setPosixFilePermissions(Path.of("t/u/f.txt"), PosixFilePermissions.fromString("rw-r-----"));
        System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of("t/u/f.txt"))) + " "
                + Files.getAttribute(Path.of("t/u/f.txt"), "unix:mode").equals(0100640));
        attempt("missing", () -> Files.readString(Path.of("nope")));
        attempt("exists", () -> Files.createDirectory(Path.of("t")));
        attempt("not empty", () -> { Files.delete(Path.of("t/u")); return ""; });
        attempt("copy onto", () -> Files.copy(Path.of("t/link"), Path.of("t/u/f.txt")));
        attempt("copy",
                ()
                        -> Files.copy(Path.of("t/u/f.txt"), Path.of("t/g"), StandardCopyOption.REPLACE_EXISTING,
                                StandardCopyOption.COPY_ATTRIBUTES));
        attempt("move", () -> Files.move(Path.of("t/g"), Path.of("t/h"), StandardCopyOption.ATOMIC_MOVE));
        attempt("list a file", () -> Files.list(Path.of("t/h")));
        attempt("bad name", () -> Path.of("a\u0000b"));
        attempt("bad glob", () -> FileSystems.getDefault().getPathMatcher("glob:{a"));
        attempt("glob", () -> {
            try (DirectoryStream<Path> d = Files.newDirectoryStream(Path.of("t"), "{h,l*}")) {
                int n = 0;
                for (Path x : d) n++;
                return n;
            }
        });
        attempt("append",
                ()
                        -> Files.writeString(Path.of("t/h"), "more", StandardOpenOption.APPEND).getFileName() + " "
                        + Files.lines(Path.of("t/h")).count() + " " + Files.readAllLines(Path.of("t/h")));
        Files.walkFileTree(Path.of("t"), new SimpleFileVisitor<>() {
            public FileVisitResult visitFile(Path f, BasicFileAttributes a) throws IOException {
                Files.delete(f);
                return FileVisitResult.CONTINUE;
            }
            public FileVisitResult postVisitDirectory(Path d, IOException e) throws IOException {
                Files.delete(d);
                return FileVisitResult.CONTINUE;
            }
        });
        System.out.println(Files.exists(Path.of("t")) + " " + Files.deleteIfExists(Path.of("t")) + " "
                + Files.createTempFile(Path.of("."), "pre", ".suf").getFileName().toString().startsWith("pre") + " "
                + new java.io.File("x/../y").getCanonicalFile().getName());
    }
}
