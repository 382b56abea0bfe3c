// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// javac that stays: starting it costs more than compiling a generated program.
//
// Reads lines "<output folder>\t<options, separated by spaces>\t<file>\t<file> ..." and answers each with "ok" or
// "failed".

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

public class CompileServer {
    public static void main(String[] arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split("\t");
            Files.createDirectories(Path.of(words[0]));
            List<String> options = new ArrayList<>(
                    List.of("-nowarn", "-Xlint:none", "-XDsuppressNotes", "-proc:none", "-d", words[0]));
            for (String option : words[1].split(" ")) if (!option.isEmpty()) options.add(option);
            boolean ok;
            try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
                ok = compiler.getTask(Writer.nullWriter(), files, null, options, null,
                                     files.getJavaFileObjects(Arrays.copyOfRange(words, 2, words.length)))
                             .call();
            } catch (RuntimeException | Error e) {   // javac itself has failed
                System.err.println(e);
                ok = false;
            }
            System.out.println(ok ? "ok" : "failed");
            System.out.flush();
        }
    }
}
