// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.util.logging: levels, handlers, formatters, parents, filters.
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

public class Logging {
    static class Printing extends Handler {
        final String name;
        Printing(String name) { this.name = name; setFormatter(new Plain()); }
        public void publish(LogRecord r) {
            if (isLoggable(r))
                System.out.print(name + ": " + getFormatter().format(r));
        }
        public void flush() {}
        public void close() {}
    }
    static class Plain extends Formatter {
        public String format(LogRecord r) {
            return r.getLevel() + " " + r.getLoggerName() + " " + formatMessage(r) + " " + r.getSourceMethodName()
                    + (r.getThrown() == null ? "" : " " + r.getThrown()) + "\n";
        }
    }

    public static void main(String[] args) {
        LogManager.getLogManager().reset();
        Logger parent = Logger.getLogger("a.b"), child = Logger.getLogger("a.b.c");
        parent.addHandler(new Printing("parent"));
        child.addHandler(new Printing("child"));
        child.setLevel(Level.FINE);
        child.log(Level.FINE, "fine {0} and {1}", new Object[] {1, "two"});
        child.finest("not seen");
        parent.info("info");
        parent.fine("not seen");
        child.setUseParentHandlers(false);
        child.log(Level.SEVERE, "failed", new IllegalStateException("x"));
        child.setFilter(r -> !r.getMessage().contains("secret"));
        child.info("a secret");
        child.entering("Logging", "main", 5);
        System.out.println(child.getParent().getName() + " " + child.isLoggable(Level.FINE) + " " + Level.parse("800")
                + " " + Level.parse("CONFIG").intValue());
        child.info(() -> "supplied");
        SimpleFormatter f = new SimpleFormatter();
        LogRecord r = new LogRecord(Level.WARNING, "text");
        r.setInstant(java.time.Instant.EPOCH);
        System.out.println(f.format(r).lines().skip(1).toList());
        ConsoleHandler h = new ConsoleHandler();
        h.setFormatter(new Plain());
        parent.addHandler(h);
        parent.warning("to the error stream");
    }
}
