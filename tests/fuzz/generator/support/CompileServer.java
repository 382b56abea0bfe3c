// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A javac process that stays alive, because starting javac costs more than compiling a generated program.
//
// Reads lines "<output folder>\t<options, separated by spaces>\t<file>\t<file> ..." and answers each with "ok",
// "failed", or "crashed" when javac itself has failed.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringWriter;
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
            String answer;
            StringWriter messages = new StringWriter();
            try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
                boolean ok = compiler.getTask(messages, files, null, options, null,
                                              files.getJavaFileObjects(Arrays.copyOfRange(words, 2, words.length)))
                                     .call();
                boolean crashed = messages.toString().contains("An exception has occurred in the compiler");
                answer = ok ? "ok" : crashed ? "crashed" : "failed";
            } catch (RuntimeException | Error e) {
                System.err.println(e);
                answer = "crashed";
            }
            System.out.println(answer);
            System.out.flush();
        }
    }
}
