// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Child processes: output, input, exit codes, environment, redirection, missing programs, destruction.
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

public class Processes {
    static String all(Process p) throws IOException { return new String(p.getInputStream().readAllBytes()); }
    public static void main(String[] args) throws Exception {
        Process echo = new ProcessBuilder("echo", "hello", "a b", "").start();
        System.out.print(all(echo));
        System.out.println(echo.waitFor() + " " + echo.exitValue() + " " + echo.isAlive());
        ProcessBuilder cat = new ProcessBuilder("cat");
        Process c = cat.start();
        try (var out = c.getOutputStream()) { out.write("through cat\n".getBytes()); }
        System.out.print(all(c));
        ProcessBuilder sh = new ProcessBuilder("sh", "-c", "echo $KEY; pwd | sed 's,.*/,,'; echo err >&2; exit 7");
        sh.environment().put("KEY", "value");
        sh.redirectErrorStream(true);
        new File("sub").mkdir();
        sh.directory(new File("sub"));
        Process s = sh.start();
        System.out.print(all(s));
        System.out.println(s.waitFor());
        Process f = new ProcessBuilder("sh", "-c", "cat; echo more")
                            .redirectInput(Files.writeString(Path.of("in.txt"), "from file\n").toFile())
                            .redirectOutput(new File("out.txt"))
                            .start();
        System.out.println(f.waitFor() + " " + Files.readAllLines(Path.of("out.txt")));
        Process appended = new ProcessBuilder("echo", "again")
                                   .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("out.txt")))
                                   .start();
        appended.waitFor();
        System.out.println(Files.readAllLines(Path.of("out.txt")));
        try {
            new ProcessBuilder("/no/such/program").start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            new ProcessBuilder("echo").directory(new File("nowhere")).start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        Process sleep = Runtime.getRuntime().exec(new String[] {"sleep", "100"});
        System.out.println(sleep.waitFor(10, TimeUnit.MILLISECONDS) + " " + sleep.isAlive() + " "
                + sleep.supportsNormalTermination());
        try {
            sleep.exitValue();
        } catch (IllegalThreadStateException e) {
            System.out.println(e.getMessage());
        }
        sleep.destroy();
        System.out.println(sleep.waitFor() + " " + sleep.onExit().get().isAlive() + " " + sleep.toHandle().isAlive());
        Process killed = new ProcessBuilder("sleep", "100").start();
        killed.destroyForcibly();
        System.out.println(killed.waitFor());
        List<Process> pipeline = ProcessBuilder.startPipeline(
                List.of(new ProcessBuilder("printf", "b\\na\\nc\\n"), new ProcessBuilder("sort")));
        try (BufferedReader r = pipeline.get(1).inputReader()) { System.out.println(r.lines().toList()); }
        new ProcessBuilder("echo", "inherited").inheritIO().start().waitFor();
    }
}
