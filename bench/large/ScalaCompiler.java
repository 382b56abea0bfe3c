// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiler of Scala 3 compiles a program of this folder, in a process that has compiled it before.
// maven: org.scala-lang:scala3-compiler_3:3.3.4
// jvm: -Dbench={bench}
// iterations: 8
import dotty.tools.dotc.Driver;
import dotty.tools.dotc.reporting.Reporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class ScalaCompiler extends Workload {
    @Override protected long iteration() throws Exception {
        Path output = Files.createTempDirectory("scala");
        Reporter reporter = new Driver().process(new String[] {"-classpath", System.getProperty("java.class.path"), "-d",
                output.toString(), "-color:never", System.getProperty("bench") + "/large/KMeans.scala"});
        if (reporter.hasErrors()) throw new IllegalStateException("errors");
        long digest = 0;
        for (Path file : filesOf(output)) {
            String name = output.relativize(file).toString();
            digest = mixed(digest, name);
            // TASTy files contain an identifier that differs from run to run
            if (name.endsWith(".class")) digest = mixed(digest, Files.size(file));
        }
        for (Path file : filesOf(output)) Files.delete(file);
        Files.delete(output);
        return digest;
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().collect(Collectors.toList());
        }
    }

    public static void main(String[] arguments) throws Exception {
        new ScalaCompiler().run(arguments);
    }
}
