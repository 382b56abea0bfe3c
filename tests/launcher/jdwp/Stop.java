// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JShell API: another thread stops snippets that do not end. The shell keeps the values of its variables.
import java.util.List;
import jdk.jshell.JShell;
import jdk.jshell.SnippetEvent;

public class Stop {
    static void show(List<SnippetEvent> events) {
        for (SnippetEvent event : events) {
            System.out.println(event.status() + " "
                    + (event.value() == null ? null : event.value().replaceAll("@.*", "@")) + " "
                    + (event.exception() == null ? null
                                                 : event.exception().getClass().getSimpleName() + " "
                                            + event.exception().getMessage()));
        }
    }

    static void stopSoon(JShell shell, Thread evaluating, int of) {
        Thread stopper = new Thread(() -> {
            // A stop that comes before the snippet runs has no effect. A stop that comes when the snippet
            // ends may hit other code.
            int seconds = 3;
            while (evaluating.getState() != Thread.State.TERMINATED) {
                try { Thread.sleep(seconds * 1000); } catch (InterruptedException e) { return; }
                if (turn != of) return;
                shell.stop();
                seconds = 20;
            }
        });
        stopper.setDaemon(true);
        stopper.start();
    }

    static volatile int turn;

    public static void main(String[] arguments) {
        try (JShell shell = JShell.create()) {
            show(shell.eval("int n = 5;"));
            for (String endless : List.of("while (true) { n++; }", "Thread.sleep(1_000_000)",
                         "new Object() { void f() { for (;;) g(); } void g() { n++; } }.f()",
                         "synchronized (\"\") { for (;;) { try { for (;;) n += 2; } finally { n = -1; } } }")) {
                stopSoon(shell, Thread.currentThread(), turn);
                show(shell.eval(endless));
                turn++;
            }
            show(shell.eval("n = 7"));
            show(shell.eval("throw new RuntimeException(\"thrown\");"));
            show(shell.eval("String f() { return \"one\"; }"));
            show(shell.eval("f()"));
            show(shell.eval("String f() { return \"two\" + n; }"));
            show(shell.eval("f()"));
            show(shell.eval("class Pair { int x; int sum() { return x; } }"));
            show(shell.eval("Pair p = new Pair();"));
            show(shell.eval("class Pair { int x = 1; int y = 2; int sum() { return x + y; } }"));
            show(shell.eval("p"));
            show(shell.eval("new Pair().sum()"));
            show(shell.eval("System.getProperty(\"java.class.path\").isEmpty()"));
        }
        System.out.println("closed");
    }
}
