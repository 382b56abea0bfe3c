// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles many test programs in one javac process, each into a folder of its own.
//
// Usage: java CompileTests.java <output root> <source root> <file>...
// Each <source root>/<topic>/<Name>.java goes to <output root>/<topic>/<Name>/. Prints the names of the
// programs that do not compile, and exits with 1 if there are any.

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

public class CompileTests {
    public static void main(String[] arguments) throws Exception {
        Path outputRoot = Path.of(arguments[0]);
        Path sourceRoot = Path.of(arguments[1]);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        // If the running java has no compiler of its own, the class path holds a fetched javac. This javac compiles
        // only against the library on which it runs.
        boolean isForeign = compiler == null;
        if (isForeign) compiler = ServiceLoader.load(JavaCompiler.class).findFirst().orElseThrow();
        boolean failed = false;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            for (int i = 2; i < arguments.length; i++) {
                Path source = Path.of(arguments[i]);
                String relative = sourceRoot.relativize(source).toString();
                Path output = outputRoot.resolve(relative.substring(0, relative.length() - ".java".length()));
                Files.createDirectories(output);
                List<String> options = new ArrayList<>(List.of("-g", "-nowarn", "-proc:none", "-d", output.toString()));
                String since = null;
                for (String line : Files.readAllLines(source)) {
                    if (line.startsWith("// javac: ")) options.addAll(List.of(line.substring(10).trim().split(" +")));
                    if (line.startsWith("// since: ")) since = line.substring(10).trim();
                }
                // With --release, javac does not see packages that are not exported.
                boolean isOwnLibrary = isForeign || options.contains("--add-exports");
                if (since != null)
                    options.addAll(isOwnLibrary ? List.of("-source", since, "-target", since) : List.of("--release", since));
                JavaCompiler.CompilationTask task =
                    compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(source));
                if (!task.call()) {
                    System.out.println("does not compile: " + relative);
                    failed = true;
                }
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
