// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Process handles and readers: inputReader, outputWriter with a charset, info, onExit, pipelines, waitFor with a
// duration's time.
// since: 21
import java.io.BufferedReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

public class ProcessesSince21 {
    public static void main(String[] arguments) throws Exception {
        Process cat = new ProcessBuilder("cat").start();
        try (Writer writer = cat.outputWriter(StandardCharsets.UTF_8)) {
            writer.write("Grüße\nzwei\n");
        }
        try (BufferedReader reader = cat.inputReader(StandardCharsets.UTF_8)) {
            System.out.println(reader.readLine() + "|" + reader.readLine() + "|" + reader.readLine());
        }
        System.out.println(cat.waitFor() + " " + cat.isAlive() + " " + cat.onExit().get().exitValue());
        Process fails = new ProcessBuilder("sh", "-c", "echo wrong >&2; exit 3").start();
        System.out.println(fails.errorReader().readLine() + " " + fails.waitFor());
        Process sleeps = new ProcessBuilder("sleep", "100").start();
        System.out.println(sleeps.waitFor(10, TimeUnit.MILLISECONDS) + " " + sleeps.supportsNormalTermination() + " "
                           + sleeps.info().command().orElse("").endsWith("sleep") + " "
                               + sleeps.info().arguments().map(a -> a.length).orElse(-1));
        System.out.println(sleeps.toHandle().parent().get().equals(ProcessHandle.current()) + " "
                           + ProcessHandle.current().children().anyMatch(sleeps.toHandle()::equals));
        sleeps.destroy();
        System.out.println(sleeps.waitFor() + " " + sleeps.toHandle().isAlive());
        List<Process> pipeline = ProcessBuilder.startPipeline(List.of(new ProcessBuilder("printf", "b\\na\\n"),
            new ProcessBuilder("sort")));
        System.out.println(pipeline.getLast().inputReader().lines().toList());
        try {
            cat.inputReader(StandardCharsets.US_ASCII);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            ProcessHandle.current().destroy();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Runtime.getRuntime().exec(new String[] {"echo", "one two"}).inputReader().readLine());
    }
}
