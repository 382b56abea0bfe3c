// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Scripts that ProcessBuilder runs, with and without #!, by each launch mechanism.
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

public class ProcessScripts {
    static Path folder;

    static String output(Process process) throws Exception {
        String text = new String(process.getInputStream().readAllBytes());
        return text.replace(folder.toString(), "FOLDER").strip() + ", exit " + process.waitFor();
    }

    static void run(String what, String... command) throws Exception {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).directory(folder.toFile());
            System.out.println(what + ": " + output(builder.start()));
        } catch (IOException failure) {
            System.out.println(what + ": " + failure.getMessage().replace(folder.toString(), "FOLDER"));
        }
    }

    static String write(String name, String content, boolean isExecutable) throws Exception {
        File file = Files.write(folder.resolve(name), content.getBytes(StandardCharsets.ISO_8859_1)).toFile();
        file.setExecutable(isExecutable);
        return file.toString();
    }

    public static void main(String[] arguments) throws Exception {
        folder = Files.createTempDirectory("scripts");
        System.setProperty("jdk.lang.Process.launchMechanism", arguments.length == 0 ? "POSIX_SPAWN" : arguments[0]);
        String plain = write("plain", "echo plain $0 $# $1 \"$2\"\nexit 7\n", true);
        run("plain", plain, "one", "two  words");
        run("plain alone", plain);
        run("relative", "./plain", "three");
        run("many", plain, "a", "b", "c", "", "e");
        run("exec", write("exec", "exec echo replaced \"$@\"\n", true), "x y");
        run("kills itself", write("kill", "kill -9 $$\n", true));
        run("not executable", write("closed", "echo x\n", false));
        run("empty", write("empty", "", true));
        run("hash bang", write("bang", "#!/bin/sh\necho bang $1\n", true), "q");
        run("no such interpreter", write("nobang", "#!/no/such/interpreter\n", true));
        run("line ends", write("crlf", "#!/bin/sh\r\necho hi\r\n", true));
        run("comment", write("comment", "# just this\necho after\n", true));
        run("folder", folder.toString());
        run("missing", folder + "/none");
        System.out.println(output(Runtime.getRuntime().exec(plain + " x y")));
        try (var files = Files.list(folder)) {
            for (Path each : (Iterable<Path>) files::iterator) Files.delete(each);
        }
        Files.delete(folder);
    }
}
